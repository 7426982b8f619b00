"""The settings of a home: defaults, then `dreamd.toml`, then `DREAMD_*`, checked whole before anything uses them.

A number lives once, in its dataclass (`Policy`, `Limits`, `Channels`); the models that check are built from those.
All problems are reported at once, each with what was found, what is allowed and where it came from. Importing this
module costs about 0.2 CPU seconds, so a command does so only when it runs.
"""

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import Field as DataField
from dataclasses import dataclass, field, fields, replace
from difflib import get_close_matches
from enum import StrEnum
from pathlib import Path
from typing import Any, Literal, get_args, get_type_hints

from pydantic import BaseModel, ConfigDict, Field, ValidationError, create_model
from pydantic_settings import (
    BaseSettings,
    EnvSettingsSource,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
    TomlConfigSettingsSource,
)

from dreamd.daemon import settings_fields
from dreamd.daemon.distiller.address import KEY_VARIABLE, Distilling
from dreamd.daemon.errors import Configuration
from dreamd.daemon.home import Home
from dreamd.daemon.intake.limits import Limits
from dreamd.daemon.predicates import read_predicates
from dreamd.daemon.profile_wishes import problems_with
from dreamd.daemon.remotes.choice import Remotes, problem_of
from dreamd.daemon.settings_fields import Meaning
from dreamd.lifecycle.policy import Policy
from dreamd.lifecycle.words import Actor
from dreamd.repo_export.remotes.address import hide_credentials

PREFIX = "DREAMD_"
NOT_SETTINGS = frozenset(
    {"DREAMD_HOME", "DREAMD_SPACE", "DREAMD_JSON", "DREAMD_NOW", "DREAMD_FAILPOINT", "DREAMD_DEBUG", KEY_VARIABLE}
)
WEIGHT_SUM_TOLERANCE = 1e-9  # what adding three floats may be off by
SHOWN_CHARACTERS = 80  # of a value that is quoted back
_USER_IN_URL = re.compile(r"//[^/]*@")  # may hold a password

