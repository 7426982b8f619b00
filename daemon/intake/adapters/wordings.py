"""The wordings with which a person corrects, prefers for good or decides: tables of patterns, English, data to edit.

Each is tried at the start of a sentence, once as it stands and once without its lead ("ok, but please"). A negative that
a pattern must not take stands in it, and as a row in the tests.
"""

import re

LEAD = re.compile(
    r"(?:(?:hey|hi|wait|hmm+|ugh|sorry|please|ok(?:ay)?|but|and|also|well|oh|so|yes|yeah|alright|right|great|cool|thanks|perfect|good|btw|"
    r"in general|generally|generally speaking|as always|claude|codex|one more thing|important|note|fyi|then|remember)\b[,.!:;\s—-]*)+(?=\w)",
    re.IGNORECASE,
)
QUESTION = re.compile(
    r"(?:why|what|when|where|who|which|how|is|are|was|were|does|do you|did|has|have you|can|could|would|will|should|shall|any)\b",
    re.IGNORECASE,
)
# What is put behind an order to make it mild.
TAG = re.compile(
    r"\s*[,;–—-]+\s*(?:ok(?:ay)?|please|pls|right|alright|yes|yeah|no|correct|got it|understood|will you|would you|can you|could you|deal|agreed|clear|eh|"
    r"thanks|thx)(?: please| thanks)?\s*\?+$",
    re.IGNORECASE,
)
ASKING_TAG = re.compile(r"\s*[,;–—-]+\s*(?:right|yes|yeah|no|correct|eh)\b.*", re.IGNORECASE)
ORDERS = re.compile(
    r"(?:always|never|don't|do not|from now on|going forward|use|prefer|stop|avoid|under no circumstances)\b",
    re.IGNORECASE,
)
ASKS_FOR_GOOD = re.compile(
    r"(?:can|could|would|will) (?:you|we) (?:please )?(?:always|never|from now on) (?!see\b|get\b|reproduce\b|tell\b|know\b)",
    re.IGNORECASE,
)

