"""What each setting means and may be: the words and bounds beside the numbers, which live in their dataclasses."""

from collections.abc import Mapping
from dataclasses import dataclass

from dreamd.reflection.embedding.choice import ALLOWED, PATTERN
from dreamd.repo_export.remotes import address


@dataclass(frozen=True, slots=True)
class Meaning:
    text: str  # one sentence for the reference and the template
    at_least: float | None = None
    at_most: float | None = None
    pattern: str | None = None  # what a text must match as a whole
    allowed: str | None = None  # the pattern in words


def _days(text: str) -> Meaning:
    return Meaning(text, at_least=0, at_most=36_500)  # a century


def _share(text: str) -> Meaning:
    return Meaning(text, at_least=0, at_most=1)


def _count(text: str) -> Meaning:
    return Meaning(text, at_least=0, at_most=1_000_000)


POLICY: Mapping[str, Meaning] = {
    "emergent_min_frequency": _count("Deliveries of supporting evidence from which a pattern becomes emergent."),
    "emergent_min_removal_cost": _share("Removal cost from which a pattern becomes emergent, whatever its frequency."),
    "emergent_min_lifetime_days": _days(
        "Days between first and last evidence that must be exceeded to become emergent."
    ),
    "canonical_min_coverage": _share("Coverage of the observation window that must be exceeded to become canonical."),
    "canonical_min_stability": _share("Stability that must be exceeded to become canonical."),
    "canonical_min_removal_cost": _share("Removal cost that must be exceeded to become canonical."),
    "observation_window_days": Meaning("Days of life that count as full coverage.", at_least=1, at_most=36_500),
    "decaying_after_days": _days("Days of effective silence from which a stream is decaying."),
    "dormant_after_days": _days("Days of effective silence from which a stream is dormant."),
    "silence": Meaning("Which time counts as silence: `waking` (some event of the space is near) or `calendar` (all)."),
    "waking_window_days": _days("An instant is waking if an event of the space lies at most this many days before it."),
    "stretch_max": Meaning("The most that a stream's own rhythm may stretch its silence; 1 turns it off.", 1, 1_000),
    "stretch_gap_days": Meaning("A usual gap of this many days stretches silence by 1.", 0.01, 36_500),
    "stretch_lifetime_days": Meaning("A life of this many days stretches silence by 1.", 0.01, 36_500),
    "usual_gap_quantile": Meaning("Which quantile of the gaps between active days is the usual gap.", 0, 0.99),
    "await_max_days": _days("Days for which a date that a statement looks forward to keeps its stream from fading."),
    "min_base_confidence": _share("The least base confidence of any stream."),
    "utility_weight": _share("Share of utility in base confidence."),
    "removal_cost_weight": _share("Share of removal cost in base confidence."),
    "stability_weight": _share("Share of stability in base confidence."),
    "early_fading_per_day": _share("Confidence lost per day of effective silence while decaying."),
    "late_fading_per_day": _share("Confidence lost per day of effective silence while dormant."),
    "faded_below_confidence": _share("A dormant stream below this confidence is archived."),
    "stable_fading_share": _share("How much of the plain fading a claim of class `stable` takes."),
    "session_hours": Meaning("Hours for which a session claim is valid after its last evidence.", 0, 8_760),
    "checkpoint_hours": Meaning("Hours for which a checkpoint claim is valid after its last evidence.", 0, 8_760),
    "slowest_class_min_share": _share("Share of a stream's support from which a claim lends it its decay class."),
    "explicit_min_confidence": _share("Least base confidence of what an agent decided or preferred outright."),
    "explicit_min_removal_cost": _share("Least removal cost of what an agent decided or preferred outright."),
    "intervention_min_confidence": _share("Least base confidence of what a person ordered."),
    "intervention_min_removal_cost": _share("Least removal cost of what a person ordered."),
    "fuse_min_changes": _count("Unexplained changes that a run may always make before the fuse trips."),
    "fuse_run_share": _share("Share of the live streams that one run may change without explanation."),
    "fuse_week_share": _share(
        "Share of the live streams that the runs of a fuse window may change without explanation."
    ),
    "fuse_window_days": _days("Days over which the longer fuse counts."),
    "near_miss_count": _count("How many near misses a report names."),
}

LIMITS: Mapping[str, Meaning] = {
    "event_bytes": Meaning("Bytes of one event as JSON, so of one line.", 1_000, 100_000_000),
    "text_characters": Meaning("Characters of `text` and of `because`.", 100, 10_000_000),
    "name_characters": Meaning("Characters of target, source, session, scope, id and each tag.", 16, 500),
    "path_characters": Meaning("Characters of each entry of `files`.", 16, 65_536),
    "list_items": Meaning("Entries of `files` and `tags`.", 1, 1_000_000),
    "json_depth": Meaning("Depth of objects and lists within each other.", 1, 200),
    "document_bytes": Meaning(
        "Bytes of a transcript that is one document, such as a trajectory.", 10_000, 1_000_000_000
    ),
    "earliest_year": Meaning("Year of the earliest date that an event may have.", 1_900, 2_100),
    "ahead_days": Meaning(
        "Days that the date of an event may lie ahead of the present; it waits until then.", 0, 36_525
    ),
    "spaces": Meaning("Spaces that a home may have; a source that would open one more is refused.", 1, 100_000),
}

