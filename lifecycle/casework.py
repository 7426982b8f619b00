"""Which streams a dream takes up, with all that bears on each.

A stream is made whole because it has new evidence, because a person's order names it, or because the policy is another
one than the last dream's. New evidence lifts the holds
on its stream, so what was held comes back with all its evidence. One with a checkpoint that serves is only extended.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace

from dreamd.lifecycle import ids
from dreamd.lifecycle.claims import PersonsWord
from dreamd.lifecycle.extending import Addition, restatable_ids
from dreamd.lifecycle.findings import Assignment, Closure, Findings, Statement
from dreamd.lifecycle.further import first_links, holds_evidence, is_first
from dreamd.lifecycle.growing import Case
from dreamd.lifecycle.holds import is_sticky
from dreamd.lifecycle.quarantine import kept_back
from dreamd.lifecycle.retargeting import left
from dreamd.lifecycle.snapshot import Snapshot
from dreamd.lifecycle.values import Event, Hold, Link
from dreamd.lifecycle.words import Status, Waiting


@dataclass(frozen=True, slots=True, kw_only=True)
class Casework:
    cases: tuple[Case, ...]  # to be grown whole, sorted by stream id
    additions: tuple[Addition, ...]  # to be extended, sorted by stream id
    lifted: tuple[Hold, ...]  # by new evidence
    emptied: tuple[str, ...] = ()  # ids of the streams that all their evidence left, sorted


def casework(snapshot: Snapshot, findings: Findings, ordered: Collection[str] | None) -> Casework:
    """What there is to do for each stream that is taken up.

    `ordered` names the streams of a person's order; None for a dream, which takes the streams of the new events.
    Evidence that moved by an alias makes the stream that it goes to whole.
    """
    folders, lifted = _filled(snapshot, findings, ordered)
    taken_up = folders.taken_up()
    return Casework(
        cases=tuple(folders.case(stream_id) for stream_id in taken_up if stream_id not in snapshot.extensions),
        additions=tuple(folders.addition(stream_id) for stream_id in taken_up if stream_id in snapshot.extensions),
        lifted=lifted,
        emptied=tuple(sorted(left(snapshot) - set(taken_up))),
    )


def additions(snapshot: Snapshot, findings: Findings) -> tuple[Addition, ...]:
    """Those that `casework` gives for a dream, alone."""
    if not snapshot.extensions:
        return ()
    folders, _ = _filled(snapshot, findings, None)
    return tuple(folders.addition(stream_id) for stream_id in folders.taken_up() if stream_id in snapshot.extensions)


def _filled(
    snapshot: Snapshot, findings: Findings, ordered: Collection[str] | None
) -> tuple["_Folders", tuple[Hold, ...]]:
    """The folders of the streams that are taken up, with all that bears on each, and the holds that are lifted."""
    folders = _Folders(snapshot=snapshot, found=_Index.of(findings), homes=homes_of(snapshot.space, findings))
    later = folders.take_new()
    lifted = tuple(hold for hold in snapshot.holds.values() if hold.stream in later and not is_sticky(hold))
    for stream_id in left(snapshot):
        folders.targets[stream_id] = snapshot.streams[stream_id].target
    folders.take_again(ordered or ())
    for stream_id, (home, target) in folders.homes.items():
        if stream_id in snapshot.streams:
            folders.targets[home] = target
    folders.take_again(findings.revisited)
    if ordered is None and snapshot.past is not None:
        folders.take_again(snapshot.past.streams)
    for link in snapshot.links.values():
        if (
            link.stream is not None
            and is_first(link)
            and (stream_id := folders.home_of(link.stream)) in folders.targets
        ):
            folders.put(stream_id, link.event)
            folders.links[stream_id][link.event] = link
    away = kept_back(snapshot.links.values())
    for hold in lifted:
        if hold.event is not None and hold.stream is not None and hold.event not in away and holds_evidence(hold):
            folders.put(folders.home_of(hold.stream), hold.event)
    lifted_ids = {hold.id for hold in lifted}
    still = {hold.event for hold in snapshot.holds.values() if holds_evidence(hold) and hold.id not in lifted_ids}
    folders.away = away | {event for event in still if event is not None}
    return folders, lifted


def homes_of(space: str, findings: Findings) -> Mapping[str, tuple[str, str]]:
    """For each stream whose evidence moved: id and target of the stream that it goes to."""
    return {ids.stream_id(space, old): (ids.stream_id(space, new), new) for old, new in findings.moved}


def events_by_stream(
    snapshot: Snapshot, assignments: Iterable[Assignment], moved: Iterable[tuple[str, str]] = ()
) -> Mapping[str, tuple[Event, ...]]:
    """The events of `snapshot` by the stream that they speak about: linked, newly assigned, or held for it no more.

    What stays held says nothing: what it states is in no group, and it ends nothing. `moved` as in the findings.
    """
    homes = {ids.stream_id(snapshot.space, old): ids.stream_id(snapshot.space, new) for old, new in moved}
    sorted_in: dict[str, dict[str, Event]] = defaultdict(dict)
    later: set[str] = set()  # the streams of what was recorded later
    new = set(snapshot.new)
    for assignment in assignments:
        if assignment.target is not None and assignment.event in new:
            stream = ids.stream_id(snapshot.space, assignment.target)
            sorted_in[stream][assignment.event] = snapshot.events[assignment.event]
            later |= set() if assignment.event in snapshot.again else {stream}
    evidence = [hold for hold in snapshot.holds.values() if holds_evidence(hold) and not is_sticky(hold)]
    lifted = [hold for hold in evidence if homes.get(hold.stream or "", hold.stream) in later]
    rows: tuple[Link | Hold, ...] = (*first_links(snapshot.links.values()), *lifted)
    for row in rows:
        if row.stream is not None and row.event is not None and row.event in snapshot.events:
            sorted_in[homes.get(row.stream, row.stream)][row.event] = snapshot.events[row.event]
    return {stream: tuple(events.values()) for stream, events in sorted_in.items()}


@dataclass(frozen=True, slots=True, kw_only=True)
class _Index:
    """Findings by the event that they are about."""

    assignments: Mapping[str, Assignment]
    statements: Mapping[str, list[Statement]]
    closures: Mapping[str, list[Closure]]
    forgotten: frozenset[tuple[str, str]]
    forgotten_targets: frozenset[str]

    @staticmethod
    def of(findings: Findings) -> "_Index":
        closures: dict[str, list[Closure]] = defaultdict(list)
        for closure in findings.closures:
            closures[closure.by].append(closure)
        statements: dict[str, list[Statement]] = defaultdict(list)
        for statement in sorted(findings.statements, key=lambda statement: statement.part):
            statements[statement.event].append(statement)
        return _Index(
            assignments={found.event: found for found in findings.assignments},
            statements=statements,
            closures=closures,
            forgotten=findings.forgotten,
            forgotten_targets=findings.forgotten_targets,
        )


@dataclass(slots=True, kw_only=True)
class _Folders:
    """One folder of papers per stream, being filled."""

    snapshot: Snapshot
    found: _Index
    homes: Mapping[str, tuple[str, str]]
    away: frozenset[str] = frozenset()  # ids of events that are held, or in quarantine
    targets: dict[str, str] = field(default_factory=dict)  # stream id -> canonical target
    events: dict[str, dict[str, Event]] = field(default_factory=lambda: defaultdict(dict))
    links: dict[str, dict[str, Link]] = field(default_factory=lambda: defaultdict(dict))

    def home_of(self, stream_id: str) -> str:
        return self.homes[stream_id][0] if stream_id in self.homes else stream_id

    def taken_up(self) -> list[str]:
        return sorted(stream_id for stream_id in self.targets if self.events[stream_id])

    def put(self, stream_id: str, event: str) -> None:
        self.events[stream_id][event] = self.snapshot.events[event]

    def take_new(self) -> frozenset[str]:
        """Take the events up that are new, or looked at again; the streams of those that were recorded later."""
        later: set[str] = set()
        for event in self.snapshot.new:
            assignment = self.found.assignments[event]
            if assignment.target is not None:
                stream_id = ids.stream_id(self.snapshot.space, assignment.target)
                self.targets[stream_id] = assignment.target
                self.put(stream_id, event)
                if event not in self.snapshot.again:
                    later.add(stream_id)
        return frozenset(later)

    def take_again(self, streams: Iterable[str]) -> None:
        """Take up those of `streams` that are there and stay; what is merged away is taken up with its survivor."""
        for stream_id in streams:
            known = self.snapshot.streams.get(stream_id)
            if known is not None and known.status is not Status.MERGED and stream_id not in self.homes:
                self.targets.setdefault(stream_id, known.target)

    def case(self, stream_id: str) -> Case:
        events = self.events[stream_id]
        statements = {event: self.found.statements[event] for event in events if event in self.found.statements}
        pinned = frozenset(pin.subject for pin in self.snapshot.pins.values() if pin.stream == stream_id)
        return Case(
            id=stream_id,
            space=self.snapshot.space,
            target=self.targets[stream_id],
            before=self.snapshot.streams.get(stream_id),
            events=tuple(events.values()),
            links=self.links[stream_id],
            assignments={event: self._assigned(stream_id, event) for event in events},
            statements=statements,
            known=self.known(stream_id, {id_ for said in statements.values() for one in said for id_ in one.cites}),
            closures=[closure for event in events for closure in self.found.closures.get(event, ())],
            word=replace(_persons_word(self.snapshot, stream_id, pinned), forgotten=self.forgotten_in(stream_id)),
            is_born_forgotten=self.targets[stream_id] in self.found.forgotten_targets,
            is_pinned=stream_id in pinned,
            pinned_claims=pinned - {stream_id},
        )

    def _assigned(self, stream_id: str, event: str) -> Assignment:
        """As found; what was linked to a stream that moved counts as said under that stream's name."""
        found, link = self.found.assignments[event], self.links[stream_id].get(event)
        if link is None or link.stream is None or link.stream == stream_id or found.target == self.targets[stream_id]:
            return found
        return replace(found, target=self.targets[stream_id], via=(self.snapshot.streams[link.stream].target,))

    def known(self, stream_id: str, cites: Iterable[str]) -> Mapping[str, Event]:
        """Those of the cited events that may be cited: the stream's own, and others that nothing keeps back."""
        own, others = self.events[stream_id], self.snapshot.events
        return {id_: others[id_] for id_ in cites if id_ in own or (id_ in others and id_ not in self.away)}

    def forgotten_in(self, stream_id: str) -> frozenset[str]:
        """The text keys of what a person forgot, as it counts in the stream."""
        return frozenset(key for key, elsewhere in self.found.forgotten if elsewhere != stream_id)

    def addition(self, stream_id: str) -> Addition:
        events = self.events[stream_id]
        statements = {event: self.found.statements[event] for event in events if event in self.found.statements}
        keys = {found.text_key for said in statements.values() for found in said}
        restatable = {id_ for key in keys for id_ in restatable_ids(stream_id, key)}
        return Addition(
            before=self.snapshot.streams[stream_id],
            events=tuple(events.values()),
            assignments={event: self.found.assignments[event] for event in events},
            statements=statements,
            claims={id_: self.snapshot.claims[id_] for id_ in sorted(restatable & self.snapshot.claims.keys())},
            extension=self.snapshot.extensions[stream_id],
        )


def _persons_word(snapshot: Snapshot, stream_id: str, pinned: frozenset[str]) -> PersonsWord:
    """What people decided about the claims of the stream. An accepted proposal outweighs the hold of a revert."""
    proposals = {
        (proposal.kind, proposal.subjects[0]): proposal.status
        for proposal in snapshot.proposals.values()
        if proposal.stream == stream_id
    }
    held = {(hold.kind, hold.subject) for hold in snapshot.holds.values() if is_sticky(hold)}

    # A pin leaves things as they are: what had ended before stays ended.
    ended = {row.id for row in snapshot.claims.values() if row.stream == stream_id and row.closed_by is not None}

    def is_refused(verb: str, claim: str) -> bool:
        if (claim in pinned or stream_id in pinned) and claim not in ended:
            return True
        status = proposals.get((verb, claim))
        return (verb, claim) in held if status is None else status is not Waiting.ACCEPTED

    answers = {
        question.id: question.choice
        for question in snapshot.questions.values()
        if question.stream == stream_id and question.choice is not None
    }
    unmade = {(hold.kind, hold.subject, hold.evidence_digest) for hold in snapshot.holds.values() if is_sticky(hold)}
    return PersonsWord(is_refused=is_refused, answers=answers, unmade=unmade)
