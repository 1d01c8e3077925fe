"""Explains exceptions by their message and the student's line: the usual mistake behind them."""

import re

from ..shared.evidence import Failure
from ..shared.language import N_, _
from .compare import Finding

_LAYERS = (
    "Softmax|LogSoftmax|Dropout|ReLU|GELU|SiLU|Linear|Embedding|LayerNorm|Sequential|ModuleList"
)
_TENSOR_METHODS = (
    "masked_fill|transpose|permute|view|reshape|unsqueeze|squeeze|size|shape|dim|sum|mean|matmul"
)
# In the words of Python 3.10, and of later ones.
_UNASSIGNED = (
    r"^(UnboundLocal|Name)Error:.*\b(local|free)\svariable\s'(?P<name>\w+)'\s(where|referenced)\b"
)
# The first pattern found in "Type: message", a line end and the student's line gives the advice.
# The groups layer, made and owner name a layer, word and operator an operator.
_ADVICE = {
    _UNASSIGNED: N_(
        "`{name}` is assigned in this function, but the line that does so did not run before this "
        "one. Does it stand in an `if` or a loop that was skipped, or further down? What another "
        "cell calls {name} does not count here."
    ),
    r"^NameError: name '(?P<letter>[A-EG-Z]|T_[a-z]|d_[kv])' is not defined": N_(
        "`{letter}` is a letter of the shape comments, not a variable here. Take the size from a "
        "tensor, with .shape or .size(), or from an argument or attribute that holds it."
    ),
    r"(Boolean value of Tensor|argument 'dim' .*must be int, not Tensor).*\n"
    rf".*nn\.(?P<layer>{_LAYERS})\("
    rf"|(operand.*'|not |got \(.*|^<)(?P<made>{_LAYERS})\b"
    rf"|^AttributeError: '(?P<owner>{_LAYERS})' object has no attribute '({_TENSOR_METHODS})'": N_(
        "nn.{layer} makes a layer: its parentheses take settings, and it returns no tensor yet. "
        "Make the layer first and then call it on the tensor, or use the function from F that "
        "does the same."
    ),
    r"Boolean value of Tensor.*\n.*(?<!is )\bnot\b(?! in\b)": N_(
        "`not` needs a single truth value, but was given a whole tensor. The operator ~ swaps "
        "True and False entry by entry."
    ),
    r"Boolean value of Tensor.*\n.*\b(?P<name>and|or)\b": N_(
        "`{name}` needs single truth values, but was given a whole tensor. The operators & and | "
        "go entry by entry."
    ),
    r"Boolean value of Tensor.*\n.*\b(?P<name>if|while|assert)\b": N_(
        "`{name}` needs a single truth value, but was given a whole tensor. Should the line ask "
        "whether any entry is True, whether all are, or whether something is None?"
    ),
    "Boolean value of Tensor": N_(
        "A single truth value is needed there, but a whole tensor was given."
    ),
    r"(tuple|split|unpack).*\n.*\.(?P<name>split|chunk|unbind)\(": N_(
        "{name} returns a tuple of pieces, not one tensor; and the number that split takes is how "
        "long a piece is, not how many there are. Where one axis is to become two, the tensor "
        "stays whole."
    ),
    "'(builtin_function_or_method|function|method)' object has no attribute": N_(
        "A function stands where a tensor is expected. A method that is not called, without its "
        "parentheses, is a function."
    ),
    "'tuple' object has no attribute|operand.*'tuple'|not tuple|to tuple": N_(
        "A tuple stands where one tensor is expected. split, chunk and unbind return a tuple of "
        "pieces, and some functions return several results: unpack them first."
    ),
    r"(must match the size|cannot be multiplied|Expected size|dimension).*\n.*\.T\b": N_(
        "`.T` reverses the order of all axes, those of the batch and of the heads too. Swap only "
        "the two axes that you mean."
    ),
    # Where no line of the student's failed, the probe did, with its call or the result.
    r"got an unexpected keyword argument '(?P<name>\w+)'.*\n$": N_(
        "`{name}` is passed by name, as other code does: keep the names of the arguments."
    ),
    r"cannot unpack non-iterable NoneType.*\n$|^None\n": N_(
        "{component} returned None: does every path through it end with a `return` of the result?"
    ),
    r"^(?!.*invalid combination of arguments).*NoneType": N_(
        "Something there is None. A function that ends without reaching a `return` returns None; "
        "so does a method that changes its list in place, such as append."
    ),
    r"unsupported operand type\(s\) for \^|bitwise_xor": N_(
        "`^` is not a power in Python: it compares bit by bit (exclusive or). A power is written "
        "**."
    ),
    r"unsupported operand type\(s\) for (?P<operator>\S+).*: "
    r"'(?P<left>\w+)' and '(?P<right>\w+)'": N_(
        "`{operator}` does not work between {left} and {right}: one of the two is not what the "
        "line expects."
    ),
    r'"bitwise_(?P<word>and|or|xor|not)|operator.(?P<invert>invert). is only implemented': N_(
        "`{operator}` works on boolean tensors, and was given floating-point numbers. A comparison "
        "makes a mask."
    ),
    # What follows explains the general run of crashes: nothing above knew better.
    "SyntaxError|IndentationError": N_(
        "Python cannot read the cell. Look at the line it names: a bracket that is not closed, a "
        "colon or an indentation that is missing."
    ),
    "cannot assign module before Module.__init__|cannot assign parameters before": N_(
        "A module, a parameter or a buffer was stored before nn.Module was set up. The first line "
        "of __init__ is super().__init__()."
    ),
    r"super\(type, obj\)|super\(\): |type object 'super' has no attribute"
    "|descriptor '__init__' of 'super' object": N_(
        "super needs its parentheses: super().__init__()."
    ),
    "AttributeError: '(int|float|bool)' object has no attribute "
    "'(sqrt|exp|log|pow|sin|cos|tanh|floor|ceil)'": N_(
        "That is a plain Python value, not a tensor: it has no such method. For a number, use a "
        "function such as math.sqrt."
    ),
    "AttributeError: '(int|float|bool|str)' object": N_(
        "That is a plain Python value, not a tensor: it has no such method."
    ),
    "AttributeError: "
    "'(NoneType|tuple|list|dict|Tensor|function|builtin_function_or_method)' object": N_(
        "What stands before the dot is not what the line expects, or the name after it is "
        "misspelled. Print it and look."
    ),
    r"AttributeError: '(?P<kind>\w+)' object has no attribute '(?P<inner>\w+)'.*\n"
    r"(?=\S)(?!.*\b(?P=inner)\b)": N_(
        "`{inner}` does not stand in this line: something that is called there looks for it in a "
        "`{kind}`, which has none. Is that what it should be given?"
    ),
    r"AttributeError: '\w+' object has no attribute": N_(
        "What stands before the dot has no attribute of that name: it was never set (== compares, "
        "and sets nothing), or the name is misspelled, or this is another object than you mean."
    ),
    "NameError": N_(
        "A name is used that nothing defines there. In a method, what __init__ stored is reached "
        "through self. Otherwise look for a typo, for torch. or math. that is missing before it, "
        "or for an import."
    ),
    r"^\w+: (?P<inner>[a-z]\w*)\(\)?.*\n(?=\S)(?!.*\b(?P=inner)\b)": N_(
        "`{inner}` does not stand in this line: something that stands there calls it, with what it "
        "was given. Compare what is given in this line with what is expected there."
    ),
    r"received an invalid combination of arguments": N_(
        "A function was given arguments that it does not take. Compare the call with the def line, "
        "or with the documentation, of that function."
    ),
    r"Can't call numpy\(\) on Tensor that requires grad": N_(
        "Stay with tensors: NumPy knows no gradients, so nothing could be learned through it."
    ),
    "only one element tensors can be converted|only integer tensors of a single element"
    "|must be real number, not Tensor": N_(
        "A function for one number got a whole tensor. Use torch's function of that name, or the "
        "tensor's method."
    ),
    "not compatible with input|view size is not compatible": N_(
        "view needs numbers that lie in memory in the order of the axes. After a transpose they do "
        "not, nor do those of a slice, as a rule. Use reshape, or contiguous() first."
    ),
    "shape '.*' is invalid for input of size": N_(
        "The sizes given do not multiply to the number of entries there are. Write down the shape "
        "before and after."
    ),
    "output with shape .* doesn't match the broadcast shape": N_(
        "The result does not fit into the tensor that it is written into, which keeps its shape. "
        "Let the line make a new tensor."
    ),
    "mat1 and mat2 shapes cannot be multiplied|Expected size for first two dimensions"
    "|must match the size of tensor|size mismatch": N_(
        "Two shapes do not fit. Print both .shape, and compare them with what they should be."
    ),
    "IndexError: Dimension out of range": N_(
        "The tensor has fewer axes than that. Count them; -1 is always the last one, and -2 the "
        "one before."
    ),
    "IndexError: .*(out of bounds|out of range)": N_(
        "An index points beyond the entries there. What does it count, and how many entries are "
        "there when the line runs?"
    ),
    r"missing \d+ required positional argument|takes \d+ positional argument"
    "|unexpected keyword argument": N_(
        "A function is called with arguments that do not match those it takes. Compare the call "
        "with its def line."
    ),
    r"(not enough values to unpack|too many values to unpack).*\n.*=.*\.(shape|size\(\))$": N_(
        "The tensor has more or fewer axes there than the line has names. Where any number of axes "
        "is allowed, ask for one size at a time, such as .size(-1)."
    ),
    r"((not enough|too many) values to unpack|cannot unpack).*\n.*(,.*=|\bfor\b)": N_(
        "That line unpacks a different number of results than there are. Count the names on the "
        "left of =, and what the call returns."
    ),
    "Expected tensor for argument .* to have .*Long|expected scalar type"
    "|must have the same dtype|Found dtype": N_(
        "The dtypes do not fit. Token ids are torch.long, masks are boolean, everything else is "
        "floating point."
    ),
}
_OPERATORS = {"and": "&", "or": "|", "xor": "^", "not": "~", "invert": "~"}


