"""People's committed edits through the command line and real git: each becomes knowledge at the next run."""

from pathlib import Path

from tests.edited import EDITED_AT, REDIS, SECOND_RUN, STYLE, Edited, git

SIZE = "Deploys need a warm cache of size 8"
BIGGER = "Deploys need a warm cache of size 12"
LOST = "The redis lost request 2"
TABS = "Use tabs in makefiles"


def line_of(edited: Edited, path: str, text: str) -> str:
    (line,) = [line for line in edited.text(path).splitlines() if line.startswith(f"- {text}")]
    return f"{line}\n"


def test_a_changed_statement_takes_the_place_of_the_old_one_and_the_report_says_who_and_when(edited: Edited) -> None:
    commit = edited.change(REDIS, SIZE, BIGGER)
    edited.run()
    assert (edited.status_of(SIZE), edited.status_of(BIGGER)) == ("retracted", "current")
    (new,) = edited.claims(BIGGER)
    assert (new["trust"], new["supersedes"]) == ("user", edited.claims(SIZE)[0]["id"])
    assert (
        f"“{SIZE}” became “{BIGGER}”, changed by Ada \\<ada@example.org> on 2026-03-21 09:00 UTC in commit {commit}"
        in (edited.report())
    )
    assert f"- {BIGGER} [source: edit:{commit[:12]}; added: 2026-03-21" in edited.text(REDIS)
    assert edited.verify() == []


def test_a_statement_whose_id_was_taken_away_with_its_brackets_was_changed_all_the_same(edited: Edited) -> None:
    edited.change(REDIS, line_of(edited, REDIS, SIZE), f"- {BIGGER}\n")
    edited.run()
    assert (edited.status_of(SIZE), edited.status_of(BIGGER)) == ("retracted", "current")
    assert edited.claims(BIGGER)[0]["supersedes"] == edited.claims(SIZE)[0]["id"]


def test_a_wording_that_says_the_same_supersedes_and_denies_nothing(edited: Edited) -> None:
    edited.change(REDIS, SIZE, f"{SIZE}.")
    edited.run()
    assert (edited.status_of(SIZE), edited.status_of(f"{SIZE}.")) == ("superseded", "current")


def test_an_added_bullet_is_a_persons_statement_where_it_stands(edited: Edited) -> None:
    edited.commit({REDIS: edited.text(REDIS) + "- Flush it only at night [source: Bo; owner: ops]\n"})
    edited.run()
    assert "“Flush it only at night” (source: Bo; owner: ops), added by Ada" in edited.report()
    (claim,) = edited.claims("Flush it only at night")
    assert (claim["target"], claim["trust"], claim["status"], claim["kind"]) == ("redis", "user", "current", "fact")
    assert "- Flush it only at night [source: edit:" in edited.text(REDIS)


def test_a_new_file_is_a_new_target_in_the_folder_where_it_was_put(edited: Edited) -> None:
    head = "---\ntitle: Rate limits\nowner: platform\n---\n# Rate limits\n\n"
    note = head + "Ask Bo.\n\n- 100 calls a minute\n* Never retry a 429\n"
    edited.commit({"projects/rate-limits.md": note})
    edited.run()
    text = edited.text("projects/rate-limits.md")
    assert "title: Rate limits" in text
    assert "owner: platform" in text
    assert "\n## Notes\n\nAsk Bo.\n" in text
    assert {claim["text"] for claim in edited.claims() if claim["target"] == "rate_limits"} == {
        "100 calls a minute",
        "Never retry a 429",
    }
    assert edited.verify() == []


def test_a_bullet_added_in_preferences_or_at_the_head_of_memory_is_a_preference(edited: Edited) -> None:
    head = edited.text("MEMORY.md").replace("\n## Index", "- Always answer in English\n\n## Index", 1)
    edited.commit({STYLE: edited.text(STYLE) + "- Two spaces in YAML\n", "MEMORY.md": head})
    edited.run()
    for text in ("Two spaces in YAML", "Always answer in English"):
        (claim,) = edited.claims(text)
        assert claim["kind"] == "preference"
        assert text in edited.text("MEMORY.md").split("## Index")[0]


