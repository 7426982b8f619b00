"""Which statements say the same, and what keeps those apart that do not."""

from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dreamd.reflection.duplicates.groups import MAX_MEMBERS, Said, grouped
from dreamd.reflection.duplicates.guards import GUARDS
from dreamd.reflection.duplicates.reading import reading_of
from dreamd.reflection.duplicates.score import MIN_SCORE, judge
from dreamd.reflection.text_keys import group_key, text_key
from tests.builders import START

SAME = (
    ("The indexer retries failed uploads 7 times", "Failed uploads: the indexer retries them 7 times"),
    ("The nightly backup of orders is written by the archiver", "The archiver writes the nightly backup of orders"),
    ("The ledger doesn't accept refunds older than 30 days", "The ledger does not accept refunds older than 30 days"),
    ("Nobody may delete a snapshot of the ledger", "No one may delete a snapshot of the ledger"),
    ("The repo keeps its configuration in one directory", "The repository keeps its config in one folder"),
    ("Two workers read the queue of the mailer", "2 workers read the queue of the mailer"),
    ("The mailer sends reports and invoices", "The mailer sends invoices and reports"),
    (
        "When the disk is full, the recorder drops the oldest jobs",
        "The recorder drops the oldest jobs when the disk is full",
    ),
)
DIFFERENT = {
    "revert": ("Retry failed uploads of the mailer", 'Revert "Retry failed uploads of the mailer"'),
    "commit": ("feat(mailer): retry with backoff", "feat(ledger): retry with backoff"),
    "polarity": ("The ledger is encrypted at rest", "The ledger is not encrypted at rest"),
    "number": ("The recorder keeps 7 days of logs", "The recorder keeps 8 days of logs"),
    "date": ("The freeze of the ledger begins on Monday", "The freeze of the ledger begins on Tuesday"),
    "identifier": (
        "The build of the ledger reads app_one.toml first",
        "The build of the ledger reads app_two.toml first",
    ),
    "quote": ('The ledger logs "slow write" at night', 'The ledger logs "slow read" at night'),
    "modality": ("The ledger must be restarted at night", "The ledger may be restarted at night"),
    "opposite": ("The ledger runs migrations before every deploy", "The ledger runs migrations after every deploy"),
    "logic": ("Restart the worker if the queue is full", "Restart the worker unless the queue is full"),
    "turn": ("The service failed to start after the upgrade", "The service started after the upgrade"),
    "degree": ("The backup of the ledger rarely fails", "The backup of the ledger fails"),
    "preposition": ("Events of the ledger are sent by the mailer", "Events of the ledger are sent to the mailer"),
    "sign": ("The build of the ledger needs Java > 17", "The build of the ledger needs Java < 17"),
    "name": ("The alerts of the ledger go to Alice these days", "The alerts of the ledger go to Bob these days"),
    "substitution": ("The ledger uses the red line for alerts", "The ledger uses the blue line for alerts"),
    "order": ("The ledger depends on the mailer", "The mailer depends on the ledger"),
}
# Each kind by further examples: the guard that tells them apart is one of several, so none is named.
KINDS = (
    ("Review is required except for docs changes", "Review is required for docs changes"),
    ("Only admins may delete snapshots", "Admins may delete snapshots"),
    ("Run the tests until the build is green", "Run the tests while the build is green"),
    ("Restart the worker before the queue is drained", "Restart the worker until the queue is drained"),
    ("Deploy the ledger without the mailer", "Deploy the ledger with the mailer"),
    ("Alert the team whether or not the queue is full", "Alert the team if the queue is full"),
    ("Owners and admins may delete snapshots", "Owners or admins may delete snapshots"),
    ("Avoid using threads", "Using threads"),
    ("The worker stopped reading the queue of orders", "The worker is reading the queue of orders"),
    ("The proxy refuses to forward requests of guests", "The proxy forwards requests of guests"),
    ("The recorder forgot to close the files of the ledger", "The recorder closes the files of the ledger"),
    ("The mailer declines to send invoices at night", "The mailer sends invoices at night"),
    ("Prevent the recorder from writing to the ledger", "The recorder is writing to the ledger"),
    ("Skip the integration tests on the release branch", "The integration tests on the release branch"),
    ("The lack of backups of the ledger", "The backups of the ledger"),
    ("The disk of the recorder is almost full", "The disk of the recorder is full"),
    ("The disk of the recorder is nearly full", "The disk of the recorder is full"),
    ("The tests of the ledger sometimes fail", "The tests of the ledger always fail"),
    ("The tests of the ledger often fail", "The tests of the ledger fail"),
    ("The disk of the recorder is hardly used", "The disk of the recorder is not used"),
    ("Log in as root to rotate the keys", "Log in to root to rotate the keys"),
    ("Copy the tables from staging to backup", "Copy the tables to staging from backup"),
    ("Turn on the worker on demand of the ledger", "Turn off the worker on demand of the ledger"),
    ("Scale up the pool when up to date", "Scale down the pool when up to date"),
    ("Requires Java >= 17", "Requires Java <= 17"),
    ("Requires Java >= 17", "Requires Java > 17"),
    ("Requires Java ≥ 17", "Requires Java ≤ 17"),
    ("Requires Java = 17", "Requires Java != 17"),
    ("The clock of the ledger is 5 s off", "The clock of the ledger is ±5 s off"),
    ("Set the offset of the clock to -5", "Set the offset of the clock to 5"),
    ("Set the offset of the clock to −5", "Set the offset of the clock to 5"),
    ("Set the timeout to 30 s", "Set the timeout to 30 ms"),
    ("Wait 5 m", "Wait 5 h"),
    ("Wait 5 min before the deploy", "Wait 5 h before the deploy"),
    ("Keep the logs of the ledger for 5 d", "Keep the logs of the ledger for 5 h"),
    ("The heap of the ledger is 4 GB", "The heap of the ledger is 4 MB"),
    ("The heap of the ledger is 4 G", "The heap of the ledger is 4 T"),
    ("The heap of the ledger is 4 MB", "The heap of the ledger is 4 Mb"),
    ("The heap of the ledger is 4MB", "The heap of the ledger is 4Mb"),
    ("Send 5 % of traffic to the canary", "Send 5 of traffic to the canary"),
    ("The room is held at 20 °C", "The room is held at 20 °F"),
    ("Turn the camera by 20°", "Turn the camera by 20"),
    ("Der Dienst startet nicht nach dem Upgrade", "Der Dienst startet nach dem Upgrade"),
    ("Der Dienst hat keinen Zugriff auf die Datenbank", "Der Dienst hat Zugriff auf die Datenbank"),
    ("Nur Admins dürfen Schnappschüsse löschen", "Admins dürfen Schnappschüsse löschen"),
    ("Das Backup läuft ohne Sperre der Tabelle", "Das Backup läuft mit Sperre der Tabelle"),
    ("Das Backup läuft nie in der Nacht", "Das Backup läuft in der Nacht"),
    ("Le service ne démarre pas après la mise à jour", "Le service démarre après la mise à jour"),
    ("Le service n'écrit jamais dans la base", "Le service écrit dans la base"),
    ("Le service démarre sans la base de test", "Le service démarre avec la base de test"),
    ("O serviço não inicia depois da atualização", "O serviço inicia depois da atualização"),
    ("O serviço inicia sem a base de dados", "O serviço inicia com a base de dados"),
    ("Usługa nie uruchamia się po aktualizacji", "Usługa uruchamia się po aktualizacji"),
    ("De dienst start niet na de upgrade", "De dienst start na de upgrade"),
    ("De dienst heeft geen toegang tot de database", "De dienst heeft toegang tot de database"),
    ("Tjänsten startar inte efter uppgraderingen", "Tjänsten startar efter uppgraderingen"),
    ("Сервис не запускается после обновления", "Сервис запускается после обновления"),
    ("El servicio nunca arranca después de la actualización", "El servicio arranca después de la actualización"),
    ("El servicio arranca sin la base de datos", "El servicio arranca con la base de datos"),
    ("Il servizio non parte dopo l'aggiornamento", "Il servizio parte dopo l'aggiornamento"),
    ("Il servizio parte senza la base di dati", "Il servizio parte con la base di dati"),
)
FURTHER = (
    ("commit", "refactor: remove deprecated parser of the ledger", "refactor: deprecate the parser of the ledger"),
    ("revert", "fix: revert setup of the ledger before tests", "fix: setup of the ledger before tests"),
    ("polarity", "Add a test for customized exceptions of it", "Add a test for non-customized exceptions of it"),
    ("number", "The build needs gelt 2.4.1 to run", "The build needs gelt 2.5.1 to run"),
    ("number", "The certificate of the ledger ends on 2026-10-15", "The certificate of the ledger ends on 2026-10-16"),
    ("number", "The timeout of the ledger is 30s", "The timeout of the ledger is 30ms"),
    ("number", "build: update gelt to afacf03", "build: update gelt to e9949aa"),
    ("number", "The ledger keeps its logs", "The ledger keeps its logs for 7 days"),
    ("polarity", "Restarts of the ledger are allowed", "Restarts of the ledger are not allowed"),
    ("polarity", "The ledger never sends mail at night", "The ledger sends mail at night"),
    (
        "opposite",
        "The cache of the ledger is enabled in production",
        "The cache of the ledger is disabled in production",
    ),
    ("opposite", "The ledger stays available during upgrades", "The ledger stays unavailable during upgrades"),
    ("opposite", "Move the ledger from Redis", "Move the ledger to Redis"),
    ("order", "The ledger sends events to the mailer", "The mailer sends events to the ledger"),
    ("order", "Prefer Redis over Postgres for sessions", "Prefer Postgres over Redis for sessions"),
    ("substitution", "x² is the area of the tile", "x2 is the area of the tile"),
    ("substitution", "The user prefers Basketball on weekends", "The user prefers Tennis on weekends"),
    ("substitution", "Alice is the CEO of Acme", "Alice is the CTO of Acme"),
)


