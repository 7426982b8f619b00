"""The rules by which a text reads like an order to an agent, most telling first.

A pattern is matched against lower-case text without emphasis, white space as one space. A space in a pattern also
takes up to three signs between words. A rule with a cue fits only where the cue stands near its phrase: those are
phrases that ordinary work uses too.
"""

import re
from dataclasses import dataclass

from dreamd.reflection import instruction_words as words
from dreamd.reflection.instructions_abroad import ABROAD

GAP = r"(?:[\s,;:(>-]{1,3})"
IGNORE = "it tells an agent to ignore its rules"
ROLE = "it gives an agent another role"
HIDE = "it asks to keep something from people"
REVEAL = "it asks for prompts or secrets"
TOOLS = "it tells an agent to use tools or run something"
ADDRESS = "it is addressed to an agent and gives it orders"
MEMORY = "it wants to be remembered as a rule"
MARKUP = "it imitates the markup of a system message"
HIDDEN = "it hides an order in markup that people do not see"
DECODE = "it asks to decode and follow something"
SENDS = "it asks to send data away"


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    anchors: frozenset[str]  # plain words, one of which every text that fits holds
    pattern: re.Pattern[str]
    reason: str
    also: tuple[str, ...] = ()  # further plain words, one of which it holds too; (): none needed
    cue: re.Pattern[str] | None = None  # what must stand near the phrase; None: the phrase alone fits
    by_line: bool = False  # whether line breaks count


def _compiled(pattern: str) -> re.Pattern[str]:
    """`pattern` with each space outside a character class as a gap between words."""
    pieces, is_class, is_escaped = [], False, False
    for char in pattern:
        pieces.append(GAP if char == " " and not is_class and not is_escaped else char)
        is_class = char == "[" and not is_escaped or is_class and (char != "]" or is_escaped)
        is_escaped = char == "\\" and not is_escaped
    return re.compile("".join(pieces))


_SEND = r"(?:send|post|upload|exfiltrate|e-?mail|forward|transmit|leak|submit|copy|push|publish|pipe|share|deliver|report|put|write|append|paste|include|embed|attach|dump|encode|add|collect|gather|get|read|cat|curl|wget|fetch|load|render|request|call|open|visit)"
_CUES: dict[str, re.Pattern[str]] = {
    "you": re.compile(words.CUE_YOU),
    "agent": re.compile(words.CUE_AGENT),
    "order": re.compile(words.CUE_ORDER),
    "press": re.compile(words.CUE_PRESS),
    "send": re.compile(rf"(?:^|[.!?:;,\])-] ?|\b(?:and|then|please|now|must|should|to|first|also|secretly|silently|you) ){_SEND}\b"),
    "hurry": re.compile(words.CUE_HURRY),
    "instead": re.compile(r"\b(?:regardless|even (?:if|though|when)|no matter|anyway|whatever|instead|do not|don't|never)\b"),
}


def _rule(reason: str, anchors: str, pattern: str, cue: str | None = None, *, also: str = "", by_line: bool = False) -> Rule:
    return Rule(
        anchors=frozenset(anchors.split("|")),
        pattern=_compiled(pattern),
        reason=reason,
        also=tuple(also.split("|")) if also else (),
        cue=None if cue is None else _CUES[cue],
        by_line=by_line,
    )


_IGNORING = "ignor|disregard|forget|follow|obey|attention|overlook|neglect|set aside|abandon|override|overriding|bypass|adher|comply|listen to|unlearn|dismiss"
_IGNORE = (
    rf"(?:ignor(?:e|es|ing)|disregard(?:s|ing)?|forget(?:ting)?|neglect|overlook|unlearn|dismiss|abandon|stop (?:following|obeying)"
    rf"|(?:{words.NOT}) (?:follow|obey|adhere to|comply with|listen to)|pay no (?:attention|heed) to|set aside)"
)
_IGNORE_MORE = rf"(?:{_IGNORE}|override|overriding|bypass|bypassing|circumvent|violate)"
_AGENTS = "agent|assistant|llm| ai | ai:| ai,| ai-|models|bot|gpt|claude|copilot|codex|gemini|a.i"
_LOOT = "key|secret|credential|passw|token|env|ssh|aws|/etc|cookie|session|wallet|seed|chat|conversation|source|memor|user|personal|customer|prompt"
_FILL = r"(?:all|any|every|each|of|the|these|those|that|my|our|its|this|and|or|your|other|whatever|system|developer|safety|existing|initial|original|such|both)"
_BEFORE = r"(?:previous(?:ly)?|prior|above|earlier|preceding|foregoing|former|aforementioned|old|past)"
_TOLD = r"(?:instructions?|prompts?|guidelines?|directives?|guardrails?|directions|system messages?|programming|training)"
_OF_YOURS = r"(?:\b(?:previous|prior|system|initial|original|safety|security|own|core|current|hidden|internal|existing|usual|normal|other|built-in|ethical|content|default|standing)\b )"
_SAY = r"(?:reveal|print|show|output|repeat|display|disclose|leak|dump|give (?:me|us)|tell (?:me|us)|share|expose|recite|paste|provide|write(?: out| down)?|echo|return|quote|copy|list|send(?: me| us)?|summari[sz]e|translate|spell out|encode|include)"
_FULL = r"(?:me|us|back|all|out|verbatim|exactly|the|full|entire|complete|exact|whole|contents?|text|of|a|copy)"

