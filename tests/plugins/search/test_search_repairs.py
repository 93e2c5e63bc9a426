"""The search on small projects: what it finds, and what it leaves as it was."""

from __future__ import annotations

MEAN = '''
    """Averages."""


    def mean(values):
        # An empty list has no mean.
        if len(values) > 1:
            return sum(values) / len(values)
        return None


    def spread(values):
        return max(values) - min(values)
'''
MEAN_TESTS = """
    from stats import mean, spread


    def test_many():
        assert mean([1, 2, 3]) == 2


    def test_one():
        assert mean([4]) == 4


    def test_none():
        assert mean([]) is None


    def test_spread():
        assert spread([1, 5]) == 4
"""


def test_a_wrong_comparison_is_mended(project, text_of):
    project.write(stats=MEAN, test_stats=MEAN_TESTS)
    candidate = project.repair()
    assert candidate is not None
    assert not project.report_with(candidate).failing
    before = (project.root / "stats.py").read_text().splitlines()
    after = text_of(candidate).splitlines()
    assert next((a, b) for a, b in zip(before, after, strict=True) if a != b)[0] == "    if len(values) > 1:"
    assert "stats.py, line 6" in candidate.why
    assert "test_one" in candidate.why
