"""What holds for all tests: how long an example takes is measured in benchmarks/, never asserted here."""

from hypothesis import settings

settings.register_profile("provchain", deadline=None)
settings.load_profile("provchain")
