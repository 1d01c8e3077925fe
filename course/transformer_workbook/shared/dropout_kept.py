"""Whether dropout outlives eval mode: no component may turn it off for good."""

import functools
from contextlib import suppress
from typing import Any

import torch
from torch import nn
from torch.nn.modules.dropout import _DropoutNd

from .evidence import Probe
from .language import _


def eval_mode_between(probe: Probe) -> Probe:
    """The probe, for a caller that runs it twice and uses the modules of the first run again.

    After the first run, each module that the component made is called in eval mode, as it was last.
    RuntimeError is raised if a dropout that is passed to the component does not keep its rate.
    """
    runs = 0

    @functools.wraps(probe)
    def run(component: Any, **inputs: Any) -> dict[str, object]:
        nonlocal runs
        runs += 1
        rates: dict[_DropoutNd, float] = {}
        last_calls: dict[nn.Module, tuple[Any, Any]] = {}

        def note(module: nn.Module, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
            last_calls[module] = args, kwargs

        @functools.wraps(component)
        def watched(*args: Any, **kwargs: Any) -> Any:
            for argument in (*args, *kwargs.values()):
                for part in argument.modules() if isinstance(argument, nn.Module) else ():
                    if isinstance(part, _DropoutNd):
                        rates.setdefault(part, part.p)
            result = component(*args, **kwargs)
            if isinstance(result, nn.Module) and runs == 1:
                result.register_forward_pre_hook(note, with_kwargs=True)
            return result

        result = probe(watched, **inputs)
        for module, (args, kwargs) in list(last_calls.items()):
            with suppress(Exception), torch.no_grad():
                module.eval()(*args, **kwargs)
        if any(dropout.p != rate for dropout, rate in rates.items()):
            raise RuntimeError(_("a dropout that was passed in has another rate `p` afterwards"))
        return result

    return run
