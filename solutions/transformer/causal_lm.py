"""A Transformer of one half: the decoder alone, which continues any text."""

import torch
from torch import nn
from torch.nn import functional as F

from transformer.cached_attention import KeyValueCache, cached_layer
from transformer.embeddings import PositionalEncoding, TokenEmbedding
from transformer.layers import Encoder
from transformer.masks import causal_mask


class CausalLM(nn.Module):
    """Predict each next token of a text from those before it: ids (N, T) to logits (N, T, V).

    An encoder that sees no future, with pre-norm, as in GPT-2 (Radford et al. 2019). Embedding
    and projection are one matrix. The first of ids stands at position `start`.
    """

    def __init__(self, vocab_size, d_model, num_heads, d_ff, num_layers, dropout=0.1, pad_id=0):
        super().__init__()
        self.embed = TokenEmbedding(vocab_size, d_model, pad_id)
        self.positions = PositionalEncoding(d_model, dropout)
        self.encoder = Encoder(num_layers, d_model, num_heads, d_ff, dropout, norm_first=True)
        self.project = nn.Linear(d_model, vocab_size, bias=False)
        self.project.weight = self.embed.embedding.weight
        nn.init.normal_(self.project.weight, std=0.02)

    def forward(self, ids, start=0):
        vectors = self.embed(ids)  # (N, T, D)
        placed = self.positions(vectors, start)
        mask = causal_mask(ids.size(1), ids.device)
        hidden = self.encoder(placed, mask)
        logits = self.project(hidden)  # (N, T, V)
        return logits

    def read_on(self, ids, start, caches):
        """Read the next tokens, (N, T), and return the logits after the last one, (N, V).

        The `start` tokens before them were read with the same caches, one for each layer.
        """
        x = self.positions(self.embed(ids), start)
        mask = causal_mask(start + ids.size(1), ids.device)[:, :, start:]  # (1, 1, T, T_k)
        for layer, cache in zip(self.encoder.layers, caches, strict=True):
            x = cached_layer(layer, x, cache, mask)
        newest = self.encoder.norm(x[:, -1])  # (N, D): the others predict nothing new
        logits = self.project(newest)
        return logits


def next_token_loss(logits, ids, pad_id=0):
    """Compare what a model predicts, (N, T, V), with the tokens that come next in ids, (N, T).

    The mean cross-entropy over all next tokens but padding; at least one is real.
    """
    predicted = logits[:, :-1]  # (N, T - 1, V)
    expected = ids[:, 1:]  # (N, T - 1)
    loss = F.cross_entropy(predicted.flatten(0, 1), expected.flatten(), ignore_index=pad_id)
    return loss


def next_token_probabilities(logits, temperature=1.0, top_k=None):
    """Turn logits, (..., V), into the probabilities from which the next token is drawn.

    The logits are divided by the temperature; at 0 the likeliest token is certain. With top_k,
    only the top_k likeliest tokens can be drawn.
    """
    if temperature == 0:
        temperature, top_k = 1.0, 1
    if top_k is not None:
        least = logits.topk(min(top_k, logits.size(-1))).values[..., -1:]  # (..., 1)
        logits = logits.masked_fill(logits < least, float("-inf"))
    probabilities = (logits / temperature).softmax(dim=-1)
    return probabilities


def generate(model, ids, max_new_tokens, temperature=1.0, top_k=None, generator=None):
    """Continue each row of ids, (N, T), by max_new_tokens tokens: (N, T + max_new_tokens).

    The model reads each position once, and is afterwards in its mode again.
    """
    was_training = model.training
    model.eval()
    longest = ids.size(1) + max_new_tokens
    caches = [KeyValueCache(longest) for _ in model.encoder.layers]
    unread = ids
    try:
        with torch.no_grad():
            for _ in range(max_new_tokens):
                start = ids.size(1) - unread.size(1)
                logits = model.read_on(unread, start, caches)  # (N, V)
                probabilities = next_token_probabilities(logits, temperature, top_k)
                token = torch.multinomial(probabilities, 1, generator=generator)  # (N, 1)
                ids = torch.cat([ids, token], dim=1)
                unread = token
    finally:
        model.train(was_training)
    return ids
