"""The Transformer of "Attention Is All You Need" (Vaswani et al. 2017), built by hand.

Derived from the files of this folder by `autograder build`: do not edit.
"""

from transformer.add_and_norm import LayerNorm, SublayerConnection
from transformer.attention import scaled_dot_product_attention
from transformer.cached_attention import KeyValueCache, attend, cached_layer, keys_and_values
from transformer.cached_decoding import CachedDecoder, cached_beam_search, cached_greedy_decode
from transformer.causal_lm import CausalLM, generate, next_token_loss, next_token_probabilities
from transformer.decoding import beam_search, greedy_decode
from transformer.embeddings import (
    LearnedPositionalEmbedding,
    PositionalEncoding,
    TokenEmbedding,
    sinusoidal_encoding,
)
from transformer.faster import (
    FusedLabelSmoothing,
    FusedLayerNorm,
    FusedMultiHeadAttention,
    fuse,
)
from transformer.feed_forward import PositionwiseFeedForward
from transformer.layers import Decoder, DecoderLayer, Encoder, EncoderLayer
from transformer.llama import GroupedQueryAttention, LlamaLayer, apply_rotary
from transformer.masks import causal_mask, padding_mask, target_mask
from transformer.model import Generator, Transformer, make_model
from transformer.multi_head_attention import MultiHeadAttention
from transformer.tensor_moves import merge_heads, split_heads
from transformer.training import LabelSmoothing, evaluate, noam_lr, shift_right, train_step
from transformer.translation import average_weights, mixed_precision_step, token_batches

__all__ = [
    "CachedDecoder",
    "CausalLM",
    "Decoder",
    "DecoderLayer",
    "Encoder",
    "EncoderLayer",
    "FusedLabelSmoothing",
    "FusedLayerNorm",
    "FusedMultiHeadAttention",
    "Generator",
    "GroupedQueryAttention",
    "KeyValueCache",
    "LabelSmoothing",
    "LayerNorm",
    "LearnedPositionalEmbedding",
    "LlamaLayer",
    "MultiHeadAttention",
    "PositionalEncoding",
    "PositionwiseFeedForward",
    "SublayerConnection",
    "TokenEmbedding",
    "Transformer",
    "apply_rotary",
    "attend",
    "average_weights",
    "beam_search",
    "cached_beam_search",
    "cached_greedy_decode",
    "cached_layer",
    "causal_mask",
    "evaluate",
    "fuse",
    "generate",
    "greedy_decode",
    "keys_and_values",
    "make_model",
    "merge_heads",
    "mixed_precision_step",
    "next_token_loss",
    "next_token_probabilities",
    "noam_lr",
    "padding_mask",
    "scaled_dot_product_attention",
    "shift_right",
    "sinusoidal_encoding",
    "split_heads",
    "target_mask",
    "token_batches",
    "train_step",
]
