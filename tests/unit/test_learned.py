"""What named events teach about those that name nothing."""

from dreamd.reflection.targeting.learned import BY_FILES, BY_SESSION, BY_WORDS, Lesson, learn
from dreamd.reflection.targeting.placing import title_in
from tests.builders import an_event, day


def named(target, text, **fields):
    return Lesson(event=an_event(text, target=target, **{"session": None, **fields}), target=target)


def unnamed(text, number=0, **fields):
    return an_event(text, day(number), target=None, **{"session": None, **fields})


BILLING = [
    named("billing", "The invoice ledger is closed every Friday"),
    named("billing", "An invoice in the ledger has a number"),
]
OTHERS = [
    named("search", "The index of the words is rebuilt on Friday"),
    named("search", "The ranking of the index weighs the title"),
    *(Lesson(event=unnamed(f"The build number {number} is green", number), target=None) for number in range(8)),
]


def guessed(lessons, event):
    found = learn([*lessons, Lesson(event=event, target=None)]).guess(event)
    return None if found is None else (found.target, found.rule)


def test_words_that_only_one_target_uses_place_an_event():
    assert guessed([*BILLING, *OTHERS], unnamed("Print the invoice from the ledger")) == ("billing", BY_WORDS)


def test_one_such_word_is_not_enough():
    assert guessed([*BILLING, *OTHERS], unnamed("Print the invoice")) is None


def test_words_of_two_targets_place_nothing():
    assert guessed([*BILLING, *OTHERS], unnamed("The invoice ledger and the ranking of the index")) is None


def test_words_that_everybody_uses_place_nothing():
    chatter = [
        Lesson(event=unnamed(f"The deploy went well on day {number}", number), target=None) for number in range(9)
    ]
    lessons = [named("billing", "The deploy went well"), named("billing", "The deploy went badly"), *chatter]
    assert guessed(lessons, unnamed("The deploy went well today")) is None


def test_a_space_with_one_named_target_does_not_give_it_everything():
    assert guessed(BILLING, unnamed("The invoice ledger is closed")) is None


def test_the_name_of_a_target_in_a_text_speaks_for_it():
    lessons = [*OTHERS, named("task_queue", "Workers take jobs in turn"), named("task_queue", "Workers retry thrice")]
    assert guessed(lessons, unnamed("The task queue lost its workers")) == ("task_queue", BY_WORDS)


def test_a_session_that_is_about_one_target_places_what_else_is_said_in_it():
    lessons = [named("billing", f"Step {number}", session="s7") for number in range(3)]
    assert guessed(lessons, unnamed("That was it for now", session="s7")) == ("billing", BY_SESSION)
    assert guessed(lessons, unnamed("That was it for now", session="s8")) is None
    mixed = [*lessons, named("search", "Step 4", session="s7")]
    assert guessed(mixed, unnamed("That was it for now", session="s7")) is None


def test_files_go_by_the_name_that_named_events_gave_them():
    work = [Lesson(event=unnamed(f"Work {n}", n, files=(f"{n % 4}th/a.py",)), target=None) for n in range(20)]
    lessons = [
        *work,
        named("ci", "Run the tests twice", files=(".github/workflows/test.yml",)),
        named("ci", "Run the tests once", files=(".github/workflows/test.yml",)),
    ]
    event = unnamed("Pin the image", files=(".github/workflows/release.yml",))
    assert guessed(lessons, event) == ("ci", BY_FILES)
    assert guessed(work, event) == ("github", BY_FILES)


def test_a_name_is_not_carried_out_of_its_component():
    packages = ("packages/one/package.json", "packages/two/package.json", "packages/three/package.json")
    lessons = [
        *(Lesson(event=unnamed(f"Work {n}", n, files=(packages[n % 3],)), target=None) for n in range(20)),
        *(named("core", f"Step {n}", files=("packages/one/src/a.ts",)) for n in range(4)),
    ]
    assert guessed(lessons, unnamed("More", files=("packages/one/src/b.ts",))) == ("core", BY_FILES)
    assert guessed(lessons, unnamed("More", files=("packages/two/src/b.ts",))) == ("two", BY_FILES)


def test_a_title_is_spelled_as_the_files_spell_it():
    assert title_in(["packages/plugin-vue/src/index.ts"], "plugin_vue") == "plugin-vue"
    assert title_in(["packages/angular/build/src/a.ts"], "angular_build") == "angular/build"
    assert title_in(["src/a.ts"], "elsewhere") is None
