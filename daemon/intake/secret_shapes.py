"""The shapes of secrets that have a look of their own: one row per shape, with an example that goes and one that stays.

No such secret is shorter than MIN_TOKEN characters or holds a space, so plain text is screened by the lengths of its
words, and only long words by the anchors: substrings without one of which a row's pattern cannot match. The rows are
tried in their order. Examples are put together from pieces, so that no scanner of repositories takes this file for a
leak. The prefixes are those the vendors document or publish for scanners.
"""

from dataclasses import dataclass, field

from dreamd.daemon.intake.secret_shape import Shape

MIN_TOKEN = 20  # characters of the shortest secret in this file, its prefix included

# A token does not begin within a word; but the n of an escaped line end, the end of %3D and a colour's m are no word.
_BEFORE = r"(?:(?<![A-Za-z0-9])|(?<=\\[nrtbf])|(?<=%[0-9A-F]{2})|(?<=\[\dm)|(?<=\[\d\dm))"
_AFTER = r"(?![A-Za-z0-9_])"


@dataclass(frozen=True, slots=True)
class _Token:
    """A shape that is a prefix of a vendor and a body."""

    kind: str
    anchors: str  # separated by spaces
    pattern: str
    example: tuple[str, str, int]  # prefix, and a body that is repeated and cut to a length
    counter_example: str
    ending: str = field(default=_AFTER)

    def shape(self) -> Shape:
        prefix, body, length = self.example
        return Shape(
            kind=self.kind,
            anchors=tuple(self.anchors.split()),
            source=_BEFORE + "(?:" + self.pattern + ")" + self.ending,
            example=f"it printed {prefix}{(body * length)[:length]} to the log",
            counter_example=self.counter_example,
        )


_UPPER = "Q7WZ2MX4"
_MIXED = "aB3dE5fG7h"
_HEX = "3f9a0c7e5b"
_LOWER = "k3v9x2m7q5"
_UUID = "6f1b2c3d-4e5f-6071-8293-a4b5c6d7e8f9"
_UUID_SHAPE = "[a-f0-9]{8}-[a-f0-9]{4}-[a-f0-9]{4}-[a-f0-9]{4}-[a-f0-9]{12}"