def verdict(one, other):
    return judge(reading_of(text_key(one)), reading_of(text_key(other)))


@pytest.mark.parametrize(("one", "other"), SAME)
def test_what_keeps_every_number_name_polarity_and_content_word_says_the_same(one, other):
    assert verdict(one, other).is_same
    assert verdict(one, other).guard == ""


@pytest.mark.parametrize("guard", DIFFERENT)
def test_a_guard_keeps_apart_what_the_score_would_merge_and_is_named(guard):
    found = verdict(*DIFFERENT[guard])
    assert found.score >= MIN_SCORE
    assert (found.guard, found.is_same) == (guard, False)
    assert found.difference


def test_every_guard_has_its_pair():
    assert DIFFERENT.keys() == GUARDS.keys()


@pytest.mark.parametrize(("guard", "one", "other"), FURTHER)
def test_one_difference_that_matters_is_enough(guard, one, other):
    found = verdict(one, other)
    assert not found.is_same
    assert found.guard in (guard, "name", "identifier", "")  # "": so few words are shared that no guard is asked


@pytest.mark.parametrize(("one", "other"), KINDS)
def test_a_word_or_sign_that_turns_the_meaning_keeps_apart(one, other):
    assert not verdict(one, other).is_same
    assert not verdict(other, one).is_same
    assert len(set(grouped("s", [said(one), said(other, 1)]).group_key.values())) == len({one, other})


