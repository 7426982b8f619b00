"""The formulas behind the signals, each a pure function of counts and days.

Design, section 5 says how each has to behave, and the tests hold it to that; the numbers here are one set that meets
all of it at once and was compared on real commit histories with about fifty others. They are no settings: a policy
moves gates and fading, not what is measured.
"""

from bisect import bisect_left
from collections.abc import Sequence
from itertools import pairwise
from math import exp

from dreamd.lifecycle.policy import Policy
from dreamd.lifecycle.words import Scope

FORMULAS = "2"  # to be raised with any change below: what was measured by other formulas is measured anew
LIFE_PARTS = 5  # a stream's life is looked at in so many equal parts
OPEN_ERROR_SHARE = 0.75  # of an error that is not (yet) fixed; a fixed one counts whole

# What each kind of loss contributes at most, and at which count it has reached 63 % of that.
ERRORS_MOST, ERRORS_SCALE = 0.5, 8.0
COMMITS_MOST, COMMITS_SCALE = 0.2, 6.0
SESSIONS_MOST, SESSIONS_SCALE = 0.65, 6.5  # of the sessions beyond the first; eleven pass 0.5, so weekly work by day 75
DECISIONS_MOST, DECISIONS_SCALE = 0.7, 1.0
SCOPE_MOST = {Scope.INFRA: 0.08, Scope.SYSTEM: 0.04}  # small: one plain observation has to stay below 0.10

SUCCESS_MOST, REINFORCEMENT_MOST = 0.7, 0.3  # the two parts of utility
UTILITY_DAYS_SCALE = 5.0  # active days until either is believed
DENSITY_SCALE = 2.0  # active days per day of life
FIX_SUCCESS_SHARE = 0.5  # of a success, for a commit that fixes: somebody found it worth mending, nobody said it worked
PRIOR_SUCCESSES, PRIOR_OUTCOMES = 1.0, 4.0  # success is not believed from a few outcomes


def saturated(count: float, scale: float) -> float:
    """0 at none, towards 1 with more; 63 % at `scale`."""
    return 1.0 - exp(-count / scale)


def stability(days: Sequence[int]) -> float:
    """How evidence is spread over the whole life of a stream, 0..1, shrunk for few days.

    `days` are the distinct UTC day numbers with support, ascending. The occupied share of min(5, n) equal parts of the
    life, times (n-1)/(n+1): a single burst gives 0, bursty work that goes on does not, and a life that is the same at
    another pace measures the same.
    """
    active = len(days)
    if active <= 1:
        return 0.0
    first, span = days[0], days[-1] - days[0]
    parts = min(LIFE_PARTS, active)
    occupied = 1  # the last part holds the last day
    for part in range(parts - 1):
        start = bisect_left(days, first - (-part * span // parts))
        occupied += (days[start] - first) * parts < (part + 1) * span
    return occupied / parts * (active - 1) / (active + 1)


def removal_cost(
    *, fixed_errors: float, open_errors: float, commits: int, sessions: int, decisions: int, scope: Scope | None
) -> float:
    """What it would cost to lose this, 0..1: each kind of evidence takes its share of what the others left."""
    errors = fixed_errors + OPEN_ERROR_SHARE * open_errors
    spared = (
        (1.0 - ERRORS_MOST * saturated(errors, ERRORS_SCALE))
        * (1.0 - COMMITS_MOST * saturated(commits, COMMITS_SCALE))
        * (1.0 - SESSIONS_MOST * saturated(max(0, sessions - 1), SESSIONS_SCALE))
        * (1.0 - DECISIONS_MOST * saturated(decisions, DECISIONS_SCALE))
    )
    most = 0.0 if scope is None else SCOPE_MOST.get(scope, 0.0)
    return 1.0 - spared * (1.0 - most)


def utility(*, successes: float, failures: float, active_days: int, lifetime_days: float) -> float:
    """How often it worked and how steadily it is reinforced, 0..1."""
    share = (successes + PRIOR_SUCCESSES) / (successes + failures + PRIOR_OUTCOMES)
    density = saturated(active_days / max(lifetime_days, 1.0), DENSITY_SCALE)
    return (SUCCESS_MOST * share + REINFORCEMENT_MOST * density) * saturated(active_days, UTILITY_DAYS_SCALE)


def usual_gap_days(days: Sequence[int], policy: Policy) -> float:
    """The gap between active days that most gaps do not exceed; 1 if there is none yet."""
    gaps = sorted(later - earlier for earlier, later in pairwise(days))
    return float(gaps[min(int(policy.usual_gap_quantile * len(gaps)), len(gaps) - 1)]) if gaps else 1.0


def stretch(usual_gap: float, lifetime_days: float, policy: Policy) -> float:
    """What silence is divided by, 1..`policy.stretch_max`: a stream lives in its own days (both arguments in days)."""
    own = max(usual_gap / policy.stretch_gap_days, lifetime_days / policy.stretch_lifetime_days)
    return max(1.0, min(policy.stretch_max, own))
