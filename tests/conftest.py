"""The same examples in every run, so that a failure can be repeated; `--hypothesis-profile=search` looks for new ones."""

from hypothesis import HealthCheck, settings

settings.register_profile("same", derandomize=True, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("search", derandomize=False)
settings.load_profile("same")
