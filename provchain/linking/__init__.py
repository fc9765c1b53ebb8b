"""Claims × values → links, each with the rule that found it; opens no file."""

from provchain.linking.links import find_links
from provchain.linking.settings import link_settings
from provchain.linking.written import PRINTED_TOO

__all__ = ["PRINTED_TOO", "find_links", "link_settings"]
