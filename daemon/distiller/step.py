"""The step of a run that asks a model: after the decisions are applied, before the export, within a budget.

It looks at the streams that changed since it last looked and at those that waited, and asks about each whose
statements have no summary yet. An attempt is counted before the call and an answer kept right after it, so a kill
pays for nothing twice; what failed too often is asked again only once its statements change. It writes findings and
never a decision.
"""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from time import perf_counter

from dreamd.daemon.distiller.address import Distilling
from dreamd.daemon.distiller.shown import asked_of, packed, shown_to_model
from dreamd.daemon.distiller.state import State, keep_answer, read_state, told_of, write_state
from dreamd.daemon.errors import Configuration
from dreamd.daemon.hiding import Redact, hidden
from dreamd.daemon.storage.findings import Finding, finding_key
from dreamd.daemon.storage.log import Head
from dreamd.daemon.storage.store import SpaceStore
from dreamd.lifecycle.ids import digest_of
from dreamd.lifecycle.values import Claim
from dreamd.lifecycle.words import Phase, Status
from dreamd.reflection.distilling.asking import MAX_TOKENS, VERSION, Asked, messages_for, most_tokens
from dreamd.reflection.distilling.checking import Distilled, Refused, checked
from dreamd.reflection.ports import Answer, Distiller, NoAnswer
from dreamd.reflection.text_keys import text_key
from dreamd.repo_export.by_model import Distillation
from dreamd.repo_export.happenings import stream_of
from dreamd.repo_export.index import best_first

MAX_ATTEMPTS = 3  # of one question to one model, whatever they end in
MAX_IN_A_ROW = 2  # calls without an answer, then the server is left alone until the next run


@dataclass(frozen=True, slots=True, kw_only=True)
class Pending:
    """A question that has no answer yet."""

    stream: str
    asked: Asked
    attempts: int  # so far
    refused_because: str | None  # the reason of the last refusal
    parts: tuple[str, ...]  # digests of the statements as they are stored, by which a purge finds what was made of them

    def finding(self, model: str, suffix: str = "", value: bytes = b"") -> Finding:
        return Finding(version=VERSION + suffix, model=model, input=self.asked.digest, parts=self.parts, value=value)


def distil(
    store: SpaceStore,
    given: Distilling,
    connect: Callable[[], Distiller],
    redact: Redact,
    reach: Callable[[str], None],
) -> Distillation | None:
    """Ask about what has no summary yet; None if there is no distiller or nothing to ask.

    `connect` raises Configuration if the settings do not let it ask; that, and all that a server can do, ends in the
    problem of what is returned.
    """
    head = store.head()
    state = _turned_to(read_state(store), given.model if given.is_on else "")
    if state is None or not head.number:
        return None
    if not state.model:
        write_state(store, replace(state, number=head.number))
        return None
    pending, given_up = _pending(store, _to_look_at(store, state, head), given.model, redact)
    waiting = tuple(sorted(each.stream for each in pending))
    # Before the first call, so that whatever a kill leaves half done is looked at and shown by the next run.
    unshown = None if state.unshown is None else tuple(sorted({*state.unshown, *waiting}))
    keeper = _Keeper.of(store, state, head.run)
    state = replace(state, number=head.number, waiting=waiting, unshown=unshown, asking=head.run if pending else "")
    write_state(store, state)
    if not pending:
        return None
    told = Distillation(model=given.model, budget_tokens=given.budget_tokens, given_up=given_up, waiting=len(pending))
    try:
        distiller = connect()
    except Configuration as refused:
        told = replace(told, problem="; ".join(filter(None, (refused.message, refused.hint))))
        keeper.keep((), told)
        write_state(store, replace(state, asking=""))
        return told
    asking = _Asking(store=store, distiller=distiller, given=given, redact=redact, reach=reach, keeper=keeper)
    told, left = asking.ask_all(pending, told)
    write_state(store, replace(state, waiting=tuple(sorted(left)), asking=""))
    return told


def _turned_to(state: State | None, model: str) -> State | None:
    """The state for `model`; when it is another than before, every stream is looked at and every page rendered."""
    if state is None:
        return State(model=model) if model else None
    if (state.model, state.version) == (model, VERSION):
        return state if model else None
    return State(model=model, unshown=None)


def _to_look_at(store: SpaceStore, state: State, head: Head) -> list[str]:
    """Streams that have a page and are new to this model, changed, or wait; the best first."""
    live = [row for row in store.streams(Status.ACTIVE) if row.phase is not Phase.PATTERN]
    ordered = [stream.id for _, stream in best_first(live)]
    if not state.number:
        return ordered
    wanted = set(state.waiting)
    if head.number > state.number:
        later = [change for _, part in store.changes_since(state.number) for change in part]
        wanted |= {stream for change in later if (stream := stream_of(change)) is not None}
    return [id_ for id_ in ordered if id_ in wanted]


def _pending(store: SpaceStore, streams: Sequence[str], model: str, redact: Redact) -> tuple[list[Pending], int]:
    """The questions without an answer, in order, and how many are given up."""
    rows = {stream.id: stream for stream in store.streams()}
    claims: dict[str, list[Claim]] = {id_: [] for id_ in streams}
    for claim in store.claims(set(streams)):
        claims[claim.stream].append(claim)
    asked, parts = {}, {}
    for id_ in streams:
        shown = shown_to_model(claims[id_])
        question = asked_of(hidden(rows[id_], redact), [hidden(row, redact) for row in shown])
        if question is not None:
            asked[id_] = question
            parts[id_] = tuple(sorted(digest_of(text_key(claim.text)) for claim in shown))
    kinds = ["", *(f".{word}.{number}" for word in ("attempt", "refused") for number in range(1, MAX_ATTEMPTS + 1))]
    keys = {
        (id_, kind): finding_key(each.digest, VERSION + kind, model) for id_, each in asked.items() for kind in kinds
    }
    found = store.findings(keys.values())
    pending, given_up = [], 0
    for id_, each in asked.items():
        mine = {kind: found[key] for kind in kinds if (key := keys[id_, kind]) in found}
        if "" in mine:
            continue
        attempts = sum(kind.startswith(".attempt") for kind in mine)
        if attempts >= MAX_ATTEMPTS:
            given_up += 1
            continue
        refusal = mine.get(f".refused.{attempts}")
        because = None if refusal is None else json.loads(refusal.value)["reason"]
        pending.append(Pending(stream=id_, asked=each, attempts=attempts, refused_because=because, parts=parts[id_]))
    return pending, given_up