Origin = Literal["default", "file", "environment"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Channels:
    """The most trusted actor that comes through each channel; an event that names a more trusted one is capped."""

    jsonl: Actor = Actor.AGENT
    git: Actor = Actor.AGENT
    cli: Actor = Actor.USER
    transcripts: Actor = Actor.USER


@dataclass(frozen=True, slots=True, kw_only=True)
class Embedding:
    """What compares texts in meaning, where the rules leave a pair open."""

    embedder: str = "auto"
    fetch: Literal["no", "yes"] = "no"


@dataclass(frozen=True, slots=True, kw_only=True)
class Retention:
    """For how many days what a run leaves behind is kept; 0: for ever. See retention.py."""

    reports_days: float = 0.0
    attempts_days: float = 0.0
    changes_days: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Profiles:
    """The memory once more, in the form of one agent or another."""

    generated: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    policy: Policy = field(default_factory=Policy)
    limits: Limits = field(default_factory=Limits)
    channels: Channels = field(default_factory=Channels)
    embedding: Embedding = field(default_factory=Embedding)
    distiller: Distilling = field(default_factory=Distilling)
    retention: Retention = field(default_factory=Retention)
    profiles: Profiles = field(default_factory=Profiles)
    remote: Remotes = field(default_factory=Remotes)


@dataclass(frozen=True, slots=True, kw_only=True)
class Loaded:
    settings: Settings
    origins: Mapping[str, Origin]  # by the dotted name of every setting

    def policy(self) -> Policy:
        return self.settings.policy


@dataclass(frozen=True, slots=True, kw_only=True)
class Described:
    """One setting, as the reference and `dreamd settings` show it."""

    name: str  # dotted, such as "policy.stretch_max"
    variable: str  # such as "DREAMD_POLICY__STRETCH_MAX"
    default: int | float | str
    allowed: str
    text: str


GROUPS: Mapping[str, tuple[type[Any], Mapping[str, Meaning]]] = {
    "policy": (Policy, settings_fields.POLICY),
    "limits": (Limits, settings_fields.LIMITS),
    "channels": (Channels, settings_fields.CHANNELS),
    "embedding": (Embedding, settings_fields.EMBEDDING),
    "distiller": (Distilling, settings_fields.DISTILLER),
    "retention": (Retention, settings_fields.RETENTION),
    "profiles": (Profiles, settings_fields.PROFILES),
    "remote": (Remotes, settings_fields.REMOTE),
}


def load(home: Home, environ: Mapping[str, str]) -> Loaded:
    """The settings of `home` under `environ`; raises one Configuration error that names every problem."""
    problems: list[str] = []
    in_file = _known_in_file(home.settings_file, problems)
    in_environ = _known_in_environ(environ, problems)
    given = {**in_file, **in_environ}
    origins: dict[str, Origin] = {name: "default" for name in _BY_NAME}
    origins.update(dict.fromkeys(in_file, "file"))
    origins.update(dict.fromkeys(in_environ, "environment"))
    settings, refused = _checked(given, origins)
    problems += refused.values()
    predicates, wrong = read_predicates(home)
    problems += wrong
    problems += problems_with(settings.profiles.generated, home)
    problems += (text for names, text in _contradictions(settings.policy) if not refused.keys() & set(names))
    wrong_remote = problem_of(settings.remote)
    problems += [] if wrong_remote is None else [f"{wrong_remote[0]} {wrong_remote[1]}"]
    if problems:
        listed = "\n".join(f"  {problem}" for problem in problems)
        plural = "problem" if len(problems) == 1 else "problems"
        raise Configuration(f"{len(problems)} {plural} in the settings:\n{listed}", _remedy(home, problems, origins))
    policy = replace(settings.policy, predicates=predicates)
    return Loaded(settings=replace(settings, policy=policy), origins=origins)


def _remedy(home: Home, problems: list[str], origins: Mapping[str, Origin]) -> str:
    """Where to mend: the variables, the file, or both."""
    ours = [name for name, origin in origins.items() if origin == "environment"]
    words = {problem.split()[0] for problem in problems}
    variables = sorted({word for word in words if word.upper().startswith(PREFIX)})
    variables += [_BY_NAME[name].variable for name in ours if name in words]
    parts = [f"unset {' '.join(variables)}"] if variables else []
    in_registry = sum(problem.endswith(f"(in {home.predicates_file.name})") for problem in problems)
    if len(variables) < len(problems) - in_registry:
        parts.append(f"edit {home.settings_file}")
    if in_registry:
        parts.append(f"edit {home.predicates_file}; see: dreamd predicates --shipped")
    return "; ".join(parts)


def described() -> tuple[Described, ...]:
    """Every setting in the order of its group and dataclass."""
    return tuple(_BY_NAME.values())


def value_of(settings: Settings, name: str) -> int | float | str:
    """The value of the setting with the dotted `name`."""
    group, key = name.split(".")
    value: int | float | str = getattr(getattr(settings, group), key)
    return value


def shown_value(settings: Settings, name: str) -> int | float | str:
    """`value_of`, without what lets somebody in."""
    value = value_of(settings, name)
    return hide_credentials(value) if isinstance(value, str) else value


def template() -> str:
    """A `dreamd.toml` that holds every setting with its meaning, commented out at its default."""
    lines = [
        "# Settings of dreamd. Remove the '#' before a name to set it; DREAMD_<GROUP>__<NAME> in the environment wins."
    ]
    group = ""
    for each in described():
        if not each.name.startswith(f"{group}."):
            group = each.name.split(".")[0]
            lines += ["", f"[{group}]"]
        shown = f'"{each.default}"' if isinstance(each.default, str) else repr(each.default)
        lines += ["", f"## {each.text} Allowed: {each.allowed}.", f"# {each.name.split('.')[1]} = {shown}"]
    return "\n".join(lines) + "\n"


def _numbers_of(values: type[Any]) -> Iterator[DataField[Any]]:
    """The fields of `values` that are set one by one: the registry of predicates has a file of its own."""
    return (each for each in fields(values) if each.name != "predicates")


def _model_of(values: type[Any], meanings: Mapping[str, Meaning]) -> type[BaseModel]:
    """A model with the fields, types and defaults of the dataclass `values`, bounded as `meanings` say."""
    hints = get_type_hints(values)
    definitions: dict[str, Any] = {}
    for each in _numbers_of(values):
        meaning = meanings[each.name]
        bounds: dict[str, Any] = {"ge": meaning.at_least, "le": meaning.at_most, "pattern": meaning.pattern}
        known = {name: bound for name, bound in bounds.items() if bound is not None}
        definitions[each.name] = (hints[each.name], Field(default=each.default, description=meaning.text, **known))
    return create_model(values.__name__, __config__=ConfigDict(extra="forbid"), **definitions)


class _Sourced(BaseSettings):
    """Takes only what it is given: `load` reads file and environment itself, to know what came from where."""

    model_config = SettingsConfigDict(env_prefix=PREFIX, env_nested_delimiter="__", extra="forbid")

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        *_args: Any,
        **_named: Any,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        return (init_settings,)


_MODEL: type[BaseSettings] = create_model(
    "Settings",
    __base__=_Sourced,
    **{group: (model, model()) for group, values in GROUPS.items() for model in (_model_of(*values),)},  # type: ignore[call-overload]
)


class _GivenEnvironment(EnvSettingsSource):
    """Reads the environment that it is given, not the one of the process."""

    def __init__(self, environ: Mapping[str, str]) -> None:
        self._given = environ
        super().__init__(_MODEL)

    def _load_env_vars(self) -> Mapping[str, str | None]:
        return {name.lower(): value for name, value in self._given.items()}


def _describe(group: str, key: str, hint: Any, default: Any, meaning: Meaning) -> Described:
    if isinstance(hint, type) and issubclass(hint, StrEnum):
        allowed = ", ".join(hint)
    elif meaning.allowed is not None:
        allowed = meaning.allowed
    elif get_args(hint):
        allowed = ", ".join(get_args(hint))
    else:
        kind = "whole number" if hint is int else "number"
        allowed = f"{kind} from {meaning.at_least:g} to {meaning.at_most:g}"
    return Described(
        name=f"{group}.{key}",
        variable=f"{PREFIX}{group}__{key}".upper(),
        default=default,
        allowed=allowed,
        text=meaning.text,
    )


def _all_described() -> Iterator[Described]:
    for group, (values, meanings) in GROUPS.items():
        hints = get_type_hints(values)
        for each in _numbers_of(values):
            yield _describe(group, each.name, hints[each.name], each.default, meanings[each.name])


_BY_NAME: Mapping[str, Described] = {each.name: each for each in _all_described()}
_BY_VARIABLE: Mapping[str, str] = {each.variable: each.name for each in _BY_NAME.values()}


def _known_in_file(file: Path, problems: list[str]) -> dict[str, object]:
    """The settings in `file` by dotted name; unknown names, and a file that cannot be read, go to `problems`."""
    try:
        tables = TomlConfigSettingsSource(_MODEL, toml_file=file)()
    except tomllib.TOMLDecodeError as error:
        problems.append(f"{file} is no TOML: {error}")
        return {}
    except (OSError, UnicodeDecodeError) as error:
        problems.append(f"{file} cannot be read: {error}")
        return {}
    known: dict[str, object] = {}
    for group, table in tables.items():
        entries = table if isinstance(table, dict) else {"": table}
        for key, value in entries.items():
            name = f"{group}.{key}" if key else group
            if name in _BY_NAME:
                known[name] = value
            else:
                problems.append(f"{name} is no setting (from {file.name}){_nearest(name, _BY_NAME)}")
    return known


def _known_in_environ(environ: Mapping[str, str], problems: list[str]) -> dict[str, object]:
    """The settings in `environ` by dotted name; `DREAMD_*` variables that are none go to `problems`."""
    ours: dict[str, str] = {}
    for variable, value in sorted(environ.items()):
        if not variable.upper().startswith(PREFIX) or variable.upper() in NOT_SETTINGS:
            continue
        if variable.upper() in _BY_VARIABLE:
            ours[variable] = value
        else:
            nearest = _nearest(variable.upper(), [*_BY_VARIABLE, *NOT_SETTINGS])
            problems.append(f"{variable} is no setting (from the environment){nearest}")
    nested = _GivenEnvironment(ours)()
    return {f"{group}.{key}": value for group, table in nested.items() for key, value in table.items()}


def _nearest(name: str, names: Mapping[str, object] | list[str]) -> str:
    close = get_close_matches(name, list(names), n=1)
    return f"; did you mean {close[0]}?" if close else f"; see: dreamd settings ({len(_BY_NAME)} of them)"


def _checked(given: Mapping[str, object], origins: Mapping[str, Origin]) -> tuple[Settings, dict[str, str]]:
    """The settings with what is good in `given`, and a problem for each name that is not."""
    refused = {name: _problem(name, value, origins) for name, value in given.items() if isinstance(value, bool)}
    good = {name: value for name, value in given.items() if name not in refused}
    try:
        model = _MODEL(**_nested(good))
    except ValidationError as error:
        for each in error.errors():
            name = ".".join(str(part) for part in each["loc"][:2])
            refused[name] = _problem(name, given[name], origins)
        model = _MODEL(**_nested({name: value for name, value in good.items() if name not in refused}))
    groups = {group: values(**getattr(model, group).model_dump()) for group, (values, _) in GROUPS.items()}
    return Settings(**groups), refused


def _nested(flat: Mapping[str, object]) -> dict[str, Any]:
    tables: dict[str, Any] = {group: {} for group in GROUPS}
    for name, value in flat.items():
        group, key = name.split(".")
        tables[group][key] = value
    return tables


def _problem(name: str, value: object, origins: Mapping[str, Origin]) -> str:
    each = _BY_NAME[name]
    origin = {"file": "from dreamd.toml", "environment": f"from {each.variable}", "default": "the default"}[
        origins[name]
    ]
    shown = _USER_IN_URL.sub("//***@", repr(value))[:SHOWN_CHARACTERS]
    return f"{name} is {shown} ({origin}); allowed: {each.allowed}"


def _contradictions(policy: Policy) -> Iterator[tuple[tuple[str, ...], str]]:
    """What the numbers of `policy` say against each other: the names involved and the problem."""
    orders = (
        ("decaying_after_days", "<", "dormant_after_days", "a stream decays before it is dormant"),
        ("faded_below_confidence", "<=", "min_base_confidence", "nothing fades at its birth"),
        ("fuse_run_share", "<=", "fuse_week_share", "a window of runs holds at least one run"),
    )
    for low_name, sign, high_name, why in orders:
        low, high = getattr(policy, low_name), getattr(policy, high_name)
        if low > high or (low == high and sign == "<"):
            first, second = f"policy.{low_name}", f"policy.{high_name}"
            yield (
                (first, second),
                f"{first} is {low:g}, {second} is {high:g}; allowed: {first} {sign} {second}, since {why}",
            )
    names = ("policy.utility_weight", "policy.removal_cost_weight", "policy.stability_weight")
    total = policy.utility_weight + policy.removal_cost_weight + policy.stability_weight
    if abs(total - 1.0) > WEIGHT_SUM_TOLERANCE:
        yield names, f"{', '.join(names)} sum to {total:g}; allowed: a sum of 1, since confidence is a share"
