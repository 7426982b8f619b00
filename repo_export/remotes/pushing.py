"""What the memory repository holds, pushed to a remote: one branch, never by force."""

from dataclasses import dataclass

from dreamd.repo_export.remotes.transport import PostOffice, Unreachable

_BEHIND = ("[rejected]", "(fetch first)", "(non-fast-forward)")  # what git says if the remote has more than we do


class Behind(Exception):
    """The remote has commits that the branch here lacks; the next pull takes them in."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pushed:
    head: str  # what the remote has now


def push(office: PostOffice, head: str) -> Pushed:
    """Brings the remote's branch to the commit `head`. Raises Behind, or Unreachable if it was refused otherwise."""
    options = ("--quiet", "--no-verify", "--no-follow-tags", "--recurse-submodules=no", "--no-signed")
    refspec = f"{head}:refs/heads/{office.reach.branch}"
    try:
        office.ask("push", *options, "--", office.reach.address.url, refspec, is_bounded=False)
    except Unreachable as refused:
        if any(word in str(refused) for word in _BEHIND):
            raise Behind("the remote has newer commits, which the next run takes in") from None
        raise
    return Pushed(head=head)
