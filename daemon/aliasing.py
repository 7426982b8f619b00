"""Names that a person leads from one target to another, as orders (see orders.py), and where a name leads."""

from dataclasses import replace

from dreamd.daemon.errors import Usage
from dreamd.daemon.storage.store import SpaceStore
from dreamd.lifecycle import ids
from dreamd.lifecycle.dream import Order
from dreamd.lifecycle.merging import MERGE, PERSON
from dreamd.lifecycle.values import Alias, Proposal, Row, Stream
from dreamd.lifecycle.words import Status, Trigger, Waiting
from dreamd.reflection.aliases import resolved
from dreamd.reflection.targets import canonical_form
from dreamd.repo_export.markdown import command_line


def alias(store: SpaceStore, name: str, target: str) -> Order:
    """`name` becomes a spelling of `target`; a stream about it is merged into the target's.

    Raises Usage where that would close a circle, or where the name leads somewhere else already.
    """
    old, new = _form(store, name), _form(store, target)
    return _order(store, old, new, rule=PERSON, trigger=Trigger.ALIAS, because="a person says that it is the same")


def accept_merge(store: SpaceStore, proposal: Proposal) -> Order:
    """The streams of the proposal are merged, the first into the second. Raises Usage if one is gone."""
    old, new = (_target(store, stream, proposal) for stream in proposal.subjects)
    row = replace(proposal, status=Waiting.ACCEPTED)
    because = "accepted by a person"
    if resolved(old, store.alias_targets()).target == resolved(new, store.alias_targets()).target:
        return Order(trigger=Trigger.ACCEPT, because=because, put=(row,))
    return _order(store, old, new, rule=MERGE, trigger=Trigger.ACCEPT, because=because, beside=(row,))


def survivor_of(store: SpaceStore, stream: Stream) -> Stream:
    """The stream that holds what `stream` said: itself, unless it is merged into another."""
    seen = {stream.id}
    while stream.merged_into is not None and stream.merged_into not in seen:
        seen.add(stream.merged_into)
        following = store.stream(stream.merged_into)
        if following is None:
            return stream
        stream = following
    return stream


def other_name(store: SpaceStore, asked: str, stream: Stream) -> dict[str, str]:
    """`{"asked": ...}` if what a person asked for is an alias of `stream`, or a stream merged into it; else nothing."""
    form = _form(store, asked)
    return {"asked": form} if form != stream.target and not stream.id.startswith(asked) else {}


def _order(  # noqa: PLR0913 - what the two ways to a merge differ in
    store: SpaceStore, old: str, new: str, *, rule: str, trigger: Trigger, because: str, beside: tuple[Row, ...] = ()
) -> Order:
    aliases = store.alias_targets()
    if old == new:
        raise Usage(f"these are two spellings of one target already: {old}", "nothing has to be done")
    end = resolved(new, aliases)
    if old in (end.target, *end.via):
        path = " -> ".join((*end.via, end.target))
        again = command_line("alias", old, new, space=store.space)
        raise Usage(
            f"{new!r} leads to {old!r} already ({path}); the other way round would close a circle",
            f"to turn it round, take the first alias back (dreamd runs lists it), then: {again}",
        )
    if old in aliases and resolved(old, aliases).target != end.target:
        revert = command_line("revert", "RUN", space=store.space)
        raise Usage(
            f"{old!r} is a spelling of {resolved(old, aliases).target!r} already",
            f"take that alias back first; dreamd runs lists the run, {revert} takes it back",
        )
    if old in aliases:
        return Order(trigger=trigger, because=because, put=beside)
    for form in (old, end.target):
        stream = store.stream_by_target(form)
        if stream is not None and stream.status is Status.FORGOTTEN:
            raise Usage(f"{form!r} was forgotten; nothing is merged with it", "dreamd streams --status forgotten")
    streams = tuple(ids.stream_id(store.space, form) for form in (end.target, old))
    row = Alias(
        id=ids.alias_id(store.space, old), space=store.space, spelling=old, target=new, stream=streams[0], rule=rule
    )
    # A person's word outweighs that an earlier merge of the two was taken back.
    held = tuple(
        hold for hold in store.holds() if hold.kind == MERGE and {hold.subject, hold.evidence_digest} == set(streams)
    )
    return Order(trigger=trigger, because=because, put=(row, *beside), drop=held, streams=streams)


def _form(store: SpaceStore, name: str) -> str:
    """The canonical form of a name, or the target of a stream's id. Raises Usage if there is none."""
    stream = store.stream(name) if name.startswith("st_") else None
    form = stream.target if stream is not None else canonical_form(name.strip())
    if not form:
        raise Usage("an empty name stands for no target", "give two names: dreamd alias OLD NEW")
    return form


def _target(store: SpaceStore, stream_id: str, proposal: Proposal) -> str:
    stream = store.stream(stream_id)
    if stream is None:
        raise Usage(
            f"stream {stream_id} of proposal {proposal.id} is gone",
            command_line("reject", proposal.id, space=store.space),
        )
    return stream.target
