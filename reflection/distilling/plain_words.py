"""English words that a summary may bring along: they join what the statements say and name nothing.

No product, person or place is among them, no number, and no word that makes a statement wider than it was
(`always`, `all`, `every`, `only`): those may be said only where a statement says them.
"""

_JOINING = """
cannot etc vs a an the this that these those it its itself they them their there here he she his her we our us i my
you your one ones who whom whose which what when where why how whether while as at by for from in into of off on onto
out over to toward towards through throughout under until up upon down with within without about above across after
against along among around because before behind below beneath beside besides between beyond despite during except
inside instead like near outside per plus since so than then though although thus till too unless unlike versus via
and or but if nor not no yet also even just still both either neither each other others another such same some any
several many more most much few fewer less least own again once later earlier now already soon ago often sometimes
usually mostly mainly partly largely rather quite very well however therefore hence meanwhile moreover further
furthermore finally first second next last previous current recent new old overall together alone apart away back is
are was were be been being am do does did done doing has have had having can could may might will would shall should
"""
_TELLING = """
cause caused causes causing lead leads led leading result results resulted resulting affect affects affected affecting
happen happens happened happening occur occurs occurred occurring appear appears appeared appearing seem seems seemed
show shows showed shown showing mean means meant include includes included including involve involves involved
involving concern concerns concerned concerning relate relates related relating describe describes described
describing cover covers covered covering record records recorded recording report reports reported reporting note
notes noted noting mention mentions mentioned state states stated say says said tell tells told see sees seen saw find
finds found finding know knows known knew remain remains remained remaining stay stays stayed keep keeps kept keeping
hold holds held holding become becomes became becoming begin begins began begun beginning start starts started
starting stop stops stopped stopping end ends ended ending continue continues continued continuing repeat repeats
repeated repeating return returns returned returning come comes came coming go goes went gone going get gets got
getting give gives gave given giving take takes took taken taking make makes made making use uses used using need
needs needed needing require requires required requiring want wants wanted try tries tried trying help helps helped
helping allow allows allowed allowing let lets prevent prevents prevented preventing avoid avoids avoided avoiding
follow follows followed following depend depends depended depending base based bring brings brought work works worked
working run runs ran running change changes changed changing move moves moved moving add adds added adding remove
removes removed removing replace replaces replaced replacing switch switches switched switching set sets setting fix
fixes fixed fixing solve solves solved solving resolve resolves resolved resolving handle handles handled handling
decide decides decided deciding choose chooses chose chosen choosing prefer prefers preferred expect expects expected
plan plans planned planning recommend suggest suggests suggested agree agreed improve improves improved improving
reduce reduces reduced reducing increase increases increased increasing grow grows grew grown fail fails failed
failing break breaks broke broken breaking lose loses lost losing miss missing lack lacks lacked drop drops dropped
dropping support supports supported supporting provide provides provided providing serve serves served serving contain
contains contained containing consist consists create creates created creating build builds built building write
writes wrote written writing read reads reading send sends sent sending receive receives received receiving call calls
called calling apply applies applied applying introduce introduced update updates updated updating turn turns turned
turning point points pointed look looks looked deal deals dealt
"""
_DOING = """
gain gains gained warn warns warned warning offer offers offered enable enables enabled disable disables disabled
refer refers referred align aligns aligned adapt adapts adapted clarify clarifies clarified correct corrects corrected
cut cuts trim trimmed wrap wraps wrapped feed feeds fed fill fills filled fit fits fitted hide hides hid hidden list
lists listed map maps mapped mark marks marked order orders ordered pause paused prepare prepares prepared present
presents presented proceed promise promised prove proves proved query queried quit rebuild rebuilds rebuilt recover
recovers recovered register registers registered renew renews renewed repair repaired reuse reuses reused save serve
sort sorted specify specifies specified submit submits submitted surface surfaced swap swaps swapped target targets
targeted tell transfer transferred upgrade upgrades upgraded upload uploads uploaded wonder worry accumulate
accumulated account accounts collect collects collected contribute contributes contributed determine determines
determined emerge emerged establish established evaluate evaluated examine examined focus focuses focused highlight
highlights highlighted illustrate indicate indicates indicated inherit inherits inherited initiate initiated integrate
integrates integrated interact lead migrate migrates migrated modify modifies modified obtain organise organize
outline outlines outlined overlap overwrite overwrites overwritten persist persists persisted populate prefer
prioritise prioritize propagate propagates propagated range ranges reflect reflects reflected reject relate replicate
reproduce reproduced resume resumes resumed retain retains retained rework reworked safeguard simplify strip strips
stripped structure structured supply supplied suppress suppresses suppressed sync synchronise synchronize tolerate
transition transitioned unify unified must meet meets met meeting hit hits hitting stick stuck ask asks asked asking
respond responds responded explain explains explained confirm confirms confirmed verify verifies verified validate
validates validated check checks checked checking review reviews reviewed approve approves approved accept accepts
accepted rejects rejected refuse refuses refused ignore ignores ignored skip skips skipped split splits merge merges
merged join joins joined combine combines combined store stores stored saves saved load loads loaded copy copies
copied delete deletes deleted clear clears cleared reset resets restore restores restored render renders rendered
print prints printed display displays displayed detect detects detected measure measures measured count counts counted
compare compares compared match matches matched search searches searched select selects selected track tracks tracked
monitor monitors monitored watch watches watched notify notifies notified test tests tested debug inspect inspected
investigate investigated discover discovers discovered reveal revealed identify identifies identified trace traced
attempt attempts attempted complete completes completed finish finishes finished pass passes passed succeed succeeds
succeeded adopt adopts adopted ensure ensures ensured enforce enforces enforced maintain maintains maintained preserve
preserves preserved protect protects protected restrict restricts restricted limit limits limited expand expands
expanded extend extends extended shorten shortened simplifies simplified clean cleans cleaned refactor refactored
rewrite rewrites rewritten rename renamed launch launched release releases released publish publishes published ship
ships shipped deliver delivers delivered deploy deploys deployed install installs installed configure configures
configured adjust adjusts adjusted tune tuned optimise optimised optimize optimized scale scales scaled share shares
shared separate separates separated isolate isolates isolated connect connects connected link links linked attach
attached close closes closed lock locks locked block blocks blocked wait waits waited waiting delay delays delayed
schedule schedules scheduled trigger triggers triggered execute executes executed process processed parse parses
parsed convert converts converted generate generates generated produce produces produced raise raises raised lower
lowered exceed exceeds exceeded drift reach reaches reached rise rises rose fall falls fell pick picks picked put puts
place placed pull pulls pulled push pushes pushed enter enters entered leave leaves left throw throws threw thrown
catch catches caught crash crashes crashed hang hangs hung retry retries retried roll rolled revert reverts reverted
undo undone discuss discussed propose proposes proposed consider considers considered assume assumes assumed learn
learns learned learnt remember remind reminded discourage discouraged encourage encouraged treat treats treated assign
assigned define defines defined document documents documented address addresses addressed tie tied rely relies relied
aim aims aimed intend intended demand demands demanded differ differs differed vary varies varied exist exists existed
belong belongs belonged form forms formed allow permit permits permitted forbid guide guides guided govern governs
governed manage manages managed control controls controlled operate operates operated perform performs performed
respect speed
"""
_THINGS = """
command commands parameter parameters default defaults environment environments instruction instructions guidance
guide guides documentation adoption advice policy policies process approach basis benefit cleanup concept concern
connection constraint constraints convention conventions correction coverage criteria cycle damage data date dates
defect dependency dependencies design discussion downtime duplication duration exception exceptions exclusion
execution expectation experience explanation extension feedback fallback flow focus format formats guard handling idea
ideas improvement improvements inclusion instance instances interface issue item items key keys lack layout limit
limits link links lifetime maintenance management manner message messages migration migrations mode modes notice
operation operations order origin outcome outcomes outage overview package page pages path paths performance plan
plans position priority progress property properties proposal question questions record refactoring reference
references removal replacement restriction restrictions review scope section sections security sequence series session
sessions solution space stage stages standard standards start statistics storage strategy structure style success
suggestion switch table term terms test tests title topic total transition treatment trigger usage validation variable
variables variant variants variety view warning warnings workflow workflows access action actions activity addition
adjustment attempt attempts attention availability balance behaviour thing things way ways kind kinds sort sorts type
types part parts piece pieces side sides place places area areas point points case cases example examples set sets
group groups list range number amount share level rate size time times moment period day days week weeks month months
year years today time-out reason reasons cause causes effect effects result results consequence problem problems
issues trouble error errors failure failures mistake mistakes fault faults difficulty risk risks fix fixes solutions
answer answers remedy workaround change changes difference decision decisions choice choices preference preferences
rule rules practice habit habits lesson lessons pattern patterns behavior approaches method methods step steps
procedure processes task tasks job jobs work goal goals purpose aim need needs requirement requirements condition
conditions situation circumstances context state status form shape content contents detail details information
knowledge fact facts evidence statement statements observation observations records note notes summary subject
subjects history story use user users person people team project projects system systems component components service
services tool tools feature features function setting settings option options value values version versions name names
file files code text word words line lines source sources input output request requests response responses load
pressure
"""
_KINDS = """
early originally formerly newly fully partial separate stuck slow quick broken fixed strict loose plain proper
improper valid invalid temporary permanent intermittent repeated recurring consistent inconsistent correct duplicate
dedicated shared common central standard default optional mandatory minor extensive overall underlying relevant
related actual average active inactive live old stale fresh missing absent present hidden visible exact rough short
good bad better best worse worst high higher highest low lower lowest large larger big bigger small smaller long
longer shorter fast faster slower late easy hard difficult simple complex clear unclear important main major usual
rare frequent regular general specific certain possible likely unlikely available useful necessary wrong right true
different similar various multiple single whole full empty open closed ready able unable due safe stable unstable
reliable successful persistent occasional initial final original existing explicit direct internal external local
automatic manual additional extra enough
"""
PLAIN_WORDS = frozenset(f"{_JOINING} {_TELLING} {_DOING} {_THINGS} {_KINDS}".split())

# Read as numbers; "one", "first" and "second" join more often than they count.
_COUNTING = """
zero two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen
nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred hundreds thousand thousands million millions
billion billions dozen dozens half halves quarter quarters third thirds fourth fifth sixth seventh eighth ninth tenth
twice thrice double doubled doubles triple tripled percent per-cent daily weekly monthly yearly hourly nightly
doubling tripling halved halving
"""
NUMBER_WORDS = frozenset(_COUNTING.split())

# Endings of words that English makes of others, with the least length of such a word; few names end like that.
# Not `ed`: memcached would be a word.
DERIVED = (("tion", 7), ("sion", 7), ("ment", 8), ("ing", 8), ("ability", 9))
SHORTENED = frozenset({"can't", "won't", "e.g", "i.e", "and/or", "input/output", "read/write"})  # as they are written
