"""The Transformer of "Attention Is All You Need" (Vaswani et al. 2017), built by hand."""

from transformer.attention import scaled_dot_product_attention
from transformer.multi_head_attention import MultiHeadAttention
from transformer.tensor_moves import merge_heads, split_heads

__all__ = [
    "MultiHeadAttention",
    "merge_heads",
    "scaled_dot_product_attention",
    "split_heads",
]
