# %% wrong: newest_at_position_zero | TRUE CAUSE: Only the newest id is embedded, so it always gets the vector of position 0 instead of its own.
class CachedDecoder:
    """A model's decoder, told one position at a time; the model itself is lent, and given back.

    Meanwhile it is in eval mode; afterwards, even after an error, it has its own attentions and
    mode again.

    with CachedDecoder(model, src) as decoder:
        log_probs = decoder.step(ids)  # ids so far, (R, length), to log-probabilities (R, V)
        decoder.keep(rows, alive)  # the rows that go on, and where they stand, (N, B)
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
        tgt_mask = padding_mask(ids, self.model.pad_id)  # the newest one has no future to hide
        decoded = self.model.decoder(newest, self.memory, self.src_mask, tgt_mask)
        log_probs = self.model.generator(decoded[:, -1])  # (R, V)
        return log_probs

    def keep(self, rows, alive):
        for cache in self.caches:
            cache.keep(rows, alive)

# %% wrong: first_row_of_the_triangle | TRUE CAUSE: The first row of the target mask is taken instead of the last one, so the newest position sees <bos> only.
class CachedDecoder:
    """A model's decoder, told one position at a time; the model itself is lent, and given back.

    Meanwhile it is in eval mode; afterwards, even after an error, it has its own attentions and
    mode again.

    with CachedDecoder(model, src) as decoder:
        log_probs = decoder.step(ids)  # ids so far, (R, length), to log-probabilities (R, V)
        decoder.keep(rows, alive)  # the rows that go on, and where they stand, (N, B)
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
        newest = self.model.tgt_embed(ids).narrow(1, ids.size(1) - 1, 1)  # (R, 1, D), at its own position
        tgt_mask = target_mask(ids, self.model.pad_id)[:, :, :1]  # the newest one has no future to hide
        decoded = self.model.decoder(newest, self.memory, self.src_mask, tgt_mask)
        log_probs = self.model.generator(decoded[:, -1])  # (R, V)
        return log_probs

    def keep(self, rows, alive):
        for cache in self.caches:
            cache.keep(rows, alive)

# %% wrong: not_given_back_after_an_error | TRUE CAUSE: The attentions and the mode are put back only if there was no error, so after an error the model keeps the caches and stays in eval mode.
class CachedDecoder:
    """Lends a model's decoder; caches stand in the place of its attentions meanwhile."""

    def __init__(self, model, src):
        self.model = model
        self.was_training = model.training
        model.eval()
        self.src_mask = padding_mask(src, model.pad_id)
        self.memory = model.encode(src, self.src_mask)
        self.swapped = []
        for part in model.decoder.modules():
            for name, child in part.named_children():
                if hasattr(child, "w_q"):
                    self.swapped.append((part, name, child, CachedMultiHeadAttention(child)))

    def __enter__(self):
        for part, name, _, cache in self.swapped:
            setattr(part, name, cache)
        return self

    def __exit__(self, kind, error, trace):
        if kind is not None:
            return False
        for part, name, attention, _ in self.swapped:
            setattr(part, name, attention)
        self.model.train(self.was_training)

    def step(self, ids):
        embedded = self.model.tgt_embed(ids)[:, -1:]
        mask = padding_mask(ids, self.model.pad_id)
        decoded = self.model.decoder(embedded, self.memory, self.src_mask, mask)
        return self.model.generator(decoded.squeeze(1))

    def keep(self, rows, alive):
        for _, _, _, cache in self.swapped:
            cache.keep(rows, alive)

# %% wrong: enter_returns_nothing | TRUE CAUSE: __enter__ does not return self, so in "with ... as decoder" the decoder is None (crash).
class CachedDecoder:
    def __init__(self, model, src):
        self.model = model
        self.src_mask = padding_mask(src, model.pad_id)
        self.was_training = model.training
        model.eval()
        self.memory = model.encode(src, self.src_mask)
        self.places = []
        for part in model.decoder.modules():
            self.places += [(part, n, c) for n, c in part.named_children() if hasattr(c, "w_q")]
        self.caches = [CachedMultiHeadAttention(place[2]) for place in self.places]

    def __enter__(self):
        for place, cache in zip(self.places, self.caches):
            setattr(place[0], place[1], cache)

    def __exit__(self, *error):
        for part, name, attention in self.places:
            setattr(part, name, attention)
        self.model.train(self.was_training)

    def step(self, ids):
        newest = self.model.tgt_embed(ids)[:, -1].unsqueeze(1)
        tgt_mask = padding_mask(ids, self.model.pad_id)
        decoded = self.model.decoder(newest, self.memory, self.src_mask, tgt_mask)
        return self.model.generator(decoded[:, 0])

    def keep(self, rows, alive):
        for cache in self.caches:
            cache.keep(rows, alive)