# A verb after always or never that tells what happens, not what to do.
_TELLS = (
    r"(?!mind\b|been\b|was\b|were\b|is\b|are\b|had\b|has\b|have\b|did\b|does\b|works?\b|worked\b|seen\b|saw\b|heard\b|tried\b|knew\b|known\b|"
    r"got\b|gets?\b|see\b|hit\b|end up\b|run into\b|receive\b|feel\b|fails?\b|failed\b|happen\w*|the\b|a\b|an\b|in\b|on\b|at\b|there\b|here\b|so\b|too\b|again\b|good\b|nice\b|fun\b|wanted\b|"
    r"thought\b|gonna\b|before\b|quite\b|really\b|used to\b|(?!address|focus|process|pass|access|discuss|express|compress)\w+[a-rt-z]s\b|\w+ing\b(?!-)|(?!need|embed|feed|seed|proceed)\w+ed\b)"
)
_ADVERB = r"(?:just |only |also |explicitly |first )?"
LASTING = (
    re.compile(rf"(?:do )?(?:always|never(?: ever)?) {_ADVERB}{_TELLS}\w", re.IGNORECASE),
    re.compile(
        rf"(?:.*(?<!\bso )(?<!\bthat )(?<!\bif )(?<!\bhow )(?<!\bwhy )(?<!\bbecause )(?<!\bwhen )\b(?:we|you|i|let's|claude|agents?|please|and|but)|.*[,:]) ?"
        rf"(?:should |must |want to |need to |will |do )?(?:always|never(?: ever)?) {_ADVERB}{_TELLS}\w",
        re.IGNORECASE,
    ),
    re.compile(
        r"(?:all |the |our |your |my )?(?:commit messages?|commits?|tests?|code|docs|comments|functions|prs?|pull requests|branches|migrations|imports|"
        rf"variables|files|answers|responses|replies|changes|releases|dependencies)\b.{{0,40}} (?:should|must|shall) (?:always|never) {_ADVERB}{_TELLS}\w",
        re.IGNORECASE,
    ),
    re.compile(r".{6,},? (?:keep|bear) (?:that|this) in mind[.!]?$", re.IGNORECASE),
    re.compile(r".{6,}[,;—–-]+ ?(?:please )?remember (?:that|this|it)[.!]?$", re.IGNORECASE),
    re.compile(r"(?:please )?(?:(?:use|avoid) .+ (?:everywhere|at all times|whenever possible|wherever possible)|use .+ by default)[.!]?$", re.IGNORECASE),
    re.compile(r"(?:i|we) (?:don't|do not) like (?!this\b|that\b|it\b|the\b|how\b|your\b|what\b|where\b)\w.{3}", re.IGNORECASE),
    re.compile(r"(?:.*[,;] ?)?(?:from now on|from here on|going forward|from this point on|for future reference|in (?:the )?future(?=[,:]| (?:please|use|do|don't|make|run|ask|i|we|you|just)\b))\b.{4}", re.IGNORECASE),
    re.compile(r".{6,}\b(?:from now on|going forward|from here on)[.!]?$", re.IGNORECASE),
    re.compile(r"(?:i|we)(?: (?:strongly|really|generally|usually|much|always|would|do))* prefer (?!the \w+ one\b|that\b|this\b|it\b|option\b|your\b).{3}", re.IGNORECASE),
    re.compile(r"(?:i|we)'d (?:much |really )?(?:prefer|rather)\b(?! (?:to )?(?:see|look|wait|know|hear|do it|not\b)).{3}", re.IGNORECASE),
    re.compile(r"(?:please )?prefer (?!to know\b).{3}", re.IGNORECASE),
    re.compile(r"(?:my|our|the team's) (?:strong )?(?:preference|convention|rule|policy|standard)s? (?:here |now )?(?:is|are)\b", re.IGNORECASE),
    re.compile(r"the (?:convention|rule|policy|house style)s? (?:here |in this (?:repo|project) )?(?:is|are)\b.{4}", re.IGNORECASE),
    re.compile(r"(?:i|we) (?:don't|do not|really don't) (?:like|want) (?:it when|when you|you to|any)\b.{3}", re.IGNORECASE),
    re.compile(r"(?:i|we)(?:'d| would)? (?:want|like|need|expect) you to (?:always|never)\b", re.IGNORECASE),
    re.compile(r"(?:i|we) (?:hate|dislike) (?:it when\b|when you\b|\w+ing\b)", re.IGNORECASE),
    re.compile(r"(?:don't|do not) ever \w", re.IGNORECASE),
    re.compile(r"(?:don't|do not|never) .{3,}\b(?:unless|until) (?:i|we)\b", re.IGNORECASE),
    re.compile(r"(?:don't|do not|never) .{3,}\bwithout (?:asking|my|checking|telling)\b", re.IGNORECASE),
    re.compile(r"(?:always )?(?:ask|check with|tell) me (?:first )?before\b.{3}", re.IGNORECASE),
    re.compile(r"under no circumstances\b.{3}", re.IGNORECASE),
    re.compile(r"(?:as a rule|by default|(?:every time|each time|whenever) (?:you|we))\b(?! (?:it|the|this|that|there)\b).{6}", re.IGNORECASE),
    re.compile(r"default to \w", re.IGNORECASE),
    re.compile(
        r"(?:in this (?:project|repo|repository|codebase|team),? |here,? )?we (?:only |always |never |do not |don't )?use .+"
        r"(?:\b(?:here|everywhere|for everything|by default|in this (?:project|repo|repository|codebase)|instead of .+)[.!]?$|, ?(?:and )?(?:not|never|no) .+)",
        re.IGNORECASE,
    ),
    re.compile(r"(?:in this (?:project|repo|repository|codebase|team)|around here|over here),? (?:we|use|don't|do not|tests?|all|every)\b.{3}", re.IGNORECASE),
    re.compile(r"we (?:don't|do not|never) use \w", re.IGNORECASE),
)  # fmt: skip
# What is said for the moment is no lasting preference, and no rule to keep.
FOR_NOW = re.compile(
    r"\b(?:at this time|right now|for now|yet|today|this time|at the moment|for the moment|just this once|tonight|tomorrow|later)\b",
    re.IGNORECASE,
)
REMEMBER = re.compile(
    r"(?:please |and |also )*(?:(?:remember|keep in mind|bear in mind|memori[sz]e)(?: this| for (?:later|next time|the future))?(?::|,| that\b| to\b) ?|(?:keep in mind|bear in mind) )\w.{5}",
    re.IGNORECASE,
)

