"""Forgetting, which can be taken back: a target's stream is laid to rest, a statement is taken back.

A tombstone with a keyed digest says so for good: of the target's names, and of the statements. What comes later about
it is stored, linked and told as forgotten, by whatever way it comes, until a person says otherwise (`unforget`, or a
revert of the run).
"""

from collections.abc import Collection, Sequence
from dataclasses import replace

from dreamd.daemon.errors import Usage
from dreamd.daemon.forgotten import OF_CLAIMS, is_sealed, seal_of
from dreamd.daemon.purge_subject import Meant
from dreamd.daemon.sealing import CLAIM, CLAIM_ELSEWHERE, SUBJECT
from dreamd.daemon.storage.store import SpaceStore
from dreamd.lifecycle import ids
from dreamd.lifecycle.claims import is_forgotten
from dreamd.lifecycle.dream import Order
from dreamd.lifecycle.further import CITED, is_first
from dreamd.lifecycle.values import Claim, Row, Stream, Tombstone
from dreamd.lifecycle.words import Status, Trigger
from dreamd.reflection.targets import canonical_form
from dreamd.reflection.text_keys import text_key


def forget(store: SpaceStore, meant: Meant) -> Order:
    """Lay to rest what is only known from `meant`. Raises Usage if that is nothing."""
    streams, claims = _only_from(store, meant)
    resting = [row for row in store.streams() if row.id in streams and row.status in (Status.ACTIVE, Status.FADED)]
    if not resting and not claims:
        raise Usage("nothing is known from that alone, or it is forgotten already", "dreamd streams --status forgotten")
    at_rest = {row.id for row in resting}
    groups = {claim.group for claim in claims}
    members = [claim for claim in store.claims() if claim.group in groups and claim.stream not in at_rest]
    same = _saying(store, {text_key(claim.text) for claim in members}) - at_rest
    put: list[Row] = [tombstone(store, CLAIM, text_key(claim.text), claim.stream) for claim in members]
    for row in resting:
        put.append(replace(row, status=Status.FORGOTTEN))
        names = {row.target, *(canonical_form(alias.spelling) for alias in store.aliases() if alias.stream == row.id)}
        put += [tombstone(store, SUBJECT, name, row.id) for name in sorted(names)]
        put += [tombstone(store, CLAIM_ELSEWHERE, key, row.id) for key in _said_only_in(store, row.id)]
    there = {row.id for row in store.tombstones()}
    rows = {row.id: row for row in put if row.id not in there}
    because = "forgotten by a person"
    return Order(
        trigger=Trigger.FORGET,
        because=because,
        put=tuple(rows.values()),
        was=tuple(resting),
        streams=tuple(sorted(same)),
    )


def unforget(store: SpaceStore, row: Stream | Claim) -> Order:
    """What was forgotten counts again, with all that came since. Raises Usage if `row` is not forgotten."""
    if isinstance(row, Stream):
        if row.status is not Status.FORGOTTEN:
            raise Usage(f"{row.target!r} is not forgotten", "dreamd streams --status forgotten lists what is")
        drop = [each for each in store.tombstones() if each.stream == row.id and each.kind != CLAIM]
        woken: tuple[Row, ...] = (replace(row, status=Status.ACTIVE),)
        was: tuple[Row, ...] = (row,)
    else:
        if not is_forgotten(row):
            raise Usage(f"claim {row.id} is not forgotten", "dreamd claims --all shows what is retracted")
        keys = {text_key(claim.text) for claim in store.claims({row.stream}) if claim.group == row.group}
        seals = {seal_of(store, kind, key) for key in keys for kind in OF_CLAIMS}
        drop = [each for each in store.tombstones() if each.digest in seals]
        woken, was = (), ()
    sealed = {each.digest for each in drop}
    streams = {claim.stream for claim in store.claims() if is_sealed(store, text_key(claim.text), sealed)}
    streams |= {row.id if isinstance(row, Stream) else row.stream}
    return Order(
        trigger=Trigger.UNFORGET,
        because="a person wants it back",
        put=woken,
        drop=tuple(drop),
        was=was,
        streams=tuple(sorted(streams)),
    )


def tombstone(store: SpaceStore, kind: str, text: str, stream: str | None) -> Tombstone:
    """The tombstone of `text`, which is not in it."""
    digest = seal_of(store, kind, text)
    id_ = ids.tombstone_id(store.space, kind, digest)
    return Tombstone(id=id_, space=store.space, stream=stream, kind=kind, digest=digest)


def _only_from(store: SpaceStore, meant: Meant) -> tuple[frozenset[str], list[Claim]]:
    """The streams and the further claims that only the events of `meant` support."""
    links = [link for event in sorted(meant.events) for link in store.links_of_event(event)]
    touched = {link.stream for link in links if link.stream is not None and is_first(link)}
    streams = set(meant.streams)
    for stream in touched:
        if all(link.event in meant.events for link in store.links(stream) if is_first(link)):
            streams.add(stream)
    if meant.claims:
        return frozenset(), [claim for claim in store.claims() if claim.id in meant.claims]
    stated = {link.claim for link in links if link.claim is not None and link.rule != CITED}
    others = {
        link.claim for link in store.links_of_claims(stated) if link.event not in meant.events and link.rule != CITED
    }
    claims = [claim for claim in store.claims() if claim.id in stated - others and claim.stream not in streams]
    return frozenset(streams), [claim for claim in claims if not is_forgotten(claim)]


def _said_only_in(store: SpaceStore, stream: str) -> Sequence[str]:
    """The text keys of the claims of the stream that no other stream has."""
    keys: dict[str, set[str]] = {}
    for claim in store.claims():
        keys.setdefault(text_key(claim.text), set()).add(claim.stream)
    return sorted(key for key, streams in keys.items() if streams == {stream})


def _saying(store: SpaceStore, keys: Collection[str]) -> set[str]:
    """The streams that have a claim with one of the text `keys`."""
    return {claim.stream for claim in store.claims() if text_key(claim.text) in keys}
