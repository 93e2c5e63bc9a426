from treadle.plugins.agents.tools.meant_lines import lines_meant


def test_a_search_for_a_number_alone_means_no_empty_line() -> None:
    assert lines_meant("x = 5\n\ny = 1\n", "5", "x") == ("x = 5", "x = x")
