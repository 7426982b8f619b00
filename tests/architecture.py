"""The rules of the house as functions over source text (design, section 2); each answers with what it found wrong.

A rule reads the syntax tree, resolves names through the imports of the file, and so sees `dt.now` after
`from datetime import datetime as dt`, and does not see the `now` of anything else. A module is named without the import
package: `daemon.intake.git` is daemon/intake/git.py.
"""

import ast
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass

ROOMS = ("lifecycle", "reflection", "repo_export", "daemon")
MAY_IMPORT = {
    "lifecycle": {"lifecycle"},
    "reflection": {"lifecycle", "reflection"},
    "repo_export": {"lifecycle", "repo_export"},
    "daemon": {*ROOMS, "__version__"},
}
KEPT_TO = {  # libraries that only some modules may know
    "sqlmodel": ("daemon.storage",),
    "sqlalchemy": ("daemon.storage",),
    "alembic": ("daemon.storage",),
    "git": ("repo_export.git", "daemon.intake.git"),
    "gitdb": ("repo_export.git", "daemon.intake.git"),
}
CLOCK_MODULE = "daemon.clock"
CLOCK_READS = frozenset(
    {
        *(f"datetime.datetime.{name}" for name in ("now", "utcnow", "today")),
        "datetime.date.today",
        *(f"time.{name}" for name in ("time", "time_ns", "monotonic", "monotonic_ns", "localtime", "gmtime", "ctime")),
    }
)
STOPWATCHES = frozenset(  # they measure a cost, and tell no date
    f"time.{name}" for name in ("perf_counter", "perf_counter_ns", "process_time", "process_time_ns")
)
CHANCE = ("random", "secrets", "uuid.uuid1", "uuid.uuid4", "os.urandom", "numpy.random")
OUTSIDE = (  # what a pure room would touch the world with
    *("asyncio", "builtins", "ctypes", "fcntl", "glob", "http", "io", "logging", "mmap", "multiprocessing", "os"),
    *("pathlib", "platform", "shutil", "signal", "socket", "sqlite3", "subprocess", "sys", "tempfile", "threading"),
    *("time", "urllib", "warnings"),
)
OUTSIDE_BUILTINS = frozenset({"open", "print", "input", "breakpoint", "eval", "exec", "__import__"})
BLANKET = frozenset({"Exception", "BaseException"})
BLANKET_MODULE = "daemon.service"
MAX_LINES = 400


@dataclass(frozen=True, slots=True)
class Source:
    module: str
    text: str

    @property
    def room(self) -> str:
        return self.module.partition(".")[0]

    @property
    def tree(self) -> ast.Module:
        return ast.parse(self.text)


def imports(source: Source) -> Iterator[tuple[int, str]]:
    """Line and full name of everything that is imported; a relative import keeps its dots."""
    for node in ast.walk(source.tree):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = "." * node.level + (node.module or "")
            yield from ((node.lineno, f"{base}.{alias.name}") for alias in node.names)


def used_names(source: Source) -> Iterator[tuple[int, str]]:
    """Line and full name of every name in use that an import or a builtin explains, such as `time.time`."""
    known: dict[str, str] = {}
    tree = source.tree
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                root = alias.name.partition(".")[0]
                known[alias.asname or root] = alias.name if alias.asname else root
        elif isinstance(node, ast.ImportFrom) and not node.level:
            known.update({alias.asname or alias.name: f"{node.module}.{alias.name}" for alias in node.names})
    for node in ast.walk(tree):
        if isinstance(node, ast.Name | ast.Attribute):
            parts = _dotted(node)
            if parts:
                yield node.lineno, ".".join((known.get(parts[0], parts[0]), *parts[1:]))


def _dotted(node: ast.expr) -> tuple[str, ...]:
    """`a.b.c` as its parts; empty for anything that does not start with a plain name."""
    if isinstance(node, ast.Name):
        return (node.id,)
    if isinstance(node, ast.Attribute):
        front = _dotted(node.value)
        return (*front, node.attr) if front else ()
    return ()


def _within(name: str, names: tuple[str, ...]) -> bool:
    return any(name == each or name.startswith(f"{each}.") for each in names)


