import pytest

from tillroll.catalogue import Article, Catalogue


def test_articles_are_found_without_regard_to_case(catalogue):
    assert catalogue["tea-01"].name == "Green tea 100 g"
    assert catalogue["TEA-01"].price == 420


def test_an_unknown_article_is_named(catalogue):
    with pytest.raises(KeyError, match="XYZ"):
        catalogue["XYZ"]


def test_an_article_may_not_be_listed_twice(catalogue):
    article = catalogue["CUP-07"]
    with pytest.raises(ValueError, match="twice"):
        Catalogue([article, Article("cup-07", "Another", 1, article.vat)])


def test_the_list_keeps_its_order(catalogue):
    assert [article.number for article in catalogue] == ["TEA-01", "CUP-07", "POT-02", "SUG-03"]
    assert len(catalogue) == 4