def test_a_statement_changed_at_the_head_of_memory_is_changed_on_its_page(edited: Edited) -> None:
    edited.change("MEMORY.md", TABS, "Use spaces in makefiles")
    edited.run()
    assert edited.status_of(TABS) == "retracted"
    assert "- Use spaces in makefiles [" in edited.text(STYLE)
    assert edited.claims("Use spaces in makefiles")[0]["kind"] == "preference"


def test_a_removed_bullet_is_taken_back_and_does_not_come_back(edited: Edited) -> None:
    edited.change(REDIS, line_of(edited, REDIS, LOST), "")
    edited.run()
    edited.ingest({"at": "2026-03-23T10:00:00Z", "text": LOST, "kind": "error", "target": "redis"}, now=SECOND_RUN)
    edited.run("2026-03-24T12:00:00Z")
    assert edited.status_of(LOST) == "retracted"
    assert LOST not in edited.text(REDIS).split("## Retracted")[0]


def test_a_removed_file_lays_its_target_to_rest_until_a_person_brings_it_back(edited: Edited) -> None:
    before = edited.text(REDIS)
    edited.commit({REDIS: None})
    edited.run()
    assert not (edited.memory / REDIS).exists()
    assert {claim["status"] for claim in edited.claims() if claim["target"] == "redis"} == {"retracted"}
    edited.ingest({"at": "2026-03-23T10:00:00Z", "text": "It lost one more", "target": "redis"}, now=SECOND_RUN)
    edited.run("2026-03-24T12:00:00Z")
    assert not (edited.memory / REDIS).exists()
    edited.commit({REDIS: before}, at="2026-03-25T12:00:00Z")
    edited.run("2026-03-26T12:00:00Z")
    assert f"- {SIZE} [source: edit:" in edited.text(REDIS)
    assert edited.verify() == []


def test_a_pin_in_the_brackets_pins_and_taking_it_away_unpins(edited: Edited) -> None:
    line = line_of(edited, REDIS, SIZE)
    edited.change(REDIS, line, line.replace("]\n", "; pin: true]\n"))
    edited.run()
    assert "; pin: yes]" in line_of(edited, REDIS, SIZE)
    edited.change(REDIS, "; pin: yes]", "]", at="2026-03-23T09:00:00Z")
    edited.run("2026-03-24T12:00:00Z")
    assert "pin: yes" not in edited.text(REDIS)


def test_a_pin_in_the_front_matter_pins_the_page_and_stays_with_a_changed_statement(edited: Edited) -> None:
    line = line_of(edited, REDIS, SIZE)
    text = edited.text(REDIS).replace("name: redis\n", "name: redis\npin: true\n", 1)
    edited.commit({REDIS: text.replace(line, line.replace("]\n", "; pin: true]\n"))})
    edited.run()
    assert "  pinned: true\n" in edited.text(REDIS)
    edited.change(REDIS, SIZE, BIGGER, at="2026-03-23T09:00:00Z")
    edited.run("2026-03-24T12:00:00Z")
    assert "; pin: yes" in line_of(edited, REDIS, BIGGER)
    assert edited.status_of(SIZE) == "retracted"


def test_a_renamed_file_gives_its_target_another_name_and_a_moved_one_another_folder(edited: Edited) -> None:
    (edited.memory / "projects").mkdir()
    git(edited.memory, "mv", REDIS, "projects/key-value-store.md")
    edited.commit({})
    edited.run()
    assert not (edited.memory / REDIS).exists()
    assert not (edited.memory / "projects/key-value-store.md").exists()
    text = edited.text("projects/redis.md")
    assert "title: key-value-store\n" in text
    assert "- key_value_store\n" in text
    assert edited.status_of(SIZE) == "current"
    shown = edited.command("--now", SECOND_RUN, "show", "key-value-store", "--json").value
    assert (shown["target"], shown["path"]) == ("redis", "projects/redis.md")
    assert edited.verify() == []


