"""The registry of functional predicates that dreamd ships, in the form in which a person edits it.

Tried in order, the first wording that fits decides. `dreamd predicates` prints what is in force.
"""

SHIPPED = """\
# Functional predicates: what holds for one value at a time, and how people word it. All else may stand side by side.
#
# [[predicate]]
# name      statements of one name and one subject fill one slot, whatever their wording
# wording   words; a|b are alternatives (a_b: two words), [...] may be left out; {subject}, {value}, and {old}: a value
#           given up. {value:SHAPE} narrows what fits: `dreamd predicates --shapes` lists the shapes.
# example   a sentence that the wording reads; checked
# subject   whom or what it is about, where the wording does not say it alone: "user", "{subject} port"
# plain     false: a plain observation ends no other; only a decision, a preference or a correction does
#
# [[kind]]
# name      things of which one takes the place of another ("migrated to MySQL" after "PostgreSQL")
# members   how they are spelled, whatever the language around them
#
# In a file of your own: `shipped = false` leaves out all rows below, `without = ["lives in"]` those of a name.
# Your rows come first.

[[predicate]]
name = "use"
wording = "use|adopt|choose|pick|prefer {value} for|as {subject}"
example = "Use SQLite for the task queue"

[[predicate]]
name = "use"
wording = "go|went with {value} for|as {subject}"
example = "Go with Redis for sessions"

[[predicate]]
name = "use"
wording = "{value:two} is [now] used for|as {subject}"
example = "PostgreSQL is used for the task queue"

[[predicate]]
name = "use"
wording = "{subject:ours} now|currently uses|use {value}"
example = "The task queue now uses PostgreSQL"

[[predicate]]
name = "version"
wording = "bump|upgrade|downgrade|update|pin [dependency] {subject:package} [from {old:version}] to {value:version}"
example = "Bump ruff from 0.4.10 to 0.5.0"

[[predicate]]
name = "version"
wording = "upgrade|update|downgrade|migrate|move|switch|bump [from {old:versions}] to {subject:package} {value:version}"
example = "Upgrade to TypeScript 5.4"

[[predicate]]
name = "use"
wording = "switch|migrate|move {subject:ours} [over_from|from {old}] to {value}"
example = "Switch the task queue from SQLite to PostgreSQL"

[[predicate]]
name = "use"
wording = "switch|switched|migrate|migrated|move|moved [from {old}] to {value} for|as {subject}"
example = "Switch from SQLite to PostgreSQL for the task queue"

[[predicate]]
name = "use"
wording = "replace {old} with|by {value} for|as {subject}"
example = "Replace SQLite with PostgreSQL for the task queue"

[[predicate]]
name = "with"
wording = "{subject:deed} with {value:thing}"
example = "Render PDFs with wkhtml"

[[predicate]]
name = "is"
wording = "set|change|update|raise|lower|reduce|increase|decrease|limit|cap {subject} [from {old}] to {value:scalar}"
example = "Raise the pool size from 10 to 20"

[[predicate]]
name = "is"
wording = "set {subject:no_up} to {value:setting}"
example = "Set the log level to debug"

[[predicate]]
name = "is"
wording = "change {subject:attribute} to {value}"
example = "Change the default branch to main"

[[predicate]]
name = "is"
wording = "keep|leave {subject} at {value:scalar}"
example = "Keep the pool size at 20"

[[predicate]]
name = "is"
wording = "{subject:key} = {value}"
example = "max_connections = 50"

[[predicate]]
name = "starts at"
wording = "{subject} [now] starts|runs|begins at {value:clock}"
example = "The import starts at 03:00"

[[predicate]]
name = "is"
wording = "{subject} [now] listens on [port] {value:word}"
example = "The API listens on port 8080"
subject = "{subject} port"

[[predicate]]
name = "expires after"
wording = "{subject} [now] expire|expires after {value:scalar}"
example = "Sessions expire after 30 minutes"

[[predicate]]
name = "is"
wording = "{subject} [now] times_out|time_out after {value:scalar}"
example = "The gateway times out after 30 seconds"
subject = "{subject} timeout"

[[predicate]]
name = "is kept for"
wording = "{subject} is|are [now] kept|retained for {value:scalar}"
example = "Backups are kept for 30 days"

[[predicate]]
name = "is"
wording = "{subject} is|are [now] due [on|by] {value:date}"
example = "The audit report is due on 2026-10-15"
subject = "{subject} deadline"

[[predicate]]
name = "is"
wording = "{subject} is|are [now|set_to|now_set_to] {value:scalar}"
example = "The access token lifetime is 2 hours"

[[predicate]]
name = "is"
wording = "{subject:the_attribute} is [now] {value:said}"
example = "The default branch is main"

[[predicate]]
name = "is"
wording = "{value:name} [now] owns|maintains|leads {subject:ours}"
example = "Dana owns the billing service"
subject = "{subject} owner"

[[predicate]]
name = "is"
wording = "{subject:ours} is [now] owned|maintained|led by {value:name}"
example = "The billing service is owned by Dana"
subject = "{subject} owner"

[[predicate]]
name = "is"
wording = "{subject:ours} is|are [now] hosted|located|deployed|stored in|on {value}"
example = "The billing service is hosted in eu-west-1"
subject = "{subject} location"

[[predicate]]
name = "lives in"
wording = "{subject:person} [now] live|lives in {value:name}"
example = "Dana lives in San Francisco"

[[predicate]]
name = "lives in"
wording = "{subject:one_person} moved to {value:name}"
example = "Dana moved to New York"

[[predicate]]
name = "works at"
wording = "{subject:person} [now] work|works at|for {value:name}"
example = "Dana works at Google"

[[predicate]]
name = "works at"
wording = "{subject:person} joined|joins {value:name}"
example = "Dana joined Microsoft"

[[predicate]]
name = "works at"
wording = "work|works|working at|for {value:name}"
example = "Work at Google"
subject = "user"

[[predicate]]
name = "works at"
wording = "joined {value:name}"
example = "Joined Microsoft"
subject = "user"

[[kind]]
name = "database"
members = ["PostgreSQL", "MySQL", "MariaDB", "SQLite", "MongoDB", "CockroachDB", "DynamoDB", "Cassandra", "Oracle"]

[[kind]]
name = "message broker"
members = ["RabbitMQ", "Kafka", "NATS", "ActiveMQ", "Pulsar"]

[[kind]]
name = "cloud"
members = ["AWS", "GCP", "Azure", "Hetzner", "DigitalOcean"]

[[kind]]
name = "package manager"
members = ["npm", "pnpm", "yarn", "bun"]

[[kind]]
name = "python packaging"
members = ["pip", "poetry", "pipenv", "uv", "pdm"]

[[kind]]
name = "code host"
members = ["GitHub", "GitLab", "Bitbucket", "Gitea"]
"""
