"""Claims × values → links, each with the rule that found it; opens no file."""

from provchain.linking.links import find_links

__all__ = ["find_links"]
