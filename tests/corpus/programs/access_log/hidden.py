import random
from itertools import combinations

from subject import Request, most_requested, read, suspicious, traffic


def some(rng):
    return Request(
        rng.choice(["a", "b", "c"]),
        rng.randint(0, 40),
        "GET",
        rng.choice(["/x", "/y", "/z"]),
        rng.choice([200, 399, 400, 500]),
        rng.randint(0, 99),
    )


def line(request):
    hour, minute = divmod(request.minute, 60)
    size = request.size or "-"
    return f'{request.client} [{hour:02}:{minute:02}] "{request.method} {request.path}" {request.status} {size}'


def test_random_logs():
    rng = random.Random(0)
    for _ in range(60):
        requests = [some(rng) for _ in range(rng.randint(0, 15))]
        assert read([line(r) + "\n" for r in requests]) == (requests, [])
        good = [r.path for r in requests if r.status < 400]
        ranked = sorted(set(good), key=lambda p: (-good.count(p), p))
        assert most_requested(requests, 2) == [(p, good.count(p)) for p in ranked[:2]]
        assert traffic(requests) == {
            c: sum(r.size for r in requests if r.client == c) for c in {r.client for r in requests}
        }
        for failures in (1, 2, 3):
            for minutes in (1, 5, 10):
                expected = set()
                for group in combinations([r for r in requests if r.status >= 400], failures):
                    times = [r.minute for r in group]
                    if len({r.client for r in group}) == 1 and max(times) - min(times) < minutes:
                        expected.add(group[0].client)
                assert suspicious(requests, failures, minutes) == sorted(expected)


def test_unread_lines():
    lines = [
        'a [8:15] "GET /" 200 1',
        'a [08:15] "get /" 200 1',
        'a [08:15] "GET /" 20 1',
        "",
        'a [08:15] "GET /" 200 1 x',
    ]
    assert read(lines) == ([], [1, 2, 3, 5])
    assert read([]) == ([], [])


def test_times_and_queries():
    requests, _ = read(['  a [23:59] "PUT /p?q?r" 201 7  '])
    assert requests == [Request("a", 1439, "PUT", "/p", 201, 7)]


def test_limits_of_failing():
    assert Request("a", 0, "GET", "/", 400, 0).failed is True
    assert Request("a", 0, "GET", "/", 399, 0).failed is False
    assert type(traffic([])) is dict
    assert most_requested([]) == []
    assert suspicious([]) == []


def test_defaults():
    failed = [Request("a", minute, "GET", path, 404, 0) for minute, path in ((0, "/1"), (2, "/2"), (4, "/3"))]
    assert suspicious(failed) == ["a"]
    assert suspicious(failed[:2]) == []
    later = [*failed[:2], Request("a", 5, "GET", "/", 404, 0)]
    assert suspicious(later) == []
    fine = [Request("a", 0, "GET", path, 200, 0) for path in ("/1", "/2", "/3", "/4")]
    assert most_requested(fine) == [("/1", 1), ("/2", 1), ("/3", 1)]
