"""The simple rules: seen on so many distinct days."""

from bench.dreambench.rules.memory import Rule


def two_and_five() -> Rule:
    return Rule(name="2 and 5 days", emergent_days=2, canonical_days=5)


def three_and_ten() -> Rule:
    return Rule(name="3 and 10 days", emergent_days=3, canonical_days=10)