def advice(failure: Failure, component: str) -> str:
    """The usual mistake behind an exception, by its message and line; empty if none is known."""
    return _advice(f"{failure.type}: {failure.message}", failure.line, component)


def advice_on_unassigned(error: NameError) -> str:
    """What to look for if a name is assigned, but had no value yet; empty for other names."""
    raised = f"{type(error).__name__}: {error}"
    return _advice(raised, "", "") if re.search(_UNASSIGNED, raised) else ""


def advice_on_value(finding: Finding, component: str) -> str:
    """The usual mistake behind a result that is no tensor; empty if its type suggests none."""
    actual = str(finding.details.get("actual"))
    if finding.kind in ("not_a_tensor", "type", "value") and (
        actual == "None" or actual.startswith("<")
    ):
        return _advice(actual, "", component)
    return ""


def _advice(raised: str, line: str, component: str) -> str:
    text = " ".join(raised.splitlines()) + "\n" + line
    for pattern, says in _ADVICE.items():
        if match := re.search(pattern, text):
            named = {name: word for name, word in match.groupdict().items() if word}
            layer = named.get("layer") or named.get("made") or named.get("owner")
            operator = _OPERATORS.get(named.get("word") or named.get("invert", ""))
            filled = {"component": component, "layer": layer, "operator": operator} | named
            return _(says).format(**filled | {"layer": layer})
    return ""


def culprits(failure: Failure) -> list[str]:
    """The names in the failing line whose type is the one that the message complains about."""
    kinds = re.findall(rf"\b({_LAYERS}|tuple|list|NoneType)\b", failure.message)
    kinds = ["None" if kind == "NoneType" else kind for kind in kinds]
    named = [entry.split(": ", 1) for entry in failure.names.split("; ") if ": " in entry]
    return [name for name, described in named if described.partition(" ")[0] in kinds]
