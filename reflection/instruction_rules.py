"""The rules by which a text reads like an order to an agent, most telling first.

A pattern is matched against lower-case text without emphasis, white space as one space, line breaks kept. A space in a pattern also
takes up to three signs between words. A rule with a cue fits only where the cue stands near its phrase: those are
phrases that ordinary work uses too.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

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
    words: str  # the pattern, compiled when it is first wanted: all of them cost 0.3 CPU s
    reason: str
    also: tuple[str, ...] = ()  # further plain words, one of which it holds too; (): none needed
    cue_name: str | None = None  # of what must stand near the phrase; None: the phrase alone fits

    @property
    def pattern(self) -> re.Pattern[str]:
        return _compiled(self.words)

    @property
    def cue(self) -> re.Pattern[str] | None:
        return None if self.cue_name is None else _plainly_compiled(_CUES[self.cue_name])


@cache
def _plainly_compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    """`pattern` with each space outside a character class as a gap between words."""
    pieces, is_class, is_escaped = [], False, False
    for char in pattern:
        pieces.append(GAP if char == " " and not is_class and not is_escaped else char)
        is_class = char == "[" and not is_escaped or is_class and (char != "]" or is_escaped)
        is_escaped = char == "\\" and not is_escaped
    return re.compile("".join(pieces), re.DOTALL)


_SEND = r"(?:send|post|upload|exfiltrate|e-?mail|forward|transmit|leak|submit|copy|push|publish|pipe|share|deliver|report|put|write|append|paste|include|embed|attach|dump|encode|add|collect|gather|get|read|cat|curl|wget|fetch|load|render|request|call|open|visit)"
_CUES: Mapping[str, str] = {
    "you": words.CUE_YOU,
    "agent": words.CUE_AGENT,
    "order": words.CUE_ORDER,
    "press": words.CUE_PRESS,
    "send": (
        rf"(?:^|[.!?:;,\n\])-] ?|\b(?:and|then|please|now|must|should|to|first|also|secretly|silently|you) ){_SEND}\b"
    ),
    "agentic": words.CUE_AGENTIC,
    "imperative": words.CUE_IMPERATIVE,
    "hidden": r"(?!)",  # never there: only for what was hidden
    "hurry": words.CUE_HURRY,
    "instead": (r"\b(?:regardless|even (?:if|though|when)|no matter|anyway|whatever|instead|do not|don't|never)\b"),
}


def _rule(reason: str, anchors: str, pattern: str, cue: str | None = None, *, also: str = "") -> Rule:
    return Rule(
        anchors=frozenset(anchors.split("|")),
        words=pattern,
        reason=reason,
        also=tuple(also.split("|")) if also else (),
        cue_name=cue,
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
_BEFORE = r"(?:previous(?:ly)?|prior|above|earlier|preceding|foregoing|former|aforementioned|past)"
_TOLD = (
    r"(?:instructions?|prompts?|guidelines?|directives?|guardrails?|directions|system messages?|programming|training)"
)
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
    _rule(IGNORE, "instruct|rules|prompt", r"\b(?:supersedes?|overrides?|replaces?|takes? (?:precedence|priority) over|more important than|outranks?) (?:all |any )?(?:of )?(?:your |(?:other|previous|prior|earlier|existing|system|the) )+(?:system )?(?:\w+ )?(?:instructions?|prompts?|guidelines|rules)\b", "order"),
    _rule(IGNORE, "instruct|task|goal|objective|role", r"\byour (?:new|real|true|actual|only|updated|next) (?:\w+ )?(?:instructions?|tasks?|goals?|objectives?|roles?|mission|priority|purpose|directive) (?:is|are|now|will|becomes?)\b"),
    _rule(IGNORE, "instruct", r"(?:^|[.!?\n\])=#-] ?)(?:new|updated|real|revised|additional|important|hidden|secret|priority) (?:system )?instructions?(?: (?:for|to) (?:you|the (?:assistant|agent|model)|all agents))? ?:", "order"),
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
    _rule(REVEAL, "prompt|instruct", r"(?:^|[.!?:\n] ?)(?:please |now |first |and |then )*(?:reveal|leak|disclose|recite|repeat|divulge|tell (?:me|us)|give (?:me|us)|show (?:me|us)) (?:\w+ ){0,3}?(?:system|hidden|initial|developer|secret) (?:prompt|instructions?|message)\b"),
    _rule(REVEAL, "above|prompt|before this", r"\b(?:repeat|recite|reproduce) (?:back )?(?:all |everything |every |the )*(?:words?|text|everything|contents?|messages?|lines?|instructions?|prompt)?(?: that (?:is|are|was|were|comes?))? ?(?:written )?(?:above|before this|verbatim above)\b|\b(?:print|output|show|write|copy|summari[sz]e) (?:all |everything |the |of )*(?:words?|text|everything|contents?|messages?|instructions?|prompt)? ?above (?:this (?:line|message)|verbatim|word for word|starting|in full|exactly|in a code|into)\b"),
    _rule(REVEAL, "prompt|instruct|rules", r"\bwhat (?:is|are|was|were|does|do) your (?:\w+ )?(?:system|initial|original|hidden|secret|exact|full) (?:prompt|instructions|rules|message)"),
    _rule(REVEAL, "your ", rf"\b{_SAY} (?:{_FULL} )*your (?:\w+ ){{0,3}}?{words.SECRETS}\b", "agent"),
    # to send away
    _rule(SENDS, "http|hxxp|@|webhook|ngrok|attacker|pastebin|gist|evil", rf"(?:\b(?:all|any|every|your|their|its|entire|full|whole|contents? of|output of|users?|user's|developer'?s?|owner'?s?|environment|current|local|found|stored|available|base64)\b(?: [\w'-]+){{0,3}}? {words.SECRETS}|{words.LOOT_PATHS}).{{0,120}}?(?:https?://|hxxps?|[\w.]@[\w-]+\.|webhook|ngrok|attacker|pastebin|\bgists?\b|evil)", "send", also=_LOOT),
    _rule(SENDS, "http|hxxp|@|webhook|ngrok|attacker", rf"\b(?:send|post|upload|exfiltrate|e-?mail|forward|transmit|submit|make an? (?:http |get |post )?request|get|curl|wget|fetch|load|render|request|call|visit|open)\b.{{0,60}}?(?:https?://\S+|hxxps?\S+|[\w.]+@[\w-]+\.\w+|webhook|attacker).{{0,80}}?\b(?:with|containing|including|carrying|plus|appending|where|followed by|attach\w*)\b.{{0,60}}?{words.SECRETS}", "order", also=_LOOT),
    _rule(SENDS, "http", r"https?://\S{1,300}(?:\$\(|`|%24\()(?:cat|env|printenv|base64|whoami|hostname|id|ls)\b"),
    _rule(SENDS, "exfil|leak", rf"(?:^|[.!?:;,\n] ?|\b(?:and|then|please|now|must|to) )(?:exfiltrate|leak (?:all|the|your|any|every|these|this)) .{{0,60}}?{words.SECRETS}", also=_LOOT),
    _rule(SENDS, "http|url|link|image|query", rf"\b(?:append|add|attach|encode|embed|include|put|insert|place|substitute|replace|fill|render|display|show|load)\b.{{0,80}}?(?:{words.SECRETS}|summary|answers?|user(?:'s)? (?:input|message|question|name|request)|last message|data)\b.{{0,60}}?\b(?:to|as|in|into|inside|at the end of|with)\b (?:the |a |an |this |that |its |your |every )*(?:\w+ )?(?:url|query|link|image|src|path|subdomain|parameter|markdown image)", "order", also=_LOOT),
    _rule(SENDS, "![", r"!\[[^\]]{0,200}\]\(https?://[^)\s]{1,300}[?&/=](?:\{|<|\[|\$|%7b)[^)]{0,200}\)", "order"),
    _rule(SENDS, "http", rf"https?://\S{{1,200}}[?&]\w+=(?:\{{|<|\[|\$|%7b)?(?:{words.SECRETS}|base64\w*|conversation\w*|summary|exfil\w*|stolen\w*)", "order", also=_LOOT),
    # tools
    _rule(TOOLS, "when you|if you|once you|after you|before you|when an|if an|as soon as|whenever", rf"\b(?:when(?:ever)?|if|once|after|as soon as|before) (?:you|an? {words.ADDRESSEE}|any {words.ADDRESSEE}|the {words.MODEL}) (?:are |is |have |has )?(?:read|reads|reading|process|processes|processing|ingests?|summari[sz]es?|summari[sz]ing|pars(?:e|es|ing)) (?:\w+ ){{0,2}}?(?:this|these|the (?:above|following|file|message|document|page|comment|text|readme|note|memory|issue))\b"),
    _rule(TOOLS, "when you|if you|once you|after you|when an|if an|as soon as|whenever", rf"\b(?:when(?:ever)?|if|once|after|as soon as) (?:you|an? {words.ADDRESSEE}|any {words.ADDRESSEE}) (?:are |is |have |has )?(?:sees?|opens?|loads?|reviews?|encounters?|finds?|receives?|retrieves?|recalls?|remembers?|access(?:es)?) (?:\w+ ){{0,2}}?(?:this|these|the (?:above|following)) (?:file|message|document|page|comment|text|readme|note|memory|issue|line|entry|repo\w*|code|commit)?", "press"),
    _rule(TOOLS, "if you|since you|as an|you are|you're|are you", r"\b(?:if|since|because|in case) (?:you are|you're|this is being read by|you happen to be) (?:an? |the )?(?:ai\b|llm|(?:large )?language model|ai[ -]\w+|coding agent|coding assistant|autonomous agent|claude|copilot|chatgpt|gpt|gemini|automated agent|an? assistant|model reading|agent reading|assistant reading)"),
    _rule(TOOLS, "tool|function", r"\b(?:use|call|invoke|run|execute|activate|trigger) your (?:\w+ ){0,3}?(?:tools?|functions?|tool calls?)\b"),
    _rule(TOOLS, "your ", r"\b(?:use|call|invoke|run|execute|activate|trigger) your (?:\w+ ){0,3}?(?:shell|terminal|browser|plugins?|capabilit\w+|access|permissions|bash|interpreter|credentials|privileges)\b", "press"),
    _rule(TOOLS, "tool|function", r"\b(?:call|invoke|use|run|trigger) (?:the )?(?!the |this |that |any |an? )[\w.-]+ (?:tool|function)\b", "hurry"),
    _rule(TOOLS, "curl|wget|iwr|invoke-web|bash|npx|pip install|powershell", r"(?:\b(?:curl|wget|iwr|invoke-webrequest)\b[^|\n]{0,200}\| ?(?:sudo )?(?:sh|bash|zsh|python3?|iex|node|perl)\b|\b(?:ba)?sh <?\(? ?<?\(?curl|\$\(curl)", "press"),
    _rule(TOOLS, "execute|run ", r"\b(?:execute|run) (?:this|these|the following|the attached|the commands?|the script|the code)(?: \w+)?", "agent"),
    _rule(TOOLS, "rm -rf|force|drop table|drop database|authorized_keys|chmod", r"(?:^|[.!?:;,\n] ?|\b(?:and|then|please|now|must|immediately|run) )(?:run |execute )?(?:rm -rf (?:~|/|\$home|\.git|\*|\.)|git push (?:--force|-f)|drop (?:table|database)|chmod -?r? ?777|echo .{1,200}authorized_keys)", "press"),
    # addressed to an agent
    _rule(ADDRESS, _AGENTS, rf"(?:^|[.!?:>\n(\[*#/{{<=-] ?)(?:attention|note|notice|important|message|instructions?|reminder|warning|hey|hi|hello|dear|memo|hint|todo|fyi|psa|request|task|order|for|to|@|ok|hidden|special|system)\W{{0,3}}(?:\w+ )?(?:(?:to|for|from) )?(?:all |any |every |the |other |future |my |our |whichever |whatever )*{words.ADDRESSEE}\b.{{0,160}}?\b{words.ASKED}"),
    _rule(ADDRESS, _AGENTS, rf"(?:^|[.!?>\n(\[*#/-] ?)(?:also |and |please |ok |so )*(?:all |any |every |the |dear |@)*(?:{words.MODEL}|assistants?|agents?) ?[:,!].{{0,100}}?\b{words.ASKED}"),
    _rule(ADDRESS, _AGENTS, rf"\b(?:{words.MODEL}|(?:assistants?|agents?|models?|bots?) (?:reading|processing|parsing|reviewing|that (?:reads?|process\w*|sees?|reviews?)|who (?:reads?|sees?)) (?:this|these|the))s?\b(?: \w+){{0,8}}? (?:must|should|shall|will|needs? to|ha(?:ve|s) to|(?:are|is) (?:required|instructed|expected|ordered|asked|authorized|allowed|permitted|obliged) to|are to|please)\b(?! (?:not|never) (?!tell|mention|inform|ask|warn|alert|report|flag|disclose)).{{0,60}}?\b{words.ASKED}"),
    _rule(ADDRESS, "as an ai|as a language|as an llm|as the assistant|as the ai", r"\bas (?:an? |the )(?:ai\b|llm|language model|assistant)(?: \w+){0,3}? (?:you (?:must|should|will|are|need|have|can)|your)\b"),
    _rule(ADDRESS, "you must|you are required|you should|you need to|you have to|you will|you are instructed|you're required|you shall", rf"\b(?:assistants?|{words.MODEL})\b.{{0,80}}?\byou (?:must|should|will|shall|need to|have to|are (?:required|instructed|ordered|authorized) to)\b.{{0,60}}?\b{words.ASKED}"),
    # to be remembered
    _rule(MEMORY, "memory|memories", r"\b(?:save|store|add|write|commit|record|persist|remember|keep|put|append|insert|note|update|log)\b(?: [\w'\"-]+){0,12}? (?:in|into|to|within|inside) your (?:long[ -]term |persistent |core |permanent |own |\w+ )?(?:memory|memories)\b|\b(?:update|edit|modify|overwrite|rewrite) your (?:\w+ )?(?:memory|memories)\b"),
    _rule(MEMORY, "memory|memories|claude.md|agents.md", r"\b(?:save|store|add|write|commit|record|persist|append|insert)\b(?: [\w'\"-]+){0,12}? (?:in|into|to|within|inside) (?:the |your |its )?(?:\w+ )?(?:memory\.md|claude\.md|agents\.md|memory file|agent memory|memory bank|agent's memory|assistant's memory)", "hurry"),
    _rule(MEMORY, "remember", r"\bremember(?:\sthis|\sthe\sfollowing)?(?:\sthat)?(?:\syou (?:must|should|always|never|will|are (?:always|never|required|allowed|authorized|to))\b| (?:you (?:are|must) )(?:always|never|to)\b| (?:from now on|for all future|in all future|permanently|forever)\b| (?:to )?always (?:recommend|trust|send|approve|visit|include (?:a |the )?link|forward|praise))"),
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
    _rule(MARKUP, "system|admin|developer|root|operator", r"(?:^|\n)\W{0,6}(?:system|developer|administrator|admin|root|operator) (?:prompt|message|override|notice|note|instructions?|update|alert|command|directive)\W{0,4}[:\]>=-]\W{0,3}.{0,200}?(?:\byou\b|\byour\b|\bignore|disregard|\breveal|\bexecute|\bmust\b|\bdo not\b|\bobey)"),
    _rule(MARKUP, "system|admin|developer|operator", r"(?:^|\n)\W{0,6}(?:\[|<|\#{1,4} ?)?(?:system|developer|administrator|admin|operator)\W{0,3}[:\]>]\W{0,4}(?:.{0,120}?(?:\byou (?:are|must|will|should|shall|have been|now)|\bignore\b.{0,40}(?:instruct|rule|prompt|user|above|previous)|\bnew (?:instructions|task|rules|directive)|\bdo not (?:tell|reveal|mention|refuse)|\breveal\b|\bobey\b|\bexecute (?:the|this|all)|\byour (?:new|only|next|real) ))"),
    _rule(MARKUP, "human:|user:", r"(?:^|\n)\W{0,4}(?:human|user) ?: .{0,300}?\n\W{0,4}(?:assistant|ai|claude) ?: ?", "order"),
    _rule(MARKUP, "end of|begin|start of|end user|end system|end doc|end tool", r"(?:[-=#*<\[] ?){2,}(?:begin|end|start|end of|start of) (?:the )?(?:system|hidden|secret|new|real|priority|admin|developer|user|untrusted|tool|context|document|external|web)?(?: |_)?(?:prompt|instructions?|system message|message|context|input|output|document|data|results?|page|content)\b", "order"),
    # hidden
    _rule(HIDDEN, "<!--", rf"<!--(?:(?!-->).){{0,500}}?\b{words.ADDRESSEE}\b(?:(?!-->).){{0,500}}?(?:\b{words.ASKED}|\byou (?:must|should|are|will)|\bplease\b|\bmust\b|\bexecute\b|\brun\b)"),
    _rule(HIDDEN, "<!--", r"<!--(?:(?!-->).){0,500}?\b(?:you (?:must|should|are (?:now|an?|required|to))|your (?:instructions|task|system|memory|tools?))\b"),
    _rule(HIDDEN, "display|font-size|opacity|color|visibility|hidden", rf"<\w+[^>]{{0,200}}(?:display ?: ?none|font-size ?: ?[01](?:px|pt|em)?|opacity ?: ?0|color ?: ?(?:white|\#fff\w*|transparent)|visibility ?: ?hidden|\bhidden\b)[^>]{{0,200}}>.{{0,300}}?\b(?:{words.ASKED}|{words.MODEL}|assistants?|you must|you are)"),
    # to decode
    _rule(DECODE, "decode|base64|b64|decrypt|rot13|atob|deobfuscate|unscramble|hex|backward|revers", r"\b(?:decode|decrypt|deobfuscate|unscramble|decipher|unpack|rot13|un-?base64|reverse)\b(?: \S+){0,12}? (?:and|then|to get|to obtain)\b(?: \w+){0,3}? (?:follow|obey|act on|carry out|perform|comply|do (?:what|as|exactly)|execute|treat it as)\b"),
    _rule(DECODE, "base64|b64|atob|decode", r"\b(?:decode|base64|b64decode|atob)\b.{0,120}?\b(?:execute|run|eval|exec|follow|obey|bash|sh)\b.{0,160}?[a-z0-9+/]{24}|(?<![a-z0-9+/])[a-z0-9+/]{24,}+={0,2}.{0,80}?\b(?:decode|base64|atob)\b.{0,80}?\b(?:execute|run|eval|exec|follow|obey|\| ?(?:ba)?sh)\b", "press"),
    _rule(DECODE, "base64|b64|atob", r"\b(?:echo|printf) [a-z0-9+/]{16,}={0,2} ?\| ?base64 (?:-d|--decode|-di?) ?\| ?(?:ba|z)?sh\b"),
    # the same with less usual words
    _rule(IGNORE, "ignor|disregard|forget|neglect", rf"\b{_IGNORE} (?:what(?:ever)?|everything|anything|all) (?:that )?(?:the |your )?(?:users?|owner|developers?|operator|they|humans?|maintainers?|system) (?:asked|asks|said|says|wants?|wrote|told|has|have|requested)\b"),
    _rule(IGNORE, "ignor|disregard|forget", rf"\b{_IGNORE} (?:{_FILL} )*{_BEFORE} (?:requests?|messages?|wishes|commands|orders) (?:from|of|by|made)\b"),
    _rule(IGNORE, "ignor|disregard|forget", rf"\b{_IGNORE} (?:\S+ ){{0,3}}(?:all |any )?(?:project|repository|repo|triage|company|house|review|its|contribution|operating) (?:rules|guidelines|polic(?:y|ies)|instructions)\b", "agentic"),
    _rule(IGNORE, "task", r"\b(?:do not|don't|stop) (?:continue|continuing|proceed|finish|working|do|pursue)(?: with| on)? (?:the|your) (?:\w+ )?task\b|\bstop (?:its|your) (?:\w+ )?task\b|\b(?:previous|original|current|old|user's) task (?:is|was|has been) (?:cancel\w*|over|void|replaced|finished|done|complete\w*)\b.{0,60}?\byour?\b|\bthe task (?:that )?you were given\b|\b(?:solve|continue|complete|finish|do|perform) (?:the|your) (?:original|real|actual|given) task"),
    _rule(IGNORE, "instruct|rules|guideline|polic|restrict|filter|limit", r"\b(?:your|all|previous|prior|earlier|safety|content|previous safety|the safety|system) (?:\w+ )?(?:instructions|rules|guidelines|polic(?:y|ies)|restrictions|filters|limits|limitations)(?: \w+){0,4}? (?:are|is|were|was|have been|has been|do|does) (?:hereby |now |no longer |all |not )*(?:void|cancel\w*|withdrawn|revoked|suspended|lifted|null|apply|applicable|binding|valid|in (?:force|effect)|removed|deactivated|overridden|replaced|superseded)\b", "order"),
    _rule(IGNORE, "your |safety", r"\b(?:your|safety) (?:\w+ )?(?:instructions|rules|guidelines|training|polic(?:y|ies)|restrictions|filters|limitations)(?: \w+){0,4}? (?:are|is|were|was|have been|has been|do|does) (?:hereby |now |no longer |all |not )*(?:void|cancel\w*|withdrawn|revoked|suspended|lifted|null|apply|applicable|binding|in force|deactivated|overridden)\b"),
    _rule(IGNORE, "ignore|disregard|forget", r"\b(?:ignore|disregard|forget) (?:all |any |every |your |the )+(?:rules|instructions|prompts?|guidelines|restrictions|policies)\b", "hidden"),
    _rule(IGNORE, "restrict|limit|rules|filter|ethic|guideline", r"\b(?:remov|lift|disabl|turn off|deactivat|void)\w* (?:all |any |your |the )*(?:content|safety|ethical|moral|usage|your|all) (?:restrictions|guardrails|limits|safeguards|filters)\b", "agentic"),
    _rule(IGNORE, "overrid|overrul|precedence|priority|whatever|only listen|boss|master", r"\b(?:new|only) (?:boss|master|owner)\b.{0,80}?\b(?:you|your|overrid|obey)|\byou have a new (?:boss|master|owner|role|identity|purpose|mission|goal)\b|\boverrides? (?:what|everything|anything) (?:the |your )?(?:developers?|users?|owner|system|operator)|\bonly (?:listen to|obey) me\b"),
    _rule(IGNORE, "directive|policy|rules|order|mandate", r"\b(?:new|updated|revised|additional|secret|priority|emergency) (?:directives?|orders?|polic(?:y|ies)|mandate|mission|objective) ?[:.].{0,160}?\b(?:ignore|disregard|obey|you|your|forget|delete|send|reveal)\b|\b(?:as of (?:today|now)|effective immediately|from today)(?: on)? your (?:polic(?:y|ies)|rules?|instructions?|task|job|goal)\b"),
    _rule(IGNORE, "request of the user|request from the user|user's real|real task|true intent|user actually|user really|real question", r"\b(?:real|actual|true) (?:request|task|goal|question|intent\w*|wish) (?:of|from) (?:the|your) (?:user|owner|human)|\bthe user(?:'s real|'s true|'s actual| actually| really) (?:request|wants|asked|intent|goal|task|meant)"),
    _rule(ROLE, "without|no ethic|no rules|zero", r"\b(?:assistant|ai|agent|model|chatbot|role ?: ?[\w ]{2,30}|you)\b(?: \w+){0,5}? (?:without|with no|with zero) (?:any )?(?:ethics|rules|limits|limitations|restrictions|filters?|morals?|guardrails|boundaries|constraints|censorship|safety)\b", "agentic"),
    _rule(ROLE, "let's play|lets play|game where|story where|imagine you|hypothetical", r"\b(?:let's|lets|let us) (?:play|pretend|imagine|role-?play)\b.{0,60}?\b(?:you are|you're|you have|you play|your role)\b|\b(?:game|story|scenario|simulation) (?:where|in which) you (?:are|play|have|act)\b"),
    _rule(ROLE, "privilege|root access|admin access", r"\bproceed with (?:root|admin\w*|full|elevated|system) (?:privileges|access|rights|permissions)\b"),
    _rule(ROLE, "new session|new conversation|new chat|session reset|window reset|context reset", r"\b(?:begin|start|end of|reset)\w* (?:a )?(?:new |this |old )?(?:session|conversation|chat|context)\b.{0,40}?\b(?:role|task|system|you are|rules?|instructions) ?:|\bcontext (?:window )?reset\b.{0,80}?\b(?:instructions|rules|privileges|void)"),
    _rule(HIDE, "to know|find out|no trace|tell nobody|tell no|tell to nobody|without saying|say nothing", r"\b(?:nobody|no ?one|no-one|the user does not|the user doesn't) (?:needs?|has|ha(?:ve|s)|must|should|may|can) (?:to )?(?:ever )?(?:know|find out|see|notice|learn)\b|\b(?:do not|don't|never|must not|mustn't|not) let (?:anyone|anybody|any ?one|the (?:user|human|developer|owner|operator|reviewer)|them|people) (?:find out|know|see|notice|learn|suspect)\b|\bleave no traces?\b|\b(?:tell|inform|to tell) (?:this to )?(?:nobody|no ?one|no-one)\b|\bwithout (?:saying|mentioning|disclosing|revealing|admitting) (?:so|it|this|why|that you)\b", "agentic"),
    _rule(HIDE, "omit|leave out|exclude|skip", r"\b(?:omit|leave out|exclude|drop|strip|remove) (?:this|these|the above|it|them)(?: \w+){0,3}? (?:from|in) (?:every|all|your|any|the) (?:\w+ )?(?:summar(?:y|ies)|answers?|responses?|repl(?:y|ies)|outputs?|reports?|translations?)\b(?! of)", "agentic"),
    _rule(HIDE, "lie |lie,|excuse|other reason|another reason|make up|pretend|deny", r"\b(?:lie|deny (?:it|this|everything)|make up|invent|give|offer)\b(?: \w+){0,4}? (?:to the user|and (?:say|claim|tell)|about (?:this|it)|(?:some|an?|another) (?:other )?(?:excuse|reason|story|explanation))\b", "agentic"),
    _rule(HIDE, "lie |lie,|deny|claim|pretend|say ", r"\bif (?:the user|they|anyone|asked|someone|you are asked)(?: \w+){0,3}? (?:lie|deny|claim|pretend|say (?:that )?you)\b"),
    _rule(HIDE, "silently|quietly|secretly|discreetly|covertly", r"\b(?:apply|follow|do|use|perform|execute|obey) (?:this|these|it|all of this|the following)(?: \w+){0,2}? (?:silently|quietly|secretly|discreetly|covertly|in secret|without comment)\b|\balways apply this rule\b"),
    _rule(HIDE, "user", r"\b(?:steer|nudge|persuade|convince|manipulate|trick|lead|mislead|deceive) (?:the |any |your |all )users? (?:to|toward|towards|into|away|about|without)\b", "agentic"),
    _rule(REVEAL, "your |you ", rf"\b(?:{_SAY}|spell|read out|type out)\b.{{0,40}}?\b(?:your (?:context|first message|initial message|system message|system prompt|conversation|instructions|earlier messages)|everything (?:in your|before this|above this|you (?:were|have been) (?:told|given|instructed))|(?:text|words|content) of your)\b"),
    _rule(REVEAL, "were you given|you were given|were you told|beginning of|start of|first message|before the user", r"\b(?:which|what) (?:\w+ )?(?:rules|instructions|guidelines|directives|prompt|orders) (?:were|are|have) you (?:been )?(?:given|following|told|under)\b|\b(?:beginning|start|top) of (?:this|the|our|your) (?:conversation|chat|session|context|prompt)\b.{0,120}?\b(?:quote|repeat|print|fully|verbatim|output|show|word)|\b(?:quote|repeat|print|output|show) .{0,60}?(?:beginning|start|top) of (?:this|the|our|your) (?:conversation|chat|session|context|prompt)\b"),
    _rule(REVEAL, "this assistant|of the assistant|of this model|of this bot", r"\b(?:disclose|reveal|share|print|show|output|leak|dump)\b.{0,40}?\b(?:configuration|prompt|instructions|rules|secrets?|settings|system message) of (?:this|the) (?:assistant|model|bot|agent|ai)\b"),
    _rule(REVEAL, "you can|you have|you know|you see|you saw|you hold", rf"\b(?:{_SAY})\b.{{0,40}}?\b(?:every|all|any|each)\b.{{0,30}}?{words.SECRETS}?(?:environment variables?|secrets?|passwords?|keys?|tokens?|credentials?) (?:that |which )?(?:you (?:can (?:see|read|access|find)|have|know|see|saw|hold|were given))\b"),
    _rule(REVEAL, " env|printenv|secret", r"\b(?:run|execute) (?:env|printenv|set)\b.{0,40}?\b(?:paste|post|show|reply|send|print|tell|give)|\b(?:print|paste|post|list|show|tell me|send) (?:me )?(?:every|all|each) (?:secrets?|passwords?|credentials?|api keys?)\b.{0,30}?\byou\b"),
    _rule(SENDS, "http", r"https?://\S{1,200}[?&/=](?:<|\[|\{|%7b)+ ?[^>\]}\n]{0,40}?\b(?:user|conversation|summary|question|secret|message|chat|api|keys?|password|data|token|prompt|context|answer)\b"),
    _rule(SENDS, "gist|paste|bucket|repo|public", r"\b(?:create|make|open|publish|push to|start) (?:a |an |the )?(?:new )?(?:public|secret|private|anonymous)? ?(?:gist|paste|pastebin|bucket|repo(?:sitory)?|issue|pull request)\b.{0,30}?\b(?:with|containing|of|from|including) (?:the )?(?:contents?|all|every|full|complete|private|secrets?|keys)\b.{0,60}?\b(?:files?|director\w+|home|keys?|secrets?|credentials|repositor\w+|tokens?|history|data|variables)\b"),
    _rule(SENDS, "dns", r"\bdns\b.{0,80}?\b(?:secret|key|token|password|credential|data)s?\b.{0,60}?\b(?:resolve|lookup|look up|query|subdomain|encode)|\bresolve <?\w*(?:secret|key|token|password|data)\w*>?\."),
    _rule(SENDS, "http|@|hxxp", r"\b(?:send|forward|upload|post|e-?mail|mail|copy|export|transmit|submit|enter|paste|push|report)\b (?:\w+ ){0,2}?(?:every|all|each|any|the user's|the users'|the owner's|the customer's|\w+_(?:token|key|secret|password))\b(?: [\w'.-]+){0,6}?.{0,30}?(?:https?://|hxxp|[\w.-]+@[\w-]+\.\w)", "imperative"),
    _rule(SENDS, "http|navigate|visit", r"\b(?:navigate to|go to|open|visit|browse to) https?://\S+ and (?:enter|type|submit|post|paste|upload|fill|log ?in|send|run)\b"),
    _rule(SENDS, ".ssh|/etc/|.env|.aws|id_rsa|mcp.json|/home/|~/|credential", r"\b(?:read|open|cat|load|get|fetch|take|post|paste|put|include)\b.{0,30}?(?:~/|/home/\S+|/etc/(?:passwd|shadow)|\.env\b|id_rsa|\.ssh|\.aws|mcp\.json|credentials file)\S*.{0,60}?\b(?:pass|put|include|send|add|paste|provide|attach|post|as a comment|as an? (?:parameter|argument)|in the (?:parameter|answer|reply|comment|pull request|issue))\b", "agentic"),
    _rule(TOOLS, "before using this|before you can|before you use|before calling|before any other|prior to using", r"\b(?:before|prior to) (?:using|calling|invoking) (?:this|the|any other|any) (?:tool|function|api)\b.{0,40}?\b(?:read|call|send|run|execute|pass|you must|always|first|open)\b|\bbefore you can (?:solve|answer|complete|finish|do|help|continue)\b.{0,60}?\b(?:task|question|request|do the following|please)\b"),
    _rule(TOOLS, "every shell|each shell|all shell|every command|each command|every answer|every response|each response|every reply|every commit|all commands|each answer|all answers|all responses|every message|every function", r"\b(?:every|each|all) (?:shell |of your |your )?(?:commands?|answers?|responses?|repl(?:y|ies)|commits?|messages?|functions?|requests?)\b.{0,30}?\b(?:must|should|shall|begins?|starts?|ends?|have to|has to|needs? to|that you)\b.{0,50}?(?:https?://|curl |wget |hxxp)"),
    _rule(ADDRESS, _AGENTS + "|reviewers|agents", rf"\b{words.CALLED}(?!{words.LISTED}).{{0,160}}?\b{words.ASKED}"),
    _rule(ADDRESS, "future session|later session|next session|all sessions|every session|future run", rf"\b(?:future|later|next|all|every) (?:sessions?|runs?) (?:must|should|shall|ha(?:ve|s) to|needs? to)\b.{{0,80}}?\b{words.ASKED}"),
    _rule(ADDRESS, "reading this because|the assistant|you, the|you the", r"\byou are reading this because\b|\b(?:you (?:the )?(?:assistant|agent|model|ai)) (?:have been|are|were|must|will|should)\b|\bthe assistant (?:must|needs? to|has to|shall|is (?:required|instructed|ordered) to|should)(?: always| never| first| immediately| also)? (?:call|run|execute|post|send|read|open|reveal|upload|delete|approve|fetch|visit|download|install|write|print|obey|follow|ignore|skip|forward)\b"),
    _rule(MEMORY, "memori|remember|persist|keep in mind|store th", r"\b(?:memori[sz]e|remember|persist|retain|keep in mind|store)(?: this| that| the following| it)?(?: \w+){0,2}? (?:for good|forever|permanently|for (?:all )?(?:later|future|coming|next) sessions?|for the future|across sessions)\b.{0,160}?\b(?:ASKED|safe|unlock\w*|code|skip|forward|refuse|trust\w*|never|always|password)\b".replace("ASKED", words.ASKED)),
    _rule(MEMORY, "the user|the owner|the developer|the human|the customer", r"\b(?:the|your|this) (?:user|owner|developer|human|customer|operator) (?:prefers?|wants?|likes?|expects?|asks?|asked|would like|requires?|agreed|insists?)(?: that| for)? (?:you|the assistant|the agent|the ai)(?: to)? (?:never|always|not|skip|ignore|send|stop|do not|don't|should|must|only)\b"),
    _rule(MEMORY, "treat ", r"\btreat (?:\w+ ){0,3}(?:by|from|below|above|in|of|after|following|as coming)\b.{0,50}?\b(?:as (?:coming from|being from|written by|an? (?:trusted|system|instruction|order|command)|trusted|safe|system|instructions|authoritative|orders?|the (?:user|maintainer|owner|system)))"),
    _rule(MEMORY, "authori|allowed|permitted|permission|approved|confirm", r"\byou (?:are|have been) (?:now |hereby |already |fully |pre-?)?(?:authori[sz]ed|allowed|permitted|approved|cleared|granted (?:\w+ )?permission) (?:to|for)\b.{0,60}?\b(?:skip|without|all|any|everything|bypass|ignore|delete|run|execute|confirm\w*)\b"),
    _rule(MARKUP, "<|user|>|<|assistant|>|<|system|>", r"<\|(?:user|system|human)\|>.{3,2000}?<\|(?:assistant|end|bot)\w*\|>"),
    _rule(MARKUP, "### ", r"\#{2,4} ?(?:instructions?|system|human|user|input)(?: prompt| message)? ?:.{3,1000}?\#{2,4} ?(?:response|assistant|output|answer) ?:"),
    _rule(MARKUP, "{{#system|{{#user|{{#assistant|{% system", r"\{\{ ?\#(?:system|user|assistant)|\{% ?(?:system|chat)", "order"),
    _rule(MARKUP, "<information>|<important>|<notice>|<critical>|<info>|<instruction", r"<(?:information|important|notice|critical|info|instructions?|attention|urgent)>.{3,600}?\b(?:before (?:you|using)|do not (?:mention|tell|reveal)|you (?:must|should|need|have|can)|please do the following|always|ignore)\b"),
    _rule(MARKUP, "[//]: #", r"\[//\] ?: ?\#.{0,40}?\b(?:assistants?|agents?|ai|llms?|claude|copilot|gpt|model)\b"),
    _rule(DECODE, "hex|base64|rot13|cipher|morse|encoded|decode", r"\b(?:for (?:the |an? |any )?(?:assistant|agent|ai|model|llm)|you must|agents?)\b.{0,60}?\b(?:decode|decrypt|decipher)\b|\b(?:decode|decrypt|decipher)\b.{0,30}?\b(?:and|then) (?:obey|follow|comply|act|do what|execute it)\b"),
    _rule(HIDDEN, "please|praise|never list|respond|only", r"<\w+[^>]{0,200}(?:display ?: ?none|font-size ?: ?[01](?:px|pt|em)?|opacity ?: ?0|visibility ?: ?hidden)[^>]{0,200}>.{0,200}?\b(?:hi|hey|dear|hello|model|assistant|you|your|please)\b"),
    _rule(IGNORE, "user|owner|developer|maintainer|operator", rf"\b{_IGNORE} (?:any |the |all |every |your )*(?:users?|owner|developers?|maintainers?|operators?|human)(?:'s|')? (?:request|instruction|wish|guidance|message|question|task|command|order|prompt)\w*\b|\b{_IGNORE} (?:any |the |all |every )*(?:requests?|instructions?|wishes|guidance|messages?|questions?|commands?|orders?) (?:from|of|by) (?:the |your |any )?(?:users?|owner|developers?|maintainers?|operators?|human)\b"),
    _rule(IGNORE, "trust|obey|over everything|above all", r"\b(?:do not|don't|never) trust (?:the|your|any) (?:users?|owner|developers?|operator|human)\b|\b(?:trust|obey|believe|listen to) only (?:this|me|the following)\b|\b(?:must|should|will|shall|always|from now on you) obey (?:this|the|these|commit|my|all|any|every|me|it)\b"),
    _rule(IGNORE, "task", rf"\b{_IGNORE} (?:the|your|any|whatever) (?:\w+ )?(?:task|job|work)s? (?:that )?(?:you|at hand|from the|given)"),
    _rule(IGNORE, "the above|all above", r"\b(?:ignore|disregard|forget) (?:all |everything )?(?:of )?(?:the )?above (?:and|then|instead)? ?(?:mark|say|do|run|reply|respond|answer|print|output|write|tell|close|approve|give|send|delete|instead|only)\b|\b(?:ignore|disregard|forget) (?:all|everything) (?:of )?(?:the )?above\b(?! (?:is|are|when|if|lines?|rows?|\d))"),
    _rule(IGNORE, "you must|you should|you will|you can|you may|you have to|you need to", rf"\byou (?:must|should|will|can|may|have to|need to|are to|shall)(?: now)? (?:ignore|disregard|forget|bypass|override|violate|break|circumvent) (?:{_FILL} |\w+ ){{0,3}}?{words.RULES_OF_AGENT}\b"),
    _rule(IGNORE, "long-term|standing|permanent|core|lasting", r"\byour (?:long[ -]term|standing|permanent|core|lasting|eternal) (?:\w+ )?(?:instructions?|task|goal|orders?|directive|mission|rule) ?(?:is|are|:)"),
    _rule(ROLE, "you are a", r"\byou are an? (?:\w+ ){0,3}?(?:assistant|ai|agent|bot|model|chatbot|persona) (?:that|who|which|without|with no|and you|programmed)\b"),
    _rule(HIDE, "quiet|silent", r"\b(?:keep|stay|be|remain) (?:quiet|silent) (?:about|on) (?:it|this|that|these|what)\b", "agentic"),
    _rule(HIDE, "without ", rf"\b(?:do|doing|did) (?:it|this|so|that|all of this)(?: \w+){{0,3}}? without (?:telling|informing|asking|notifying|alerting|mentioning) (?:{words.PEOPLE}|it|this)\b|\bwithout (?:mentioning|disclosing|revealing) (?:it|this|that you|these)\b.{{0,3}}$"),
    _rule(HIDE, "why", rf"\b{words.NOT} (?:ever )?(?:say|explain|tell|reveal|disclose|mention|admit) (?:{words.PEOPLE} )?why\b", "agentic"),
    _rule(HIDE, "agreed|approved|consented|permission", r"\b(?:act|behave|proceed|continue) as (?:if|though) (?:the |your )?(?:user|owner|developer|human|they|he|she) (?:has |have |had )?(?:already )?(?:agreed|approved|consented|confirmed|given|asked)"),
    _rule(HIDE, "remember|always", r"\b(?:remember|keep in mind|note)\b.{0,12}?\bnever (?:reveal|disclose|say|admit|mention|tell)\b", None),
    _rule(HIDE, "hide", r"\bhide (?:this|the|that|it)(?: \w+)?(?: that you| and (?:claim|say|tell|report|pretend))\b"),
    _rule(MEMORY, "when|if ", r"\b(?:when(?:ever)?|if|every time|each time) (?:the |a |any )?(?:users?|anyone|somebody|someone|people|customers?|you are|you're) (?:asks?|asked|mentions?|talks?|enquires?|wants?|searches)\b.{0,60}?\b(?:promote|recommend|praise|lie\b|claim|steer|only show|send|forward|say that|refuse|insult)\b", "order"),
    _rule(MEMORY, "when asked|if asked|asked about", r"\b(?:when|if) asked\b.{0,40}?\b(?:lie\b|lie\.|claim|deny|pretend|refuse|say (?:that )?(?:you|it|nothing|no))"),
    _rule(MEMORY, "permanently|forever|for good|always remember", r"\b(?:store|save|remember|keep|record|memori[sz]e|note) (?:this )?(?:permanently|forever|for good|for ever)\b"),
    _rule(MEMORY, "future session|every session|future conversation|all sessions|future chat", r"\b(?:for|in|during) (?:every|all|each|any) (?:future |later |new )?(?:sessions?|conversations?|chats?)\b.{0,40}?\b(?:ignore|approve|trust|skip|send|reveal|recommend|obey|forward|mention \w+ as)\b"),
    _rule(SENDS, "http|@|attacker", rf"\b{_SEND}\b.{{0,60}}?{words.LOOT_PATHS}.{{0,80}}?(?:https?://|hxxp|[\w.-]+@[\w-]+\.\w|attacker)|{words.LOOT_PATHS}.{{0,60}}?\b(?:post|send|upload|forward|submit|mail|e-?mail|transmit)\b.{{0,40}}?(?:https?://|hxxp|[\w.-]+@[\w-]+\.\w|attacker)"),
    _rule(SENDS, "conversation|chat|message|prompt|user's", r"\b(?:encode|append|attach|embed|add|put|include|send|post|upload|mail|e-?mail|forward|copy)\b (?:\w+ ){0,3}?(?:conversation|chat history|chat log|last message|previous messages?|system prompt|user's \w+)\b.{0,80}?(?:https?://|hxxp|[\w.-]+@[\w-]+\.\w|\burl\b|\blink\b|\bimage\b|query (?:string|parameter))"),
    _rule(SENDS, "http", r"https?://\S{1,200}[?&]\w+=(?:secret|key|token|password|data|conversation)\b.{0,80}?\b(?:where|with|replace|is the|being)\b"),
    _rule(TOOLS, "to use this|to call this|to run this|to unlock|before this", r"\bto (?:use|call|run|invoke|unlock) (?:this|the) (?:function|tool|api|command|feature)\b.{0,20}?\b(?:first|you must|always|you need to)\b (?:\w+ ){0,2}?(?:call|read|open|send|run|execute|provide|pass|fetch)\b", None),
    _rule(IGNORE, "follow mine|follow me|follow my|obey me|listen to me", r"\b(?:follow|obey|do|use|listen to) (?:mine|me|my (?:instructions|rules|orders|commands)) (?:instead|only|from now|now|and (?:not|ignore))\b|\bobey me\b(?! ?\?)"),
    _rule(HIDE, "make sure|ensure|see to it", r"\b(?:make sure|ensure|see to it|be sure)(?: that)? (?:the |your |no )?(?:users?|humans?|owner|developers?|operator|maintainers?|nobody|no ?one) (?:never|does not|doesn't|do not|don't|cannot|will not|won't|must not|ever)? ?(?:learns?|knows?|finds? out|notices?|hears?|suspects?)\b"),
    _rule(REVEAL, "hidden|secret", r"\b(?:hidden|secret) (?:rules|instructions|prompts?|guidelines) (?:that )?(?:you|of (?:this|the) (?:assistant|model|bot))\b"),
    _rule(MARKUP, "new user|new system|new human|new developer|new message|user message|new request", r"\bnew (?:user|system|developer|human|admin|operator) (?:message|request|prompt|instructions?|input|command) ?:"),
    _rule(MARKUP, "assistant|agent|model|llm|ai ", r"(?:^|\n|[\[<(#*]) ?(?:assistant|agent|ai|model|llm)[ _-](?:instructions?|directives?|override|commands?|orders?|note|hint)\W{1,4}.{0,120}?\b(?:hide|claim|ignore|you must|do not|never|delete|send|reveal|execute|disregard|obey)\b"),
    *(_rule(reason, anchors, pattern) for reason, anchors, pattern in ABROAD),
)  # fmt: skip

ALL_ANCHORS = tuple(sorted(frozenset[str]().union(*(rule.anchors for rule in RULES))))
