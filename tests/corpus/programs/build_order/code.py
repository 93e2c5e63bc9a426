"""In which order things are built that need one another."""


class Cycle(ValueError):
    """Things need each other in a ring; `ring` names them, the first one again at the end."""

    def __init__(self, ring):
        super().__init__(" -> ".join(ring))
        self.ring = ring


def build_order(needs):
    """All names, each after what it needs, otherwise in the order of the alphabet.

    `needs` maps a name to the names that it needs; what is only needed has no needs of its own.
    """
    order = []
    path = []
    done = set()

    def visit(name):
        if name in done:
            return
        if name in path:
            raise Cycle([*path[path.index(name) :], name])
        path.append(name)
        for needed in sorted(needs.get(name, ())):
            visit(needed)
        path.pop()
        done.add(name)
        order.append(name)

    for name in sorted(needs):
        visit(name)
    return order


def stages(needs):
    """The names in groups that can be built at the same time, one group after the other."""
    level = {}
    for name in build_order(needs):
        level[name] = 1 + max((level[needed] for needed in needs.get(name, ())), default=-1)
    groups = [[] for _ in range(max(level.values(), default=-1) + 1)]
    for name in sorted(level):
        groups[level[name]].append(name)
    return groups
