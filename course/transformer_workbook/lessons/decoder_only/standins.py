"""Stand-ins of lesson 14: a causal language model, its loss, and how it writes."""

import torch
from torch import nn

from transformer_workbook.lessons.cached_decoding.standins import KeyValueCache, cached_layer
from transformer_workbook.lessons.embeddings_and_positions.standins import (
    PositionalEncoding,
    TokenEmbedding,
)
from transformer_workbook.lessons.encoder_and_decoder.standins import Encoder
from transformer_workbook.lessons.training.standins import at_rest


class CausalLM(nn.Module):
    def __init__(self, vocab_size, d_model, num_heads, d_ff, num_layers, dropout=0.1, pad_id=0):
        super().__init__()
        sizes = {"d_model": d_model, "num_heads": num_heads, "d_ff": d_ff, "dropout": dropout}
        self.embed = TokenEmbedding(vocab_size=vocab_size, d_model=d_model, pad_id=pad_id)
        self.positions = PositionalEncoding(d_model=d_model, dropout=dropout)
        self.encoder = Encoder(num_layers, norm_first=True, **sizes)
        self.project = nn.Linear(in_features=d_model, out_features=vocab_size, bias=False)
        for table in self.embed.parameters():
            nn.init.normal_(table, std=0.02)
            self.project.weight = table

    def forward(self, ids, start=0):
        placed = self.positions(self.embed(ids), start=start)
        place = torch.arange(ids.shape[1], device=ids.device)
        seen = place.unsqueeze(1) >= place
        return self.project(self.encoder(placed, seen.view(1, 1, *seen.shape)))

    def read_on(self, ids, start, caches):
        vectors = self.positions(self.embed(ids), start=start)
        places = torch.arange(start + ids.shape[1], device=ids.device)
        seen = places[start:].unsqueeze(1) >= places
        for layer, cache in zip(self.encoder.layers, caches, strict=True):
            vectors = cached_layer(layer, vectors, cache, mask=seen.view(1, 1, *seen.shape))
        return self.project(self.encoder.norm(vectors.select(1, -1)))


def next_token_loss(logits, ids, pad_id=0):
    shares = nn.functional.log_softmax(logits, dim=2)
    ahead = ids.roll(-1, dims=1)
    of_next = shares.gather(2, ahead.unsqueeze(2)).squeeze(2)
    counts = ahead != pad_id
    counts[:, -1] = False
    return -(of_next * counts).sum() / counts.sum()


def next_token_probabilities(logits, temperature=1.0, top_k=None):
    if not temperature:
        return torch.zeros_like(logits).scatter(-1, logits.argmax(dim=-1, keepdim=True), 1.0)
    rank = logits.argsort(dim=-1, descending=True).argsort(dim=-1)
    kept = rank < (logits.shape[-1] if top_k is None else top_k)
    shares = logits.div(temperature).softmax(dim=-1) * kept
    return shares / shares.sum(dim=-1, keepdim=True)


def generate(model, ids, max_new_tokens, temperature=1.0, top_k=None, generator=None):
    """With new caches at each step: the whole text is read for each new token."""
    text = ids.clone()
    with at_rest(model):
        for _ in [None] * max_new_tokens:
            caches = [KeyValueCache(text.shape[1]) for _ in model.encoder.layers]
            shares = next_token_probabilities(model.read_on(text, 0, caches), temperature, top_k)
            up_to = shares.cumsum(dim=-1)
            drawn = torch.rand(len(text), 1, generator=generator, device=text.device)
            drawn = drawn * up_to[:, -1:]
            token = torch.searchsorted(up_to, drawn.to(up_to.dtype), right=True)
            text = torch.hstack([text, token.clamp(max=shares.shape[-1] - 1)])
    return text
