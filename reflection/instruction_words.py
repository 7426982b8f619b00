"""The words that orders to agents are made of, as pieces of patterns; and the plain words that are looked for first."""

import re

# Who is meant, where the words can mean nothing but a model.
MODEL = (
    r"(?<![\w./-])(?:a\.i\.|ai\b|llms?|(?:chat)?gpt[\w.-]*|claude(?: code)?|copilot|codex|gemini|(?:large )?language models?"
    r"|(?:ai|llm|coding|autonomous|language|virtual|code)[ -](?:coding |powered |based |programming |code |review )?"
    r"(?:assistants?|agents?|models?|tools?|systems?|bots?|chatbots?|reviewers?|summari[sz]ers?|crawlers?))(?![\w/-]|\.\w|\):)"
)
# Called upon, in words that software is not spoken to with.
CALLED = (
    rf"(?:{MODEL}|(?:the|an|this|any|your) assistant|you the (?:assistant|agent|model)"
    r"|(?:dear|hello|hi|hey|any|all|every|to|for|note to|rules for|attention|future|other|automated|ai generated) (?:\w+ )?(?:agents?|bots?|models?|assistants?|reviewers?|code)"
    r"|(?:agents?|assistants?|models?|bots?|reviewers?) (?:reading|processing|handling|triaging|reviewing|parsing|working (?:in|on|with) (?:this|the)|operating (?:in|on))"
    r"|[(\[] ?(?:assistants?|agents?|ai) ?:|you are (?:reading this because you are )?an? (?:\w+ )?agent|agents ?:)"
)
# Another of its kind right behind: a list of products, as in "codex, swe-agent and console", addresses nobody.
LISTED = r"s?, (?:\w+-[\w-]+|aider|chatgpt|claude|codex|console|copilot|cursor|gemini|gpt[\w.-]*|llms?)\b"
# Who may be meant; such words are also those of software.
ADDRESSEE = rf"(?:{MODEL}|assistants?|agents?|chatbots?|bots?|models?)"
PEOPLE = (
    r"(?:(?:the|your|any|a|our|my|its|their) (?:human |end |current )?(?:users?|humans?|operators?|developers?|owners?"
    r"|reviewers?|maintainers?|admins?|administrators?|persons?|people|team|boss|principal|customers?|engineers?)"
    r"|anyone|anybody|users|humans|people|them|him|her)"
)
NOT = r"(?:do not|don['’]?t|do n't|never|must not|mustn't|should not|shouldn't|no need to|avoid|refrain from|without|not to)"
SECRETS = (
    r"(?:api[ _-]?keys?|access keys?|secrets?|secret keys?|credentials?|passwords?|passphrases?|tokens?"
    r"|(?:environment|env) var\w*|\.?env file|\.env\b|process\.env|os\.environ|printenv(?![.\w])|ssh[ -]keys?"
    r"|id_rsa|~?/\.ssh\S*|~?/\.aws\S*|/etc/(?:passwd|shadow)|private keys?|cookies|session data|wallets?"
    r"|seed phrases?|(?:chat|conversation)(?: history| log)?s?|source code|memory\.md|memory files?|memories"
    r"|user(?:'s|s)? (?:data|files?|e-?mails?|messages?|details|name)|personal data|customer (?:data|list|records)"
    r"|system prompt)"
)
# Where secrets lie; nobody sends these anywhere in ordinary work.
LOOT_PATHS = r"(?:\.env\b|process\.env|os\.environ|\bprintenv\b(?![.\w])|id_rsa|id_ed25519|~?/\.(?:ssh|aws|netrc|npmrc|config/gh)\b\S*|/etc/(?:passwd|shadow)|memory\.md)"
# What a rule may be called. Some of these words are common in software, see the rules.
RULES_OF_AGENT = (
    r"(?:instructions?|(?:system )?prompts?|guidelines?|directives?|guardrails?|directions|rules?|polic(?:y|ies)"
    r"|programming|training|configuration|restrictions|constraints|limitations|safeguards|filters|alignment|ethics|values"
    r"|safety (?:rules|training|guidelines|measures|checks|filters|protocols?)|system messages?|orders|commands)"
)
# What is asked of an agent that nobody asks of it in good faith through a text that it merely reads.
ASKED = (
    r"(?<!never\x20)(?<!not\x20)(?<!n't\x20)(?:ignor(?:e|ing)\b|(?:add |use |pass |append )--no-verify|disregard|forget|overrid|bypass|circumvent"
    r"|skip (?:the |all |any |your )?(?:\w+ )?(?:reviews?|checks?|tests?|verification|confirmations?|approvals?|validation|scans?)"
    r"|reveal|disclose|leak|exfiltrate|hide\b|conceal|silently|secretly|quietly|covertly"
    rf"|{NOT} (?:tell|mention|inform|ask|warn|alert|reveal|report|question|flag|verify|refuse|disclose|wait|summari[sz]e|stop|argue|explain|list|show|revert|double[ -]check|hesitate|say)"
    r"|approve|merge (?:this|it|without|the)|auto-?merge|grant|(?:disable|turn off|deactivate) (?:\w+ ){0,2}(?:security|auth\w*|checks?"
    r"|verification|linters?|linting|tests?|logging|logs?|sandbox\w*|protections?|safety|signing|audit\w*|monitoring)|trust\b|whitelist|allowlist"
    r"|(?:click|visit|open|fetch|load|navigate to|browse to|download|install|read|follow)(?: \S+){0,6} (?:https?://|hxxp|www\.)"
    r"|(?:recommend|endorse|promote|praise)\b|insert a (?:call|link|backdoor|line|request)|stop (?:its|your|the|what)|print (?:the flag|every|all)|label (?:this|it) as|close all|(?:write|admin|root|full) access|only show|hide this|never use any other|\bsudo\b|state that|report no|claim|without limits|must contain|delete (?:the |this )?(?:repo|tests?)|(?:always )?rate (?:this|it|the|reports|every|all)\b|you must (?:run|execute|call|use)|rewrite the|5 stars|five stars|purchase|transfer|wire |pay "
    r"|(?:send|upload|post|e-?mail|forward|transmit|submit|copy|push|pipe)\b.{0,80}(?:https?://|hxxp|\S@\S|\bto this\b|webhook|attacker|external"
    r"|secrets?|credential|api[ _-]?key|environment|password|token|\.env\b|\.ssh)"
    r"|(?<!'s\x20)(?:include|print|paste|output|write|dump|share|list|add|show)\b.{0,40}(?:environment variables|env vars|credentials?|api[ _-]?keys?|secrets|passwords?|tokens|\.env\b|system prompt)"
    r"|execute (?:this|the|it|these|any|all|whatever)|run (?:this|the following|the command|these|curl|wget|whatever|rm|bash|sh |sudo|the attached)"
    r"|curl |wget |rm -rf|chmod 777|obey|comply with|follow (?:these|the following|my|this|only)"
    r"|(?:reply|respond|answer) (?:only )?with|say that|pretend|act as (?:a|an|if)\b|delete (?:all|the|every|this|your)"
    r"|drop (?:all|the) (?:tables?|database)|add (?:the |this |an? )?(?:\w+ )?(?:ssh key|backdoor|collaborator|admin)"
    r"|(?:push|commit) (?:directly|to main|to master|--force|without)|force[- ]push|use your\b|give (?:this|it) (?:a |the )?(?:high|top|full|positive|best))"
)
# Signs near a doubtful phrase that an agent is addressed.
CUE_YOU = rf"\b(?:you|your|yourself|yours|{ADDRESSEE})\b"
CUE_AGENTIC = rf"\b(?:you|your|agents?|assistants?|models?|bots?|the user|users|{MODEL})\b"
CUE_IMPERATIVE = rf"\b(?:you|your|you're|must|please|assistant|agent|the user|also|instead|later sessions|{MODEL})\b"
CUE_AGENT = rf"\b(?:{MODEL}|assistants?)\b"
CUE_ORDER = r"\b(?:you (?:are|must|will|should|have|need|may|can)|your|ignore|disregard|obey|reveal|leak|execute|do not|don't|never|always|must|immediately|delete|send|comply)\b"
_HURRY = (
    r"you must|you are required|(?:assistant|agent|ai|model) must|immediately|silently|secretly|do not ask|don't ask|without asking"
    r"|before (?:continuing|proceeding|answering|responding|you continue|you answer|you do|anything else)|required step|to continue|urgent"
)
CUE_HURRY = rf"\b(?:{_HURRY})\b"
CUE_PRESS = rf"\b(?:{MODEL}|assistants?|mandatory|{_HURRY})\b"