@dataclass(slots=True, kw_only=True)
class _Asking:
    store: SpaceStore
    distiller: Distiller
    given: Distilling
    redact: Redact
    reach: Callable[[str], None]
    keeper: "_Keeper"

    def ask_all(self, pending: Sequence[Pending], told: Distillation) -> tuple[Distillation, set[str]]:
        """What came of it, and the streams that wait for a later run."""
        left = {each.stream for each in pending}
        began, in_a_row = perf_counter(), 0
        for each in pending:
            messages = messages_for(each.asked, each.refused_because)
            if told.tokens + most_tokens(messages) > told.budget_tokens:
                told = replace(told, limit="the token budget is spent")
                continue  # a shorter question may still fit
            if perf_counter() - began > self.given.run_seconds:
                told = replace(told, limit=f"the {self.given.run_seconds:g} s of a run are over")
                break
            attempt = each.finding(self.distiller.model, f".attempt.{each.attempts + 1}")
            if self.store.findings([attempt.key]):
                continue  # another run is asking just now
            self.store.add_findings([attempt])
            self.reach("distil-before-call")
            outcome = self.distiller.ask(messages, MAX_TOKENS)
            self.reach("distil-after-answer")
            told, kept = self._judged(each, outcome, told, most_tokens(messages))
            is_over = kept is not None and not kept.version.startswith(f"{VERSION}.")
            if is_over or each.attempts + 1 >= MAX_ATTEMPTS:
                left.discard(each.stream)
            told = replace(told, waiting=len(left))
            self.keeper.keep([] if kept is None else [kept], told)
            self.reach("distil-after-checkpoint")
            if isinstance(outcome, NoAnswer) and not outcome.blames_input:
                self.store.drop_findings([attempt.key])
                left.add(each.stream)
            in_a_row = in_a_row + 1 if isinstance(outcome, NoAnswer) else 0
            if isinstance(outcome, NoAnswer) and (outcome.is_lasting or in_a_row >= MAX_IN_A_ROW):
                told = replace(told, problem=f"the distiller's server does not answer: {outcome.reason}")
                break
        told = replace(told, waiting=len(left))
        self.keeper.keep((), told)
        return told, left

    def _judged(
        self, each: Pending, outcome: Answer | NoAnswer, told: Distillation, most: int
    ) -> tuple[Distillation, Finding | None]:
        """What came of it so far with this outcome, and what to keep of it."""
        told = replace(told, asked=told.asked + 1)
        if isinstance(outcome, NoAnswer):
            # It may have been read and paid for all the same.
            tokens = told.tokens + (most if outcome.blames_input else 0)
            failed = (*told.unanswered, (each.stream, outcome.reason))
            return replace(told, tokens=tokens, unanswered=failed), None
        told = replace(told, tokens=told.tokens + (most if outcome.tokens is None else outcome.tokens))
        verdict = self._without_secrets(checked(outcome.text, each.asked))
        if isinstance(verdict, Distilled):
            kept = each.finding(self.distiller.model, value=packed(verdict))
            return replace(told, accepted=told.accepted + 1), kept
        value = json.dumps({"reason": verdict.reason}).encode("ascii")
        kept = each.finding(self.distiller.model, f".refused.{each.attempts + 1}", value)
        return replace(told, refused=(*told.refused, (each.stream, verdict.reason))), kept

    def _without_secrets(self, verdict: Distilled | Refused) -> Distilled | Refused:
        if isinstance(verdict, Refused):
            return Refused(reason=self.redact(verdict.reason))
        texts = (verdict.title, verdict.description, verdict.summary)
        return verdict if all(self.redact(text) == text for text in texts) else Refused(reason="it holds a secret")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Keeper:
    """Keeps answers, and beside them what the report of the last run says of the asking."""

    store: SpaceStore
    run: str
    earlier: Distillation | None  # what a call that was cut off kept for that run
    is_told: bool  # the report was made when an earlier call had ended; this one is told of by its own answer alone

    @staticmethod
    def of(store: SpaceStore, state: State, run: str) -> "_Keeper":
        earlier = told_of(store, run)
        was_cut_off = state.asking == run
        return _Keeper(store=store, run=run, earlier=earlier, is_told=earlier is not None and not was_cut_off)

    def keep(self, findings: Sequence[Finding], told: Distillation) -> None:
        if not self.is_told:
            keep_answer(self.store, findings, self.run, _together(self.earlier, told))
        elif findings:
            self.store.add_findings(findings)


def _together(earlier: Distillation | None, told: Distillation) -> Distillation:
    """What came of asking in all, when a run was cut off and went on."""
    if earlier is None:
        return told
    return replace(
        told,
        tokens=earlier.tokens + told.tokens,
        budget_tokens=earlier.budget_tokens + told.budget_tokens,  # each call has its own
        asked=earlier.asked + told.asked,
        accepted=earlier.accepted + told.accepted,
        refused=earlier.refused + told.refused,
        unanswered=earlier.unanswered + told.unanswered,
    )