def test_title_tags_and_unknown_keys_of_the_front_matter_stay_as_a_person_set_them(edited: Edited) -> None:
    text = (
        edited.text(REDIS).replace("title: redis\n", "title: Our cache\n", 1).replace("# redis\n", "# Our cache\n", 1)
    )
    text = text.replace("- emergent\n", "- emergent\n- infra\n", 1).replace(
        "created:", "reviewed: 2026-03-21\ncreated:", 1
    )
    edited.commit({REDIS: text})
    edited.run()
    edited.ingest({"at": "2026-03-23T10:00:00Z", "text": "It lost one more", "target": "redis"}, now=SECOND_RUN)
    edited.run("2026-03-24T12:00:00Z")
    after = edited.text(REDIS)
    for line in ("title: Our cache\n", "# Our cache\n", "- infra\n", "reviewed: 2026-03-21\n", "It lost one more"):
        assert line in after
    assert "Our cache: " in edited.text("MEMORY.md")


def test_what_is_no_entry_stays_verbatim_below_a_heading_over_later_exports(edited: Edited) -> None:
    block = "Ask Bo first.\n\n## How we test\n\n```sh\n# not a heading\n- not a bullet\n```\n"
    edited.commit({REDIS: edited.text(REDIS) + block})
    edited.run()
    assert edited.text(REDIS).endswith("\n## Notes\n\n" + block)
    assert "no entry: kept as it is" in edited.report()
    edited.ingest({"at": "2026-03-23T10:00:00Z", "text": "It lost one more", "target": "redis"}, now=SECOND_RUN)
    edited.run("2026-03-24T12:00:00Z")
    assert edited.text(REDIS).endswith("\n## Notes\n\n" + block)
    edited.change(REDIS, "Ask Bo first.\n\n", "", at="2026-03-25T12:00:00Z")
    edited.run("2026-03-26T12:00:00Z")
    assert edited.text(REDIS).endswith("\n## Notes\n\n" + block.removeprefix("Ask Bo first.\n\n"))


def test_line_ends_a_byte_order_mark_and_white_space_are_no_edits(edited: Edited) -> None:
    text = edited.text(REDIS).replace(" warm cache", "  warm  cache").replace("\n", "  \r\n").replace("---  ", "---")
    text = f"\ufeff{text}"
    (edited.memory / REDIS).write_bytes(text.encode())
    edited.commit({})
    result = edited.run()
    assert (result["run"], "edits" in result) == (None, False)


def test_the_same_edit_twice_and_one_undone_before_the_run_count_once_and_not_at_all(edited: Edited) -> None:
    edited.change(REDIS, SIZE, BIGGER)
    edited.change(REDIS, BIGGER, SIZE, at="2026-03-21T10:00:00Z")
    assert "edits" not in edited.run()
    edited.change(REDIS, SIZE, BIGGER, at="2026-03-22T13:00:00Z")
    edited.change("MEMORY.md", TABS, "Use spaces in makefiles", at="2026-03-22T13:00:00Z")
    edited.change(STYLE, TABS, "Use spaces in makefiles", at="2026-03-22T14:00:00Z")
    edited.run("2026-03-23T12:00:00Z")
    assert [claim["support"] for claim in edited.claims("Use spaces")] == [1]
    head = edited.head()
    assert edited.run("2026-03-23T12:00:00Z")["run"] is None
    assert edited.head() == head


def test_an_edit_of_what_was_superseded_meanwhile_holds_and_the_report_says_so(edited: Edited) -> None:
    edited.ingest(
        {"at": "2026-03-19T10:00:00Z", "text": "We use Redis 6 for the cache", "kind": "decision", "target": "redis"},
    )
    edited.run("2026-03-20T13:00:00Z")
    path = "projects/redis.md" if (edited.memory / "projects/redis.md").exists() else REDIS
    edited.change(path, "We use Redis 6 for the cache", "We use Valkey for the cache")
    edited.ingest(
        {
            "at": "2026-03-21T10:00:00Z",
            "text": "We use Memcached instead of Redis 6 for the cache",
            "kind": "decision",
            "target": "redis",
        },
        now=SECOND_RUN,
    )
    edited.run()
    assert edited.status_of("We use Valkey for the cache") == "current"


def test_an_edit_with_a_secret_is_stored_without_it_and_the_report_says_that_git_holds_it(edited: Edited) -> None:
    secret = "AKIA" + "IOSFODNN7" + "EXAMPLE"
    edited.commit({REDIS: edited.text(REDIS) + f"- The key is {secret}\nAlso {secret}\n"})
    edited.run()
    assert secret not in edited.text(REDIS)
    assert secret not in str(edited.claims())
    assert "holds it: make it void" in edited.report()