def wrong_prefixes(source: Source) -> list[str]:
    """Imports of a room without `dreamd.`: one file under two names is two modules with separate state."""
    return [
        f"{source.module}:{line} imports {name}; write dreamd.<room>..."
        for line, name in imports(source)
        if name.startswith(".") or name.partition(".")[0] in ROOMS
    ]


def wrong_arrows(source: Source) -> list[str]:
    """Imports against the arrows lifecycle <- reflection <- daemon and lifecycle <- repo_export <- daemon."""
    wrong: list[str] = []
    for line, name in imports(source):
        top, _, rest = name.partition(".")
        if top == "dreamd" and rest.partition(".")[0] not in MAY_IMPORT[source.room]:
            wrong.append(f"{source.module}:{line} imports {name}, against the arrows")
        elif source.room == "lifecycle" and top != "dreamd" and top not in sys.stdlib_module_names:
            wrong.append(f"{source.module}:{line} imports {name}; lifecycle knows only the standard library")
    return wrong


def strayed_libraries(source: Source) -> list[str]:
    """Libraries of storage and of Git, imported where nobody may know them."""
    return [
        f"{source.module}:{line} imports {name}; only {' and '.join(homes)} may"
        for line, name in imports(source)
        if (homes := KEPT_TO.get(name.partition(".")[0])) and not _within(source.module, homes)
    ]


def clock_reads(source: Source) -> list[str]:
    """Reads of the clock outside the one module that may; a stopwatch is fine in the shell."""
    if source.module == CLOCK_MODULE:
        return []
    banned = CLOCK_READS if source.room == "daemon" else CLOCK_READS | STOPWATCHES
    return [
        f"{source.module}:{line} reads {name}; `now` is given" for line, name in used_names(source) if name in banned
    ]


def chance(source: Source) -> list[str]:
    """Randomness in the three rooms whose answer is a function of what they are given."""
    if source.room == "daemon":
        return []
    named = {*imports(source), *used_names(source)}
    return [f"{source.module}:{line} uses {name}" for line, name in sorted(named) if _within(name, CHANCE)]


def touches_outside(source: Source) -> list[str]:
    """Files, output, processes, logs in lifecycle."""
    if source.room != "lifecycle":
        return []
    found = [(line, name) for line, name in imports(source) if _within(name, OUTSIDE)]
    found += [(line, name) for line, name in used_names(source) if name in OUTSIDE_BUILTINS]
    return [f"{source.module}:{line} uses {name}; lifecycle touches nothing outside" for line, name in found]


def blanket_excepts(source: Source) -> list[str]:
    """Handlers that swallow everything. One that ends in a bare `raise` only cleans up, and is none."""
    lines = [node.lineno for node in ast.walk(source.tree) if isinstance(node, ast.ExceptHandler) and _swallows(node)]
    for node in ast.walk(source.tree):
        if isinstance(node, ast.Call) and _dotted(node.func)[-1:] == ("suppress",):
            lines += [node.lineno for each in node.args if _dotted(each)[-1:] and _dotted(each)[-1] in BLANKET]
    return [f"{source.module}:{line} catches everything" for line in sorted(lines)]


def _swallows(handler: ast.ExceptHandler) -> bool:
    last = handler.body[-1]
    if isinstance(last, ast.Raise) and last.exc is None:
        return False
    if handler.type is None:
        return True
    caught = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
    return any(_dotted(each)[-1:] and _dotted(each)[-1] in BLANKET for each in caught)


def strayed_blanket_excepts(source: Source) -> list[str]:
    """Blanket handlers beyond the single one that the service loop may have."""
    found = blanket_excepts(source)
    return found[1:] if source.module == BLANKET_MODULE else found


def too_long(source: Source) -> list[str]:
    """A file over the ceiling: one idea a file."""
    count = len(source.text.splitlines())
    return [f"{source.module} has {count} lines; the ceiling is {MAX_LINES}"] if count > MAX_LINES else []


EVERYWHERE: tuple[Callable[[Source], list[str]], ...] = (wrong_prefixes, too_long)
IN_ROOMS: tuple[Callable[[Source], list[str]], ...] = (
    wrong_arrows,
    strayed_libraries,
    clock_reads,
    chance,
    touches_outside,
    strayed_blanket_excepts,
)
