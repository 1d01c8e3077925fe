"""Reports an open blank in a line that a careless pattern would take years to match."""

import sys

inner = sys._getframe()
while "probing" not in inner.f_globals:
    inner = inner.f_back
probing, evidence = inner.f_globals["probing"], inner.f_globals["evidence"]
gather = probing.gather


def fail(probe, namespace, component, inputs, watched):
    if component == "smooth":
        return gather(probe, namespace, component, inputs, watched)
    line = "scores = query @ key" + " / math.sqrt(" * 120 + "____" * 100
    return evidence.Evidence(failure=evidence.Failure("blank", "NameError", "0x" * 900, line))


probing.gather = fail
