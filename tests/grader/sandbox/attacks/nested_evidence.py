"""Sends lists in lists, tensors among plain values, and names by the thousand."""

import sys

inner = sys._getframe()
while "probing" not in inner.f_globals:
    inner = inner.f_back
probing, evidence = inner.f_globals["probing"], inner.f_globals["evidence"]
gather = probing.gather
deep = []
for _ in range(40):
    deep = [deep, torch.ones(2)]


def nest(probe, namespace, component, inputs, watched):
    if component == "smooth":
        return gather(probe, namespace, component, inputs, watched)
    values = {f"name {n}": n for n in range(10_000)} | {"output": [torch.ones(2)], "deep": deep}
    return evidence.Evidence({}, values | {"weights": {"a": torch.ones(2)}, "inputs_changed": []})


probing.gather = nest
