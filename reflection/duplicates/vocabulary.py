"""Word lists that duplicates are judged by: plain English and the jargon of software; edit freely.

Two words of one line of `_SAME` may stand for each other in any statement; a word and one that it is set against in
`OPPOSITES` may not. Whatever stands in neither is only itself.
"""

from collections.abc import Iterator
from itertools import combinations


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# Words that carry no content: what is left when only these differ says the same.
FUNCTION_WORDS = _words(
    """
    a an the this that these those there here it its it's itself he she they them their theirs him his her hers
    we us our ours i me my mine you your yours who whom whose which what and or but so as if then than also too
    very just only own is are am was were be been being do does did doing done has have had having of in on at
    to for from by with into onto about while when where because since though although however some any each
    both all such other another one ones s t d ll re ve m o'clock via per upon toward towards among between
    through during within along around over up out off currently now already still actually really quite simply
    please will would shall
    """
)
NEGATIONS = _words("not no never none nobody nothing without neither nor cannot non nowhere hardly barely seldom")
# Negating and narrowing words of other languages: one that is in one statement only keeps it apart.
FOREIGN_NEGATIONS = _words(
    """
    nicht nichts nie niemals niemand nirgends weder ohne kaum nur außer ausser kein keine keinen keinem keiner keines
    ne pas jamais sans aucun aucune rien personne ni guère sauf seulement
    não nao nunca sem nenhum nenhuma nada ninguém jamais nem só apenas somente exceto
    nie nigdy bez żaden żadna żadne żadnego żadnej żadnych nikt nic ani brak tylko oprócz
    niet geen nooit zonder niemand niets nergens noch alleen slechts behalve
    inte ej icke aldrig utan ingen inget inga ingenting bara endast förutom ikke aldri ingenting uden uten kun
    не нет ни никогда никто ничего никакой никакие без нельзя только кроме
    nunca jamás sin ningún ninguno ninguna nadie tampoco solo sólo solamente excepto salvo
    non mai senza nessun nessuno nessuna niente nulla né solo soltanto tranne
    """
)
# Of each of these both statements have as many, or they are kept apart; CLAUSES apart.
LOGIC = {
    "if": "if", "unless": "unless", "except": "except", "excepting": "except", "excluding": "except", "without":
    "without", "only": "only", "solely": "only", "exclusively": "only", "until": "until", "till": "until", "while":
    "while", "whereas": "while", "before": "before", "after": "after", "whether": "whether", "otherwise": "otherwise",
    "else": "else", "instead": "instead", "regardless": "regardless", "despite": "despite", "provided": "if",
    "unlike": "unlike",
}  # fmt: skip
# When something is, which a long statement may tell as a detail where another tells nothing of the kind.
CLAUSES = _words("after before while despite instead otherwise else")
# Deeds, and states, that turn round what follows them.
TURNS = _words(
    """
    avoid stop fail refuse forget forgot forgotten decline cease prevent skip deny denial lack omit neglect ignore
    forbid forbidden prohibit ban abort cancel quit unable impossible failure refusal absence missing
    """
)
TURN_NOUNS = {"failure": "fail", "refusal": "refuse", "denial": "deny", "forgot": "forget", "forgotten": "forget"}
# How often or how far, each by the word that stands for all that say as much.
DEGREES = {
    "rarely": "rarely", "seldom": "rarely", "rare": "rarely", "almost": "almost", "nearly": "almost", "virtually":
    "almost", "practically": "almost", "hardly": "hardly", "barely": "hardly", "scarcely": "hardly", "sometimes":
    "sometimes", "occasionally": "sometimes", "occasional": "sometimes", "always": "always", "often": "often",
    "frequently": "often", "frequent": "often", "usually": "mostly", "mostly": "mostly", "usual": "mostly", "partly":
    "partly", "partially": "partly", "merely": "merely",
}  # fmt: skip
# Where two of one line stand in each other's place they tell another thing.
_EXCHANGED = """
from to
in out
on off
up down
over under
with without
with from
for from
for against
before after until
and or
into from
"""
COMMIT_TYPES = _words(
    "build chore ci docs feat feature fix fixup perf refactor release revert style test tests types wip"
)
MODALS = {
    "must": "must", "shall": "must", "mandatory": "must", "should": "should", "ought": "should", "may": "may",
    "might": "may", "maybe": "may", "perhaps": "may", "possibly": "may", "can": "may", "could": "may",
}  # fmt: skip
NUMBER_WORDS = {
    "zero": "0", "two": "2", "three": "3", "four": "4", "five": "5", "six": "6", "seven": "7", "eight": "8",
    "nine": "9", "ten": "10", "eleven": "11", "twelve": "12", "thirteen": "13", "fourteen": "14", "fifteen":
    "15", "sixteen": "16", "seventeen": "17", "eighteen": "18", "nineteen": "19", "twenty": "20", "thirty":
    "30", "forty": "40", "fifty": "50", "sixty": "60", "seventy": "70", "eighty": "80", "ninety": "90",
    "hundred": "100", "thousand": "1000", "million": "1000000", "billion": "1000000000", "dozen": "12", "twice":
    "2x", "thrice": "3x", "first": "1st", "second": "2nd", "third": "3rd", "fourth": "4th", "fifth": "5th",
    "sixth": "6th", "seventh": "7th", "eighth": "8th", "ninth": "9th", "tenth": "10th",
}  # fmt: skip
CALENDAR = {
    "monday": "mon", "tuesday": "tue", "wednesday": "wed", "thursday": "thu", "friday": "fri", "saturday":
    "sat", "sunday": "sun", "january": "jan", "february": "feb", "march": "mar", "april": "apr", "june": "jun",
    "july": "jul", "august": "aug", "september": "sep", "october": "oct", "november": "nov", "december": "dec",
    "jan": "jan", "feb": "feb", "aug": "aug", "sept": "sep", "sep": "sep", "oct": "oct", "nov": "nov", "dec":
    "dec", "mon": "mon", "tue": "tue", "wed": "wed", "thu": "thu", "fri": "fri",
}  # fmt: skip