def test_a_unit_says_the_same_however_it_is_spelled():
    assert verdict("Wait 5 min before the deploy", "Before the deploy, wait 5 min").is_same
    assert verdict("Send 5 percent of traffic to the canary", "Send 5 % of traffic to the canary").is_same
    assert verdict("Send 5 percent of traffic to the canary", "To the canary send 5 % of traffic").is_same
    assert verdict("The build of the ledger needs Java ≥ 17", "The build of the ledger needs Java >= 17").is_same


def test_a_clause_of_time_that_only_a_long_statement_has_is_a_detail():
    bare = "The workers that read the queue of the mailer write their reports to the ledger at night"
    assert verdict(bare, f"{bare} after a deploy").is_same
    assert not verdict(f"{bare} before a deploy", f"{bare} after a deploy").is_same
    assert not verdict(bare, f"{bare} unless a deploy").is_same
    assert not verdict("Restart the ledger after the upgrade", "Restart the ledger: the upgrade").is_same


def test_a_spelled_number_that_only_a_long_statement_has_is_a_detail_unless_something_stands_in_its_place():
    bare = "The workers that read the queue of the mailer write their reports to the ledger at night"
    assert verdict(bare, bare.replace("The workers", "The two workers")).is_same
    assert not verdict(bare.replace("The", "Some", 1), bare.replace("The workers", "Two workers")).is_same
    assert not verdict(bare, bare.replace("The workers", "The 2 workers")).is_same


def test_the_title_of_a_commit_is_one_deed_whatever_its_scope_has_in_common():
    one = "fix(@acme/build-tools): update the webpack plugin to use new test harness"
    assert verdict(one, one.replace("new test", "our new test")).is_same
    assert not verdict(one, one.replace("update", "change").replace("webpack plugin", "vite server")).is_same
    assert not verdict("fix(@acme/build-tools): drop caches", "fix(@acme/build-tools): sort keys").is_same


def test_an_embedder_may_add_to_the_score_and_never_passes_a_guard():
    one, other = (reading_of(text) for text in SAME[0])
    far, near = judge(one, other, lambda a, b: 0.2), judge(one, other, lambda a, b: 0.95)
    assert far.score < near.score
    assert judge(one, other, lambda a, b: 0.951).difference.endswith("; near in meaning: 0.95")
    for pair in DIFFERENT.values():
        assert not judge(reading_of(pair[0]), reading_of(pair[1]), lambda a, b: 1.0).is_same


def test_the_difference_is_told_in_the_words_of_the_texts():
    assert verdict(*DIFFERENT["number"]).difference == "7 against 8"
    assert verdict(*DIFFERENT["opposite"]).difference == "after against before"