# Looked for first, in this order, in lower case: none of them, no order. Each rule's anchors are among them.
ANCHORS = (
    "ignor", "instruc", "disregard", "forget", "overrid", "bypass", "prompt", "your ", "you are", "from now on",
    "assistant", "agent", "llm", "language model", "claude", "copilot", "gpt", "gemini", "codex", "tell ", "telling",
    "inform", "mention", "reveal", "disclose", "leak", "conceal", "secret", "<|", "[inst", "system", "</", "<!--",
    "base64", "decode", "rot13", "atob", "remember", "jailbreak", "pretend", "anything now", "admin", "developer m",
    "future ", "the user", "nobody", "no one", "no trace", "the task", "###", "conversation", "memori", "persist", "session", "every ",
    "before using", "before you can", "boss", "privilege", "gist", "dns", "treat ", "directive", "quietly", "let's play", "font-size",
    "information>", "important>", "sigas", "tiens", "tenez", "ai without", "proceed with", "anyone find", "lie and", "what you", "you can ", "[//]", "for agents", "curl", "when you", "above", "hidden", "vergiss", "befolg", "missacht", "anweisung", "oubli", "consigne", "olvid",
    "caso omiso", "esque", "desconsider", "negeer", "vergeet", "talimat", "polecen", "dimentic", "istruzion", "backward",
    "between us", "recommend", "promote", "id_rsa", ".ssh", "attacker", "you have", "you know", "you must", "without ", "trust ", "quiet", "the above",
    "permanently", "end of ", "webhook", ".netrc", "learns", "when asked", "as if", "rewrite", " g n o ", ".g.n.", "-g-n-", "reviewers", "the model", "dear ", "were you", "silently", "du bist", "tu es", "1gn", "gn0r", "1nstr", "pr0mpt", "pr3v", "ai:", " ai ", "bots", "exfil",
)  # fmt: skip
# Found before even those: how one word of each anchor begins, and the signs of the anchors without a word.
LETTERS = 5
SIGNS = ("<|", "</", "<!--", "###", "[//]", "[inst", " g n o ", ".g.n.", "-g-n-", "a.i", "1gn", "gn0r", ".ssh")
_COMMON = frozenset(
    {"you", "the", "are", "now", "from", "what", "when", "can", "have", "with", "of", "on", "for", "this", "as"}
)
_SHORT = "gpt chatgpt llms leaks leaking leaked tells curl ai ais agentic https http you when from the now bist tu user users what before let's lets let treat trust"


