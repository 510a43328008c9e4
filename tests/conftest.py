"""The same examples in every run, so that a failure can be repeated; `--hypothesis-profile=search` looks for new ones."""

from hypothesis import settings

settings.register_profile("same", derandomize=True)
settings.register_profile("search", derandomize=False)
settings.load_profile("same")
