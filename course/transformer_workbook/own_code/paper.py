"""What `print_model` prints around a student's code: sentences of the paper, and the page."""

PAPER = (
    '<a href="https://arxiv.org/abs/1706.03762">Attention Is All You Need</a> (Vaswani et al. 2017)'
)

# Sentences of Vaswani et al. 2017 with their sections, by component; None: the paper has none.
QUOTES: dict[str, tuple[str, str] | None] = {
    "split_heads": (
        "linearly project the queries, keys and values h times with different, learned linear "
        "projections",
        "3.2.2",
    ),
    "merge_heads": ("These are concatenated and once again projected", "3.2.2"),
    "scaled_dot_product_attention": (
        "We compute the dot products of the query with all keys, divide each by √d_k, and apply a "
        "softmax function to obtain the weights on the values.",
        "3.2.1",
    ),
    "MultiHeadAttention": (
        "Multi-head attention allows the model to jointly attend to information from different "
        "representation subspaces at different positions.",
        "3.2.2",
    ),
    "LayerNorm": ("followed by layer normalization", "3.1"),
    "SublayerConnection": ("the output of each sub-layer is LayerNorm(x + Sublayer(x))", "3.1"),
    "PositionwiseFeedForward": (
        "two linear transformations with a ReLU activation in between",
        "3.3",
    ),
    "TokenEmbedding": ("In the embedding layers, we multiply those weights by √d_model.", "3.4"),
    "sinusoidal_encoding": (
        "each dimension of the positional encoding corresponds to a sinusoid",
        "3.5",
    ),
    "PositionalEncoding": (
        "we must inject some information about the relative or absolute position of the tokens "
        "in the sequence",
        "3.5",
    ),
    "LearnedPositionalEmbedding": (
        "We also experimented with using learned positional embeddings instead",
        "3.5",
    ),
    "padding_mask": None,
    "causal_mask": (
        "masking out (setting to −∞) all values in the input of the softmax which correspond to "
        "illegal connections",
        "3.2.3",
    ),
    "target_mask": (
        "We need to prevent leftward information flow in the decoder to preserve the "
        "auto-regressive property.",
        "3.2.3",
    ),
    "EncoderLayer": ("Each layer has two sub-layers.", "3.1"),
    "DecoderLayer": (
        "the decoder inserts a third sub-layer, which performs multi-head attention over the "
        "output of the encoder stack",
        "3.1",
    ),
    "Encoder": ("The encoder is composed of a stack of N = 6 identical layers.", "3.1"),
    "Decoder": ("The decoder is also composed of a stack of N = 6 identical layers.", "3.1"),
    "Generator": (
        "the usual learned linear transformation and softmax function to convert the decoder "
        "output to predicted next-token probabilities",
        "3.4",
    ),
    "Transformer": (
        "stacked self-attention and point-wise, fully connected layers for both the encoder and "
        "decoder",
        "3",
    ),
    "make_model": None,
}

FRAME = """\
<!DOCTYPE html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>{title}</title>
<style>
@page {{ size: A4; margin: 8mm }}
:root {{ color-scheme: light }}
* {{ box-sizing: border-box; -webkit-print-color-adjust: exact; print-color-adjust: exact }}
body {{ margin: 0 auto; max-width: 194mm; background: #fff; color: #22272e;
  font: {size}pt/1.2 "DejaVu Sans", Verdana, sans-serif }}
h1 {{ margin: 0; font-size: 13pt; font-weight: normal }}
header p {{ margin: 0.5mm 0 2.5mm; font-size: 7pt; color: #5b6470 }}
header a {{ color: inherit }}
main {{ columns: 3; column-gap: 4mm; column-rule: 0.2mm solid #d5d9de }}
section {{ margin: 0 0 0.8em }}
section p {{ margin: 0; break-after: avoid; color: #0059a0 }}
q {{ font-style: italic }}
cite {{ font-style: normal; color: #5b6470; white-space: nowrap }}
strong {{ display: block; color: #a33c00 }}
pre {{ margin: 0; padding-left: 0.8em; border-left: 0.4mm solid #bfddf0; orphans: 4; widows: 4;
  font-family: "DejaVu Sans Mono", Menlo, Consolas, monospace; font-size: 0.97em;
  white-space: pre-wrap; overflow-wrap: anywhere }}
pre div {{ text-indent: -2ch }}
@media screen {{ body {{ padding: 8mm }} }}
</style>
<header><h1>{title}</h1><p>{about}</p></header>
<main>
{parts}
</main>
</html>
"""
