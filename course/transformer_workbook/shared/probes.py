"""Probes for lessons that need none of their own: whatever takes tensors and returns some."""

from typing import Any

import torch

from .probing import fill_parameters, gradients


def of_function(function: Any, **inputs: Any) -> dict[str, object]:
    """What a function returns, and the gradients of its floating-point arguments, in order."""
    learned = _with_gradients(inputs)
    return _told(function(*inputs.values()), learned)


def of_module(module: Any, **inputs: Any) -> dict[str, object]:
    """A module of given parameters, and what it returns; tensors go to `forward`, others make it.

    Those that make it are passed by name, tensors in their order.
    """
    made, tensors = _made(module, inputs)
    fill_parameters(made)
    named = made.named_parameters()
    parameters = {name: weight for name, weight in named if weight.requires_grad}
    listed = sorted(f"{name} {tuple(weight.shape)}" for name, weight in parameters.items())
    learned = {**_with_gradients(tensors), **parameters}
    told = _told(made(*tensors.values()), learned)
    return {**told, "parameters": listed}


def of_new_module(module: Any, **inputs: Any) -> dict[str, object]:
    """As `of_module`, with the parameters as they begin: where no random number makes them."""
    made, tensors = _made(module, inputs)
    return _told(made(*tensors.values()), {})


def _made(module: Any, inputs: dict[str, Any]) -> tuple[torch.nn.Module, dict[str, torch.Tensor]]:
    tensors = {name: value for name, value in inputs.items() if isinstance(value, torch.Tensor)}
    made = module(**{name: value for name, value in inputs.items() if name not in tensors})
    floating = [tensor.dtype for tensor in tensors.values() if tensor.is_floating_point()]
    return made.to(floating[0] if floating else None).eval(), tensors


def _with_gradients(inputs: dict[str, Any]) -> dict[str, torch.Tensor]:
    return {
        name: value.requires_grad_()
        for name, value in inputs.items()
        if isinstance(value, torch.Tensor) and value.is_floating_point()
    }


def _told(output: Any, learned: dict[str, torch.Tensor]) -> dict[str, object]:
    """The output, or the first and the others of a tuple, and the gradients of the first."""
    outputs = output if isinstance(output, tuple) and output[1:] else (output,)
    names = ("output", *(f"output {place}" for place in range(2, 1 + len(outputs))))
    differentiable = isinstance(outputs[0], torch.Tensor) and outputs[0].requires_grad
    grads = gradients(outputs[0], learned) if differentiable and learned else {}
    return {**dict(zip(names, outputs, strict=True)), **grads}
