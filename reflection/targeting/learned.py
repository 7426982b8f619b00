"""What a space has learned about its targets from the events that name one, and from the files of all.

An event that names no target may still be placed: by its files, where named events touched the same ones or the layout
of the space has a component for them; else by its words and its session. The best target has to be clearly better than
the second best, relative to its own score; otherwise the event stays untargeted. What is learned is a function of the
set of events that it was learned from.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from math import log

from dreamd.lifecycle.values import Event
from dreamd.reflection.targeting.canonical import canonical_form
from dreamd.reflection.targeting.layout import Layout, layout_of, voting
from dreamd.reflection.targeting.paths import Place

BY_FILES = "learned:files"
BY_WORDS = "learned:words"
BY_SESSION = "learned:session"

MIN_MARGIN = 0.5  # (best - second best) / best; below it nothing is assigned
MIN_TOUCHES = 2  # named events that touched a file or folder before it says anything
MIN_WORD_EVENTS = 2  # named events that used a word before it says anything
MIN_VOICES = 2  # words of an event that speak for the target by themselves
MIN_WORD_SHARE = 0.6  # of the named events that used a word, for it to speak for their target by itself
MIN_LIFT = 2.0  # how many times more often those of the target use it than all events do, named or not
MIN_SCORE = 0.35  # of the best target; below it the words point nowhere
MIN_SESSION_EVENTS = 3  # events of a session with a target before the session says anything
MIN_SESSION_SHARE = 0.8  # of them that have the same
DIGITS = 6  # of a score: the rest is noise of the arithmetic
MIN_WORD_LENGTH = 3  # letters
MAX_TEXT = 300  # characters of an event that are read: what it is about comes first
PAIR = 2
MAX_NAME_WORDS = 4  # of a target's name that is looked for in a text

_RUN = re.compile(r"\S+")
_PREFIX = re.compile(r"^\s*[a-z]+(?:\([^()\n]*\))?!?:\s*", re.IGNORECASE)  # `fix(scope): `


@dataclass(frozen=True, slots=True, kw_only=True)
class Lesson:
    """An event to learn from."""

    event: Event
    target: str | None  # canonical form of the target that the event names; None: it names none


@dataclass(frozen=True, slots=True, kw_only=True)
class Guess:
    target: str  # canonical form
    rule: str  # BY_FILES, BY_WORDS or BY_SESSION
    score: float  # 0..1


@dataclass(frozen=True, slots=True, kw_only=True)
class Learned:
    layout: Layout
    touched: Mapping[tuple[str, ...], Counter[str]]  # by folder or file: named events that touched it, by target
    spoken: Mapping[str, Counter[str]]  # by word, or name of a target: named events that used it, by target
    sessions: Mapping[str, Counter[str]]  # events with a target by session
    named: Mapping[str, int]  # events that name a target, by target
    long_names: Mapping[int, Collection[str]]  # targets of more than two words, by their number of words
    heard: Mapping[str, int]  # all events that use a word, of the words in `spoken`
    events: int  # all that it was learned from

    def guess(self, event: Event) -> Guess | None:
        """The target that `event`, which names none, seems to be about; None if nothing says so clearly."""
        if event.files and self.layout.is_known and (found := self.by_files(event.files)) is not None:
            return found
        return self._by_words(event) or self._by_session(event)

    def by_files(self, files: Sequence[str]) -> Guess | None:
        found = self.layout.component_of(files, self._called)
        if found is None:
            return None
        return Guess(target=found.target, rule=BY_FILES, score=round(found.share, DIGITS))

    def _called(self, place: Place, end: int) -> str | None:
        """What named events call the file, or the nearest folder of it that is not outside its component."""
        for length in range(len(place.parts), min(end, len(place.parts)) - 1, -1):
            counts = self.touched.get(place.parts[:length])
            if counts is not None and counts.total() >= MIN_TOUCHES:
                best, margin = _best(counts)
                return best if margin >= MIN_MARGIN else None
        return None

    def _by_words(self, event: Event) -> Guess | None:
        scores: dict[str, float] = defaultdict(float)
        voices: Counter[str] = Counter()
        whole, named = 0.0, sum(self.named.values())
        for word in sorted(terms(event.text, self.long_names)):
            counts = self.spoken.get(word)
            if counts is None or (total := counts.total()) < MIN_WORD_EVENTS:
                continue
            weight = log(1 + named / total)
            whole += weight
            for target, count in sorted(counts.items()):
                scores[target] += weight * count / total
                is_own = count * self.events >= MIN_LIFT * self.heard.get(word, 0) * self.named[target]
                voices[target] += is_own and count / total >= MIN_WORD_SHARE
        if not scores:
            return None
        best, margin = _best(scores)
        score = scores[best] / whole
        if margin < MIN_MARGIN or score < MIN_SCORE or voices[best] < MIN_VOICES:
            return None
        return Guess(target=best, rule=BY_WORDS, score=round(min(1.0, score), DIGITS))

    def _by_session(self, event: Event) -> Guess | None:
        counts = self.sessions.get(event.session or "")
        if counts is None or counts.total() < MIN_SESSION_EVENTS:
            return None
        best, _ = _best(counts)
        share = counts[best] / counts.total()
        if share < MIN_SESSION_SHARE:
            return None
        return Guess(target=best, rule=BY_SESSION, score=round(share, DIGITS))


def learn(lessons: Iterable[Lesson]) -> Learned:
    """What `lessons` teach, whatever their order."""
    known = list(lessons)
    layout = layout_of([lesson.event.files for lesson in known if lesson.event.files])
    named = [(lesson.event, lesson.target) for lesson in known if lesson.target is not None]
    touched: dict[tuple[str, ...], Counter[str]] = defaultdict(Counter)
    spoken: dict[str, Counter[str]] = defaultdict(Counter)
    sessions: dict[str, Counter[str]] = defaultdict(Counter)
    counts = Counter(target for _, target in named)
    long_names = _long_names(counts)
    for target in counts:
        # Its own name speaks for it even if nobody used it yet; one of several words by itself.
        spoken[target][target] += MIN_WORD_EVENTS if "_" in target else 1
    used = Counter(word for event, _ in named for word in terms(event.text, long_names))  # most pairs of words: once
    for event, target in named:
        for folder in _touched(event.files):
            touched[folder][target] += 1
        for word in terms(event.text, long_names):
            if used[word] >= MIN_WORD_EVENTS or word in counts:
                spoken[word][target] += 1
    heard = Counter(word for lesson in known for word in terms(lesson.event.text, long_names) if word in spoken)
    learned = Learned(
        layout=layout,
        touched=touched,
        spoken=spoken,
        sessions=sessions,
        named=counts,
        long_names=long_names,
        heard=heard,
        events=len(known),
    )
    for lesson in known:
        about = lesson.target or _target_by_files(learned, lesson.event)
        if about is not None and lesson.event.session is not None:
            sessions[lesson.event.session][about] += 1
    return learned


def terms(text: str, long_names: Mapping[int, Collection[str]]) -> frozenset[str]:
    """The words and pairs of words of `text` that can say what it is about, and which of the `long_names` are in it."""
    words = [word for run in _RUN.findall(_PREFIX.sub("", text)[:MAX_TEXT]) for word in _words_of(run)]
    found = {word for word in words if len(word) >= MIN_WORD_LENGTH and not word.isdigit()}
    found.update(f"{one}_{two}" for one, two in pairwise(words))
    for length, names in long_names.items():
        runs = ("_".join(words[at : at + length]) for at in range(len(words) - length + 1))
        found.update(run for run in runs if run in names)
    return frozenset(found)


def _long_names(targets: Iterable[str]) -> Mapping[int, Collection[str]]:
    """The names of more than two words, by their number of words."""
    found: dict[int, set[str]] = defaultdict(set)
    for target in targets:
        words = target.count("_") + 1
        if PAIR < words <= MAX_NAME_WORDS:
            found[words].add(target)
    return dict(found)


@lru_cache(maxsize=65536)
def _words_of(run: str) -> tuple[str, ...]:
    return tuple(word for word in canonical_form(run).split("_") if word)


def _target_by_files(learned: Learned, event: Event) -> str | None:
    found = learned.by_files(event.files) if event.files else None
    return None if found is None else found.target


def _touched(files: Sequence[str]) -> set[tuple[str, ...]]:
    places = voting(files)
    return {place.parts[:length] for place in places for length in range(1, len(place.parts) + 1)}


def _best(scores: Mapping[str, float]) -> tuple[str, float]:
    """The best of `scores`, the first by name of equals, and its relative margin to the second best."""
    first, *others = sorted(scores.items(), key=lambda item: (-item[1], item[0]))[:2]
    second = others[0][1] if others else 0.0
    return first[0], (first[1] - second) / first[1]
