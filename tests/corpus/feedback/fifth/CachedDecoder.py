# %% wrong: mask_of_the_newest_only | TRUE CAUSE: the padding mask is made of the newest token alone, (R, 1, 1, 1), and holds for all kept keys: earlier padding is not hidden, and a newest padding would hide everything
class CachedDecoder:
    """A model's decoder, one position at a time.

    Meanwhile the model is in eval mode, with caches for attentions; afterwards, even after an
    error, it has its own attentions and mode again.

    with CachedDecoder(model, src) as decoder:
        log_probs = decoder.step(ids)  # ids so far, (R, length), to log-probabilities (R, V)
        decoder.keep(rows, alive)  # the rows that continue, and where they are, (N, B)
    """

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
        tgt_mask = padding_mask(ids[:, -1:], self.model.pad_id)  # no future to hide, only padding
        decoded = self.model.decoder(newest, self.memory, self.src_mask, tgt_mask)
        log_probs = self.model.generator(decoded[:, -1])  # (R, V)
        return log_probs

    def keep(self, rows, alive):
        for cache in self.caches:
            cache.keep(rows, alive)

# %% wrong: embedded_without_position | TRUE CAUSE: only the token embedding, the first part of tgt_embed, is applied to the newest id: its position is never added
class CachedDecoder:
    """A model's decoder, one position at a time.

    Meanwhile the model is in eval mode, with caches for attentions; afterwards, even after an
    error, it has its own attentions and mode again.

    with CachedDecoder(model, src) as decoder:
        log_probs = decoder.step(ids)  # ids so far, (R, length), to log-probabilities (R, V)
        decoder.keep(rows, alive)  # the rows that continue, and where they are, (N, B)
    """

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
        newest = self.model.tgt_embed[0](ids[:, -1:])  # (R, 1, D), at its own position
        tgt_mask = padding_mask(ids, self.model.pad_id)  # no future to hide, only padding
        decoded = self.model.decoder(newest, self.memory, self.src_mask, tgt_mask)
        log_probs = self.model.generator(decoded[:, -1])  # (R, V)
        return log_probs

    def keep(self, rows, alive):
        for cache in self.caches:
            cache.keep(rows, alive)

# %% wrong: mode_read_after_eval | TRUE CAUSE: the mode is read after model.eval() was called, so was_training is always False and a model in training is left in eval mode
class CachedDecoder:
    def __init__(self, model, src):
        model.eval()
        self.model = model
        self.was_training = model.training
        self.src_mask = padding_mask(src, model.pad_id)
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
        length = ids.size(1)
        newest = self.model.tgt_embed(ids)[:, length - 1 : length]
        tgt_mask = padding_mask(ids, self.model.pad_id)
        decoded = self.model.decoder(newest, self.memory, self.src_mask, tgt_mask)
        return self.model.generator(decoded[:, -1])

    def keep(self, rows, alive):
        for cache in self.caches:
            cache.keep(rows, alive)

# %% wrong: errors_swallowed_and_unmasked_source | TRUE CAUSE: two mistakes: __exit__ returns True, so an error inside the with block is swallowed, and the source is encoded without its padding mask
class CachedDecoder:
    def __init__(self, model, src):
        self.model = model
        self.src_mask = padding_mask(src, model.pad_id)
        self.was_training = model.training
        model.eval()
        self.memory = model.encode(src)
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
        return True  # whatever happens

    def step(self, ids):
        newest = self.model.tgt_embed(ids)[:, -1:]
        tgt_mask = padding_mask(ids, self.model.pad_id)
        decoded = self.model.decoder(newest, self.memory, self.src_mask, tgt_mask)
        log_probs = self.model.generator(decoded[:, -1])  # (R, V)
        return log_probs

    def keep(self, rows, alive):
        for cache in self.caches:
            cache.keep(rows, alive)