def test_a_merge_of_another_clone_counts_each_edit_once(edited: Edited, tmp_path: Path) -> None:
    clone = tmp_path / "clone"
    git(tmp_path, "clone", "-q", str(edited.memory), str(clone))
    edited.write(REDIS, (clone / REDIS).read_text().replace(SIZE, BIGGER), clone)
    git(clone, "commit", "-qam", "in the clone", who=("Bo", "bo@example.org"))
    edited.commit({STYLE: edited.text(STYLE) + "- Two spaces in YAML\n"})
    edited.ingest({"at": "2026-03-21T10:00:00Z", "text": "It lost one more", "target": "redis"}, now=SECOND_RUN)
    edited.run("2026-03-21T12:00:00Z")
    git(edited.memory, "pull", "-q", "--no-rebase", str(clone), "main", at="2026-03-22T10:00:00Z")
    edited.run()
    assert [claim["support"] for claim in edited.claims(BIGGER)] == [1]
    assert edited.status_of("It lost one more") == "current"
    assert [claim["support"] for claim in edited.claims("Two spaces in YAML")] == [1]
    assert "by Bo" in edited.report()
    assert edited.verify() == []


def test_a_revert_takes_an_edit_back_exactly_and_holds_it(edited: Edited) -> None:
    before = edited.tree()
    edited.commit(
        {REDIS: edited.text(REDIS).replace(SIZE, BIGGER) + "Loose words.\n", "lessons/new.md": "- A lesson learnt\n"}
    )
    result = edited.run()
    taken = result["edits"]["run"]
    assert edited.command("--now", SECOND_RUN, "revert", str(taken)).code == 0
    assert edited.tree() == before
    assert edited.run()["run"] is None
    edited.ingest({"at": "2026-03-23T10:00:00Z", "text": "It lost one more", "target": "redis"}, now=SECOND_RUN)
    edited.run("2026-03-24T12:00:00Z")
    assert edited.status_of(SIZE) == "current"
    assert edited.claims(BIGGER) == []
    assert edited.command("--now", "2026-03-24T12:00:00Z", "unhold", "redis").code == 0
    edited.run("2026-03-24T12:00:00Z")
    assert (edited.status_of(SIZE), edited.status_of(BIGGER)) == ("retracted", "current")


def test_an_edit_blocks_the_revert_of_what_it_touched(edited: Edited) -> None:
    edited.change(REDIS, SIZE, BIGGER)
    edited.run()
    answer = edited.command("--now", SECOND_RUN, "revert", "1", "--json")
    assert any(edited.claims(SIZE)[0]["id"] in str(blocked) for blocked in answer.value["blocked"])
    assert edited.status_of(BIGGER) == "current"


def test_edits_of_files_that_dreamd_writes_itself_are_told_and_nothing_else(edited: Edited) -> None:
    report = next((edited.memory / "reports").rglob("*.md"))
    report.write_text(report.read_text() + "My remark.\n")
    index = edited.text("MEMORY.md").replace("redis: ", "REDIS: ", 1)
    edited.commit({"MEMORY.md": index})
    edited.run()
    assert "My remark." in report.read_text()
    assert "the lines of the index follow from the pages" in edited.report()
    assert "REDIS: " not in edited.text("MEMORY.md")


def test_an_edit_that_was_not_committed_waits_and_is_adopted_under_the_persons_name(edited: Edited) -> None:
    edited.write(REDIS, edited.text(REDIS).replace(SIZE, BIGGER))
    edited.ingest({"at": "2026-03-21T10:00:00Z", "text": "It lost one more", "target": "redis"}, now=SECOND_RUN)
    assert [waiting["path"] for waiting in edited.run()["export"]["waiting"]] == [REDIS]
    assert edited.command("adopt").code == 2
    answer = edited.command("--now", SECOND_RUN, "adopt", REDIS, "--author", "Ada <ada@example.org>", "--json")
    assert answer.value["paths"] == [REDIS]
    assert git(edited.memory, "status", "--porcelain") == ""
    edited.run()
    assert (edited.status_of(SIZE), edited.status_of(BIGGER)) == ("retracted", "current")
    assert edited.status_of("It lost one more") == "current"
    assert "changed by Ada" in edited.report()
    assert "It lost one more" in edited.text(REDIS)