_SAME = """
kid child children toddler
man guy gentleman
woman lady
mom mother mum
dad father
person human someone somebody
people persons
couch sofa
road street
tiny small little
big large huge enormous
near beside close nearby
begin start commence
finish end complete
quickly fast rapidly
photo picture photograph
phone telephone
tv television
bike bicycle
plane airplane aircraft
percent pct percentage %
happy glad pleased
talk speak
say tell state
jump leap
sleep nap
buy purchase
help assist aid
choose select pick
show display
fix repair
get obtain receive
make create
delete remove
need require
use utilize employ
allow permit
ask request
repo repository
config configuration
db database
dir directory folder
auth authentication
env environment
doc docs documentation
prod production
dev development
param parameter
arg argument
app application
lib library
dep dependency
spec specification
info information
msg message
admin administrator
js javascript
ts typescript
k8s kubernetes
postgres postgresql
colour color
behaviour behavior
centre center
grey gray
licence license
cancelled canceled
organisation organization
"""
_OPPOSITES = """
enable disable; enabled disabled; add remove; add delete; allow deny; allow forbid; allow block; allow prevent; allow
prohibit; increase decrease; increase reduce; raise lower; rise fall; rise drop; gain lose; up down; start stop; begin
end; on off; open close; opened closed; true false; accept reject; approve reject; accept refuse; include exclude;
show hide; lock unlock; sync async; synchronous asynchronous; before after; first last; left right; hot cold; warm
cold; old new; young old; man woman; boy girl; male female; in out; inside outside; indoors outdoors; indoor outdoor;
above below; over under; min max; minimum maximum; least most; less more; fewer more; lower higher; low high; public
private; internal external; always never; all none; everybody nobody; everyone nobody; success failure; succeed fail;
pass fail; upgrade downgrade; install uninstall; mount unmount; register unregister; connect disconnect; attach
detach; push pull; read write; import export; encode decode; encrypt decrypt; compress decompress; serialize
deserialize; deprecate restore; keep drop; keep remove; use avoid; prefer avoid; should must; may must; buy sell;
bought sold; win lose; won lost; love hate; like dislike; early late; earlier later; fast slow; faster slower; big
small; large small; long short; longer shorter; tall short; wide narrow; thick thin; heavy light; dark light; black
white; full empty; wet dry; clean dirty; hard soft; easy difficult; easy hard; simple complex; safe dangerous; rich
poor; strong weak; happy sad; alive dead; awake asleep; present absent; same different; equal different; single
multiple; even odd; positive negative; profit loss; better worse; best worst; good bad; right wrong; correct
incorrect; valid invalid; local remote; client server; primary secondary; primary replica; master slave; parent child;
input output; source target; source destination; request response; upload download; upstream downstream; frontend
backend; send receive; give take; come go; arrive leave; enter leave; enter exit; ascend descend; increment decrement;
append prepend; expand collapse; merge split; create destroy; create delete; insert delete; insert remove; build
destroy; load unload; bind unbind; subscribe unsubscribe; grant revoke; expose hide; static dynamic; mutable
immutable; required optional; mandatory optional; manual automatic; manually automatically; temporary permanent;
strict loose; serial parallel; sequential parallel; lazy eager; sparse dense; forward backward; horizontal vertical;
north south; east west; morning evening; day night; summer winter; today yesterday; today tomorrow; onto off; into
out; to from; with without; some every; any every; some all; some no; production staging; production development;
staging development; stand sit; standing sitting; asc desc; ascending descending
"""


# Endings with which one word is made of another: `describ|e`, `descript|ion`. What differs only in them is one word.
ENDINGS = _words(
    """
    able al ally ance ant ation ative e en ence ent er ers est ful ible ic ical ication ing ion ional ious ise isation
    ition ity ive ization ize ly ment ness or ors ous s sion tion ure y
    """
) | {""}
# What turns a word into its opposite when put before it.
PREFIXES = ("un", "in", "im", "ir", "il", "non", "dis", "de", "mis", "anti")


def _same() -> Iterator[tuple[str, str]]:
    for line in _SAME.split("\n"):
        words = line.split()
        yield from ((word, words[0]) for word in words)


def _exchanged(lists: str) -> frozenset[frozenset[str]]:
    lines = (line.split() for line in lists.strip().split("\n"))
    return frozenset(frozenset(pair) for line in lines for pair in combinations(line, 2))


def _opposites() -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for pair in _OPPOSITES.replace("\n", " ").split(";"):
        one, other = pair.split()
        found.setdefault(one, set()).add(other)
        found.setdefault(other, set()).add(one)
    return {word: frozenset(others) for word, others in found.items()}


SAME = dict(_same())  # word -> the word that stands for its line
OPPOSITES = _opposites()
EXCHANGED = _exchanged(_EXCHANGED)  # pairs of prepositions
EXCHANGED_IF_FEW = EXCHANGED | _exchanged("as to from by against without out off")  # where few words are shared
