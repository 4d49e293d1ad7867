"""The programs of litmus tests: a column of instructions a thread, as events in memory."""

import itertools
import re
from dataclasses import dataclass, field

SCOPES = ["cta", "cluster", "gpu", "sys"]
PLACE = re.compile(r"P(\d+)@cta (\d+), ?(?:cluster (\d+), ?)?gpu (\d+)")


class Unsupported(Exception):
    """Not of the language that is known here."""


@dataclass
class Event:
    thread: int  # -1: the value at the beginning
    kind: str  # R, W, F, B (a barrier)
    order: str = "weak"
    scope: str = "sys"
    location: str = ""
    register: str = ""  # of a barrier: its name
    value: tuple = ()  # of a write: a constant, a register, or what the read of the same atom makes of what it saw
    place: int = 0  # in the thread
    pair: int = -1  # the other half of an atom
    expected: int | None = None


@dataclass
class Test:
    name: str
    places: list[tuple] = field(default_factory=list)
    events: list[Event] = field(default_factory=list)
    state: str = ""
    quantifier: str = ""


def parse(text: str) -> Test:
    text = re.sub(r"\(\*.*?\*\)", "", text, flags=re.DOTALL)
    found = re.fullmatch(r"PTX\s+(\S+).*?\{(.*?)\}(.*?)(~?exists)(.*)", text, flags=re.DOTALL)
    if not found:
        raise Unsupported("a test without 'exists'")
    head, begin, program, quantifier, state = found.groups()
    test = Test(head, state=state.strip(), quantifier=quantifier)
    values = dict(re.findall(r"(?<![:\w])(\w+)\s*=\s*(-?\d+)", begin))
    lines = [line.strip() for line in program.strip().split(";")]
    for column in lines[0].split("|"):
        place = PLACE.fullmatch(column.strip())
        if not place:
            raise Unsupported(column)
        _, cta, cluster, gpu = place.groups()
        # Without clusters, a block is one.
        test.places.append((gpu, cluster if cluster else "block " + cta, cta))
    steps = itertools.count()
    for line in lines[1:]:
        for thread, instruction in enumerate(line.split("|") if line else []):
            if instruction.strip():
                add(test, thread, instruction.strip(), next(steps))
    for location in sorted({event.location for event in test.events if event.location}):
        test.events.append(Event(-1, "W", location=location, value=("is", int(values.get(location, 0)))))
    named = [(event.thread, event.register) for event in test.events if event.kind == "B"]
    if len(named) > len(set(named)):
        raise Unsupported("a barrier that a thread comes to twice")
    return test


def add(test: Test, thread: int, instruction: str, place: int) -> None:
    operation, *operands = re.split(r"[\s,]+", instruction)
    name, *parts = operation.split(".")
    event = Event(thread, "", place=place)
    if name == "bar" and parts == ["cta", "sync"]:
        # Of all threads here that name it.
        event.kind, event.register = "B", operands[0]
        if len(operands) > 1 or not operands[0].isdigit():
            raise Unsupported(instruction)
    elif name == "fence" and parts[0] == "acq_rel":
        event.kind, event.order, event.scope = "F", *parts
    elif name in ("ld", "st") and parts and parts[0] in ("weak", "relaxed", "acquire", "release"):
        event.order = parts[0]
        event.scope = parts[1] if len(parts) > 1 else "sys"
        if name == "ld":
            event.kind, event.register, event.location = "R", *operands
        else:
            event.kind, event.location, event.value = "W", operands[0], source(operands[1])
    elif name in ("atom", "red") and len(parts) == 3 and parts[2] in ("add", "exch", "cas"):
        order, scope, what = parts
        register, location, *rest = operands if name == "atom" else ["", *operands]
        read = Event(thread, "R", "acquire" if order in ("acquire", "acq_rel") else "relaxed", scope, location, register, place=place)
        write = Event(thread, "W", "release" if order in ("release", "acq_rel") else "relaxed", scope, location, place=place)
        read.pair, write.pair = len(test.events) + 1, len(test.events)
        if what == "cas":
            read.expected = int(rest[0])
        write.value = ("sum" if what == "add" else "is", *source(rest[-1])[1:])
        if what == "add" and isinstance(write.value[1], str):
            raise Unsupported(instruction)
        test.events += [read, write]
        return
    else:
        raise Unsupported(instruction)
    if event.scope not in SCOPES:
        raise Unsupported(instruction)
    test.events.append(event)


def source(operand: str) -> tuple:
    return ("is", int(operand) if re.fullmatch(r"-?\d+", operand) else operand)
