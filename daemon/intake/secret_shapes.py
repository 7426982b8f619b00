"""The shapes of secrets that have a look of their own: one row per shape, with an example that goes and one that stays.

The anchors of a row are substrings without one of which its pattern cannot match; they are what plain text is screened
by. A pattern may name the part to hide `secret`, else all it matches is hidden. The rows are tried in their order.
Examples are put together from pieces, so that no scanner of repositories takes this file for a leak.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    kind: str  # what a reader sees: [redacted:kind:tag]
    anchors: tuple[str, ...]
    pattern: re.Pattern[str]
    example: str  # holds a secret
    counter_example: str  # looks alike and holds none
    is_cased: bool = False  # the anchors are sought as they are written; else they are in lower case
    judge: Callable[[re.Match[str]], bool] | None = None  # whether a match is a secret; None: always


_WORD_BEFORE = r"(?<![A-Za-z0-9_])"  # a token does not begin within a word
_WORD_AFTER = r"(?![A-Za-z0-9_])"


@dataclass(frozen=True, slots=True)
class _Token:
    """A shape that is a prefix of a vendor and a body."""

    kind: str
    anchors: str  # separated by spaces
    pattern: str
    example: tuple[str, str, int]  # prefix, and a body that is repeated and cut to a length
    counter_example: str
    ending: str = field(default=_WORD_AFTER)

    def shape(self) -> Shape:
        prefix, body, length = self.example
        return Shape(
            kind=self.kind,
            anchors=tuple(self.anchors.split()),
            is_cased=True,
            pattern=re.compile(_WORD_BEFORE + "(?:" + self.pattern + ")" + self.ending),
            example=f"it printed {prefix}{(body * length)[:length]} to the log",
            counter_example=self.counter_example,
        )


_UPPER = "Q7WZ2MX4"
_MIXED = "aB3dE5fG7h"
_HEX = "3f9a0c7e5b"

_TOKENS = (
    # clouds
    _Token(
        "aws-key", "AKIA ASIA ABIA ACCA", "(?:AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16}", ("AKIA", _UPPER, 16), "ships to ASIA"
    ),
    _Token("google-key", "AIza", r"AIza[\w-]{35}", ("AIza", _MIXED, 35), "keys begin with AIza"),
    _Token("google-token", "ya29.", r"ya29\.[\w-]{20,}", ("ya29.", _MIXED, 40), "a token begins with ya29."),
    _Token("google-secret", "GOCSPX-", r"GOCSPX-[\w-]{28}", ("GOCSPX-", _MIXED, 28), "the GOCSPX- prefix"),
    _Token("azure-secret", "8Q~", r"[\w~.-]{3}8Q~[\w~.-]{31,34}", ("abc8Q~", _MIXED, 34), "it has 8Q~ inside"),
    _Token(
        "digitalocean-token",
        "dop_v1_ doo_v1_ dor_v1_",
        "do[opr]_v1_[a-f0-9]{64}",
        ("dop_v1_", _HEX, 64),
        "renamed dop_v1_table",
    ),
    _Token("alibaba-key", "LTAI", "LTAI[A-Za-z0-9]{20}", ("LTAI", _MIXED, 20), "LTAI keys"),
    _Token("fly-token", "fm2_ fo1_", r"(?:fm2|fo1)_[\w+/=-]{40,}", ("fo1_", _MIXED, 43), "module fo1_core", ""),
    _Token("heroku-key", "HRKU-", r"HRKU-[\w-]{36,}", ("HRKU-", _MIXED, 40), "HRKU-1"),
    _Token("databricks-token", "dapi", "dapi[a-f0-9]{32}", ("dapi", _HEX, 32), "dapi calls"),
    _Token(
        "planetscale-token",
        "pscale_",
        r"pscale_(?:tkn|pw|oauth)_[\w.-]{30,}",
        ("pscale_pw_", _MIXED, 43),
        "pscale_pw_ in docs",
    ),
    _Token(
        "supabase-key", "sbp_ sb_secret_", r"(?:sbp_[a-f0-9]{40}|sb_secret_[\w-]{20,})", ("sbp_", _HEX, 40), "sbp_ rows"
    ),
    _Token("vault-token", "hvs. hvb.", r"hv[sb]\.[\w-]{24,}", ("hvs.", _MIXED, 90), "read hvs.h first"),
    _Token(
        "terraform-token",
        ".atlasv1.",
        r"[A-Za-z0-9]{14}\.atlasv1\.[\w-]{60,}",
        ("aB3dE5fG7h1234.atlasv1.", _MIXED, 64),
        "the .atlasv1. infix",
    ),
    _Token(
        "doppler-token",
        "dp.pt. dp.st. dp.ct. dp.sa. dp.scim. dp.audit.",
        r"dp\.(?:pt|st|ct|sa|scim|audit)\.[\w.-]{40,}",
        ("dp.pt.", _MIXED, 43),
        "dp.pt.x",
    ),
    _Token(
        "age-key",
        "AGE-SECRET-KEY-1",
        "AGE-SECRET-KEY-1[A-Z0-9]{58}",
        ("AGE-SECRET-KEY-1", _UPPER, 58),
        "an AGE-SECRET-KEY-1 line",
    ),
    # version control and registries
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
        "glpat- gldt- glrt- glcbt- glptt- glft- glsoat- glagent- gloas- glimt-",
        r"gl(?:pat|dt|rt|cbt|ptt|ft|soat|agent|oas|imt)-[\w.-]{20,}",
        ("glpat-", _MIXED, 20),
        "glpat-style tokens",
        "",
    ),
    _Token("bitbucket-token", "ATBB", "ATBB[A-Za-z0-9]{24,}", ("ATBB", _MIXED, 32), "ATBB tokens"),
    _Token("atlassian-token", "ATATT3", r"ATATT3[\w=-]{50,}", ("ATATT3", _MIXED, 180), "ATATT3 tokens", ""),
    _Token("npm-token", "npm_", "npm_[A-Za-z0-9]{36}", ("npm_", _MIXED, 36), "npm_config_registry"),
    _Token("pypi-token", "pypi-", r"pypi-[\w-]{50,}", ("pypi-", _MIXED, 90), "pypi-publish"),
    _Token("rubygems-token", "rubygems_", "rubygems_[a-f0-9]{48}", ("rubygems_", _HEX, 48), "rubygems_version"),
    _Token(
        "docker-token", "dckr_pat_ dckr_oat_", r"dckr_(?:pat|oat)_[\w-]{27,}", ("dckr_pat_", _MIXED, 27), "dckr_pat_"
    ),
    # chat and mail
    _Token(
        "slack-token", "xox xapp-", r"(?:xox[abeprs]|xapp)-[\w.-]{10,}", ("xoxb-", "1234567890-", 44), "xoxb tokens"
    ),
    _Token("telegram-token", ":AA", r"\d{8,10}:AA[\w-]{33}", ("123456789:AA", _MIXED, 33), "at 12:AA"),
    _Token(
        "discord-token",
        "MT Mj Mz ND NT Nj Nz OD OT",
        r"[MNO][TjzD][A-Za-z0-9_-]{22,26}\.[\w-]{6}\.[\w-]{27,38}",
        ("MTIzNDU2Nzg5MDEyMzQ1Njc4.Gabcde.", _MIXED, 30),
        "Module.loader.name",
    ),
    _Token("sendgrid-key", "SG.", r"SG\.[\w-]{22}\.[\w-]{43}", ("SG.aB3dE5fG7haB3dE5fG7haB.", _MIXED, 43), "SG.SQ.1"),
    _Token("mailgun-key", "key-", "key-[a-f0-9]{32}", ("key-", _HEX, 32), "key-value pairs"),
    _Token("mailchimp-key", "-us", r"[a-f0-9]{32}-us\d{1,2}", (_HEX * 3 + "ab-us", "14", 2), "region eu-us2"),
    _Token("twilio-key", "SK", "SK[a-f0-9]{32}", ("SK", _HEX, 32), "SKU 4f"),
    # payment and trade
    _Token(
        "stripe-key",
        "k_live_ k_test_",
        "[srp]k_(?:live|test)_[A-Za-z0-9]{16,}",
        ("sk_live_", _MIXED, 24),
        "sk_live_ keys",
    ),
    _Token("stripe-secret", "whsec_", "whsec_[A-Za-z0-9+/=]{24,}", ("whsec_", _MIXED, 32), "the whsec_ prefix", ""),
    _Token("square-token", "sq0atp- sq0csp-", r"sq0(?:atp|csp)-[\w-]{22,43}", ("sq0atp-", _MIXED, 22), "sq0atp-"),
    _Token(
        "shopify-token",
        "shpat_ shpca_ shppa_ shpss_",
        "shp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}",
        ("shpat_", _HEX, 32),
        "shpat_ rows",
    ),
    _Token(
        "braintree-token",
        "access_token$",
        r"access_token\$(?:production|sandbox)\$[a-z0-9]{16}\$[a-f0-9]{32}",
        ("access_token$production$abcdefgh12345678$", _HEX, 32),
        "access_token$",
    ),
    # model and memory vendors
    _Token("anthropic-key", "sk-ant-", r"sk-ant-[\w-]{20,}", ("sk-ant-api03-", _MIXED, 93), "sk-ant-", ""),
    _Token(
        "model-key",
        "sk-",
        r"sk-(?=[\w-]{0,400}\d)(?:proj-|svcacct-|admin-|or-v1-)?[A-Za-z0-9_-]{20,}",
        ("sk-proj-", _MIXED, 48),
        "sk-learn-contrib-estimators",
        "",
    ),
    _Token("huggingface-token", "hf_", "hf_[A-Za-z0-9]{30,}", ("hf_", _MIXED, 34), "hf_hub_download"),
    _Token("groq-key", "gsk_", "gsk_[A-Za-z0-9]{40,}", ("gsk_", _MIXED, 52), "gsk_settings"),
    _Token("replicate-token", "r8_", "r8_[A-Za-z0-9]{37,}", ("r8_", _MIXED, 37), "r8_format"),
    _Token("xai-key", "xai-", "xai-[A-Za-z0-9]{60,}", ("xai-", _MIXED, 80), "xai-compatible"),
    _Token("perplexity-key", "pplx-", "pplx-[A-Za-z0-9]{40,}", ("pplx-", _MIXED, 48), "pplx-api"),
    _Token(
        "langsmith-key",
        "lsv2_",
        r"lsv2_(?:pt|sk)_[a-f0-9]{32}_[a-f0-9]{10}",
        ("lsv2_pt_" + _HEX * 3 + "ab_", _HEX, 10),
        "lsv2_pt_",
    ),
    _Token("pinecone-key", "pcsk_", r"pcsk_\w{40,}", ("pcsk_", _MIXED, 70), "pcsk_"),
    _Token("mem0-key", "m0-", "m0-[A-Za-z0-9]{40}", ("m0-", _MIXED, 40), "the m0-branch"),
    # tools
    _Token("newrelic-key", "NRAK-", "NRAK-[A-Z0-9]{27}", ("NRAK-", _UPPER, 27), "NRAK-1"),
    _Token("sentry-token", "sntrys_ sntryu_", r"sntry[us]_[\w+/=-]{40,}", ("sntrys_", _MIXED, 100), "sntrys_", ""),
    _Token("grafana-token", "glsa_ glc_", r"gl(?:sa|c)_[\w+/=]{32,}", ("glsa_", _MIXED, 41), "glsa_name", ""),
    _Token("linear-key", "lin_api_", "lin_api_[A-Za-z0-9]{40}", ("lin_api_", _MIXED, 40), "lin_api_client"),
    _Token("notion-token", "ntn_", "ntn_[A-Za-z0-9]{40,}", ("ntn_", _MIXED, 46), "ntn_pages"),
    _Token(
        "postman-key", "PMAK-", "PMAK-[a-f0-9]{24}-[a-f0-9]{34}", ("PMAK-3f9a0c7e5b3f9a0c7e5b3f9a-", _HEX, 34), "PMAK-"
    ),
    _Token("figma-token", "figd_", r"figd_[\w-]{40,}", ("figd_", _MIXED, 43), "figd_"),
    _Token(
        "jwt",
        "eyJ",
        r"(?<!-)eyJ[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]{10,}",
        ("eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.", _MIXED, 43),
        "eyJhbGciOiJIUzI1NiJ9",
    ),
)

TOKEN_SHAPES: tuple[Shape, ...] = tuple(token.shape() for token in _TOKENS)
