"""Counts what the shared test data went through, for the table at the end."""

from collections import Counter

import pytest

pytest.register_assert_rewrite("shared")

COUNTS: Counter[str] = Counter()


@pytest.fixture
def counted() -> Counter[str]:
    """To be added to by the tests over shared data."""
    return COUNTS


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    if COUNTS:
        terminalreporter.section("shared test data")
        for name, count in COUNTS.items():
            terminalreporter.write_line(f"python: {count} {name}")
