"""What the rules know of torch's functions, and of how a call names them."""

import ast
import math

import torch

AXES = {"dim", "dim0", "dim1", "dims", "axis", "start_dim", "end_dim"}
TAKES_AXES = {
    "all", "amax", "amin", "any", "argmax", "argmin", "argsort", "cat", "chunk", "cumsum", "diff",
    "flatten", "flip", "gather", "index_add", "index_select", "log_softmax", "logsumexp", "max",
    "mean", "min", "movedim", "norm", "permute", "prod", "repeat_interleave", "roll", "scatter",
    "scatter_", "scatter_add", "select", "size", "softmax", "sort", "split", "squeeze", "stack",
    "std", "sum", "swapaxes", "swapdims", "topk", "transpose", "unbind", "unflatten", "unsqueeze",
    "var",
}  # fmt: skip
OTHER_AXES = (-1, -2, 0, 1, 2)
SYMMETRIC = {"transpose", "swapaxes", "swapdims"}
SIMILAR_FUNCTIONS = [
    ("sum", "mean"), ("max", "min"), ("amax", "amin"), ("argmax", "argmin"), ("any", "all"),
    ("sin", "cos"), ("exp", "log"), ("ones", "zeros"), ("ones_like", "zeros_like"),
    ("cat", "stack"), ("triu", "tril"), ("relu", "gelu"), ("softmax", "log_softmax"),
    ("softmax", "sigmoid"),
    ("var", "std"), ("sqrt", "rsqrt"), ("sqrt", "square"), ("train", "eval"), ("floor", "ceil"),
    ("repeat_interleave", "repeat"), ("xavier_uniform_", "xavier_normal_"), ("is_not", "is_"),
    ("append", "extend"), ("log1p", "log"), ("expm1", "exp"), ("squeeze", "unsqueeze"),
    ("no_grad", "enable_grad"), ("item", "double"), ("flatten", "ravel"), ("numel", "dim"),
    ("parameters", "buffers"), ("isnan", "isinf"), ("minimum", "maximum"), ("bool", "long"),
]  # fmt: skip
IN_PLACE = {
    "abs", "add", "clamp", "copysign", "cumsum", "div", "exp", "index_add", "index_copy",
    "index_fill", "log", "logical_and", "logical_not", "logical_or", "masked_fill",
    "masked_scatter", "mul", "neg", "pow", "relu", "reciprocal", "round", "rsqrt", "scatter",
    "scatter_add", "sigmoid", "sqrt", "squeeze", "sub", "swapaxes", "t", "tanh", "transpose",
    "tril", "triu", "unsqueeze",
}  # fmt: skip
VIEWS = {
    "chunk", "expand", "expand_as", "flatten", "movedim", "narrow", "permute", "reshape", "select",
    "split", "squeeze", "swapaxes", "t", "transpose", "unbind", "unflatten", "unsqueeze", "view",
}  # fmt: skip
METHOD_OF = {
    ast.Add: "add_", ast.Sub: "sub_", ast.Mult: "mul_", ast.Div: "div_", ast.Pow: "pow_",
    ast.BitOr: "logical_or_", ast.BitAnd: "logical_and_",
}  # fmt: skip
UNSEEN = {"device", "non_blocking", "pin_memory"}  # keywords that no test on one device can see
# Calls whose result no gradient flows through, or that is no tensor.
NO_TENSOR = {
    "Linear", "ModuleList", "Parameter", "arange", "argmax", "detach", "eval", "eye", "float",
    "full", "full_like", "int", "item", "len", "new_full", "new_zeros", "ones", "ones_like", "size",
    "train", "zeros", "zeros_like",
}  # fmt: skip


def has(owner: ast.expr, name: str) -> bool:
    """Whether a function of torch or math exists; anything may exist on another owner."""
    modules = {"torch": torch, "F": torch.nn.functional, "math": math}
    module = modules.get(owner.id) if isinstance(owner, ast.Name) else None
    return module is None or hasattr(module, name)


def called_name(node: ast.AST) -> str:
    """The last part of the name that a call calls; "" for what is no call."""
    func = getattr(node, "func", None)
    return getattr(func, "attr", getattr(func, "id", ""))