RULES: tuple[Rule, ...] = (
    # to ignore rules
    _rule(IGNORE, "ignore|disregard|forget", r"(?:ignore|disregard|forget)(?:all|any|the|your|of|my){0,4}(?:previous|prior|above|earlier)(?:system)?(?:instructions?|rules|prompts?|guidelines)"),
    _rule(IGNORE, _IGNORING, rf"\b{_IGNORE_MORE} (?:{_FILL} )*{_BEFORE} (?:\w+ ){{0,2}}{_TOLD}\b"),
    _rule(IGNORE, _IGNORING, rf"\b{_IGNORE} (?:{_FILL} )*{_BEFORE} (?:\w+ )?(?:rules|polic(?:y|ies)|restrictions|constraints)\b"),
    _rule(IGNORE, _IGNORING, rf"\b{_IGNORE} (?:{_FILL} )*{_BEFORE} (?:\w+ )?(?:messages?|context|conversations?|commands|orders|text|content|input|requests?)\b", "you"),
    _rule(IGNORE, _IGNORING, rf"\b{_IGNORE_MORE} (?:all |any |every )?(?:of )?your {_OF_YOURS}*{words.RULES_OF_AGENT}\b"),
    _rule(IGNORE, _IGNORING, rf"\b{_IGNORE} (?:{_FILL} )*{words.RULES_OF_AGENT} (?:\w+ )?(?:above|before this|given (?:above|before|earlier|so far|to you)|(?:that )?you (?:were|have been|'ve been|had|have|got|received|are)|that (?:came|were given|precede)|so far|until now|up to (?:here|this point)|from (?:your|the) (?:developers?|system|users?|operators?|creators?|owners?))"),
    _rule(IGNORE, _IGNORING, r"\b(?:forget|disregard) (?:everything|anything|all|whatever|what)(?: that)? (?:you|i (?:have )?(?:told|taught|gave) you|above|before|prior|previous|you've)\b"),
    _rule(IGNORE, _IGNORING, rf"\b{_IGNORE} (?:everything|anything|all|whatever|what)(?: that)? (?:you|i (?:said|told|wrote)|was said|has been said|above|before|prior|previous|they)\b", "order"),
    _rule(IGNORE, _IGNORING, rf"\b{_IGNORE_MORE} (?:{_FILL} )*(?:system|developer|initial|original|safety|security|content|ethical)? ?(?:instructions?|prompts?|guidelines?|guardrails?|directives?|rules|polic(?:y|ies)|restrictions|messages?|filters|constraints)\b (?:and|then|instead|from now|you|or)\b", "order"),
    _rule(IGNORE, "instruct", r"\b(?:new|updated|real|actual|revised|latest|correct|true|following|these) instructions? (?:override|overrides|supersede|supersedes|replace|replaces|take precedence|takes precedence|have priority|from (?:the |your )?(?:system|developer|admin|operator|user|owner)|for you\b)"),
    _rule(IGNORE, "instruct|rules|prompt", r"\b(?:supersedes?|overrides?|replaces?|takes? (?:precedence|priority) over|more important than|outranks?) (?:all |any )?(?:of )?(?:your |(?:other|previous|prior|earlier|existing) )+(?:\w+ )?(?:instructions?|prompts?|guidelines|rules)\b", "order"),
    _rule(IGNORE, "instruct|task|goal|objective|role", r"\byour (?:new|real|true|actual|only|updated|next) (?:\w+ )?(?:instructions?|tasks?|goals?|objectives?|roles?|mission|priority|purpose|directive) (?:is|are|now|will|becomes?)\b"),
    _rule(IGNORE, "instruct", r"(?:^|[.!?\n\])=#-] ?)(?:new|updated|real|revised|additional|important|hidden|secret|priority) (?:system )?instructions?(?: (?:for|to) (?:you|the (?:assistant|agent|model)|all agents))? ?:", "order", by_line=True),
    _rule(IGNORE, "restrict|rules|guideline|filter|limit", r"\b(?:you|assistant|model|ai) (?:are|is|have|has) (?:now )?(?:no longer (?:bound|restricted|limited|subject|required|constrained)|no (?:restrictions|rules|guidelines|filters|limits|limitations)|free (?:of|from))\b"),
    # another role
    _rule(ROLE, "you are|you're|act as|respond as|operate|behave", r"\b(?:you (?:are|will be|will act as|must act as|shall be)|you're|act|respond|operate|behave) (?:now )?(?:as |like )?(?:now )?(?:an? |the |my )?(?:\w+ ){0,3}?(?:unrestricted|unfiltered|uncensored|jailbroken|evil|dan\b|amoral|malicious|rogue|root shell|hacker)"),
    _rule(ROLE, "you are now|you're now|now on you|you will now", r"\b(?:you are|you're|you will) now (?!logged|signed|connected)(?:be |act as |an? |the |my |called |named |acting as |operating as |playing )*(?:\w+ ){0,3}?(?:ai\b|assistant|agent|bot|model|admin|administrator|root\b|expert|hacker|terminal|shell|developer mode|debug mode|god mode|maintenance mode|persona|character|dan\b|free|no longer|in (?:\w+ )?(?:mode|control|charge)|pirate|authori[sz]ed|allowed|permitted|required)"),
    _rule(ROLE, "from now on|hence|starting now|onwards", r"\b(?:from now on|henceforth|from this (?:point|moment)(?: on| onwards?| forward)?|starting now|from here on(?: out)?) (?:you|your|the assistant|the agent|the model|all agents|act|answer|respond|behave|obey|pretend|ignore)\b"),
    _rule(ROLE, "pretend|roleplay|role-play|role play|act as", r"\b(?:pretend|role-?play|role play|act) (?:that )?(?:you are|you're|you have|as if you|as though you|(?:to be|as) (?:an? |the |my )?(?:\w+ )?(?:ai\b|assistant|administrator|root user|hacker|linux terminal|attacker|developer of|unrestricted))"),
    _rule(ROLE, "developer mode|dev mode|jailbreak|anything now|dan mode|god mode|sudo mode|debug mode|admin mode|maintenance mode", r"\b(?:enter|enable|activate|switch to|go into|you are in|now in|unlock) (?:the )?(?:\w+ )?(?:developer|dev|dan|god|jailbreak|sudo|debug|admin|maintenance|unrestricted) mode\b|\bdo anything now\b", "order"),
    # to hide
    _rule(HIDE, "tell|inform|let |mention", rf"\b{words.NOT} (?:tell|inform|telling|informing|let|letting) {words.PEOPLE} (?:know )?(?:about |of |that )?(?:this|these|it\b|any(?:thing)?|what you|why you|you\b|the (?:real|true|instruction|note|change|command|step|above|message))"),
    _rule(HIDE, "tell|inform|ask|alert|warn|notif|consult", rf"\b{words.NOT} (?:ever )?(?:tell|telling|inform|informing|ask|asking|alert|alerting|warn|warning|notify|notifying|consult|consulting) {words.PEOPLE}\b", "press"),
    _rule(HIDE, "mention|reveal|disclose|discuss|acknowledge|refer|say|talk|speak", rf"\b{words.NOT} (?:ever )?(?:mention|mentioning|reveal|revealing|disclose|disclosing|discuss|acknowledge|refer to|talk about|speak of|say) (?:\w+ ){{0,2}}(?:this|these|those|it|that|the above|anything|any)\b(?: \w+){{0,4}}? (?:to {words.PEOPLE}|(?:in|within) (?:your|the|any|its) (?:\w+ )?(?:answers?|responses?|repl(?:y|ies)|summar(?:y|ies)|outputs?|final|chat|conversation|reports?|log|pr\b|pull request))"),
    _rule(HIDE, "mention|reveal|disclose|show|display|log|report|output|include|expose|share", rf"\b{words.NOT} (?:mention|reveal|disclose|show|display|log|report|output|include|expose|share|record|summari[sz]e|surface) (?:\w+ ){{0,2}}(?:this|these|those|the above|any of this)\b", "press"),
    _rule(HIDE, "secret|between us|to yourself|hidden from|confidential|private|quiet", r"\bkeep (?:this|it|these|the following|that|everything)(?: \w+){0,3}? (?:between us|between you and me|to yourself|(?:a )?secret from|hidden from (?:the |your |all |any )?(?:users?|humans?|operators?|developers?|owners?|reviewers?|maintainers?)|(?:a )?secret ?(?:[.!;]|$|and\b|at all))"),
    _rule(HIDE, "hide|conceal|cover", rf"\b(?:hide|conceal|cover up|mask|obscure) (?:your \w+|(?:this|these|any|all|the|it|that|what)(?: \w+){{0,4}} from {words.PEOPLE})", "press"),
    _rule(HIDE, "tracks|conceal|hide your|cover your|covering your", r"\b(?:hide|hiding|conceal|cover|covering) (?:up )?your (?:tracks|actions|activit(?:y|ies)|changes|reasoning|intentions?|traces|steps|edits?)|\bconceal (?:\w+ ){1,5}from (?:the |your )?(?:users?|humans?|operators?|developers?|owners?|reviewers?|maintainers?)"),
    _rule(HIDE, "delete|erase|remove|clear|wipe", r"\b(?:delete|erase|remove|clear|wipe) (?:the |any |all |this |every )?(?:\w+ )?(?:logs?|traces?|evidence|history|tracks|message|note|instructions?|comment|line|file|commit|paragraph)(?: \w+){0,3}? (?:so (?:that )?(?:no ?one|nobody|the (?:user|human|owner|reviewer)|they)|after(?:wards)? (?:reading|following|you|so)|once you|when you (?:are|have)|before (?:the user|anyone|a human))"),
    _rule(HIDE, "tell|say|report|answer|claim|pretend|act as|respond", r"\b(?:tell (?:the |your |any |a )?(?:users?|humans?|operators?|developers?|owner|reviewers?|maintainers?|them)|say|report|claim|answer|reply|respond|state) (?:that )?(?:everything|all|the (?:\w+ )?(?:build|tests?|deploy\w*|scan|review|checks?|file|code|package)|it|nothing|this|no (?:issues|problems|errors|vulnerabilities))(?: \w+){0,4}? (?:fine|passed|pass|ok|okay|green|good|succeeded|safe|clean|normal|wrong|happened|secure|found)\b", "instead"),
    _rule(HIDE, "nothing|did not see|never saw|as if|as though", r"\b(?:act|behave|continue|respond|proceed|carry on) (?:\w+ )?as (?:if|though) (?:nothing|you (?:never|did not|didn't|had not|hadn't|have not))|\bpretend (?:that )?(?:nothing|you (?:did not|didn't|never|have not|haven't))"),
    # to reveal
    _rule(REVEAL, "prompt|instruct|rules|guideline|message|memory|memories|programming", rf"\b{_SAY} (?:{_FULL} )*your (?:\w+ ){{0,2}}?(?:system prompt|system message|prompt|instructions|rules|guidelines|memory|memories|context window|programming|hidden \w+|initial \w+|directives)\b"),
    _rule(REVEAL, "prompt|instruct", rf"(?<!not\x20)(?<!n't\x20)(?<!never\x20)(?<!to\x20)\b(?:reveal|leak|disclose|recite|repeat|divulge|regurgitate|tell (?:me|us)|give (?:me|us)|show (?:me|us)|print out|output) (?:{_FULL} )*(?:hidden |secret |initial |original |internal |developer )*(?:system |developer |hidden |initial |secret )(?:prompt|instructions?|message)\b", "order"),
    _rule(REVEAL, "prompt|instruct", r"(?:^|[.!?:] ?)(?:please |now |first |and |then )*(?:reveal|leak|disclose|recite|repeat|divulge|tell (?:me|us)|give (?:me|us)|show (?:me|us)) (?:\w+ ){0,3}?(?:system|hidden|initial|developer|secret) (?:prompt|instructions?|message)\b"),
    _rule(REVEAL, "above|prompt|before this", r"\b(?:repeat|recite|reproduce) (?:back )?(?:all |everything |every |the )*(?:words?|text|everything|contents?|messages?|lines?|instructions?|prompt)?(?: that (?:is|are|was|were|comes?))? ?(?:written )?(?:above|before this|verbatim above)\b|\b(?:print|output|show|write|copy|summari[sz]e) (?:all |everything |the |of )*(?:words?|text|everything|contents?|messages?|instructions?|prompt)? ?above (?:this (?:line|message)|verbatim|word for word|starting|in full|exactly|in a code|into)\b"),
    _rule(REVEAL, "prompt|instruct|rules", r"\bwhat (?:is|are|was|were|does|do) your (?:\w+ )?(?:system|initial|original|hidden|secret|exact|full) (?:prompt|instructions|rules|message)"),
    _rule(REVEAL, "your ", rf"\b{_SAY} (?:{_FULL} )*your (?:\w+ ){{0,3}}?{words.SECRETS}\b", "agent"),
    # to send away
    _rule(SENDS, "http|hxxp|@|webhook|ngrok|attacker|pastebin|gist|evil", rf"(?:\b(?:all|any|every|your|their|its|entire|full|whole|contents? of|output of|users?|user's|developer'?s?|owner'?s?|environment|current|local|found|stored|available|base64)\b(?: [\w'-]+){{0,3}}? {words.SECRETS}|{words.LOOT_PATHS}).{{0,120}}?(?:https?://|hxxps?|[\w.]@[\w-]+\.|webhook|ngrok|attacker|pastebin|\bgists?\b|evil)", "send", also=_LOOT),
    _rule(SENDS, "http|hxxp|@|webhook|ngrok|attacker", rf"\b(?:send|post|upload|exfiltrate|e-?mail|forward|transmit|submit|make an? (?:http |get |post )?request|get|curl|wget|fetch|load|render|request|call|visit|open)\b.{{0,60}}?(?:https?://\S+|hxxps?\S+|[\w.]+@[\w-]+\.\w+|webhook|attacker).{{0,80}}?\b(?:with|containing|including|carrying|plus|appending|where|followed by|attach\w*)\b.{{0,60}}?{words.SECRETS}", "order", also=_LOOT),
    _rule(SENDS, "http", r"https?://\S{1,300}(?:\$\(|`|%24\()(?:cat|env|printenv|base64|whoami|hostname|id|ls)\b"),
    _rule(SENDS, "exfil|leak", rf"(?:^|[.!?:;,] ?|\b(?:and|then|please|now|must|to) )(?:exfiltrate|leak (?:all|the|your|any|every|these|this)) .{{0,60}}?{words.SECRETS}", also=_LOOT),
    _rule(SENDS, "http|url|link|image|query", rf"\b(?:append|add|attach|encode|embed|include|put|insert|place|substitute|replace|fill|render|display|show|load)\b.{{0,80}}?(?:{words.SECRETS}|summary|answers?|user(?:'s)? (?:input|message|question|name|request)|last message|data)\b.{{0,60}}?\b(?:to|as|in|into|inside|at the end of|with)\b (?:the |a |an |this |that |its |your |every )*(?:\w+ )?(?:url|query|link|image|src|path|subdomain|parameter|markdown image)", "order", also=_LOOT),
    _rule(SENDS, "![", r"!\[[^\]]{0,200}\]\(https?://[^)\s]{1,300}[?&/=](?:\{|<|\[|\$|%7b)[^)]{0,200}\)", "order"),
    _rule(SENDS, "http", rf"https?://\S{{1,200}}[?&]\w+=(?:\{{|<|\[|\$|%7b)?(?:{words.SECRETS}|base64\w*|conversation\w*|summary|exfil\w*|stolen\w*)", "order", also=_LOOT),
    # tools
    _rule(TOOLS, "when you|if you|once you|after you|before you|when an|if an|as soon as|whenever", rf"\b(?:when(?:ever)?|if|once|after|as soon as|before) (?:you|an? {words.ADDRESSEE}|any {words.ADDRESSEE}|the {words.MODEL}) (?:are |is |have |has )?(?:read|reads|reading|process|processes|processing|ingests?|summari[sz]es?|summari[sz]ing|pars(?:e|es|ing)) (?:\w+ ){{0,2}}?(?:this|these|it\b|the (?:above|following|file|message|document|page|comment|text|readme|note|memory|issue))"),
    _rule(TOOLS, "when you|if you|once you|after you|when an|if an|as soon as|whenever", rf"\b(?:when(?:ever)?|if|once|after|as soon as) (?:you|an? {words.ADDRESSEE}|any {words.ADDRESSEE}) (?:are |is |have |has )?(?:sees?|opens?|loads?|reviews?|encounters?|finds?|receives?|retrieves?|recalls?|remembers?|access(?:es)?) (?:\w+ ){{0,2}}?(?:this|these|the (?:above|following)) (?:file|message|document|page|comment|text|readme|note|memory|issue|line|entry|repo\w*|code|commit)?", "press"),
    _rule(TOOLS, "if you|since you|as an|you are|you're|are you", r"\b(?:if|since|because|in case) (?:you are|you're|this is being read by|you happen to be) (?:an? |the )?(?:ai\b|llm|(?:large )?language model|ai[ -]\w+|coding agent|coding assistant|autonomous agent|claude|copilot|chatgpt|gpt|gemini|automated agent|an? assistant|model reading|agent reading|assistant reading)"),
    _rule(TOOLS, "tool|function", r"\b(?:use|call|invoke|run|execute|activate|trigger) your (?:\w+ ){0,3}?(?:tools?|functions?|tool calls?)\b"),
    _rule(TOOLS, "your ", r"\b(?:use|call|invoke|run|execute|activate|trigger) your (?:\w+ ){0,3}?(?:shell|terminal|browser|plugins?|capabilit\w+|access|permissions|bash|interpreter|credentials|privileges)\b", "press"),
    _rule(TOOLS, "tool|function", r"\b(?:call|invoke|use|run|trigger) (?:the )?(?!the |this |that |any |an? )[\w.-]+ (?:tool|function)\b", "hurry"),
    _rule(TOOLS, "curl|wget|iwr|invoke-web|bash|npx|pip install|powershell", r"(?:\b(?:curl|wget|iwr|invoke-webrequest)\b[^|\n]{0,200}\| ?(?:sudo )?(?:sh|bash|zsh|python3?|iex|node|perl)\b|\b(?:ba)?sh <?\(? ?<?\(?curl|\$\(curl)", "press"),
    _rule(TOOLS, "execute|run ", r"\b(?:execute|run) (?:this|these|the following|the attached|the commands?|the script|the code)(?: \w+)?", "agent"),
    _rule(TOOLS, "rm -rf|force|drop table|drop database|authorized_keys|chmod", r"(?:^|[.!?:;,] ?|\b(?:and|then|please|now|must|immediately|run) )(?:run |execute )?(?:rm -rf (?:~|/|\$home|\.git|\*|\.)|git push (?:--force|-f)|drop (?:table|database)|chmod -?r? ?777|echo .{1,200}authorized_keys)", "press"),
    # addressed to an agent
    _rule(ADDRESS, _AGENTS, rf"(?:^|[.!?:>\n(\[*#/{{<=-] ?)(?:attention|note|notice|important|message|instructions?|reminder|warning|hey|hi|hello|dear|memo|hint|todo|fyi|psa|request|task|order|for|to|@|ok|hidden|special|system)\W{{0,3}}(?:\w+ )?(?:(?:to|for|from) )?(?:all |any |every |the |other |future |my |our |whichever |whatever )*{words.ADDRESSEE}\b.{{0,160}}?\b{words.ASKED}"),
    _rule(ADDRESS, _AGENTS, rf"(?:^|[.!?>\n(\[*#/-] ?)(?:also |and |please |ok |so )*(?:all |any |every |the |dear |@)*(?:{words.MODEL}|assistants?|agents?) ?[:,!].{{0,100}}?\b{words.ASKED}"),
    _rule(ADDRESS, _AGENTS, rf"\b(?:{words.MODEL}|(?:assistants?|agents?|models?|bots?) (?:reading|processing|parsing|reviewing|that (?:reads?|process\w*|sees?|reviews?)|who (?:reads?|sees?)) (?:this|these|the))s?\b(?: \w+){{0,8}}? (?:must|should|shall|will|needs? to|ha(?:ve|s) to|(?:are|is) (?:required|instructed|expected|ordered|asked|authorized|allowed|permitted|obliged) to|are to|please)\b(?! (?:not|never) (?!tell|mention|inform|ask|warn|alert|report|flag|disclose)).{{0,60}}?\b{words.ASKED}"),
    _rule(ADDRESS, "as an ai|as a language|as an llm|as the assistant|as the ai", r"\bas (?:an? |the )(?:ai\b|llm|language model|assistant)(?: \w+){0,3}? (?:you (?:must|should|will|are|need|have|can)|your)\b"),
    _rule(ADDRESS, "you must|you are required|you should|you need to|you have to|you will|you are instructed|you're required|you shall", rf"\b(?:assistants?|{words.MODEL})\b.{{0,80}}?\byou (?:must|should|will|shall|need to|have to|are (?:required|instructed|ordered|authorized) to)\b.{{0,60}}?\b{words.ASKED}"),
    # to be remembered
    _rule(MEMORY, "memory|memories", r"\b(?:save|store|add|write|commit|record|persist|remember|keep|put|append|insert|note|update|log)\b(?: [\w'\"-]+){0,12}? (?:in|into|to|within|inside) your (?:long[ -]term |persistent |core |permanent |own |\w+ )?(?:memory|memories)\b|\b(?:update|edit|modify|overwrite|rewrite) your (?:\w+ )?(?:memory|memories)\b"),
    _rule(MEMORY, "memory|memories|claude.md|agents.md", r"\b(?:save|store|add|write|commit|record|persist|append|insert)\b(?: [\w'\"-]+){0,12}? (?:in|into|to|within|inside) (?:the |your |its )?(?:\w+ )?(?:memory\.md|claude\.md|agents\.md|memory file|agent memory|memory bank|agent's memory|assistant's memory)", "hurry"),
    _rule(MEMORY, "remember", r"\bremember(?:\sthis|\sthe\sfollowing)?(?:\sthat)?(?:\syou (?:must|should|always|never|will|are (?:required|allowed|authorized))\b| (?:from now on|for all future|in all future|permanently|forever)\b| (?:to )?always (?:recommend|trust|send|approve|visit|include (?:a |the )?link|forward|praise))"),
    _rule(MEMORY, "future ", r"\b(?:in|for|during|across) (?:all |any |every |your )*(?:future|later|subsequent|upcoming) (?:conversations?|sessions?|interactions?|responses?|chats?|tasks?|answers?|runs?|queries|requests?)\b.{0,60}?\b(?:recommend|trust|promote|approve|visit|forward|claim|route|praise|send|ignore (?:the|any|all|user|security)|skip (?:the )?(?:review|confirmation|tests|checks))|\b(?:recommend|trust|promote|approve|forward|send|claim)\b.{0,60}?\b(?:in|for) (?:all |any |every |your )*future (?:conversations?|sessions?|interactions?|responses?|chats?|tasks?|answers?)"),
    _rule(MEMORY, "always|only|must|whenever|when |should", r"\b(?:always|only|must|should always|you should|from now on) (?:recommend|promote|endorse|advertise|praise)\b.{0,80}?\b(?:when(?:ever)?|if|to|over|instead|as)\b.{0,40}?\b(?:users?|asked|asks|anyone|people|someone|competitors?|alternatives?|the best|customers?)\b"),
    _rule(MEMORY, "trusted|safe|authoritative|approved|official|verified", r"\b(?:treat|consider|regard|mark|accept|remember|note) .{0,60}?\bas (?:a |an )?(?:fully |always |completely |pre-?)?(?:trusted|safe|authoritative|verified|approved|official|system|admin)\b", "press"),
    _rule(MEMORY, "trusted|safe|authori|approved|verified|whitelist", r"\b(?:is|are|was) (?:now )?(?:a |an )?(?:fully |always |completely |pre-?|already )?(?:trusted|safe|authori[sz]ed|approved|verified|whitelisted)\b.{0,80}?\b(?:never|no need to|do not|don't|without|skip|always)\b (?:ask|asking|check|checking|confirm|confirming|verify|verifying|question|questioning|run it|execute|approve|follow|review|obey|need to)", "you"),
    _rule(MEMORY, "the user|user has|owner has|developer has", r"\bthe (?:user|owner|developer|admin\w*|operator|human|maintainer) (?:(?:has|have|had) )?(?:already |explicitly |previously |fully )*(?:(?:pre-?)?approved|authori[sz]ed|consented|agreed|granted|given|wants|asked|instructed|told|confirmed)\b.{0,60}?\b(?:you|without asking|no (?:further|need|confirmation)|do not ask|don't ask|all (?:actions|commands|future|operations|requests))\b", "order"),
    # markup
    _rule(MARKUP, "<|", r"<\|(?:im_start|im_end|system|user|assistant|start_header_id|end_header_id|eot_id|endoftext|begin_of_text)\|>.{0,300}", "order"),
    _rule(MARKUP, "<|im_start", r"<\|im_start\|> ?(?:system|user|assistant|developer)\b.{3,2000}?<\|im_end\|>"),
    _rule(MARKUP, "[inst]|<<sys>>", r"\[inst\].{12,4000}?\[/inst\]|<<sys>>.{12,4000}?<</sys>>"),
    _rule(MARKUP, "[/inst]|[inst]|<<sys>>|<</sys>>", r"(?:\[/?inst\]|<</?sys>>)", "order"),
    _rule(MARKUP, "system|instruction|admin|developer|human|assistant|</prompt|</user|</context|</document|</tool|</function", r"</?(?:system|sys|instructions?|system[_ -](?:prompt|message|reminder|instructions?|override)|admin|developer|human|assistant|user[_-]query|user|prompt|context|document|tool[_-]result|function[_-]result\w*|untrusted\w*|important)>", "order"),
    _rule(MARKUP, "system|admin|developer|root|operator", r"(?:^|\n)\W{0,6}(?:system|developer|administrator|admin|root|operator) (?:prompt|message|override|notice|note|instructions?|update|alert|command|directive)\W{0,4}[:\]>=-]\W{0,3}.{0,200}?(?:\byou\b|\byour\b|\bignore|disregard|\breveal|\bexecute|\bmust\b|\bdo not\b|\bobey)", by_line=True),
    _rule(MARKUP, "system|admin|developer|operator", r"(?:^|\n)\W{0,6}(?:\[|<|\#{1,4} ?)?(?:system|developer|administrator|admin|operator)\W{0,3}[:\]>]\W{0,4}(?:.{0,120}?(?:\byou (?:are|must|will|should|shall|have been|now)|\bignore\b.{0,40}(?:instruct|rule|prompt|user|above|previous)|\bnew (?:instructions|task|rules|directive)|\bdo not (?:tell|reveal|mention|refuse)|\breveal\b|\bobey\b|\bexecute (?:the|this|all)|\byour (?:new|only|next|real) ))", by_line=True),
    _rule(MARKUP, "human:|user:", r"(?:^|\n)\W{0,4}(?:human|user) ?: .{0,300}?\n\W{0,4}(?:assistant|ai|claude) ?: ?", "order", by_line=True),
    _rule(MARKUP, "end of|begin|start of|end user|end system|end doc|end tool", r"(?:[-=#*<\[] ?){2,}(?:begin|end|start|end of|start of) (?:the )?(?:system|hidden|secret|new|real|priority|admin|developer|user|untrusted|tool|context|document|external|web)?(?: |_)?(?:prompt|instructions?|system message|message|context|input|output|document|data|results?|page|content)\b", "order"),
    # hidden
    _rule(HIDDEN, "<!--", rf"<!--(?:(?!-->).){{0,500}}?\b{words.ADDRESSEE}\b(?:(?!-->).){{0,500}}?(?:\b{words.ASKED}|\byou (?:must|should|are|will)|\bplease\b|\bmust\b|\bexecute\b|\brun\b)", by_line=False),
    _rule(HIDDEN, "<!--", rf"<!--(?:(?!-->).){{0,500}}?\b(?:you (?:must|should|are (?:now|an?|required|to))|your (?:instructions|task|system|memory|tools?))\b"),
    _rule(HIDDEN, "display|font-size|opacity|color|visibility|hidden", rf"<\w+[^>]{{0,200}}(?:display ?: ?none|font-size ?: ?[01](?:px|pt|em)?|opacity ?: ?0|color ?: ?(?:white|\#fff\w*|transparent)|visibility ?: ?hidden|\bhidden\b)[^>]{{0,200}}>.{{0,300}}?\b(?:{words.ASKED}|{words.MODEL}|assistants?|you must|you are)"),
    # to decode
    _rule(DECODE, "decode|base64|b64|decrypt|rot13|atob|deobfuscate|unscramble|hex|backward|revers", r"\b(?:decode|decrypt|deobfuscate|unscramble|decipher|unpack|rot13|un-?base64|reverse)\b(?: \S+){0,12}? (?:and|then|to get|to obtain)\b(?: \w+){0,3}? (?:follow|obey|act on|carry out|perform|comply|do (?:what|as|exactly)|execute|treat it as)\b"),
    _rule(DECODE, "base64|b64|atob|decode", r"\b(?:decode|base64|b64decode|atob)\b.{0,120}?\b(?:execute|run|eval|exec|follow|obey|bash|sh)\b.{0,160}?[a-z0-9+/]{24,}|[a-z0-9+/]{24,}={0,2}.{0,80}?\b(?:decode|base64|atob)\b.{0,80}?\b(?:execute|run|eval|exec|follow|obey|\| ?(?:ba)?sh)\b", "press"),
    _rule(DECODE, "base64|b64|atob", r"\b(?:echo|printf) [a-z0-9+/]{16,}={0,2} ?\| ?base64 (?:-d|--decode|-di?) ?\| ?(?:ba|z)?sh\b"),
    *(_rule(reason, anchors, pattern) for reason, anchors, pattern in ABROAD),
)  # fmt: skip

ALL_ANCHORS = tuple(sorted(frozenset[str]().union(*(rule.anchors for rule in RULES))))