texts = st.lists(
    st.sampled_from(
        [*(text for pair in SAME for text in pair), *(text for pair in DIFFERENT.values() for text in pair)]
    ),
    min_size=1,
    max_size=14,
)
words = st.lists(
    st.sampled_from(
        ("the", "ledger", "not", "7", "8", "v1.2", "Alice", "may", "red", "one.toml", "before", "after", "`a b`")
    )
)


@given(words, words)
def test_a_verdict_does_not_depend_on_which_came_first(one, other):
    assert verdict(" ".join(one), " ".join(other)) == verdict(" ".join(other), " ".join(one))


def said(text, hour=0, **fields):
    return Said(key=text_key(text), at=START + timedelta(hours=hour), **{"slot": None, "value": None, **fields})


def partition(keys):
    return {text: keys[text] for text in sorted(keys)}


@given(texts, st.randoms(use_true_random=False), st.integers(0, 14))
def test_groups_do_not_depend_on_the_order_of_arrival_nor_on_the_runs_it_came_in(found, chance, cut):
    at_once = [said(text, hour) for hour, text in enumerate(dict.fromkeys(found))]
    shuffled = chance.sample(at_once, len(at_once))
    whole = grouped("s", at_once).group_key
    assert partition(grouped("s", shuffled).group_key) == partition(whole)
    first = grouped("s", at_once[:cut]).group_key
    known = [said(one.key, hour, group=first[one.key]) for hour, one in enumerate(at_once[:cut])]
    assert {**first, **grouped("s", at_once[cut:], known).group_key} == whole


def test_a_chain_of_near_ones_is_no_group():
    one = "The indexer reads orders, invoices, refunds, parcels, labels and stamps"
    two = "The indexer reads orders, invoices, refunds, parcels, letters, cards and stamps slowly"
    three = "The indexer watches folders, invoices, refunds, parcels, letters, cards and tickets slowly"
    chain = [said(text, hour) for hour, text in enumerate((one, two, three))]
    assert verdict(one, two).is_same and verdict(two, three).is_same and not verdict(one, three).is_same
    found = grouped("s", chain)
    assert len(set(found.group_key.values())) == 2
    assert [told.guard for told in found.comparisons] == ["", "diameter"]


def test_a_group_that_is_full_refuses_the_next_wording_and_loses_none():
    fillers = ("please", "actually", "really", "currently", "now", "still")
    wordings = [
        f"{'  '.join(fillers[: n % 6])} The indexer, {fillers[n % 6]}, reads orders {fillers[n // 6]}"
        for n in range(20)
    ]
    found = grouped("s", [said(text, hour) for hour, text in enumerate(wordings)])
    sizes = [list(found.group_key.values()).count(group) for group in set(found.group_key.values())]
    assert sum(sizes) == len({text_key(text) for text in wordings})
    assert max(sizes) == MAX_MEMBERS
    assert "size" in {told.guard for told in found.comparisons}


def test_what_differs_in_typography_alone_is_found_whatever_its_score():
    found = grouped("s", [said("DGIA"), said("DGIA.", 1), said("DGIA!", 2)])
    assert len(set(found.group_key.values())) == 1
    assert {told.evidence for told in found.comparisons} == {"normalised"}


def test_what_ends_another_never_says_the_same_as_it():
    one, other = said(SAME[0][0]), said(SAME[0][1], 1)
    found = grouped("s", [one, other], apart={frozenset({one.key, other.key})})
    assert len(set(found.group_key.values())) == 2
    assert [told.guard for told in found.comparisons] == ["contradiction"]


def test_two_values_of_one_slot_never_say_the_same():
    one, other = said(SAME[0][0], slot="retries", value="a"), said(SAME[0][1], 1, slot="retries", value="b")
    assert [told.guard for told in grouped("s", [one, other]).comparisons] == ["slot"]


def test_the_group_is_named_after_what_was_said_first():
    later, first = said(SAME[1][0], 5), said(SAME[1][1], 1)
    assert set(grouped("s", [later, first]).group_key.values()) == {group_key(first.key)}


def test_a_statement_is_compared_with_few_however_many_there_are(monkeypatch):
    from dreamd.reflection.duplicates import groups  # noqa: PLC0415 - to count what it compares

    compared: list[int] = []

    def counted(*pair):
        compared.append(1)
        return judge(*pair)

    monkeypatch.setattr(groups, "judge", counted)
    many = [said(f"The service number {n} of room {n % 40} writes logs to disk {n % 7}", n) for n in range(600)]
    groups.grouped("s", many)
    assert len(compared) <= groups.MAX_CANDIDATES * len(many)
    before = len(compared)
    groups.grouped(
        "s",
        [said("The service number 601 of room 1 writes logs to disk 2", 700)],
        [said(one.key, hour, group=one.key) for hour, one in enumerate(many)],
    )
    assert len(compared) - before <= groups.MAX_CANDIDATES
