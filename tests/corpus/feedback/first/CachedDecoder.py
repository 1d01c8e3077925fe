# %% wrong: position_zero | TRUE CAUSE: only the newest id is embedded, so it is always given the position 0
class CachedDecoder:
    """A model's decoder, told one position at a time; the model itself is lent, and given back."""

    def __init__(self, model, src):
        self.model = model
        self.src_mask = padding_mask(src, model.pad_id)
        self.was_training = model.training
        model.eval()
        self.memory = model.encode(src, self.src_mask)
        self.places = [
            (part, name, child)
            for part in model.decoder.modules()
            for name, child in part.named_children()
            if hasattr(child, "w_q")
        ]
        self.caches = [CachedMultiHeadAttention(attention) for _, _, attention in self.places]

    def __enter__(self):
        for (part, name, _), cache in zip(self.places, self.caches, strict=True):
            setattr(part, name, cache)
        return self

    def __exit__(self, *error):
        for part, name, attention in self.places:
            setattr(part, name, attention)
        self.model.train(self.was_training)

    def step(self, ids):
        newest = self.model.tgt_embed(ids[:, -1:])  # (R, 1, D), at its own position
        tgt_mask = padding_mask(ids, self.model.pad_id)  # the newest one has no future to hide
        decoded = self.model.decoder(newest, self.memory, self.src_mask, tgt_mask)
        log_probs = self.model.generator(decoded[:, -1])  # (R, V)
        return log_probs

    def keep(self, rows, alive):
        for cache in self.caches:
            cache.keep(rows, alive)

# %% wrong: no_mask_at_all | TRUE CAUSE: no mask is given for the target, so padding that the model has written among its ids is seen
class CachedDecoder:
    """A model's decoder, told one position at a time; the model itself is lent, and given back."""

    def __init__(self, model, src):
        self.model = model
        self.src_mask = padding_mask(src, model.pad_id)
        self.was_training = model.training
        model.eval()
        self.memory = model.encode(src, self.src_mask)
        self.places = [
            (part, name, child)
            for part in model.decoder.modules()
            for name, child in part.named_children()
            if hasattr(child, "w_q")
        ]
        self.caches = [CachedMultiHeadAttention(attention) for _, _, attention in self.places]

    def __enter__(self):
        for (part, name, _), cache in zip(self.places, self.caches, strict=True):
            setattr(part, name, cache)
        return self

    def __exit__(self, *error):
        for part, name, attention in self.places:
            setattr(part, name, attention)
        self.model.train(self.was_training)

    def step(self, ids):
        newest = self.model.tgt_embed(ids)[:, -1:]  # (R, 1, D), at its own position
        tgt_mask = None  # the newest one has no future to hide
        decoded = self.model.decoder(newest, self.memory, self.src_mask, tgt_mask)
        log_probs = self.model.generator(decoded[:, -1])  # (R, V)
        return log_probs

    def keep(self, rows, alive):
        for cache in self.caches:
            cache.keep(rows, alive)

# %% wrong: square_mask | TRUE CAUSE: the whole target mask, with a row for each position, is given for a single query, so shapes do not fit and it raises from the second step on
class CachedDecoder:
    """A model's decoder, told one position at a time; the model itself is lent, and given back."""

    def __init__(self, model, src):
        self.model = model
        self.src_mask = padding_mask(src, model.pad_id)
        self.was_training = model.training
        model.eval()
        self.memory = model.encode(src, self.src_mask)
        self.places = [
            (part, name, child)
            for part in model.decoder.modules()
            for name, child in part.named_children()
            if hasattr(child, "w_q")
        ]
        self.caches = [CachedMultiHeadAttention(attention) for _, _, attention in self.places]

    def __enter__(self):
        for (part, name, _), cache in zip(self.places, self.caches, strict=True):
            setattr(part, name, cache)
        return self

    def __exit__(self, *error):
        for part, name, attention in self.places:
            setattr(part, name, attention)
        self.model.train(self.was_training)

    def step(self, ids):
        newest = self.model.tgt_embed(ids)[:, -1:]  # (R, 1, D), at its own position
        tgt_mask = target_mask(ids, self.model.pad_id)  # the newest one has no future to hide
        decoded = self.model.decoder(newest, self.memory, self.src_mask, tgt_mask)
        log_probs = self.model.generator(decoded[:, -1])  # (R, V)
        return log_probs

    def keep(self, rows, alive):
        for cache in self.caches:
            cache.keep(rows, alive)

# %% wrong: first_instead_of_newest | TRUE CAUSE: the first position of the embedded ids is taken instead of the last, so bos is read again at every step
class CachedDecoder:
    """A model's decoder, told one position at a time; the model itself is lent, and given back."""

    def __init__(self, model, src):
        self.model = model
        self.src_mask = padding_mask(src, model.pad_id)
        self.was_training = model.training
        model.eval()
        self.memory = model.encode(src, self.src_mask)
        self.places = [
            (part, name, child)
            for part in model.decoder.modules()
            for name, child in part.named_children()
            if hasattr(child, "w_q")
        ]
        self.caches = [CachedMultiHeadAttention(attention) for _, _, attention in self.places]

    def __enter__(self):
        for (part, name, _), cache in zip(self.places, self.caches, strict=True):
            setattr(part, name, cache)
        return self

    def __exit__(self, *error):
        for part, name, attention in self.places:
            setattr(part, name, attention)
        self.model.train(self.was_training)

    def step(self, ids):
        newest = self.model.tgt_embed(ids).narrow(1, 0, 1)  # (R, 1, D), at its own position
        tgt_mask = padding_mask(ids=ids, pad_id=self.model.pad_id)  # the newest one has no future to hide
        decoded = self.model.decoder(newest, self.memory, self.src_mask, tgt_mask)
        log_probs = self.model.generator(decoded[:, -1])  # (R, V)
        return log_probs

    def keep(self, rows, alive):
        for cache in self.caches:
            cache.keep(rows, alive)

