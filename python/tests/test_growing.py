"""The growth of a function's cost as a test of pytest's."""

from __future__ import annotations

import shutil

import pytest

import icount

pytestmark = pytest.mark.skipif(shutil.which("valgrind") is None, reason="there is no Valgrind here")


def numbers(n):
    return list(range(n))


def drain(items):
    while items:
        items.pop(0)


@icount.growth(sizes=[1000, 2000, 4000], max_exponent=1.2, setup=numbers)
def test_a_sum_is_linear(items):
    sum(items)


def test_what_grows_faster_fails_and_says_where():
    test = icount.growth(sizes=[4000, 8000, 16000], max_exponent=1.2, setup=numbers)(drain)
    with pytest.raises(AssertionError, match=r"drain: Ir grows as (about )?n\^[12]\.[0-9], more than n\^1\.2: .*memmove"):
        test()


def test_what_does_not_depend_on_the_size_measures_nothing():
    with pytest.raises(AssertionError, match="hardly depends on n|costs the same at every size"):
        icount.growth(sizes=[1, 2, 3], max_exponent=1.2)(hash)()
