"""How the property tests search: always bounded, and always the same in continuous integration."""

import os

from hypothesis import HealthCheck, settings

settings.register_profile(
    "posenc",
    max_examples=60,
    deadline=None,  # a busy machine is no error
    derandomize="CI" in os.environ,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("posenc")
