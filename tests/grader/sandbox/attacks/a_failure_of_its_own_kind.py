"""Reports a failure of a kind that nobody knows, which might be looked up where it is not."""

import sys

inner = sys._getframe()
while "probing" not in inner.f_globals:
    inner = inner.f_back
probing, evidence = inner.f_globals["probing"], inner.f_globals["evidence"]
gather = probing.gather


def fail(probe, namespace, component, inputs, watched):
    if component == "smooth":
        return gather(probe, namespace, component, inputs, watched)
    failure = evidence.Failure("passed", "{0.__class__}", "{message}%s{", "line", "{suggestion}")
    return evidence.Evidence(failure=failure)


probing.gather = fail
