"""Pictures and widgets of the course, each with a text alternative."""

from .beam_tree import tree
from .caches import beam_table, cache
from .depth import norm_axes
from .gpt import gpt
from .heat_maps import alignment, heads, heat_map
from .lines import curves
from .masks import mask_builder, masks
from .picture import Picture
from .positions import binary_counter, position_dial, positions
from .softmax import soft_lookup, softmax_saturation
from .steps import attention_steps, multi_head_steps
from .tensors import reshape_moves, shapes
from .training import noam_explorer, parameters, schedule, smoothed_target

__all__ = [
    "Picture",
    "alignment",
    "attention_steps",
    "beam_table",
    "binary_counter",
    "cache",
    "curves",
    "gpt",
    "heads",
    "heat_map",
    "mask_builder",
    "masks",
    "multi_head_steps",
    "noam_explorer",
    "norm_axes",
    "parameters",
    "position_dial",
    "positions",
    "reshape_moves",
    "schedule",
    "shapes",
    "smoothed_target",
    "soft_lookup",
    "softmax_saturation",
    "tree",
]
