"""What holds for every test."""

from __future__ import annotations

from hypothesis import HealthCheck, settings

# A machine that is busy is no failure: no example has to be fast.
settings.register_profile("treadle", deadline=None, suppress_health_check=[HealthCheck.too_slow], print_blob=True)
settings.load_profile("treadle")