# %% wrong: self_attention_only | TRUE CAUSE: only the attentions called self_attn are replaced, so cross-attention computes the memory's keys and values at every step and does not fit any more once a row has ended
class CachedDecoder:
    """A model's decoder, told one position at a time; the model itself is lent, and given back."""

    def __init__(self, model, src):
        self.model = model
        self.src_mask = padding_mask(src, model.pad_id)
        self.was_training = model.training
        model.eval()
        self.memory = model.encode(src, self.src_mask)
        self.places = [
            (part, name, child)
            for part in model.decoder.modules()
            for name, child in part.named_children()
            if name == "self_attn"
        ]
        self.caches = [CachedMultiHeadAttention(attention) for _, _, attention in self.places]

    def __enter__(self):
        for (part, name, _), cache in zip(self.places, self.caches, strict=True):
            setattr(part, name, cache)
        return self

    def __exit__(self, *error):
        for part, name, attention in self.places:
            setattr(part, name, attention)
        self.model.train(self.was_training)

    def step(self, ids):
        newest = self.model.tgt_embed(ids)[:, [-1]]  # (R, 1, D), at its own position
        tgt_mask = (ids != self.model.pad_id)[:, None, None]  # the newest one has no future to hide
        decoded = self.model.decoder(newest, self.memory, self.src_mask, tgt_mask)
        log_probs = self.model.generator(decoded[:, -1])  # (R, V)
        return log_probs

    def keep(self, rows, alive):
        for cache in self.caches:
            cache.keep(rows, alive)

# %% wrong: not_after_an_error | TRUE CAUSE: the attentions and the mode are given back only if no error occurred
class CachedDecoder:
    def __init__(self, model, src):
        self.model, self.was_training = model, model.training
        model.eval()
        self.src_mask = padding_mask(src, model.pad_id)
        self.memory = model.encode(src, self.src_mask)
        self.swaps = []
        for part in model.decoder.modules():
            for name, child in part.named_children():
                if hasattr(child, "w_q"):
                    self.swaps.append((part, name, child, CachedMultiHeadAttention(child)))

    def __enter__(self):
        for part, name, _, cache in self.swaps:
            setattr(part, name, cache)
        return self

    def __exit__(self, exc_type, exc_value, traceback):
        if exc_type is not None:
            return False  # let the error through
        for part, name, original, _ in self.swaps:
            setattr(part, name, original)
        self.model.train(self.was_training)

    def step(self, ids):
        x = self.model.tgt_embed(ids)[:, -1:]
        mask = padding_mask(ids, self.model.pad_id)
        h = self.model.decoder(x, self.memory, self.src_mask, mask)
        return self.model.generator(h[:, -1])

    def keep(self, rows, alive):
        for _, _, _, cache in self.swaps:
            cache.keep(rows, alive)

# %% wrong: mode_asked_too_late | TRUE CAUSE: the mode is remembered after model.eval(), so the model is always left in eval mode
class CachedDecoder:
    def __init__(self, model, src):
        model.eval()
        self.was_training = model.training
        self.model = model
        self.src_mask = padding_mask(src, model.pad_id)
        self.memory = model.encode(src, self.src_mask)
        self.originals = {}
        for layer_name, layer in model.decoder.named_modules():
            for name, child in layer.named_children():
                if hasattr(child, "w_q"):
                    self.originals[layer, name] = child
        self.caches = {place: CachedMultiHeadAttention(a) for place, a in self.originals.items()}

    def put(self, attentions):
        for (layer, name), attention in attentions.items():
            setattr(layer, name, attention)

    def __enter__(self):
        self.put(self.caches)
        return self

    def __exit__(self, *error):
        self.put(self.originals)
        self.model.train(self.was_training)

    def step(self, ids):
        vectors = self.model.tgt_embed(ids)
        seen = padding_mask(ids, self.model.pad_id)
        decoded = self.model.decoder(vectors[:, -1:], self.memory, self.src_mask, seen)
        return self.model.generator(decoded.squeeze(1))

    def keep(self, rows, alive):
        for cache in self.caches.values():
            cache.keep(rows, alive)

# %% wrong: counted_from_one | TRUE CAUSE: two mistakes: an own counter of positions starts at 1, so every token is given the position after its own; and the log-probabilities keep the axis of the position, (R, 1, V) instead of (R, V)
class CachedDecoder:
    def __init__(self, model, src):
        self.model = model
        self.was_training = model.training
        model.eval()
        self.src_mask = padding_mask(src, model.pad_id)
        self.memory = model.encode(src, self.src_mask)
        self.position = 1
        self.places = [
            (part, name, child, CachedMultiHeadAttention(child))
            for part in model.decoder.modules()
            for name, child in part.named_children()
            if hasattr(child, "w_q")
        ]

    def __enter__(self):
        for part, name, _, cache in self.places:
            setattr(part, name, cache)
        return self

    def __exit__(self, *error):
        for part, name, attention, _ in self.places:
            setattr(part, name, attention)
        self.model.train(self.was_training)

    def embed_newest(self, ids):
        moved = F.pad(ids[:, -1:], (self.position, 0), value=self.model.pad_id)
        self.position += 1
        return self.model.tgt_embed(moved)[:, -1:]

    def step(self, ids):
        newest = self.embed_newest(ids)
        mask = padding_mask(ids, self.model.pad_id)
        decoded = self.model.decoder(newest, self.memory, self.src_mask, mask)
        return self.model.generator(decoded)

    def keep(self, rows, alive):
        for _, _, _, cache in self.places:
            cache.keep(rows, alive)
