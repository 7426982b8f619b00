"""From what a person typed to the row that is meant, and from an order to a run."""

from collections.abc import Callable
from typing import TypeVar

from dreamd.daemon.aliasing import survivor_of
from dreamd.daemon.answers import answer, say
from dreamd.daemon.errors import Usage
from dreamd.daemon.failpoints import reach
from dreamd.daemon.outcomes import publish
from dreamd.daemon.planning import plan_order
from dreamd.daemon.run import carry_out, instant_of_run
from dreamd.daemon.session import Session, nothing_ingested, several
from dreamd.daemon.storage.store import SpaceStore
from dreamd.daemon.wording import did_you_mean
from dreamd.lifecycle.dream import Order
from dreamd.lifecycle.told import counted
from dreamd.lifecycle.values import Claim, Event, Proposal, Question, Row, Stream
from dreamd.lifecycle.words import Waiting
from dreamd.reflection.aliases import resolved
from dreamd.reflection.targets import canonical_form

Found = TypeVar("Found")
BY_NAME = ("stream", "stream or claim", "hold")  # what a target names


def decide(opened: Session, store: SpaceStore, make: Callable[[], Order]) -> None:
    """Carry an order out, export, and tell what became of it."""
    now, _ = instant_of_run(store, opened.now, by_hand=opened.is_by_hand)
    policy = opened.policy
    near = opened.nearness(store)
    plan = carry_out(store, lambda: plan_order(store, make(), now, policy, near), policy, reach, started_at=opened.now)
    result = publish(opened, store, plan)
    answer(result.as_json(), lambda: say(result.in_words()))


def stream_asked_for(opened: Session, target: str) -> tuple[SpaceStore, Stream]:
    """The one stream that `target` names: by canonical form, alias, or id. Raises Usage if none or several fit."""
    return only_one(opened, target, lambda store: streams_of(store, target), "stream", "dreamd streams lists them")


def space_of_targets(opened: Session, *names: str) -> SpaceStore:
    """The one space that knows any of the targets `names`, else the only one. Raises Usage if several fit."""
    spaces = opened.spaces()
    knowing = [store for store in spaces if any(streams_of(store, name) for name in names)]
    if len(knowing) > 1:
        raise several(sorted(store.space for store in knowing))
    return knowing[0] if knowing else opened.the_space()


def pinnable(opened: Session, subject: str) -> tuple[SpaceStore, Stream | Claim]:
    """The stream or claim that `subject` names."""

    def look(store: SpaceStore) -> list[Stream | Claim]:
        rows = [row for row in by_id(store, subject) if isinstance(row, Stream | Claim)]
        return rows or list(streams_of(store, subject))

    return only_one(opened, subject, look, "stream or claim", "dreamd streams and dreamd claims list them")


def subject_held(opened: Session, subject: str) -> tuple[SpaceStore, str]:
    """The id that `subject` names: of a held row, an event, or the stream of a target, even one that was taken back."""
    from dreamd.lifecycle.ids import stream_id  # noqa: PLC0415

    def look(store: SpaceStore) -> list[str]:
        named = {row.id for row in by_id(store, subject)} | {subject, stream_id(store.space, canonical_form(subject))}
        held = {id_ for hold in store.holds() for id_ in (hold.id, hold.subject, hold.stream, hold.event) if id_}
        return sorted(named & held)[:1]

    return only_one(opened, subject, look, "hold", "a revert leaves holds; see: dreamd runs")


def open_proposal(opened: Session, id_: str) -> tuple[SpaceStore, Proposal]:
    def look(store: SpaceStore) -> list[Proposal]:
        return [row for row in store.proposals() if row.id.startswith(id_) and row.status is Waiting.OPEN]

    return only_one(opened, id_, look, "open proposal", "dreamd status lists what waits for you")


def open_question(opened: Session, id_: str) -> tuple[SpaceStore, Question]:
    def look(store: SpaceStore) -> list[Question]:
        return [row for row in store.questions() if row.id.startswith(id_) and row.status is Waiting.OPEN]

    return only_one(opened, id_, look, "open question", "dreamd status lists what waits for you")


def only_one(
    opened: Session, asked: str, look: Callable[[SpaceStore], list[Found]], noun: str, hint: str
) -> tuple[SpaceStore, Found]:
    """The one row that `look` finds in the spaces; `asked` and `noun` name it. Raises Usage if none or several fit."""
    if any(
        "\ud800" <= char <= "\udfff" for char in asked
    ):  # how Python holds bytes of the command line that are no text
        raise Usage(f"{asked!a} is not UTF-8, so no {noun} has that name", hint)
    hits = [(store, row) for store in opened.spaces() for row in look(store)]
    if len(hits) == 1:
        return hits[0]
    if not hits:
        raise _not_there(opened, asked, noun, hint)
    spaces = {store.space for store, _ in hits}
    if len(spaces) > 1:
        raise several(sorted(spaces))
    raise Usage(f"{asked!r} fits {len(hits)} rows in space {hits[0][0].space!r}", "give the whole id")


def _not_there(opened: Session, asked: str, noun: str, hint: str) -> Usage:
    """Nothing fits: because nothing came in, nothing was dreamt over, or the name is another."""
    spaces = opened.spaces()
    if not spaces:
        return nothing_ingested()
    waiting = sum(store.counts().unexamined for store in spaces)
    if waiting and not any(store.head().number for store in spaces):
        wait = "waits" if waiting == 1 else "wait"
        return Usage(f"no {noun} fits {asked!r}; {counted(waiting, 'event')} {wait} for a dream", "next: dreamd run")
    names = {alias.spelling: alias.target for store in spaces for alias in store.aliases()}
    names |= {stream.target: stream.target for store in spaces for stream in store.streams()}
    found = did_you_mean(canonical_form(asked) or asked, names) if noun in BY_NAME else ()
    near = dict.fromkeys(names[name] for name in found)
    if canonical_form(asked) in near:  # it is there, and has none of what was asked for
        return Usage(f"{asked!r} has no {noun}", hint)
    return Usage(f"no {noun} fits {asked!r}", f"did you mean: {', '.join(near)}" if near else hint)


def streams_of(store: SpaceStore, asked: str) -> list[Stream]:
    form = canonical_form(asked)
    by_alias = {alias.spelling: alias.target for alias in store.aliases()}
    targets = {asked, form, by_alias.get(asked, form), resolved(form, store.alias_targets()).target}
    found = {stream.id: stream for target in targets if (stream := store.stream_by_target(target)) is not None}
    found |= {row.id: row for row in by_id(store, asked) if isinstance(row, Stream)}
    survivors = [survivor_of(store, stream) for stream in found.values()]
    return list({stream.id: stream for stream in survivors}.values())


def by_id(store: SpaceStore, asked: str) -> list[Row | Event]:
    return store.prefixed(asked) if len(asked) > len("st_") and asked[2:3] == "_" else []
