from subject import Request, most_requested, read, suspicious, traffic

LOG = """\
10.0.0.1 [08:15] "GET /index" 200 512
10.0.0.2 [08:16] "GET /index?x=1" 200 512
10.0.0.2 [08:16] "POST /login" 401 -

nonsense
10.0.0.2 [08:17] "POST /login" 401 20
10.0.0.1 [08:18] "GET /about" 200 100
10.0.0.2 [08:20] "POST /login" 403 -
""".splitlines()


def test_read():
    requests, unread = read(LOG)
    assert requests[0] == Request("10.0.0.1", 495, "GET", "/index", 200, 512)
    assert len(requests) == 6
    assert unread == [5]


def test_query_and_size():
    requests, _ = read(LOG)
    assert requests[1].path == "/index"
    assert requests[2].size == 0


def test_failed():
    requests, _ = read(LOG)
    assert [r.failed for r in requests] == [False, False, True, True, False, True]


def test_most_requested():
    requests, _ = read(LOG)
    assert most_requested(requests) == [("/index", 2), ("/about", 1)]
    assert most_requested(requests, number=1) == [("/index", 2)]


def test_traffic():
    assert traffic(read(LOG)[0]) == {"10.0.0.1": 612, "10.0.0.2": 532}


def test_suspicious():
    requests, _ = read(LOG)
    assert suspicious(requests) == ["10.0.0.2"]
    assert suspicious(requests, minutes=4) == []
    assert suspicious(requests, failures=4) == []
