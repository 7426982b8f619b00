"""What is a statement, by its shape."""

import pytest

from dreamd.lifecycle.words import EventKind
from dreamd.reflection.shape import inadmissible


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "empty"),
        ("  \n ", "empty"),
        ("---", "no words"),
        ("=== * ===", "no words"),
        ("wip", "one word"),
        ("$ npm run build", "command line"),
        ("git push origin main", "command line"),
        ("pip install redis", "command line"),
        ("sudo systemctl restart api", "command line"),
        ("cat log.txt | grep error", "command line"),
        ("DEBUG=1 python app.py", "command line"),
        ("make clean", "command line"),
        ("cd src/app && npm install\npytest -x", "command line"),
        ("## Next steps", "heading"),
        ("Next steps:", "heading"),
        ("**Executive summary**", "heading"),
        ("2026-01-05 12:00:01,123 INFO worker started", "log line"),
        ("2026-01-05T12:00:01Z [error] pool is full", "log line"),
        ("[INFO] Building jar", "log line"),
        ("vite v5.0.0 building\n[3/4] Linking dependencies...", None),
        ("[3/4] Linking dependencies...", "build line"),
        ("   Compiling serde v1.0.197", "build line"),
        ("Successfully built 4f1c2aa", "build line"),
        ("added 120 packages in 5s", "build line"),
        ("make[1]: Entering directory '/srv/app'", "build line"),
        ("dist/assets/index-4f1c.js  143.2 kB │ gzip: 46.1 kB", "build line"),
        ("tests/unit/test_a.py ..F.  [ 40%]", "build line"),
        ("===== 3 passed, 1 failed in 0.10s =====", "build line"),
        ("--- PASS: TestQueue (0.00s)", "build line"),
        ("gcc -O2 -c queue.c", "command line"),
        ("The cache is warm [score=0.912 recalls=0 avg=0.620]", "score metadata"),
        ("score: 0.91, recalls: 4, avg: 0.8", "score metadata"),
        ("https://example.org/a/b", "path or URL alone"),
        ("src/auth/login.py", "path or URL alone"),
        ("/etc/hosts", "path or URL alone"),
        ('{"level": "info", "n": 3}', "data"),
        ("diff --git a/x b/x\n@@ -1 +1 @@\n-a\n+b", "diff"),
        ('Traceback (most recent call last):\n  File "a.py", line 3\nValueError: no', "stack trace"),
        ("The cache is warm [source: session:s1; added: 2026-01-05]", "own output"),
        ("Keep it\n\nDreamd-Run: run_0123456789abcdef", "own output"),
    ],
)
def test_what_is_no_statement_is_told_why(text, reason):
    assert inadmissible(text, EventKind.OBSERVATION) == reason


@pytest.mark.parametrize(
    "text",
    [
        "The cache is warm",
        "fix(css): skip comma when matching css url (#4004)",
        "make hmr work with base",
        "git history shows that the port was never used",
        "npm install fails on Windows",
        "docker build failed because the disk was full",
        "Find the slow query first",
        "go with Redis",
        "node 18 is required",
        "Release 2.0.1 broke the login",
        "## Cause\nThe pool was exhausted by a leak",
        "The port is 8080: see the file",
        "max_connections = 50",
        "我们已经迁移到MySQL",
        "[skip ci] update the badge",
        "Building SeaMonkey 2.53 from source fails",
        "Set the score of spam to 5: mails over it are dropped",
        "The model has score=0.91 and recall=0.8 after we trained it on more data",
        "gcc 14 breaks the build",
        "Checking links takes ten minutes",
        "The worker dies on start\n  at run (worker.js:12:3)\n  at main (a.js:1:1)",
        "This hunk is wrong\n@@ -1 +1 @@\n-a\n+b",
    ],
)
def test_a_sentence_is_a_statement_even_if_it_speaks_of_commands(text):
    assert inadmissible(text, EventKind.COMMIT) is None


@pytest.mark.parametrize(
    "kind",
    [EventKind.DECISION, EventKind.PREFERENCE, EventKind.CORRECTION, EventKind.INTERVENTION, EventKind.RETRACTION],
)
def test_what_is_said_outright_is_taken_from_one_word_on(kind):
    assert inadmissible("PostgreSQL", kind) is None
    assert inadmissible("npm run build", kind) is None
    assert inadmissible(" ", kind) == "empty"


def test_a_person_may_paste_our_line_to_take_it_back():
    line = "The cache is warm [source: session:s1; added: 2026-01-05; id: cl_0123456789abcdef]"
    assert inadmissible(line, EventKind.RETRACTION) is None
    assert inadmissible(line, EventKind.DECISION) == "own output"


def test_the_id_of_a_claim_alone_is_not_our_output():
    assert inadmissible("I checked cl_0123456789abcdef and it holds", EventKind.OBSERVATION) is None
