# %% wrong: always_position_0 | TRUE CAUSE: embeds the newest id alone, so it gets the encoding of position 0 at every step
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

# %% wrong: all_positions_again | TRUE CAUSE: newest holds all positions so far, not the last one alone: each step puts keys of all of them into the caches
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
        newest = self.model.tgt_embed(ids)  # (R, 1, D), at its own position
        tgt_mask = padding_mask(ids, self.model.pad_id)  # no future to hide, only padding
        decoded = self.model.decoder(newest, self.memory, self.src_mask, tgt_mask)
        log_probs = self.model.generator(decoded[:, -1])  # (R, V)
        return log_probs

    def keep(self, rows, alive):
        for cache in self.caches:
            cache.keep(rows, alive)

# %% wrong: mask_of_all_queries | TRUE CAUSE: the target mask of lesson 10, (R, 1, T, T), has a row for each position, but there is one query
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
        tgt_mask = target_mask(ids, self.model.pad_id)  # no future to hide, only padding
        decoded = self.model.decoder(newest, self.memory, self.src_mask, tgt_mask)
        log_probs = self.model.generator(decoded[:, -1])  # (R, V)
        return log_probs

    def keep(self, rows, alive):
        for cache in self.caches:
            cache.keep(rows, alive)

# %% wrong: no_padding_hidden | TRUE CAUSE: no mask at all for the target, so padding among the ids so far is seen
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
        tgt_mask = None  # no future to hide, only padding
        decoded = self.model.decoder(newest, self.memory, self.src_mask, tgt_mask)
        log_probs = self.model.generator(decoded[:, -1])  # (R, V)
        return log_probs

    def keep(self, rows, alive):
        for cache in self.caches:
            cache.keep(rows, alive)

# %% wrong: mask_of_newest_alone | TRUE CAUSE: the mask is that of the newest id alone, (R, 1, 1, 1), not of all the keys: padding among the earlier ids is seen
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

# %% wrong: not_restored_after_error | TRUE CAUSE: the model is restored only where no error came (if error[0] is None); after an error it keeps the caches and eval mode
class CachedDecoder:
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
        if error[0] is None:
            for part, name, attention in self.places:
                setattr(part, name, attention)
            self.model.train(self.was_training)

    def step(self, ids):
        embedded = self.model.tgt_embed(ids)
        newest = embedded[:, -1:]
        tgt_mask = padding_mask(ids, self.model.pad_id)
        decoded = self.model.decoder(newest, self.memory, self.src_mask, tgt_mask)
        return self.model.generator(decoded[:, -1])

    def keep(self, rows, alive):
        for cache in self.caches:
            cache.keep(rows, alive)

# %% wrong: encodes_before_eval_and_stays_train | TRUE CAUSE: two mistakes: the source is encoded before model.eval(), so with dropout where the model was training; and at the end the model is always put in train mode
class CachedDecoder:
    def __init__(self, model, src):
        self.model = model
        self.src_mask = padding_mask(src, model.pad_id)
        self.memory = model.encode(src, self.src_mask)
        model.eval()
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
        self.model.train()

    def step(self, ids):
        newest = self.model.tgt_embed(ids)[:, -1:]
        tgt_mask = padding_mask(ids, self.model.pad_id)
        decoded = self.model.decoder(newest, self.memory, self.src_mask, tgt_mask)
        return self.model.generator(decoded[:, -1])

    def keep(self, rows, alive):
        for cache in self.caches:
            cache.keep(rows, alive)
