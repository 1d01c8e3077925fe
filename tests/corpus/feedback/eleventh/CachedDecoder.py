# %% wrong: newest_at_position_0 | TRUE CAUSE: only the last id is embedded (ids[:, -1:]), so the positional encoding takes it for position 0 at every step
def target_vectors(model, ids):
    x = ids
    for name, layer in model._modules.items():
        if name in ("encoder", "decoder", "generator") or "src" in name or "source" in name:
            continue
        x = layer(x)
    return x


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
        newest = target_vectors(self.model, ids[:, -1:])  # (R, 1, D), at its own position
        tgt_mask = padding_mask(ids, self.model.pad_id)  # no future to hide, only padding
        decoded = self.model.decoder(newest, self.memory, self.src_mask, tgt_mask)
        log_probs = self.model.generator(decoded[:, -1])  # (R, V)
        return log_probs

    def keep(self, rows, alive):
        for cache in self.caches:
            cache.keep(rows, alive)

# %% wrong: mode_read_after_eval | TRUE CAUSE: the mode is remembered after model.eval(), so was_training is always False and a model in train mode is left in eval mode
def target_vectors(model, ids):
    x = ids
    for name, layer in model._modules.items():
        if name in ("encoder", "decoder", "generator") or "src" in name or "source" in name:
            continue
        x = layer(x)
    return x


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
        model.eval()
        self.was_training = model.training
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
        newest = target_vectors(self.model, ids)[:, -1:]  # (R, 1, D), at its own position
        tgt_mask = padding_mask(ids, self.model.pad_id)  # no future to hide, only padding
        decoded = self.model.decoder(newest, self.memory, self.src_mask, tgt_mask)
        log_probs = self.model.generator(decoded[:, -1])  # (R, V)
        return log_probs

    def keep(self, rows, alive):
        for cache in self.caches:
            cache.keep(rows, alive)

# %% wrong: own_mask_of_padding | TRUE CAUSE: the target mask is ids == pad_id, True where the padding is, though True means that a key may be seen: every real position is hidden from self-attention
def target_vectors(model, ids):
    x = ids
    for name, layer in model._modules.items():
        if name in ("encoder", "decoder", "generator") or "src" in name or "source" in name:
            continue
        x = layer(x)
    return x


class CachedDecoder:
    def __init__(self, model, src):
        self.model = model
        self.was_training = model.training
        self.src_mask = padding_mask(src, model.pad_id)
        model.eval()
        self.memory = model.encode(src, self.src_mask)
        self.places = []
        for part in model.decoder.modules():
            for name, child in part.named_children():
                if hasattr(child, "w_q"):
                    self.places.append((part, name, child, CachedMultiHeadAttention(child)))
        self.caches = [place[3] for place in self.places]

    def __enter__(self):
        for part, name, _, cache in self.places:
            setattr(part, name, cache)
        return self

    def __exit__(self, *error):
        for part, name, attention, _ in self.places:
            setattr(part, name, attention)
        self.model.train(self.was_training)

    def step(self, ids):
        x = target_vectors(self.model, ids)
        visible = (ids == self.model.pad_id)[:, None, None, :]
        out = self.model.decoder(x[:, -1:], self.memory, self.src_mask, visible)
        return self.model.generator(out.squeeze(1))

    def keep(self, rows, alive):
        for cache in self.caches:
            cache.keep(rows, alive)

# %% wrong: own_restores_without_error_only | TRUE CAUSE: __exit__ returns at once if there was an error, so after an error the model keeps the caches for attentions and stays in eval mode
def target_vectors(model, ids):
    x = ids
    for name, layer in model._modules.items():
        if name in ("encoder", "decoder", "generator") or "src" in name or "source" in name:
            continue
        x = layer(x)
    return x


class CachedDecoder:
    def __init__(self, model, src):
        self.model = model
        self.was_training = model.training
        self.src_mask = padding_mask(src, model.pad_id)
        model.eval()
        self.memory = model.encode(src, self.src_mask)
        self.originals = {}
        self.caches = {}
        for part in model.decoder.modules():
            for name, child in part.named_children():
                if hasattr(child, "w_q"):
                    self.originals[part, name] = child
                    self.caches[part, name] = CachedMultiHeadAttention(child)

    def put(self, attentions):
        for (part, name), attention in attentions.items():
            setattr(part, name, attention)

    def __enter__(self):
        self.put(self.caches)
        return self

    def __exit__(self, kind, error, trace):
        if kind is not None:
            return False
        self.put(self.originals)
        self.model.train(self.was_training)

    def step(self, ids):
        newest = target_vectors(self.model, ids)[:, -1:]
        mask = padding_mask(ids, self.model.pad_id)
        out = self.model.decoder(newest, self.memory, self.src_mask, mask)
        return self.model.generator(out[:, 0])

    def keep(self, rows, alive):
        for cache in self.caches.values():
            cache.keep(rows, alive)
