# %% right: last_as_index
class CachedDecoder:
    def __init__(self, model, src):
        self.model, self.was_training = model, model.training
        self.src_mask = padding_mask(src, model.pad_id)
        model.eval()
        self.memory = model.encode(src, self.src_mask)
        self.places, self.caches = [], []
        for part in model.decoder.modules():
            for name, child in part.named_children():
                if hasattr(child, "w_q"):
                    self.places.append((part, name, child))
                    self.caches.append(CachedMultiHeadAttention(child))

    def __enter__(self):
        for place, cache in zip(self.places, self.caches, strict=True):
            setattr(place[0], place[1], cache)
        return self

    def __exit__(self, *error):
        for part, name, attention in self.places:
            setattr(part, name, attention)
        self.model.train(self.was_training)
        return False

    def step(self, ids):
        placed = self.model.tgt_embed(ids)  # (R, length, D)
        newest = placed[:, ids.size(1) - 1].unsqueeze(1)
        real = (ids != self.model.pad_id)[:, None, None, :]
        vectors = self.model.decoder(newest, self.memory, self.src_mask, real)
        return self.model.generator(vectors.squeeze(1))

    def keep(self, rows, alive):
        for cache in self.caches:
            cache.keep(rows, alive)

# %% right: last_row_of_target_mask
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
        newest = self.model.tgt_embed(ids).narrow(1, ids.size(1) - 1, 1)  # (R, 1, D), at its own position
        tgt_mask = target_mask(ids, self.model.pad_id)[:, :, -1:]  # no future to hide, only padding
        decoded = self.model.decoder(newest, self.memory, self.src_mask, tgt_mask)
        log_probs = self.model.generator(decoded[:, -1])  # (R, V)
        return log_probs

    def keep(self, rows, alive):
        for cache in self.caches:
            cache.keep(rows, alive)