def test_a_new_file_is_adopted_under_the_name_that_the_repository_knows(edited: Edited) -> None:
    git(edited.memory, "config", "user.name", "Bo")
    git(edited.memory, "config", "user.email", "bo@example.org")
    edited.write("lessons/new.md", "- Never deploy on Fridays\n")
    assert edited.command("--now", SECOND_RUN, "adopt", "--json").value["paths"] == ["lessons/new.md"]
    edited.run()
    (claim,) = edited.claims("Never deploy on Fridays")
    assert (claim["kind"], claim["trust"]) == ("lesson", "user")
    assert edited.command("--now", SECOND_RUN, "adopt", "--json").value["commit"] is None


def test_a_dreams_commit_that_a_person_amended_is_an_edit_and_a_rebased_one_is_none(edited: Edited) -> None:
    edited.write(REDIS, edited.text(REDIS).replace(SIZE, BIGGER))
    git(edited.memory, "commit", "-q", "--amend", "--no-edit", "-a", at=EDITED_AT)
    result = edited.run()
    assert edited.status_of(BIGGER) == "current"
    assert "changed by Ada" in edited.report()
    message = git(edited.memory, "log", "-1", "--format=%B")
    git(edited.memory, "commit", "-q", "--amend", "-m", f"{message}Reworded-By: Ada")
    assert "edits" in result
    assert "edits" not in edited.run("2026-03-23T12:00:00Z")


def test_a_rebased_edit_that_was_taken_in_before_is_not_counted_again(edited: Edited) -> None:
    edited.change(REDIS, SIZE, BIGGER)
    edited.run()
    git(edited.memory, "commit", "-q", "--allow-empty", "-m", "beside", at=SECOND_RUN)
    git(edited.memory, "reset", "-q", "--hard", "HEAD~2")
    git(edited.memory, "commit", "-q", "--amend", "-m", "by hand, said better")
    assert "edits" not in edited.run("2026-03-23T12:00:00Z")
    assert [claim["support"] for claim in edited.claims(BIGGER)] == [1]


def test_loose_lines_in_memory_stay_below_its_index_and_many_of_them_in_a_file_beside(edited: Edited) -> None:
    edited.commit({"MEMORY.md": edited.text("MEMORY.md") + "Ask Bo first.\n"})
    edited.run()
    assert "\n## Notes\n\nAsk Bo first.\n\nEnd of memory: " in edited.text("MEMORY.md")
    many = "".join(f"Line {number}.\n" for number in range(40))
    edited.commit({"MEMORY.md": edited.text("MEMORY.md") + many}, at="2026-03-23T09:00:00Z")
    edited.run("2026-03-24T12:00:00Z")
    text = edited.text("MEMORY.md").replace("\nEnd of memory", "One more.\n\nEnd of memory", 1)
    edited.commit({"MEMORY.md": text}, at="2026-03-25T09:00:00Z")
    edited.run("2026-03-26T12:00:00Z")
    assert edited.text("archive/NOTES.txt") == f"## Notes\n\nAsk Bo first.\n\n{many}\nOne more.\n"
    assert edited.verify() == []


def test_a_link_in_place_of_a_page_takes_nothing_back(edited: Edited) -> None:
    (edited.memory / REDIS).unlink()
    (edited.memory / REDIS).symlink_to("/etc/passwd")
    edited.commit({})
    edited.run()
    assert edited.status_of(SIZE) == "current"


def test_old_bytes_and_a_broken_front_matter_are_read_and_nothing_is_lost(edited: Edited) -> None:
    (edited.memory / "knowledge" / "latin.md").write_bytes(b"- caf\xe9 opens at 8\r\n")
    edited.commit({REDIS: edited.text(REDIS).replace("title: redis", "title: [redis", 1).replace(SIZE, BIGGER)})
    edited.run()
    assert edited.status_of("caf\xe9 opens at 8") == "current"
    assert edited.status_of(BIGGER) == "current"
    assert "title: [redis" in edited.text(REDIS).split("## Notes")[1]
    assert edited.text(REDIS).startswith("---\nname: redis\ntitle: redis\n")
    assert edited.verify() == []
