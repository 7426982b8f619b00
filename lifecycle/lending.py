"""What its current claims lend a stream: headline, shelf, decay class and protection.

`Lent` keeps of the claims only what that takes, so that a claim that was stated once more is taken up without reading
the others again.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from dreamd.lifecycle.claims import is_explicit
from dreamd.lifecycle.policy import Policy
from dreamd.lifecycle.ranking import Strength, strength
from dreamd.lifecycle.values import Claim, Stream
from dreamd.lifecycle.words import ClaimKind, ClaimStatus, DecayClass, rank

HEADLINE_CHARACTERS = 240  # of the strongest claim; the index shortens further


@dataclass(frozen=True, slots=True, kw_only=True)
class Lent:
    """What counts of the current claims of a stream."""

    strongest: Strength | None  # see ranking.py; its last part is the claim's id
    headline: str | None  # of the strongest
    kinds: frozenset[ClaimKind]
    has_explicit: bool
    explicit_decay: DecayClass | None  # the slowest of those that were said outright
    support: Mapping[DecayClass, int]  # the most that a claim of each class has, of those that were not

    @classmethod
    def of(cls, claims: Iterable[Claim]) -> "Lent":
        return NOTHING_LENT.with_more(claims)

    def with_more(self, claims: Iterable[Claim]) -> "Lent":
        """With further claims, of which those that are not current lend nothing."""
        current = [claim for claim in claims if claim.status is ClaimStatus.CURRENT]
        if not current:
            return self
        best = min(current, key=strength)
        is_stronger = self.strongest is None or strength(best) < self.strongest
        outright = [claim.decay for claim in current if is_explicit(claim)]
        if self.explicit_decay is not None:
            outright.append(self.explicit_decay)
        support = dict(self.support)
        for claim in current:
            if not is_explicit(claim):
                support[claim.decay] = max(claim.support, support.get(claim.decay, 0))
        return Lent(
            strongest=strength(best) if is_stronger else self.strongest,
            headline=best.text[:HEADLINE_CHARACTERS] if is_stronger else self.headline,
            kinds=self.kinds | {claim.kind for claim in current},
            has_explicit=bool(outright),
            explicit_decay=min(outright, key=rank, default=None),
            support=support,
        )

    def to(self, stream: Stream, *, is_pinned: bool, policy: Policy) -> Stream:
        """`stream` with what is lent to it."""
        return replace(
            stream,
            headline=self.headline,
            shelf=self._shelf(),
            decay_class=DecayClass.PERMANENT if is_pinned else self._decay_class(stream.frequency, policy),
            is_protected=is_pinned or ClaimKind.PREFERENCE in self.kinds,
        )

    def _shelf(self) -> str:
        if ClaimKind.PREFERENCE in self.kinds:
            return "preferences"
        if self.has_explicit:
            return "projects"
        if self.kinds and self.kinds <= {ClaimKind.LESSON, ClaimKind.PROCEDURE}:
            return "lessons"
        return "knowledge"

    def _decay_class(self, frequency: int, policy: Policy) -> DecayClass:
        """The class of the slowest current claim that makes up a fifth of the support, or is explicit."""
        enough = policy.slowest_class_min_share * frequency
        weighty = [decay for decay, support in self.support.items() if support >= enough]
        if self.explicit_decay is not None:
            weighty.append(self.explicit_decay)
        return min(weighty, key=rank, default=DecayClass.ACTIVE)


NOTHING_LENT = Lent(
    strongest=None, headline=None, kinds=frozenset(), has_explicit=False, explicit_decay=None, support={}
)


def with_claims(stream: Stream, claims: Iterable[Claim], *, is_pinned: bool, policy: Policy) -> Stream:
    """`stream` with what its current claims lend it."""
    return Lent.of(claims).to(stream, is_pinned=is_pinned, policy=policy)
