"""What belongs to a stream that is merged away, and where it goes.

Its links and claims end here and are made anew at the survivor. What people said about it (pins, answers, proposals,
refusals) goes along: the same words about the same statements, under the ids that those have at the survivor.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from dreamd.lifecycle import ids
from dreamd.lifecycle.casework import homes_of
from dreamd.lifecycle.extending import MAX_INTERVALS
from dreamd.lifecycle.findings import Findings
from dreamd.lifecycle.further import holds_evidence
from dreamd.lifecycle.holds import is_sticky
from dreamd.lifecycle.snapshot import Snapshot
from dreamd.lifecycle.values import Alias, Claim, Hold, Link, Pin, Proposal, Question, Row
from dreamd.lifecycle.words import Waiting

MERGE = "merge"  # the rule of an alias, and the kind of a hold and a proposal
PERSON = "person"  # the rule of an alias that a person made
_TABLES = ("aliases", "pins", "holds", "proposals", "questions")


@dataclass(frozen=True, slots=True, kw_only=True)
class Carried:
    """What moves: each row as it was, and as it is to be (None: it goes)."""

    rows: tuple[tuple[Row, Row | None], ...]
    homes: Mapping[str, str]  # stream -> stream

    def into(self, snapshot: Snapshot) -> Snapshot:
        """`snapshot` with what people said as it is to be; links and claims are told anew anyway."""
        tables: dict[str, dict[str, Row]] = {name: dict(getattr(snapshot, name)) for name in _TABLES}
        for before, after in self.rows:
            name = _TABLE_OF.get(type(before))
            if name is None:
                continue
            tables[name].pop(before.id, None)
            if after is not None:
                tables[name].setdefault(after.id, after)
        return replace(snapshot, **tables)  # type: ignore[arg-type]


_TABLE_OF: Mapping[type[Row], str] = {
    Alias: "aliases",
    Pin: "pins",
    Hold: "holds",
    Proposal: "proposals",
    Question: "questions",
}


def carried(snapshot: Snapshot, findings: Findings) -> Carried:
    """What becomes of the rows of the streams that `findings.moved` names."""
    homes = {stream: home for stream, (home, _) in homes_of(snapshot.space, findings).items()}
    if not homes:
        return Carried(rows=(), homes={})
    move = _Move(homes=homes, names={**homes, **_claim_names(snapshot, findings, homes)})
    targets = {ids.stream_id(snapshot.space, new): new for _, new in findings.moved}
    return Carried(rows=tuple(_rows(snapshot, move, targets)), homes=homes)


def _rows(snapshot: Snapshot, move: "_Move", targets: Mapping[str, str]) -> Iterator[tuple[Row, Row | None]]:
    belongings: tuple[Link | Claim, ...] = (*snapshot.links.values(), *snapshot.claims.values())
    for told in belongings:
        if told.stream in move.homes:
            yield told, None
    for alias in snapshot.aliases.values():
        if alias.stream in move.homes:
            home = move.homes[alias.stream]
            is_decision = alias.rule in (MERGE, PERSON)
            yield alias, replace(alias, stream=home, target=alias.target if is_decision else targets[home])
    yield from _said_by_people(snapshot, move)


def _said_by_people(snapshot: Snapshot, move: "_Move") -> Iterator[tuple[Row, Row | None]]:
    for pin in snapshot.pins.values():
        if pin.stream in move.homes:
            subject = move.name(pin.subject)
            id_ = ids.pin_id(pin.space, subject)
            yield pin, replace(pin, id=id_, subject=subject, stream=move.homes[pin.stream])
    for hold in snapshot.holds.values():
        if hold.stream in move.homes and not (hold.kind == MERGE and hold.subject == hold.stream):
            yield hold, move.hold(hold)
    for proposal in snapshot.proposals.values():
        after = move.proposal(proposal)
        if after != proposal:
            yield proposal, after
    for question in snapshot.questions.values():
        if question.stream in move.homes:
            yield question, move.question(question)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Move:
    homes: Mapping[str, str]
    names: Mapping[str, str]  # ids of streams and claims -> those that they have at the survivor

    def name(self, id_: str) -> str:
        return self.names.get(id_, id_)

    def hold(self, hold: Hold) -> Hold | None:
        """A crossing of what is gone is not held; evidence that was taken back, and what must not end, still are."""
        home = self.homes[hold.stream or ""]
        if hold.event is not None and not holds_evidence(hold):
            return None
        if hold.event is not None:
            subject = ids.link_id(hold.event, home)
        elif is_sticky(hold):
            subject = self.name(hold.subject)
        else:
            return None
        id_ = ids.hold_id(hold.space, hold.kind, subject, hold.evidence_digest)
        return replace(hold, id=id_, subject=subject, stream=home)

    def proposal(self, proposal: Proposal) -> Proposal | None:
        if proposal.kind == MERGE:
            is_done = len({self.name(subject) for subject in proposal.subjects}) == 1
            return None if is_done and proposal.status is Waiting.OPEN else proposal
        if proposal.stream not in self.homes or any(subject in self.homes for subject in proposal.subjects):
            return proposal  # it is about whole streams
        subjects = tuple(self.name(subject) for subject in proposal.subjects)
        id_ = ids.proposal_id(proposal.space, proposal.kind, *subjects)
        return replace(proposal, id=id_, subjects=subjects, stream=self.homes[proposal.stream])

    def question(self, question: Question) -> Question | None:
        """An open one is asked anew, if it still has to be."""
        if question.choice is None:
            return None
        claims = tuple(sorted({self.name(claim) for claim in question.claims}))
        id_ = ids.question_id(question.space, *claims)
        home = self.homes[question.stream]
        return replace(question, id=id_, claims=claims, choice=self.name(question.choice), stream=home)


def _claim_names(snapshot: Snapshot, findings: Findings, homes: Mapping[str, str]) -> dict[str, str]:
    """The ids that the claims of the `homes` streams have at their survivor: of the same statement, as often over."""
    keys: dict[str, list[str]] = defaultdict(list)
    for statement in findings.statements:
        keys[statement.event].append(statement.text_key)
    names: dict[str, str] = {}
    for claim in snapshot.claims.values():
        if claim.stream in homes:
            names.update(_name(claim, keys[claim.stated_in], homes[claim.stream]))
    return names


def _name(claim: Claim, text_keys: list[str], home: str) -> dict[str, str]:
    for text_key in text_keys:
        for occurrence in range(max(MAX_INTERVALS, claim.support) + 1):
            if ids.claim_id(claim.stream, text_key, occurrence) == claim.id:
                return {claim.id: ids.claim_id(home, text_key, occurrence)}
    return {}
