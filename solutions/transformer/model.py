"""The whole model, Figure 1."""

from torch import nn

from transformer.embeddings import (
    LearnedPositionalEmbedding,
    PositionalEncoding,
    TokenEmbedding,
)
from transformer.layers import Decoder, Encoder
from transformer.masks import padding_mask, target_mask


class Generator(nn.Module):
    """Turn the decoder's vectors into log-probabilities of the next token (section 3.4)."""

    def __init__(self, d_model, vocab_size):
        super().__init__()
        self.proj = nn.Linear(d_model, vocab_size)

    def forward(self, x):
        logits = self.proj(x)  # (N, T, V)
        log_probs = logits.log_softmax(dim=-1)
        return log_probs


class Transformer(nn.Module):
    """Predict each next token of a target, (N, T), from a source, (N, S) (Figure 1).

    `positions` is "sinusoidal" or "learned". With `tie_weights` both embeddings and the last
    projection are one matrix (section 3.4).
    Raises ValueError for other positions, or to tie vocabularies of different sizes.
    """

    def __init__(
        self,
        src_vocab,
        tgt_vocab,
        d_model=512,
        num_heads=8,
        num_layers=6,
        d_ff=2048,
        dropout=0.1,
        pad_id=0,
        norm_first=False,
        positions="sinusoidal",
        tie_weights=False,
        max_len=5000,
    ):
        super().__init__()
        kinds = {"sinusoidal": PositionalEncoding, "learned": LearnedPositionalEmbedding}
        if positions not in kinds:
            raise ValueError(f"positions must be one of {sorted(kinds)}, but got {positions!r}")
        if tie_weights and src_vocab != tgt_vocab:
            raise ValueError(
                "tie_weights needs one vocabulary for both languages, "
                f"but got src_vocab={src_vocab} and tgt_vocab={tgt_vocab}"
            )
        self.pad_id = pad_id

        self.src_embed = nn.Sequential(
            TokenEmbedding(src_vocab, d_model, pad_id),
            kinds[positions](d_model, dropout, max_len),
        )
        self.tgt_embed = nn.Sequential(
            TokenEmbedding(tgt_vocab, d_model, pad_id),
            kinds[positions](d_model, dropout, max_len),
        )
        self.encoder = Encoder(num_layers, d_model, num_heads, d_ff, dropout, norm_first)
        self.decoder = Decoder(num_layers, d_model, num_heads, d_ff, dropout, norm_first)
        self.generator = Generator(d_model, tgt_vocab)

        if tie_weights:
            shared = self.src_embed[0].embedding.weight
            self.tgt_embed[0].embedding.weight = shared
            self.generator.proj.weight = shared

    def encode(self, src, src_mask=None):
        """Read the source once: ids (N, S) to memory (N, S, D)."""
        memory = self.encoder(self.src_embed(src), src_mask)
        return memory

    def decode(self, tgt, memory, src_mask=None, tgt_mask=None):
        """Read the target so far beside the memory: ids (N, T) to vectors (N, T, D)."""
        decoded = self.decoder(self.tgt_embed(tgt), memory, src_mask, tgt_mask)
        return decoded

    def forward(self, src, tgt):
        """Return the log-probabilities of the token after each one of tgt, (N, T, V)."""
        src_mask = padding_mask(src, self.pad_id)
        tgt_mask = target_mask(tgt, self.pad_id)
        memory = self.encode(src, src_mask)
        decoded = self.decode(tgt, memory, src_mask, tgt_mask)
        log_probs = self.generator(decoded)
        return log_probs


def make_model(src_vocab, tgt_vocab, **sizes):
    """Build a Transformer and draw its matrices: embeddings normally, the others by Xavier.

    Scaled by the root of d_model, an embedding's numbers then have a standard deviation of 1.
    """
    model = Transformer(src_vocab, tgt_vocab, **sizes)
    for parameter in model.parameters():
        if parameter.dim() > 1:
            nn.init.xavier_uniform_(parameter)
    for embed in (model.src_embed, model.tgt_embed):
        table = embed[0].embedding.weight  # with tie_weights, the projection too
        nn.init.normal_(table, std=table.size(1) ** -0.5)
    return model
