import random

from subject import count_islands, multiply, neighbours, shortest_path, transpose


def test_random():
    rng = random.Random(3)
    for _ in range(60):
        h, w = rng.randrange(1, 5), rng.randrange(1, 6)
        grid = ["".join(rng.choice("..#") for _ in range(w)) for _ in range(h)]
        for r in range(h):
            for c in range(w):
                want = {(x, y) for x in range(h) for y in range(w) if abs(x - r) + abs(y - c) == 1}
                assert set(neighbours(grid, r, c)) == want and len(neighbours(grid, r, c)) == len(want)
        dist = {(0, 0): 0}
        for _ in range(h * w):
            for (r, c), d in list(dist.items()):
                for p in neighbours(grid, r, c):
                    if grid[p[0]][p[1]] == ".":
                        dist[p] = min(dist.get(p, 999), d + 1)
        for r in range(h):
            for c in range(w):
                if grid[r][c] == ".":
                    assert shortest_path(grid, (0, 0), (r, c)) == dist.get((r, c))
        labels = {(r, c): (r, c) for r in range(h) for c in range(w) if grid[r][c] == "#"}
        for _ in range(h * w):
            for p in labels:
                for q in neighbours(grid, *p):
                    if q in labels:
                        labels[p] = labels[q] = min(labels[p], labels[q])
        assert count_islands(grid) == len(set(labels.values()))
        a = [[rng.randrange(5) for _ in range(w)] for _ in range(h)]
        b = [[rng.randrange(5) for _ in range(h)] for _ in range(w)]
        assert transpose(transpose(a)) == a
        assert multiply(a, b) == [[sum(x * y for x, y in zip(row, col)) for col in zip(*b)] for row in a]
