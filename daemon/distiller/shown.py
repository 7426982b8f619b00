"""Which summary a page shows: the one that was made from the very statements that it holds, else none.

The key of a summary is the digest of what the model was shown, so one whose statements changed is not found, and a
run that is rendered later finds what belongs to its own state.
"""

import json
from collections.abc import Mapping, Sequence

from dreamd.daemon.distiller.state import read_state
from dreamd.daemon.hiding import Redact
from dreamd.daemon.storage.findings import Finding, finding_key
from dreamd.daemon.storage.store import SpaceStore
from dreamd.lifecycle.values import Claim, Stream
from dreamd.reflection.distilling.asking import MAX_STATEMENT_LENGTH, MAX_STATEMENTS, MIN_STATEMENTS, VERSION, Asked
from dreamd.reflection.distilling.checking import Distilled
from dreamd.repo_export.by_model import ByModel, trust_of
from dreamd.repo_export.markdown import shorten
from dreamd.repo_export.page import voices


def shown_to_model(claims: Sequence[Claim]) -> list[Claim]:
    """Those of a stream's `claims` that a model is shown: what speaks for each group, the strongest first."""
    return voices(claims)[:MAX_STATEMENTS]


def asked_of(stream: Stream, shown: Sequence[Claim]) -> Asked | None:
    """The question about `stream`, whose rows have their secrets hidden; None if there is too little to sum up."""
    if len(shown) < MIN_STATEMENTS:
        return None
    return Asked(
        title=shorten(stream.title, MAX_STATEMENT_LENGTH),
        statements={
            claim.id: shorten(claim.text, MAX_STATEMENT_LENGTH)
            for claim in sorted(shown, key=lambda claim: (claim.valid_from, claim.id))
        },
    )


def summaries(
    store: SpaceStore, streams: Mapping[str, Stream], claims: Mapping[str, Sequence[Claim]], redact: Redact
) -> dict[str, ByModel]:
    """By stream id, the summaries of those `streams` that have one for exactly these `claims` (secrets hidden)."""
    state = read_state(store)
    if state is None or not state.model:
        return {}
    shown = {id_: shown_to_model(claims.get(id_, ())) for id_ in streams}
    asked = {id_: asked_of(stream, shown[id_]) for id_, stream in streams.items()}
    keys = {id_: finding_key(each.digest, VERSION, state.model) for id_, each in asked.items() if each is not None}
    found = store.findings(keys.values())
    return {id_: _by_model(found[key], shown[id_], redact) for id_, key in keys.items() if key in found}


def may_be_shown(store: SpaceStore) -> bool:
    """Whether a page of the space may show a summary: then no page is made further from the one before.

    Its lines would take the summary of fewer statements along, and would lack one that was made before.
    """
    state = read_state(store)
    return state is not None and (bool(state.model) or state.unshown != ())


def packed(distilled: Distilled) -> bytes:
    """An accepted answer as it is kept."""
    values = {"title": distilled.title, "description": distilled.description, "summary": distilled.summary}
    return json.dumps({**values, "ids": distilled.ids}).encode("ascii")


def _by_model(finding: Finding, shown: Sequence[Claim], redact: Redact) -> ByModel:
    values = json.loads(finding.value)
    return ByModel(
        title=redact(values["title"]),
        description=redact(values["description"]),
        summary=redact(values["summary"]),
        model=finding.model,
        claims=tuple(values["ids"]),
        trust=trust_of([claim.trust for claim in shown]),
    )
