"""Stand-ins for lesson 08."""

from torch import nn

from transformer_workbook.lessons.embeddings_and_positions.standins import (
    LearnedPositionalEmbedding,
    PositionalEncoding,
    TokenEmbedding,
)
from transformer_workbook.lessons.encoder_and_decoder.standins import Decoder, Encoder
from transformer_workbook.lessons.masks.standins import padding_mask, target_mask


class Generator(nn.Module):
    """A projection on the vocabulary, as log-probabilities."""

    def __init__(self, d_model, vocab_size):
        super().__init__()
        self.proj = nn.Linear(in_features=d_model, out_features=vocab_size)

    def forward(self, x):
        return nn.Sequential(self.proj, nn.LogSoftmax(dim=-1))(x)


class Transformer(nn.Module):
    """Figure 1; ValueError for unknown positions, or to tie vocabularies of different sizes."""

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
        if positions == "sinusoidal":
            position_class = PositionalEncoding
        elif positions == "learned":
            position_class = LearnedPositionalEmbedding
        else:
            raise ValueError(f"positions must be 'sinusoidal' or 'learned', not {positions!r}")
        if tie_weights and src_vocab != tgt_vocab:
            raise ValueError(
                f"tie_weights needs one vocabulary, but got {src_vocab} and {tgt_vocab} tokens"
            )
        self.pad_id = pad_id

        options = {"dropout": dropout, "norm_first": norm_first}
        for side, vocabulary in {"src": src_vocab, "tgt": tgt_vocab}.items():
            tokens = TokenEmbedding(vocabulary, d_model, pad_id=pad_id)
            places = position_class(d_model, dropout=dropout, max_len=max_len)
            self.add_module(f"{side}_embed", nn.Sequential(tokens, places))
        for name, stack in {"encoder": Encoder, "decoder": Decoder}.items():
            self.add_module(name, stack(num_layers, d_model, num_heads, d_ff, **options))
        self.generator = Generator(d_model, vocab_size=tgt_vocab)

        if tie_weights:
            users = [self.src_embed[0].embedding, self.tgt_embed[0].embedding, self.generator.proj]
            for user in users:
                user.weight = users[0].weight

    def encode(self, src, src_mask=None):
        return self.encoder(self.src_embed(src), mask=src_mask)

    def decode(self, tgt, memory, src_mask=None, tgt_mask=None):
        vectors = self.tgt_embed(tgt)
        return self.decoder(vectors, memory, src_mask=src_mask, tgt_mask=tgt_mask)

    def forward(self, src, tgt):
        masks = {"src_mask": padding_mask(src, pad_id=self.pad_id)}
        memory = self.encode(src, **masks)
        masks["tgt_mask"] = target_mask(tgt, pad_id=self.pad_id)
        return self.generator(self.decode(tgt, memory, **masks))


def make_model(src_vocab, tgt_vocab, **sizes):
    """A Transformer whose embeddings are normal, and whose other matrices Xavier uniform."""
    model = Transformer(src_vocab, tgt_vocab, **sizes)
    for name, weight in model.named_parameters():
        if ".embedding." in name:
            nn.init.normal_(weight, std=1 / weight.shape[-1] ** 0.5)
        elif weight.ndim == 2:
            nn.init.xavier_uniform_(weight, gain=1.0)
    return model