_TOKENS = (
    # clouds
    _Token("aws-key", "AKIA ASIA ABIA ACCA", "A(?:KI|SI|BI|CC)A[A-Z2-7]{16}", ("AKIA", _UPPER, 16), "ships to ASIA"),
    _Token("aws-key", "ABSK", "ABSK[A-Za-z0-9+/]{100,300}={0,2}", ("ABSK", _MIXED, 120), "the ABSK prefix", ""),
    _Token("google-key", "AIza", r"AIza[\w-]{35}", ("AIza", _MIXED, 35), "keys begin with AIza", r"(?![\w-])"),
    _Token("google-token", "ya29.", r"ya29\.[\w-]{20,}", ("ya29.", _MIXED, 40), "a token begins with ya29.", ""),
    _Token("google-token", "1//0", r"1//0[\w-]{30,}", ("1//0", _MIXED, 60), "the path /1//0/a", ""),
    _Token("google-secret", "GOCSPX-", r"GOCSPX-[\w-]{28}", ("GOCSPX-", _MIXED, 28), "the GOCSPX- prefix", ""),
    _Token(
        "azure-secret", "8Q~ 7Q~", r"[\w~.-]{3}[78]Q~[\w~.-]{31,34}", ("abc8Q~", _MIXED, 34), "it has 8Q~ inside", ""
    ),
    _Token("azure-token", "AZDO", "[A-Za-z0-9]{76}AZDO[A-Za-z0-9]{4}", (_MIXED * 7 + "aB3dE5AZDO", _MIXED, 4), "AZDO"),
    _Token("digitalocean-token", "_v1_", "do[opr]_v1_[a-f0-9]{64}", ("dop_v1_", _HEX, 64), "renamed dop_v1_table"),
    _Token("alibaba-key", "LTAI", "LTAI[A-Za-z0-9]{20}", ("LTAI", _MIXED, 20), "LTAI keys"),
    _Token("yandex-key", "AQVN", r"AQVN[\w-]{35,38}", ("AQVN", _MIXED, 36), "AQVN keys"),
    _Token(
        "cloudflare-key",
        "v1.0-",
        "v1\\.0-[a-f0-9]{24}-[a-f0-9]{146}",
        ("v1.0-3f9a" + _HEX * 2 + "-", _HEX, 146),
        "v1.0-rc",
    ),
    _Token(
        "fly-token", "fm1 fm2_ fo1_", r"(?:fm2|fm1[ar]|fo1)_[\w+/=-]{40,}", ("fo1_", _MIXED, 43), "module fo1_core", ""
    ),
    _Token("heroku-key", "HRKU-", r"HRKU-[\w-]{36,}", ("HRKU-", _MIXED, 40), "HRKU-1", ""),
    _Token("databricks-token", "dapi", "dapi[a-f0-9]{32}", ("dapi", _HEX, 32), "dapi calls"),
    _Token(
        "planetscale-token",
        "pscale_",
        r"pscale_(?:tkn|pw|oauth)_[\w.-]{30,}",
        ("pscale_pw_", _MIXED, 43),
        "pscale_pw_",
        "",
    ),
    _Token(
        "supabase-key", "sbp_ sb_secret_", r"(?:sbp_[a-f0-9]{40}|sb_secret_[\w-]{20,})", ("sbp_", _HEX, 40), "sbp_ rows"
    ),
    _Token("vault-token", "hvs. hvb. hvr.", r"hv[sbr]\.[\w-]{24,}", ("hvs.", _MIXED, 90), "read hvs.h first", ""),
    _Token(
        "terraform-token",
        ".atlasv1.",
        r"[A-Za-z0-9]{14}\.atlasv1\.[\w-]{60,}",
        ("aB3dE5fG7h1234.atlasv1.", _MIXED, 64),
        "the .atlasv1. infix",
        "",
    ),
    _Token(
        "doppler-token", "dp.", r"dp\.(?:pt|st|ct|sa|scim|audit)\.[\w.-]{40,}", ("dp.pt.", _MIXED, 43), "dp.pt.x", ""
    ),
    _Token("pulumi-token", "pul-", "pul-[a-f0-9]{40}", ("pul-", _HEX, 40), "pul-1"),
    _Token("openshift-token", "sha256~", r"sha256~[\w-]{43}", ("sha256~", _MIXED, 43), "sha256~ in docs", ""),
    _Token(
        "age-key",
        "AGE-SECRET-KEY-",
        "AGE-SECRET-KEY-1[A-Z0-9]{58}",
        ("AGE-SECRET-KEY-1", _UPPER, 58),
        "an AGE-SECRET-KEY-1 line",
    ),
    _Token("1password-token", "ops_eyJ", "ops_eyJ[A-Za-z0-9+/=_-]{200,}", ("ops_eyJ", _MIXED, 260), "ops_eyJ", ""),
    _Token(
        "1password-key",
        "A3-",
        "A3-[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})(?:-[A-Z0-9]{5}){3}",
        ("A3-ABCDEF-ABCDEFGH123-ABCDE-ABCDE-ABC", "7", 2),
        "paper A3-FORMAT",
    ),
    # version control, registries, builds
    _Token(
        "github-token",
        "ghp_ gho_ ghu_ ghs_ ghr_",
        "gh[pousr]_[A-Za-z0-9]{36,}",
        ("ghp_", _MIXED, 36),
        "a variable ghp_token",
    ),
    _Token("github-token", "github_pat_", r"github_pat_\w{60,}", ("github_pat_", _MIXED, 82), "the github_pat_ format"),
    _Token(
        "gitlab-token",
        "gl GR1348941",
        r"(?:gl(?:pat|dt|rt|cbt|ptt|ft|soat|agent|oas|imt|ffct)-|GR1348941)[\w.-]{20,}",
        ("glpat-", _MIXED, 20),
        "glpat-style tokens",
        "",
    ),
    _Token("bitbucket-token", "ATBB", "ATBB[A-Za-z0-9]{24,}", ("ATBB", _MIXED, 32), "ATBB tokens"),
    _Token("atlassian-token", "ATATT3 ATCTT3", r"AT[AC]TT3[\w=-]{50,}", ("ATATT3", _MIXED, 180), "ATATT3 tokens", ""),
    _Token(
        "sourcegraph-token", "sgp_", "sgp_(?:[a-fA-F0-9]{16}_|local_)?[a-fA-F0-9]{40}", ("sgp_", _HEX, 40), "sgp_rows"
    ),
    _Token("npm-token", "npm_", "npm_[A-Za-z0-9]{36}", ("npm_", _MIXED, 36), "npm_config_registry"),
    _Token("pypi-token", "pypi-", r"pypi-[\w-]{50,}", ("pypi-", _MIXED, 90), "pypi-publish", ""),
    _Token("rubygems-token", "rubygems_", "rubygems_[a-f0-9]{48}", ("rubygems_", _HEX, 48), "rubygems_version"),
    _Token(
        "crates-token",
        "cio",
        r"cio(?=\w{0,31}\d)(?=\w{0,31}[A-Z])[A-Za-z0-9]{32}",
        ("cio", _MIXED, 32),
        "socio-economic",
    ),
    _Token("nuget-key", "oy2", "oy2[a-z0-9]{43}", ("oy2", _LOWER, 43), "oy2 keys"),
    _Token(
        "packagist-token",
        "packagist_",
        "packagist_[ou][ru]t_[a-f0-9]{68}",
        ("packagist_out_", _HEX, 68),
        "packagist_name",
    ),
    _Token("clojars-token", "CLOJARS_", "CLOJARS_[a-z0-9]{60}", ("CLOJARS_", _LOWER, 60), "CLOJARS_USERNAME"),
    _Token(
        "artifactory-token", "AKCp cmVmd", "(?:AKCp[A-Za-z0-9]{69}|cmVmd[A-Za-z0-9]{59})", ("AKCp", _MIXED, 69), "AKCp"
    ),
    _Token("docker-token", "dckr_", r"dckr_(?:pat|oat)_[\w-]{27,}", ("dckr_pat_", _MIXED, 27), "dckr_pat_", ""),
    _Token("circleci-token", "CCIP", r"CCIP(?:AT|RJ)_[A-Za-z0-9_]{22,}", ("CCIPAT_", _MIXED, 62), "CCIPAT_"),
    _Token("buildkite-token", "bkua_", "bkua_[a-f0-9]{40}", ("bkua_", _HEX, 40), "bkua_name"),
    _Token(
        "vercel-token",
        "vc vercel_blob_",
        r"(?:vc[pirka]_[A-Za-z0-9]{48,}|vercel_blob_rw_\w{30,})",
        ("vcp_", _MIXED, 56),
        "vercel_blob_rw_",
    ),
    _Token("netlify-token", "nf", "nf[pcoub]_[A-Za-z0-9]{36}", ("nfp_", _MIXED, 36), "nfp_name"),
    _Token("render-key", "rnd_", "rnd_[A-Za-z0-9]{28,}", ("rnd_", _MIXED, 32), "rnd_seed"),
    _Token("prefect-key", "pnu_ pnb_", "pn[ub]_[A-Za-z0-9]{36}", ("pnu_", _MIXED, 36), "pnu_x"),
    _Token("sonar-token", "squ_ sqp_ sqa_", "sq[upa]_[a-f0-9]{40}", ("squ_", _HEX, 40), "squ_are"),
    # chat and mail
    _Token(
        "slack-token",
        "xox xapp-",
        r"(?:xox[abceoprsd](?:\.xox[bp])?|xapp)-[\w.-]{15,}",
        ("xoxb-", "1234567890-", 44),
        "xoxb tokens",
        "",
    ),
    _Token("telegram-token", ":AA", r"\d{8,10}:AA[\w-]{33}", ("123456789:AA", _MIXED, 33), "at 12:AA", r"(?![\w-])"),
    _Token(
        "discord-token",
        "MT Mj Mz ND NT Nj Nz OD OT",
        r"[MNO][TjzD][A-Za-z0-9_-]{22,26}\.[\w-]{6}\.[\w-]{27,38}",
        ("MTIzNDU2Nzg5MDEyMzQ1Njc4.Gabcde.", _MIXED, 30),
        "Module.loader.name",
        "",
    ),
    _Token(
        "sendgrid-key", "SG.", r"SG\.[\w-]{22}\.[\w-]{43}", ("SG.aB3dE5fG7haB3dE5fG7haB.", _MIXED, 43), "SG.SQ.1", ""
    ),
    _Token(
        "brevo-key",
        "xkeysib- xsmtpsib-",
        "x(?:key|smtp)sib-[a-f0-9]{64}-[A-Za-z0-9]{16}",
        ("xkeysib-" + _HEX * 6 + "3f9a-", _MIXED, 16),
        "xkeysib-",
    ),
    _Token("mailgun-key", "key-", "key-[a-f0-9]{32}", ("key-", _HEX, 32), "key-value pairs"),
    _Token("mailchimp-key", "-us", r"[a-f0-9]{32}-us\d{1,2}", (_HEX * 3 + "ab-us", "14", 2), "region eu-us2"),
    _Token("twilio-key", "SK", "SK[a-f0-9]{32}", ("SK", _HEX, 32), "SKU 4f"),
    _Token("facebook-token", "EAA", "EAA[A-Za-z0-9]{80,}", ("EAACEdEose0cBA", _MIXED, 100), "EAAP", ""),
    _Token(
        "twitter-token",
        "AAAAAAAAAAAAAAAAAAAAA",
        "A{21,24}(?=[A-Za-z%]{0,60}[0-9])[A-Za-z0-9%]{80,100}",
        ("A" * 22, _MIXED + "%3D", 90),
        "AAAAAAAAAAAAAAAAAAAAAA",
    ),
    # payment and trade
    _Token(
        "stripe-key",
        "k_live_ k_test_ k_prod_",
        "[srp]k_(?:live|test|prod)_[A-Za-z0-9]{16,}",
        ("sk_live_", _MIXED, 24),
        "sk_live_ keys",
        "",
    ),
    _Token("webhook-secret", "whsec_", "whsec_[A-Za-z0-9+/=]{24,}", ("whsec_", _MIXED, 32), "the whsec_ prefix", ""),
    _Token(
        "square-token",
        "sq0 EAAA",
        r"(?:sq0(?:atp|csp|idp)-[\w-]{22,43}|EAAA[\w-]{60})",
        ("sq0atp-", _MIXED, 22),
        "sq0atp-",
        "",
    ),
    _Token("shopify-token", "shp", "shp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}", ("shpat_", _HEX, 32), "shpat_ rows"),
    _Token(
        "braintree-token",
        "access_token$",
        r"access_token\$(?:production|sandbox)\$[a-z0-9]{16}\$[a-f0-9]{32}",
        ("access_token$production$abcdefgh12345678$", _HEX, 32),
        "access_token$",
    ),
    _Token(
        "plaid-token",
        "access-",
        f"access-(?:sandbox|development|production)-{_UUID_SHAPE}",
        ("access-sandbox-", _UUID, 36),
        "access-production-database",
    ),
    _Token(
        "flutterwave-key",
        "FLWSECK",
        "FLWSECK(?:_TEST|_LIVE)?-[a-h0-9]{32}-X",
        ("FLWSECK_TEST-" + _HEX * 3 + "ab-", "X", 1),
        "FLWSECK",
    ),
    _Token("easypost-key", "EZAK EZTK", "EZ[AT]K[A-Za-z0-9]{54}", ("EZAK", _MIXED, 54), "EZAK"),
    # model and memory vendors
    _Token("anthropic-key", "sk-ant-", r"sk-ant-[\w-]{20,}", ("sk-ant-api03-", _MIXED, 93), "sk-ant-", ""),
    _Token(
        "model-key",
        "sk-",
        r"sk-(?=[\w-]{0,400}\d)(?!(?:[a-z]+-){0,20}[a-z]+\d{0,2}(?![\w-]))[A-Za-z0-9_-]{20,}",
        ("sk-proj-", _MIXED, 48),
        "sk-learn-contrib-estimators-v2",
        "",
    ),
    _Token("elevenlabs-key", "sk_", "sk_[a-f0-9]{48}", ("sk_", _HEX, 48), "sk_buff"),
    _Token(
        "huggingface-token",
        "hf_ api_org_",
        "(?:hf_|api_org_)(?!(?:[a-z]+_){0,20}[a-z]+(?!\\w))[A-Za-z0-9]{30,}",
        ("hf_", _MIXED, 34),
        "hf_hub_download",
    ),
    _Token("groq-key", "gsk_", "gsk_[A-Za-z0-9]{40,}", ("gsk_", _MIXED, 52), "gsk_settings"),
    _Token("replicate-token", "r8_", "r8_[A-Za-z0-9]{37,}", ("r8_", _MIXED, 37), "r8_format"),
    _Token("xai-key", "xai-", "xai-[A-Za-z0-9]{60,}", ("xai-", _MIXED, 80), "xai-compatible"),
    _Token("perplexity-key", "pplx-", "pplx-[A-Za-z0-9]{40,}", ("pplx-", _MIXED, 48), "pplx-api"),
    _Token("nvidia-key", "nvapi-", r"nvapi-[\w-]{60,}", ("nvapi-", _MIXED, 64), "nvapi-style", ""),
    _Token("cerebras-key", "csk-", "csk-[a-z0-9]{40,}", ("csk-", _LOWER, 48), "csk-1"),
    _Token("together-key", "tgp_v1_", r"tgp_v1_[\w-]{40,}", ("tgp_v1_", _MIXED, 43), "tgp_v1_", ""),
    _Token(
        "fireworks-key",
        "fw_",
        r"fw_(?=\w{0,23}\d)(?=\w{0,23}[A-Z])[A-Za-z0-9]{22,}",
        ("fw_", _MIXED, 24),
        "fw_update_requested",
    ),
    _Token(
        "voyage-key",
        "pa-",
        r"pa-(?=[\w-]{0,42}\d)(?=[\w-]{0,42}[A-Z])[\w-]{43}",
        ("pa-", _MIXED, 43),
        "pa-1",
        r"(?![\w-])",
    ),
    _Token("jina-key", "jina_", "jina_[A-Za-z0-9_-]{50,}", ("jina_", _MIXED, 60), "jina_client"),
    _Token("tavily-key", "tvly-", r"tvly-[\w-]{28,}", ("tvly-", _MIXED, 32), "tvly-x", ""),
    _Token("firecrawl-key", "fc-", "fc-[a-f0-9]{32}", ("fc-", _HEX, 32), "fc-cache"),
    _Token("e2b-key", "e2b_", "e2b_[a-f0-9]{40}", ("e2b_", _HEX, 40), "e2b_template"),
    _Token(
        "langsmith-key",
        "lsv2_ ls__",
        r"(?:lsv2_(?:pt|sk)_[a-f0-9]{32}_[a-f0-9]{10}|ls__[a-f0-9]{32})",
        ("lsv2_pt_" + _HEX * 3 + "ab_", _HEX, 10),
        "lsv2_pt_",
    ),
    _Token("pinecone-key", "pcsk_", r"pcsk_\w{40,}", ("pcsk_", _MIXED, 70), "pcsk_"),
    _Token("mem0-key", "m0-", "m0-[A-Za-z0-9]{40}", ("m0-", _MIXED, 40), "the m0-branch"),
    _Token("zep-key", "z_1dWlk", r"z_1dWlk[\w.-]{40,}", ("z_1dWlkIjoi", _MIXED, 80), "z_1dWlk", ""),
    _Token(
        "supermemory-key",
        "sm_",
        r"sm_(?=\w{0,80}\d)(?=\w{0,80}[A-Z])[A-Za-z0-9_]{40,}",
        ("sm_", _MIXED, 64),
        "sm_scaling_factor",
    ),
    # tools
    _Token(
        "newrelic-key",
        "NRAK- NRII- NRRA- NRJS- NRIQ-",
        r"NR(?:AK|II|RA|JS|IQ)-[\w-]{19,}",
        ("NRAK-", _UPPER, 27),
        "NRAK-1",
        "",
    ),
    _Token("sentry-token", "sntry", r"sntry[us]_[\w+/=-]{40,}", ("sntrys_", _MIXED, 100), "sntrys_", ""),
    _Token("grafana-token", "glsa_ glc_", r"gl(?:sa|c)_[\w+/=]{32,}", ("glsa_", _MIXED, 41), "glsa_name", ""),
    _Token(
        "dynatrace-token",
        "dt0",
        r"dt0[a-z]\d\d\.[A-Z0-9]{24}\.[A-Z0-9]{64}",
        ("dt0c01." + _UPPER * 3 + ".", _UPPER, 64),
        "dt0c01.",
    ),
    _Token("honeycomb-key", "hca hc", "hc[abc]?[ik][ck]_[a-z0-9]{58}", ("hcaik_", _LOWER, 58), "hcaik_"),
    _Token("posthog-key", "phx_", "phx_[A-Za-z0-9]{40,}", ("phx_", _MIXED, 47), "phx_router"),
    _Token("logfire-token", "pylf_v", r"pylf_v\d_[a-z]+_[A-Za-z0-9]{40,}", ("pylf_v1_us_", _MIXED, 43), "pylf_v1_us_"),
    _Token("linear-key", "lin_", "lin_(?:api|oauth)_[A-Za-z0-9]{32,}", ("lin_api_", _MIXED, 40), "lin_api_client"),
    _Token(
        "notion-token",
        "ntn_ secret_",
        r"(?:ntn_[A-Za-z0-9]{40,}|secret_(?=\w{0,42}\d)(?=\w{0,42}[A-Z])[A-Za-z0-9]{43})",
        ("ntn_", _MIXED, 46),
        "ntn_pages",
    ),
    _Token(
        "airtable-token", "pat", r"pat[A-Za-z0-9]{14}\.[a-f0-9]{64}", ("patAbCdEfGh123456.", _HEX, 64), "patterns.list"
    ),
    _Token("hubspot-token", "pat-", f"pat-(?:na|eu)\\d-{_UUID_SHAPE}", ("pat-na1-", _UUID, 36), "pat-na1-"),
    _Token(
        "launchdarkly-key", "sdk- api-", f"(?:sdk|api)-{_UUID_SHAPE}", ("sdk-", _UUID, 36), "sdk-client-side-library"
    ),
    _Token(
        "postman-key", "PMAK-", "PMAK-[a-f0-9]{24}-[a-f0-9]{34}", ("PMAK-3f9a0c7e5b3f9a0c7e5b3f9a-", _HEX, 34), "PMAK-"
    ),
    _Token("figma-token", "fig", r"fig[dour]{1,2}_[\w-]{40,}", ("figd_", _MIXED, 43), "figd_", ""),
    _Token("typeform-token", "tfp_", r"tfp_[\w.=-]{40,}", ("tfp_", _MIXED, 59), "tfp_x", ""),
    _Token("contentful-token", "CFPAT-", r"CFPAT-[\w-]{43}", ("CFPAT-", _MIXED, 43), "CFPAT-", ""),
    _Token(
        "mapbox-token",
        "sk.eyJ",
        r"sk\.eyJ[\w-]{20,}\.[\w-]{20,}",
        ("sk.eyJ" + _MIXED * 6 + ".", _MIXED, 22),
        "sk.eyJ",
        "",
    ),
    _Token("octopus-key", "API-", "API-(?=[A-Z0-9]{0,31}[0-9])[A-Z0-9]{25,32}", ("API-", _UPPER, 26), "API-GATEWAY"),
    _Token(
        "jwt",
        "eyJ",
        r"(?<![_-])eyJ[\w-]{8,8000}\.(?:eyJ[\w-]{8,}(?:\.[\w-]*)?|[\w-]{0,999}\.[\w-]{12,99}\.[\w-]+\.[\w-]{20,})",
        ("eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.", _MIXED, 43),
        "eyJhbGciOiJIUzI1NiJ9",
        "",
    ),
    _Token(
        "password-hash",
        "$6$ $5$ $y$ $2 $argon2 $1$",
        r"\$(?:[156]|y|2[abxy]?|argon2\w{1,2})\$[\w./+=,$-]{20,}",
        ("$6$rounds=5000$", _MIXED, 90),
        "$2 and $1$",
        "",
    ),
)

TOKEN_SHAPES: tuple[Shape, ...] = tuple(token.shape() for token in _TOKENS)
