"""What scripts, logs and outputs give away: files read and written, status, made-up values, numbers.

Knows texts, not directories: everything comes in as strings, nothing is executed or opened.
"""
