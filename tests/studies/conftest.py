"""What lies here is made, run and audited by `tests/test_studies.py`: nothing in it is a module of tests."""

collect_ignore_glob = ["*.py", "*/*.py", "*/code/*.py"]
