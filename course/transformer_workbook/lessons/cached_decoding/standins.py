"""Stand-ins for lesson 13."""

import torch
from torch.nn.functional import scaled_dot_product_attention

from transformer_workbook.lessons.decoding.standins import greedy_decode
from transformer_workbook.lessons.masks.standins import padding_mask
from transformer_workbook.lessons.warm_up.standins import merge_heads, split_heads


class KeyValueCache:
    """Keys and values of up to max_len positions, (N, H, T, d_k) each, in one tensor."""

    def __init__(self, max_len):
        self.max_len, self.length, self.past = int(max_len), 0, None

    def append(self, keys, values):
        fresh = torch.stack((keys, values))  # (2, N, H, T, d_k)
        count = fresh.shape[3]
        if self.past is None:
            places = fresh.narrow(3, 0, 1)
            self.past = torch.zeros_like(places).repeat_interleave(self.max_len, dim=3)
        self.past.narrow(3, self.length, count).copy_(fresh)
        self.length += count
        return self.past.narrow(3, 0, self.length).unbind()

    def reorder(self, rows):
        self.past.copy_(self.past.index_select(1, rows))


def keys_and_values(attention, x):
    """Keys and values of all heads, (N, H, T, d_k) each."""
    made = (attention.get_submodule(f"w_{role}")(x) for role in "kv")
    return tuple(split_heads(vectors, num_heads=attention.num_heads) for vectors in made)


def attend(attention, query, keys, values, mask=None):
    """What the attention finds in these keys and values, (N, T_q, D)."""
    project, combine = (attention.get_submodule(f"w_{role}") for role in "qo")
    asking = split_heads(project(query), num_heads=keys.shape[1])
    return combine(merge_heads(scaled_dot_product_attention(asking, keys, values, attn_mask=mask)))


def cached_layer(layer, x, cache, mask=None, memory=None, memory_mask=None):
    """An encoder's layer, or with a memory a decoder's, for the positions after those cached."""

    def look_back(vectors):
        attention = layer.get_submodule("self_attn")
        past = cache.append(*keys_and_values(attention, x=vectors))
        return attend(attention, vectors, *past, mask=mask)

    def look_across(vectors):
        asking = vectors.unflatten(0, (len(memory[0]), -1)).flatten(1, 2)
        heads = attend(layer.get_submodule("cross_attn"), asking, *memory, mask=memory_mask)
        return heads.reshape_as(vectors)

    steps = [look_back, look_across, layer.get_submodule("feed_forward")]
    if memory is None:
        del steps[1]
    for connection, work in zip(layer.sublayers, steps, strict=True):
        x = connection(x, work)
    return x


class CachedDecoder:
    """Decodes one position at a time."""

    def __init__(self, model, src, max_len):
        self.of, self.visible = model, padding_mask(src, pad_id=model.pad_id)
        content = model.encode(src, src_mask=self.visible)
        self.stack = [
            (layer, KeyValueCache(max_len), keys_and_values(layer.cross_attn, x=content))
            for layer in model.decoder.layers
        ]

    def step(self, ids):
        place = ids.shape[1] - 1
        word, position = self.of.tgt_embed
        vectors = position(word(ids.narrow(1, place, 1)), start=place)
        seen = padding_mask(ids, pad_id=self.of.pad_id)
        for layer, cache, content in self.stack:
            vectors = cached_layer(layer, vectors, cache, seen, content, self.visible)
        return self.of.generator(self.of.decoder.norm(vectors).squeeze(1))

    def reorder(self, rows):
        for _layer, cache, _content in self.stack:
            cache.reorder(rows)


def cached_greedy_decode(model, src, max_len, bos_id, eos_id):
    """The ids (N, length) of greedy_decode."""
    return greedy_decode(model, src, max_len, bos_id, eos_id)
