"""The repositories of a home, caught up and rendered again."""

from typing import Any

from dreamd.daemon.failpoints import reach
from dreamd.daemon.outcomes import take_in
from dreamd.daemon.profiles import keep_profiles
from dreamd.daemon.publish import catch_up, render_again
from dreamd.daemon.remotes.syncing import in_words, pull_first, push_after
from dreamd.daemon.session import Session
from dreamd.daemon.storage.store import SpaceStore
from dreamd.lifecycle.told import counted

RENDERED_AGAIN = "export: render again from the store\n"


def export_again(opened: Session, store: SpaceStore) -> tuple[dict[str, Any], list[str]]:
    """Catch up, then render everything again and commit what differs; and ask the remote, whatever failed before."""
    pulled = pull_first(opened, store, at_once=True)
    take_in(opened, store)  # before any file is written over what a person committed
    repository = opened.repository(store.space)
    caught = catch_up(store, repository, opened.now, reach, opened.redact)
    again = render_again(store, repository, store.head().now or opened.now, RENDERED_AGAIN, opened.redact)
    parked = caught.parked or again.parked
    profiles = keep_profiles(opened, store, repository, restore=True) if parked is None else ()
    remote = push_after(opened, store, pulled, at_once=True)
    commits = [*caught.commits, *again.commits]
    waiting = [{"path": path, "reason": reason} for path, reason in again.waiting]
    value = {
        "space": store.space,
        "repository": str(repository.path),
        "commits": commits,
        "waiting": waiting,
        "parked": parked,
        "profiles": [kept.as_json() for kept in profiles],
        **({} if remote is None else {"remote": remote.as_json()}),
        **({"noticed": [*caught.noticed]} if caught.noticed else {}),
    }
    lines = [f"{store.space}: {counted(len(commits), 'new commit')} in {repository.path}"]
    lines += [f"  Left alone: {each['path']} ({each['reason']})" for each in waiting]
    lines += [f"  Noticed: {notice}" for notice in caught.noticed]
    if parked:
        lines.append(f"  The files wait: {parked}")
    lines += [line for kept in profiles for line in kept.in_words()]
    return value, lines + in_words(remote)