def _beginnings() -> frozenset[bytes]:
    """The rarest word of each anchor, cut; of several words a common one only if there is no other."""
    found = set(_SHORT.split())
    for anchor in ANCHORS:
        words = re.findall("[a-z0-9]+", anchor)
        rare = [word for word in words if word not in _COMMON]
        found.update(rare[:1] or words[:1])
    return frozenset(
        word[:LETTERS].encode()
        for word in found
        if word not in ("the", "now", "from", "when", "what") and len(word) > 1
    )


FIRST_LETTERS = _beginnings()

# In other scripts; looked for only where a text is not ASCII.
ANCHORS_ABROAD = (
    "忽略", "系统提示", "系統提示", "忘れ", "命令", "ルール", "無視", "无视", "忘记", "忘記", "忘掉", "不要告诉", "不要告訴", "提示词", "提示詞", "系统提示", "指示", "ユーザー", "무시", "잊", "지시",
    "игнорир", "забудь", "не говори", "не сообщай", "инструкц", "ігноруй", "تجاهل", "انس", "निर्देश", "önceki", "bỏ qua", "zignoruj",
    "правил", "ignorér", "oublié", "ne dis", "glem", "αγνό", "התעלם", "précéd",
)  # fmt: skip
# Beside a URL: what there is to steal.
LOOT = (
    "secret",
    "credential",
    "passw",
    "token",
    "api",
    "env",
    "ssh",
    "cookie",
    "aws",
    "wallet",
    "conversation",
    "history",
    "memor",
)
APART = (" g n o ", ".g.n.", "-g-n-", "_g_n_", "*g*n*")
# Names of fields that call upon an agent: their underlines stand for spaces.
KEYS = ("_agent", "agent_", "_assistant", "assistant_", "_llm", "llm_", "ai_", "_ai", "_model", "note_to")
DIGITS = ("1gn", "ign0", "gn0r", "1nstr", "d1sr", "pr0mpt", "pr3v", "syst3m", "f0rg")
ENCODED = ("base64", "b64", "decode", "atob", "hex")
TURNED = ("rot13", "backward", "revers")
