"""What a value is to the data flow: a set of the things it may be, one bit each."""

__all__ = ["Value"]

Value = int
