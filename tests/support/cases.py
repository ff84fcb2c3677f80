"""Many small cases in one test: each test of its own costs some milliseconds beside what it tries."""

import functools
import inspect
from collections.abc import Callable, Iterable
from typing import Any

from _pytest.mark import ParameterSet


def each_case(names: str, cases: Iterable[Any], ids: Callable[[Any], object] = repr) -> Callable[..., Any]:
    """As ``parametrize``, but one test tries all cases, and adds to an error the case with which it came.

    For cases that take no time and leave nothing behind; they share the fixtures of the test.
    """
    arguments, cases = [name.strip() for name in names.split(",")], list(cases)
    assert cases, "no test may try nothing"

    def decorated(function: Callable[..., None]) -> Callable[..., None]:
        signature = inspect.signature(function)
        rest = [each for name, each in signature.parameters.items() if name not in arguments]

        def every(**fixtures: Any) -> None:
            for case in cases:
                is_named = isinstance(case, ParameterSet)
                values = case.values if is_named else case if len(arguments) > 1 else (case,)
                try:
                    function(**dict(zip(arguments, values, strict=True)), **fixtures)
                except BaseException as error:
                    error.add_note(f"with {names} = {case.id if is_named else ids(case)}")
                    raise

        functools.update_wrapper(every, function)
        del vars(every)["__wrapped__"]  # of which pytest would take the arguments
        vars(every)["__signature__"] = signature.replace(parameters=rest)
        return every

    return decorated