CHANNELS: Mapping[str, Meaning] = {
    "jsonl": Meaning("The most trusted actor that events in JSONL may name."),
    "git": Meaning("The most trusted actor that a commit's author counts as."),
    "cli": Meaning("The most trusted actor that `record` counts as."),
    "transcripts": Meaning("The most trusted actor that a person's own turns in the transcripts of agents count as."),
}

EMBEDDING: Mapping[str, Meaning] = {
    "embedder": Meaning(
        "What compares statements in meaning where the rules leave a pair open; `auto`: the best that is installed.",
        pattern=f"^({PATTERN})$",
        allowed=ALLOWED,
    ),
    "fetch": Meaning("Whether `semantic` may fetch its model from the hub, once; without it nothing is fetched."),
}

RETENTION: Mapping[str, Meaning] = {
    "reports_days": _days(
        "Days for which the report of a run lies in the repository; history and `dreamd report` keep it. 0: for ever."
    ),
    "attempts_days": _days("Days for which a night that changed nothing is in the log. 0: for ever."),
    "changes_days": _days(
        "Days for which the log holds what a run changed: for so long it can be reverted and told of. 0: for ever."
    ),
}

DISTILLER: Mapping[str, Meaning] = {
    "url": Meaning(
        "Base URL of an OpenAI-compatible server that writes summaries; empty: none is asked.",
        pattern=r"^(?:(https?://(\[[0-9a-f:]+\]|[a-z0-9._-]+)(:[0-9]{1,5})?(/[A-Za-z0-9._~/-]*)?)?)$",
        allowed="http:// or https://, host, port and path, such as http://127.0.0.1:11434/v1; no user, no query",
    ),
    "model": Meaning(
        "The model to ask for, as that server names it; empty: none is asked.",
        pattern=r"^(?:[!-~]{0,200})$",
        allowed="up to 200 visible ASCII characters",
    ),
    "remote_host": Meaning(
        "The host of the URL, if it is another machine and statements may leave this one for it.",
        pattern=r"^(?:[a-z0-9._:-]{0,253})$",
        allowed="a host name or address in small letters, or empty",
    ),
    "key_file": Meaning(
        "File that holds the key to send, if DREAMD_DISTILLER_KEY does not; `$CREDENTIALS_DIRECTORY` is filled in.",
        pattern=r"^(?:[^\x00-\x1f]{0,4096})$",
        allowed="a path, or empty",
    ),
    "timeout_seconds": Meaning("Seconds for one question, from the first byte sent to the last received.", 0.1, 3_600),
    "run_seconds": Meaning("Seconds of a run after which no further question is begun.", 0, 86_400),
    "budget_tokens": Meaning(
        "Tokens, questions and answers together, that one run of a space may cost.", at_least=0, at_most=100_000_000
    ),
}

PROFILES: Mapping[str, Meaning] = {
    "generated": Meaning(
        "Which profiles of the memory are written for other agents, and where to (docs/profiles.md); empty: none.",
        pattern=r"^(?:[^\x00-\x1f]{0,8000})$",
        allowed="[SPACE:]NAME[=FOLDER], several separated by commas, such as claude-code, or empty",
    ),
}

REMOTE: Mapping[str, Meaning] = {
    "url": Meaning(
        "Where the memory of each space is pushed, `{space}` being its name; empty: nowhere.",
        pattern=rf"^(?:{address.ADDRESS})?$",
        allowed=f"{address.ALLOWED}; with {address.SPACE_MARK} in it",
    ),
    "spaces": Meaning(
        "Remotes of single spaces, before `url`: SPACE=ADDRESS, with blanks between; SPACE= for none.",
        pattern=rf"^(?:\s*[a-z0-9][a-z0-9._-]*=(?:{address.ADDRESS})?(?:\s|$))*\s*$",
        allowed=f"SPACE=ADDRESS pairs; an address: {address.ALLOWED}",
    ),
    "branch": Meaning(
        "The branch on the remote.",
        pattern=rf"^{address.BRANCH}$",
        allowed="letters, digits, `_`, `-`, and single `.` and `/` between them",
    ),
    "pull": Meaning("Whether what people pushed to the remote is taken in before a run."),
    "credentials": Meaning(
        "`none`: no Git configuration, credential helper or ssh agent is used; `mine`: those of whoever runs dreamd."
    ),
    "timeout_seconds": Meaning("Seconds that one connection to a remote may take.", 0.05, 3_600),
    "retry_minutes": Meaning("Minutes after a failure of a remote until the next try; doubles, up to a day.", 0, 1_440),
    "max_megabytes": Meaning("Megabytes that one pull may bring.", 0.01, 4_000),
}
