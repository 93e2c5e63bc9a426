from subject import camel, rename_keys, slug, snake, words_of


def test_words():
    assert words_of("parseHTTPResponse") == ["parse", "http", "response"]
    assert words_of("some-mixed name") == ["some", "mixed", "name"]
    assert words_of("HTTPServer2") == ["http", "server2"]


def test_snake():
    assert snake("maxRetryCount") == "max_retry_count"
    assert snake("_privateName") == "_private_name"
    assert snake("already_snake") == "already_snake"


def test_camel():
    assert camel("max_retry_count") == "maxRetryCount"
    assert camel("http-server", upper=True) == "HttpServer"
    assert camel("") == ""


def test_slug():
    assert slug("Don't Panic: it's fine!") == "dont-panic-its-fine"


def test_slug_limit():
    assert slug("one two three", limit=8) == "one-two"
    assert slug("extraordinary", limit=5) == "extra"


def test_rename_keys():
    record = {"firstName": "a", "homeAddress": [{"zipCode": 1}]}
    assert rename_keys(record, snake) == {"first_name": "a", "home_address": [{"zip_code": 1}]}
