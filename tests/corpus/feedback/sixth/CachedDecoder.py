# %% wrong: always_at_position_0 | TRUE CAUSE: only the newest id goes through tgt_embed, so each token gets the encoding of position 0 instead of its own
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
        newest = self.model.tgt_embed(ids[:, -1:])  # (R, 1, D), at its own position
        tgt_mask = padding_mask(ids, self.model.pad_id)  # no future to hide, only padding
        decoded = self.model.decoder(newest, self.memory, self.src_mask, tgt_mask)
        log_probs = self.model.generator(decoded[:, -1])  # (R, V)
        return log_probs

    def keep(self, rows, alive):
        for cache in self.caches:
            cache.keep(rows, alive)


# %% wrong: mask_of_the_newest_only | TRUE CAUSE: the padding mask is made of the newest id alone, (R, 1, 1, 1), and is broadcast over all kept keys: padding among the earlier ids is not hidden
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


# %% wrong: memory_in_train_mode_and_mode_lost | TRUE CAUSE: two mistakes: the source is encoded before the model is put into eval mode, so dropout disturbs the memory, and at the end the model is always put into train mode instead of into the mode that it was in
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
        self.memory = model.encode(src, self.src_mask)
        self.places = [
            (part, name, child)
            for part in model.decoder.modules()
            for name, child in part.named_children()
            if hasattr(child, "w_q")
        ]
        self.caches = [CachedMultiHeadAttention(attention) for _, _, attention in self.places]

    def __enter__(self):
        self.model.eval()
        for (part, name, _), cache in zip(self.places, self.caches, strict=True):
            setattr(part, name, cache)
        return self

    def __exit__(self, *error):
        for part, name, attention in self.places:
            setattr(part, name, attention)
        self.model.train()

    def step(self, ids):
        newest = self.model.tgt_embed(ids)[:, -1:]  # (R, 1, D), at its own position
        tgt_mask = padding_mask(ids, self.model.pad_id)  # no future to hide, only padding
        decoded = self.model.decoder(newest, self.memory, self.src_mask, tgt_mask)
        log_probs = self.model.generator(decoded[:, -1])  # (R, V)
        return log_probs

    def keep(self, rows, alive):
        for cache in self.caches:
            cache.keep(rows, alive)