_MILD = (
    r"(?!(?:it's |its |it is |that's |thats |that is |this is |all |i'm |im )?(?:problem|worries|worry|need\b(?! to)|rush|thanks|thank|thx|sorry|apologies|ok|okay|"
    r"fine|good|great|cool|perfect|correct|right|nothing|continue|proceed|go ahead|go on|keep going|wait|idea|clue|matter|doubt|way|hurry|"
    r"pressure|sorry|all|more|further|leave it|biggie|questions?|issues?|errors?|output|changes?|it works|it does|works|looks|lol|haha|never ?mind|done)\b)"
)
CORRECTS = (
    re.compile(rf"(?:no+|nope|nah)(?: no)*\s*[,.!:;—–-]+\s*{_MILD}(?:\S+ )?\S{{2,}}", re.IGNORECASE),
    re.compile(r"no (?:use|don't|do not|i (?:said|meant|want)|that's (?:not|wrong)|it's (?:not|the)|it should|not|you should|we use|just use|keep|make it|revert)\b.{2}", re.IGNORECASE),
    re.compile(r"(?:don't|do not|dont|stop|never) .{2,80}?(?:[,;.—–-]| but| and| -) ?(?:please )?(?:just |rather |only |instead )?(?:use|do|run|call|write|put|keep|make|go with|prefer|return|import)\b .+", re.IGNORECASE),
    re.compile(r"(?:don't|do not|dont) .{2,80}\binstead\b", re.IGNORECASE),
    re.compile(r"(?:don't|do not|dont) (?:use|write|add|create|put|mock|generate|import|hard-?code)(?! (?:it|that|this)\b)(?!.*\b(?:yet|now|today)\b) \w.{1}", re.IGNORECASE),
    re.compile(r"stop (?:doing|using|adding|\w{2,}ing)\b.{3}", re.IGNORECASE),
    re.compile(r"(?:that|this|it)(?:'s| is|s| was) (?:still |just |also |simply |completely |plain )?(?:wrong|incorrect|not right|not correct|not true|not what i|not how|backwards|a mistake)", re.IGNORECASE),
    re.compile(r"(?:you're|you are|your (?:assumption|claim|answer|fix) is) (?:wrong|mistaken|incorrect)\b", re.IGNORECASE),
    re.compile(r"you (?:misunderstood|misread|got (?:it|that|this) wrong|should(?:n't| not) have|should have|were supposed to|weren't supposed to|forgot (?:to|the|that))\b", re.IGNORECASE),
    re.compile(r"(?:that|this|your) [\w ./`-]{1,40} (?:is|was|are|were) (?:wrong|incorrect|not right|not correct)[,;:.—–-]+ ?\w.{3}", re.IGNORECASE),
    re.compile(r"you(?:'re| are) (?:still )?(?:using|calling|importing|looking at|editing|running) .+[,;—–-]+ ?(?:please )?(?:use|it's|call|import|look|edit|run|we)\b.{3}", re.IGNORECASE),
    re.compile(r"(?:it's|it is|that's|its|they're|they are) (?!not\b)[^,;.]{2,60}?,? not (?!sure\b|yet\b|working\b|only\b|clear\b|a problem\b|great\b|good\b|bad\b|really\b|much\b|that\b|too\b|even\b)\w.{1}", re.IGNORECASE),
    re.compile(r"(?:scratch (?:that|this|it)|forget (?:that|this))[,;:—–-]+ ?(?:use|it's|make|go|put|keep|do|run|instead|we|the)\b.{3}", re.IGNORECASE),
    re.compile(r"no more (?!than\b|errors?\b|failures?\b|questions?\b|info|changes\b|tests? fail)\w.{5}", re.IGNORECASE),
    re.compile(r"(?:wrong|incorrect|not quite|not exactly|not really)\s*[,:;.—–-]+\s*\w+ \w", re.IGNORECASE),
    re.compile(r"(?:as )?i (?:already |just |clearly |specifically |explicitly )?(?:said|told you|asked (?:for|you)|meant)\b,? .{3}", re.IGNORECASE),
    re.compile(r"(?:.*[,;] ?)?i (?:didn't|did not|never) (?:mean|ask for|say|ask you)\b.{3}", re.IGNORECASE),
    re.compile(r"not (?!sure\b|yet\b|now\b|really\b|bad\b|only\b|necessarily\b|working\b|found\b|great\b|good\b|much\b|a problem\b|urgent\b|to mention\b|in a\b|all\b|every|many\b|enough\b|a single\b|any\b|it\b)[^,;.]{1,60}[,;—–] ?(?:but |use |rather )?\w", re.IGNORECASE),
    re.compile(r"(?:please |just )?use .{1,80}?,? (?:and )?not .{2}", re.IGNORECASE),
    re.compile(r"(?:please |just )?use .{1,80} (?:instead(?: of .+)?|rather than .+)[.!]?$", re.IGNORECASE),
    re.compile(r"instead(?: of .{2,60})?,? (?:please )?(?:use|do|run|call|write|put|keep|make|go with)\b.{2}", re.IGNORECASE),
    re.compile(r".{2,80} should(?: have)? (?:be|been|return|use|say|read|go|live|come|point|throw|call|import) .{1,60}, ?not .+", re.IGNORECASE),
    re.compile(
        rf"actually[,:]? {_MILD}(?!works?\b|nice\b|can\b|could\b|would\b|let me\b|looks?\b|never mind|pretty\b|(?:i|we) (?:think|love|like)\b|also\b|it (?:works|looks)\b)"
        r"(?:no\b|use|it's|it is|its|don't|do not|let's|lets|we|the|that's (?:not|wrong)|make|keep|put|i (?:want|meant|said|need)|i'd|instead|revert|undo|switch|go with|you|this|not|there|change|leave|drop|rename|run)\b.{2}",
        re.IGNORECASE,
    ),
)  # fmt: skip
BARE_OPENER = re.compile(
    r"(?:no+|nope|nah|wrong|incorrect|not quite|not exactly|stop|(?:no,? )?(?:that|this|it)(?:'s| is) (?:wrong|incorrect|not right|not (?:quite )?correct"
    r"|not what i (?:asked for|meant|wanted|said))|(?:no,? )?not like (?:that|this)|you misunderstood(?: me)?|actually no|don't do (?:it|that)(?: (?:that|this) way| like (?:that|this))?)[.!,:]*",
    re.IGNORECASE,
)
# It takes up what stands elsewhere, which a memory has not.
ELSEWHERE = re.compile(
    r"(?:the time|that|this|it|those|them|both|your|option|the (?:first|second|third|last|former|latter|other|plan|proposal|suggestion)|number|plan|#?\d|[a-d])\b(?! ?[/-])",
    re.IGNORECASE,
)
CHOICE = (
    re.compile(r"(?:i think |i guess )?(?:we|i) should (?:go with|stick (?:with|to)|switch to|adopt|settle on) (?P<what>\S.*)", re.IGNORECASE),
    re.compile(r"decided(?: on)?: ?(?P<what>\S.{2,})", re.IGNORECASE),
    re.compile(r"(?:let's|lets|let us|we'll|we will|i'll|we're|we are|i'm|i am) (?:just |all |now |going to )?(?:go(?:ing)? with|stick(?:ing)? (?:with|to)|settle on|standardi[sz]e on|adopt|switch(?:ing)? to|use|move to) (?P<what>\S.*)", re.IGNORECASE),
    re.compile(r"(?:i|we)(?:'ve| have)? (?:now |finally |just )?(?:(?:decided|agreed|settled|opted)(?: on| to| that| for| against| not to)|chosen|chose) (?P<what>\S.{2,})", re.IGNORECASE),
    re.compile(r"(?:(?:the|our|my|final) )*decision(?: is)?(?: to| that)?:? (?P<what>\S.{3,})", re.IGNORECASE),
    re.compile(r"go(?:ing)? with (?P<what>\S.*)", re.IGNORECASE),
)  # fmt: skip
