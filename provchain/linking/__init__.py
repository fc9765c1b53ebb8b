"""Claims × values → links, each with the rule that found it; opens no file."""

from provchain.linking.links import find_links
from provchain.linking.written import PRINTED_TOO

__all__ = ["PRINTED_TOO", "find_links"]
