"""The words of paths, edited freely: canonical forms of folders and files that say little, or say it of another.

Kept apart from the rules that use them (paths.py, layout.py).
"""

# fmt: off

# Folders that say how a repository is laid out, not what it is about; skipped at the front of a path.
CONTAINERS = frozenset([
    "app", "apps", "cmd", "components", "crates", "internal", "java", "kotlin", "lib", "libs", "main", "module",
    "modules", "package", "packages", "pkg", "pkgs", "python", "services", "source", "sources", "spec", "specs",
    "src", "test", "testing", "tests",
])

# Folders of what is written about something else: its tests, documents and examples. They have no say beside it.
ASIDES = frozenset([
    "bench", "benches", "benchmarks", "demo", "demos", "doc", "docs", "documentation", "e2e", "example", "examples",
    "fixtures", "guide", "guides", "mocks", "playground", "playgrounds", "sample", "samples", "snapshots", "spec",
    "specs", "test", "testing", "tests",
])

# Folders that say where code runs or what kind of thing it is, not what about; skipped inside a component.
LAYERS = frozenset([
    "backend", "browser", "client", "command", "commands", "common", "core", "frontend", "middleware", "middlewares",
    "node", "plugin", "plugins", "server", "shared",
])

# Files that change along with anything: they have no vote.
COMPANIONS = frozenset([
    "bun_lock", "cargo_lock", "changelog", "changelog_md", "changes_md", "composer_lock", "gemfile_lock", "go_sum",
    "npm_shrinkwrap_json", "package_lock_json", "pnpm_lock_yaml", "poetry_lock", "uv_lock", "yarn_lock",
])

# Never a target when dreamd finds the name itself.
STOP_NAMES = frozenset([
    "common", "conftest", "data", "helper", "helpers", "index", "init", "license", "main", "misc", "mod", "new",
    "old", "package", "pyproject", "readme", "setup", "shared", "temp", "tmp", "tsconfig", "types", "util", "utils",
    "version",
])

# Files that declare the folder which holds them to be a unit of its own.
MANIFESTS = frozenset([
    "build_bazel", "build_gradle", "build_gradle_kts", "cargo_toml", "cmakelists_txt", "composer_json", "deno_json",
    "gemfile", "go_mod", "mix_exs", "package_json", "pom_xml", "project_clj", "pubspec_yaml", "pyproject_toml",
    "setup_py",
])

# Stems of files that stand for the folder that holds them; not canonical, for `init.py` is no `__init__.py`.
SELF_STEMS = frozenset([
    "__init__", "__main__", "index", "main", "mod", "readme",
])
