"""Which statements of one stream say the same: complete-link groups, told in the order in which things were said.

Digest, then normalised text, then candidates that share telling words, then the score, then guards. A statement joins
the group all of whose members say the same as it, or begins one; what was said before is never grouped anew by what
comes later. So the groups are a function of the set of statements and their times, in however many runs they came, and
a stream is taken further from its groups alone. Nothing is lost: all members stay as they are.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime

from dreamd.lifecycle.findings import Comparison
from dreamd.reflection.duplicates.reading import Reading, content_of, reading_of
from dreamd.reflection.duplicates.score import MIN_SCORE, Similarity, Verdict, judge, may_be_same
from dreamd.reflection.slots import value_key
from dreamd.reflection.text_keys import group_key

MAX_MEMBERS = 16  # wordings of a group that is made by score; the next one begins another
MAX_POSTED = 48  # statements with a word, beyond which it tells nothing in this stream
MAX_CANDIDATES = 24  # statements that a new one is compared with
MIN_SHARED_WORDS = 2
_FAR = Verdict(0.0, "", "")
NORMALISED = "normalised"  # the rule of what differs in typography alone


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """A text, one claim or more, as its stream first heard it."""

    key: str  # text_key
    at: datetime
    slot: str | None
    value: str | None
    group: str | None = None  # of one that is grouped already: any name of its group


@dataclass(frozen=True, slots=True, kw_only=True)
class Grouped:
    group_key: Mapping[str, str]  # of each text, by text key
    comparisons: tuple[Comparison, ...]  # the merges and refusals of the new ones


def grouped(
    stream: str,
    new: Iterable[Said],
    known: Iterable[Said] = (),
    apart: Collection[frozenset[str]] = (),
    similarity: Similarity | None = None,
) -> Grouped:
    """The groups of the `new` texts of `stream`, which come after all that is `known`.

    `apart`: pairs of text keys one of which ends the other, so that they never say the same.
    `similarity`: how near two texts are in meaning; None: the words decide alone.
    """
    later = sorted(new, key=_in_time)
    told = _Told(apart, similarity, {word for said in later for word in content_of(said.key)})
    keys = {said.key: told.take_known(said).key for said in sorted(known, key=_in_time)}
    comparisons: list[Comparison] = []
    for said in later:
        group, found = told.take(said)
        keys[said.key] = group.key
        comparisons += [
            Comparison(
                stream=stream,
                text=said.key,
                other=other.said.key,
                score=verdict.score,
                guard=verdict.guard,
                evidence=verdict.difference,
            )
            for other, verdict in found
            if other.said.key != said.key
        ]
    return Grouped(group_key=keys, comparisons=tuple(comparisons))


def _in_time(said: Said) -> tuple[datetime, str]:
    return said.at, said.key


@dataclass(slots=True)
class _Group:
    key: str  # the normalised text of its first member
    members: list["_Member"] = field(default_factory=list)


@dataclass(slots=True)
class _Member:
    said: Said
    base: str
    place: int
    group: _Group
    _reading: Reading | None = None

    @property
    def reading(self) -> Reading:
        if self._reading is None:
            self._reading = reading_of(self.said.key)
        return self._reading


class _Told:
    """What was said so far: by normalised text, and by those words in it that are `asked` for."""

    def __init__(
        self, apart: Collection[frozenset[str]], similarity: Similarity | None, asked: Collection[str]
    ) -> None:
        self._apart = apart
        self._similarity = similarity
        self._asked = asked
        self._by_base: dict[str, _Member] = {}
        self._by_name: dict[str, _Group] = {}
        self._by_word: dict[str, list[_Member]] = defaultdict(list)  # of those that are posted
        self._to_post: list[_Member] = []
        self._members: list[_Member] = []

    def take_known(self, said: Said) -> _Group:
        """The group of one more that is grouped already."""
        base = group_key(said.key)
        if (same := self._by_base.get(base)) is not None:
            return same.group
        group = self._by_name.setdefault(said.group or base, _Group(base))
        self._add(said, base, group)
        return group

    def take(self, said: Said) -> tuple[_Group, list[tuple[_Member, Verdict]]]:
        """The group of a new one, with what it was merged with, or what a guard kept it from."""
        base = group_key(said.key)
        if (same := self._by_base.get(base)) is not None:
            return same.group, [(same, Verdict(1.0, "", NORMALISED))]
        group, found = self._found(said, base)
        self._add(said, base, group)
        return group, found

    def _add(self, said: Said, base: str, group: _Group) -> None:
        member = _Member(said, base, len(self._members), group)
        group.members.append(member)
        self._members.append(member)
        self._by_base[base] = member
        self._to_post.append(member)

    def _post(self) -> None:
        """By their words, once something is looked for: where all is said again, nothing is."""
        for member in self._to_post:
            for word in content_of(member.said.key):
                if word in self._asked:
                    self._by_word[word].append(member)
        self._to_post.clear()

    def _found(self, said: Said, base: str) -> tuple[_Group, list[tuple[_Member, Verdict]]]:
        member = _Member(said, base, -1, _Group(base))
        verdicts: dict[int, Verdict] = {}
        best: tuple[float, int, _Group] | None = None
        refusals: list[tuple[float, int, _Member, Verdict]] = []
        for candidate in self._candidates(member):
            verdict = self._verdict(member, candidate, verdicts)
            if verdict.score < MIN_SCORE:
                continue
            if verdict.is_same:
                verdict = self._joining(member, candidate, verdict, verdicts)
            if verdict.guard:
                refusals.append((-verdict.score, candidate.place, candidate, verdict))
            elif best is None or (-verdict.score, candidate.place) < best[:2]:
                best = (-verdict.score, candidate.place, candidate.group)
        if best is not None:
            joined = best[2]
            nearest = self._members[best[1]]
            return joined, [(nearest, verdicts[nearest.place])]
        refusals.sort(key=lambda refusal: refusal[:2])
        return member.group, [(other, verdict) for _, _, other, verdict in refusals[:1]]

    def _candidates(self, member: _Member) -> Iterator[_Member]:
        """Those that share most telling words with it, latest first among equals."""
        self._post()
        shared: dict[int, int] = {}
        content = content_of(member.said.key)
        telling = [posted for word in content if 0 < len(posted := self._by_word.get(word, ())) <= MAX_POSTED]
        for posted in telling:
            for other in posted:
                shared[other.place] = shared.get(other.place, 0) + 1
        enough = min(MIN_SHARED_WORDS, len(content))
        ranked = sorted((-count, -place) for place, count in shared.items() if count >= enough or count == len(telling))
        return (self._members[-place] for _, place in ranked[:MAX_CANDIDATES])

    def _verdict(self, member: _Member, other: _Member, verdicts: dict[int, Verdict]) -> Verdict:
        if other.place not in verdicts:
            verdict = _FAR
            if may_be_same(member.said.key, other.said.key, is_alone=self._similarity is None):
                verdict = judge(member.reading, other.reading, self._similarity)
            if verdict.is_same and (found := self._stopped(member.said, other.said)) is not None:
                verdict = Verdict(verdict.score, *found)
            verdicts[other.place] = verdict
        return verdicts[other.place]

    def _stopped(self, one: Said, other: Said) -> tuple[str, str] | None:
        """What keeps two texts apart that is not in their words."""
        if frozenset({one.key, other.key}) in self._apart:
            return "contradiction", "one ends the other"
        if (
            one.slot is not None
            and one.slot == other.slot
            and value_key(one.value or "") != value_key(other.value or "")
        ):
            return "slot", " against ".join(sorted((one.value or "", other.value or "")))
        return None

    def _joining(self, member: _Member, candidate: _Member, verdict: Verdict, verdicts: dict[int, Verdict]) -> Verdict:
        """`verdict`, unless the group of `candidate` is full or another member of it says something else."""
        members = candidate.group.members
        if len(members) >= MAX_MEMBERS:
            return Verdict(verdict.score, "size", f"{len(members)} wordings are as many as one group holds")
        for other in members:
            if not self._verdict(member, other, verdicts).is_same:
                why = verdicts[other.place].guard or "too few words shared"
                return Verdict(verdict.score, "diameter", f'another wording of it, "{other.said.key[:80]}": {why}')
        return verdict
