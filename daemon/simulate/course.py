"""The hand that writes down what happens to one target: sessions, instants and words, from one seed."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from random import Random

from dreamd.daemon.simulate.calendar import SESSIONS, Calendar, instants, session_of
from dreamd.daemon.simulate.values import Course, Happening, Truth
from dreamd.daemon.simulate.wording import Voice


@dataclass(slots=True, kw_only=True)
class Hand:
    calendar: Calendar
    chance: Random
    voice: Voice
    name: str
    written: list[Happening] = field(default_factory=list)

    @staticmethod
    def of(calendar: Calendar, seed: str, name: str) -> "Hand":
        chance = Random(seed)
        return Hand(calendar=calendar, chance=chance, voice=Voice(name, chance), name=name)

    @property
    def days(self) -> int:
        """Of the history."""
        return self.calendar.days

    def start(self, needed_days: int) -> int:
        """A working day on which a course of `needed_days` can begin and still end in the history, if any can."""
        latest = max(self.days - needed_days, 1)
        fitting = self.calendar.working(1, latest)
        return self.chance.choice(fitting) if fitting else self.calendar.next_working(1)

    def later(self, day: int, least: int, most: int) -> int:
        """A working day `least` to `most` days after `day`; the next one after that if there is none."""
        fitting = self.calendar.working(day + least, day + most)
        return self.chance.choice(fitting) if fitting else self.calendar.next_working(day + most)

    def kind(self, shares: Sequence[tuple[str, float]]) -> str:
        """A kind of event, by its share; what is left over is the last one's."""
        draw = self.chance.random()
        for kind, share in shares:
            draw -= share
            if draw < 0:
                return kind
        return shares[-1][0]

    def work(self, day: int, kinds: Sequence[str]) -> list[Happening]:
        """One event of each kind, in this order, in one session of `day`, in words of their own."""
        return self.session(day, [(kind, self.voice.say(kind)) for kind in kinds])

    def session(self, day: int, said: Sequence[tuple[str, str]], *, actor: str = "agent") -> list[Happening]:
        """Events of (kind, text) in this order in one session of `day`."""
        part = self.chance.randrange(len(SESSIONS))
        at = instants(self.chance, day, part, len(said))
        return [
            self.write(instant, kind, text, session_of(day, part), actor=actor)
            for instant, (kind, text) in zip(at, said, strict=True)
        ]

    def write(  # noqa: PLR0913, PLR0917 - the fields of an event
        self, at: datetime, kind: str, text: str, session: str, outcome: str | None = None, actor: str = "agent"
    ) -> Happening:
        """Write one event down. A result is a success unless said otherwise."""
        happening = Happening(
            at=at,
            kind=kind,
            text=text,
            target=self.name,
            session=session,
            actor=actor,
            outcome=outcome or ("success" if kind == "result" else None),
            id=f"{self.chance.getrandbits(160):040x}" if kind == "commit" else None,
        )
        self.written.append(happening)
        return happening

    def course(self, *truths: Truth) -> Course:
        happenings = tuple(sorted(self.written, key=lambda happening: (happening.at, happening.text)))
        return Course(happenings=happenings, truths=truths)
