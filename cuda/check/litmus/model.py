"""PTX's memory model with its scopes: which executions of a small program there may be.

It is that of the PTX ISA, "Memory Consistency Model", for the generic proxy. Who reads from whom, and the coherence order, are chosen
in all ways (the order relates only those writes that it must), and an execution counts if it holds to the axioms. Left out are
fence.sc, of which the kernels have none, and SC-per-Location: what is out of reach without an axiom is so with it.
"""

import itertools
import re

from program import SCOPES, Event, Test, Unsupported


def product(a: set, b: set) -> set:
    after: dict = {}
    for x, y in b:
        after.setdefault(x, []).append(y)
    return {(x, z) for x, y in a for z in after.get(y, ())}


def closure(relation: set) -> set:
    while not (more := product(relation, relation)) <= relation:
        relation = relation | more
    return relation


class Execution:
    """The events that happen, and who reads from whom; then values, and whether some coherence order holds to the axioms."""

    def __init__(self, test: Test, rf: dict[int, int], failed: frozenset[int]) -> None:
        self.test = test
        self.all = test.events
        self.ids = [i for i in range(len(self.all)) if i not in failed]
        self.rf = rf
        self.failed = failed
        self.values: dict[int, int] = {}

    def has_values(self) -> bool:
        """No value out of thin air: each comes, by reads and registers, from a constant. And an atom writes as it read."""
        pending = [i for i in self.ids if self.all[i].kind in "RW"]
        while pending:
            ready = {i: v for i in pending if (v := self.value(i)) is not None}
            if not ready:
                return False
            self.values |= ready
            pending = [i for i in pending if i not in ready]
        atoms = [(i, e) for i, e in enumerate(self.all) if e.expected is not None]
        return all((self.values[i] == e.expected) == (e.pair not in self.failed) for i, e in atoms)

    def value(self, i: int) -> int | None:
        event = self.all[i]
        if event.kind == "R":
            return self.values.get(self.rf[i])
        how, what = event.value
        if how == "sum":
            seen = self.values.get(event.pair)
            return None if seen is None else seen + what
        if isinstance(what, int):
            return what
        reads = [j for j in self.ids if self.all[j].thread == event.thread and self.all[j].register == what]
        reads = [j for j in reads if self.all[j].kind == "R" and self.all[j].place < event.place]
        return self.values.get(max(reads, key=lambda j: self.all[j].place)) if reads else 0

    def reaches(self) -> bool:
        def seen(match: re.Match) -> str:
            thread, register = int(match[1]), match[2]
            reads = [i for i in self.ids if self.all[i].kind == "R" and self.all[i].thread == thread]
            reads = [i for i in reads if self.all[i].register == register]
            if not reads:
                raise Unsupported(self.test.state)
            return str(self.values[max(reads, key=lambda i: self.all[i].place)])

        state = re.sub(r"P(\d+):(\w+)", seen, self.test.state).replace("/\\", " and ").replace("\\/", " or ").replace("~", " not ")
        if not re.fullmatch(r"(?:[\s()\d-]|==|!=|and|or|not)+", state):
            raise Unsupported(state)
        return bool(eval(state.strip()))

    def includes(self, a: Event, b: Event) -> bool:
        """The scope of a has the thread of b."""
        if a.scope == "sys":
            return True
        depth = 4 - SCOPES.index(a.scope) - 1
        return self.test.places[a.thread][:depth] == self.test.places[b.thread][:depth]

    def relations(self) -> None:
        events = self.all
        pairs = [(i, j) for i in self.ids for j in self.ids if i != j]
        threads = [(i, j) for i, j in pairs if events[i].thread >= 0 and events[j].thread >= 0]
        po = {(i, j) for i, j in threads if events[i].thread == events[j].thread and i < j}
        same = {(i, j) for i, j in pairs if events[i].location and events[i].location == events[j].location}
        strong = {i for i in self.ids if events[i].kind == "F" or events[i].kind in "RW" and events[i].order != "weak"}
        mutual = {
            (i, j) for i, j in threads
            if i in strong and j in strong and self.includes(events[i], events[j]) and self.includes(events[j], events[i])
        }
        memory = {i for i in self.ids if events[i].kind in "RW"}
        self.morally = {
            (i, j) for i, j in threads
            if ((i, j) in mutual or (i, j) in po or (j, i) in po) and ((i, j) in same or not {i, j} <= memory)
        }
        self.rmw = {(i, events[i].pair) for i in self.ids if events[i].kind == "R" and events[i].pair in self.ids}
        self.read_from = {(w, r) for r, w in self.rf.items()}
        # From a write to a read, by way of atoms.
        observation = self.morally & self.read_from
        while not (longer := product(product(observation, self.rmw), observation)) <= observation:
            observation = observation | longer

        def those(kind: str, orders: tuple) -> set:
            return {(i, i) for i in self.ids if events[i].kind == kind and events[i].order in orders}

        writes, reads = those("W", ("relaxed", "release")), those("R", ("relaxed", "acquire"))
        fences, here = those("F", ("acq_rel",)), {(i, i) for i in self.ids}
        near = (po & same) | here
        release = product(product(those("W", ("release",)), near), writes) | product(product(fences, po), writes)
        acquire = product(product(reads, near), those("R", ("acquire",))) | product(product(reads, po), fences)
        sync = self.morally & product(product(release, observation), acquire)
        barriers = {
            (i, j) for i, j in threads
            if events[i].kind == events[j].kind == "B" and events[i].register == events[j].register
            and events[i].thread != events[j].thread
            and self.test.places[events[i].thread] == self.test.places[events[j].thread]
        }
        base = closure(po | sync | barriers)
        # Of the same location, and both by the generic proxy.
        self.cause = (base | product(observation, base)) & same
        self.same = same

    def is_consistent(self) -> bool:
        self.relations()
        # Causality, its half without co: nobody reads what it causes.
        if any((r, w) in self.cause for w, r in self.read_from):
            return False
        writes: dict[str, list[int]] = {}
        for i in self.ids:
            if self.all[i].kind == "W":
                writes.setdefault(self.all[i].location, []).append(i)
        return all(any(map(self.holds, self.coherences(of))) for of in writes.values())

    def coherences(self, writes: list[int]):
        """All orders of the writes of a location that Coherence allows; the value at the beginning is first."""
        first = next(i for i in writes if self.all[i].thread < 0)
        rest = [i for i in writes if i != first]
        between = list(itertools.combinations(rest, 2))
        choices = []
        for a, b in between:
            ways = [{(a, b)}, {(b, a)}] if (a, b) in self.morally else [set(), {(a, b)}, {(b, a)}]
            must = {(a, b), (b, a)} & self.cause
            choices.append([way for way in ways if must <= way])
        for chosen in itertools.product(*choices):
            co = set().union(*chosen)
            if product(co, co) <= co:
                yield co | {(first, i) for i in rest}

    def holds(self, co: set) -> bool:
        """Atomicity, and the half of Causality with co, of one location."""
        fr = product({(r, w) for w, r in self.read_from}, co)
        if product(self.morally & fr, self.morally & co) & self.rmw:
            return False
        return not any((j, i) in self.cause for i, j in fr)


def is_reachable(test: Test) -> bool:
    events = test.events
    atoms = [e.pair for e in events if e.expected is not None]
    for size in range(len(atoms) + 1):
        for failed in map(frozenset, itertools.combinations(atoms, size)):
            reads = [i for i, e in enumerate(events) if e.kind == "R"]
            choices = [
                [j for j, w in enumerate(events) if w.kind == "W" and w.location == events[i].location and j not in failed]
                for i in reads
            ]
            for chosen in itertools.product(*choices):
                execution = Execution(test, dict(zip(reads, chosen)), failed)
                if execution.has_values() and execution.reaches() and execution.is_consistent():
                    return True
    return False
