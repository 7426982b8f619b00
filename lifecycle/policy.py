"""Every threshold of the lifecycle, once, with its unit (design, section 5)."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Literal

from dreamd.lifecycle.ids import digest_of

_NO_JUDGES = ("fuse_", "near_miss_")  # settings that change no stream


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    # PATTERN -> EMERGENT
    emergent_min_frequency: int = 3  # deliveries of supporting evidence
    emergent_min_removal_cost: float = 0.4  # either this or the frequency
    emergent_min_lifetime_days: float = 1.0  # must be exceeded, so that a burst within a day never promotes
    # EMERGENT -> CANONICAL; each must be exceeded
    canonical_min_coverage: float = 0.3
    canonical_min_stability: float = 0.6
    canonical_min_removal_cost: float = 0.5
    observation_window_days: float = 30.0
    # vitality, in days of effective silence; the bound belongs to the more silent side
    decaying_after_days: float = 7.0
    dormant_after_days: float = 30.0
    # silence
    silence: Literal["waking", "calendar"] = "waking"  # calendar: every instant counts
    waking_window_days: float = 7.0  # an instant counts if an event of the space lies at most this long before it
    stretch_max: float = 6.0  # 1: silence is not stretched
    stretch_gap_days: float = 7.0  # a usual gap of this many days stretches by 1
    stretch_lifetime_days: float = 180.0  # a life of this many days stretches by 1
    usual_gap_quantile: float = 0.75
    await_max_days: float = 400.0  # a day that a statement looks forward to is awaited for at most this long
    # confidence
    min_base_confidence: float = 0.10
    utility_weight: float = 0.4
    removal_cost_weight: float = 0.4
    stability_weight: float = 0.2
    early_fading_per_day: float = 0.05 / 7  # from decaying_after_days to dormant_after_days
    late_fading_per_day: float = 0.20 / 14  # from dormant_after_days on
    faded_below_confidence: float = 0.10
    # decay classes
    stable_fading_share: float = 0.25  # of the plain fading; permanent: 0, all others: 1
    session_hours: float = 24.0  # a session claim is valid for this long after its last evidence
    checkpoint_hours: float = 4.0
    slowest_class_min_share: float = 0.2  # of a stream's support, for a claim to lend it its decay class
    # explicit births: floors of what agents and people said outright
    explicit_min_confidence: float = 0.35
    explicit_min_removal_cost: float = 0.40
    intervention_min_confidence: float = 0.7
    intervention_min_removal_cost: float = 0.8
    # fuses: the larger of a number and a share of the active streams that are EMERGENT or above
    fuse_min_changes: int = 3
    fuse_run_share: float = 0.10  # of one run
    fuse_week_share: float = 0.20  # of fuse_window_days rolling days
    fuse_window_days: float = 7.0
    # the registry of functional predicates, in its canonical form; reflection reads it. "": the shipped one
    predicates: str = ""
    # report
    near_miss_count: int = 10

    @classmethod
    def of(cls, numbers: Mapping[str, Any]) -> "Policy":
        """The policy with these `numbers`; names that are none are left out, what is missing is at its default."""
        return cls(**{name: value for name, value in numbers.items() if name in cls.__slots__})

    def numbers(self) -> dict[str, int | float | str]:
        return asdict(self)

    def judges_as(self, other: "Policy") -> bool:
        """Whether every stream is the same under both: they differ in fuses and reports at most."""
        return all(
            value == getattr(other, name) for name, value in self.numbers().items() if not name.startswith(_NO_JUDGES)
        )

    def digest(self) -> str:
        """The first 16 hex digits of the sha256 over all numbers: which policy a plan was made with."""
        return digest_of(*(f"{name}={value!r}" for name, value in sorted(asdict(self).items())))[:16]
