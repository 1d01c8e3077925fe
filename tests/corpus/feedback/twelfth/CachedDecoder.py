# %% wrong: always_position_zero | TRUE CAUSE: only the last id is embedded (ids[:, -1:]), so it gets the positional encoding of position 0 at every step instead of its own
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

# %% wrong: comes_back_in_train_mode | TRUE CAUSE: __exit__ calls model.train() without the mode that was noted, so a model that was in eval mode is in train mode afterwards
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

# %% wrong: own_restores_without_error_only | TRUE CAUSE: __exit__ restores attentions and mode only where no exception came (kind is None), so after an error the model keeps the caches and stays in eval mode
class CachedDecoder:
    def __init__(self, model, src):
        self.model, self.training = model, model.training
        model.eval()
        self.src_mask = padding_mask(src, model.pad_id)
        self.memory = model.encode(src, self.src_mask)
        self.originals = []
        for owner in list(model.decoder.modules()):
            for name, child in list(owner.named_children()):
                if hasattr(child, "w_q"):
                    self.originals.append((owner, name, child))
        self.caches = []

    def __enter__(self):
        for owner, name, child in self.originals:
            cache = CachedMultiHeadAttention(child)
            self.caches.append(cache)
            setattr(owner, name, cache)
        return self

    def __exit__(self, kind, error, trace):
        if kind is None:
            for owner, name, child in self.originals:
                setattr(owner, name, child)
            self.model.train(self.training)

    def step(self, ids):
        x = self.model.tgt_embed(ids)[:, -1:]
        mask = padding_mask(ids, self.model.pad_id)
        y = self.model.decoder(x, self.memory, self.src_mask, mask)
        return self.model.generator(y.squeeze(1))

    def keep(self, rows, alive):
        for cache in self.caches:
            cache.keep(rows, alive)

# %% wrong: own_encodes_before_eval | TRUE CAUSE: the memory is computed in __init__ while the model is still in its own mode and eval() comes only in __enter__, so for a model in train mode dropout changes the memory
class CachedDecoder:
    def __init__(self, model, src):
        self.model = model
        self.mask_of_src = padding_mask(src, model.pad_id)
        self.memory = model.encode(src, self.mask_of_src)
        self.swapped = {}
        for path, part in model.decoder.named_modules():
            if hasattr(part, "w_q"):
                self.swapped[path] = (part, CachedMultiHeadAttention(part))

    def _put(self, which):
        for path, pair in self.swapped.items():
            holder, _, name = path.rpartition(".")
            setattr(self.model.decoder.get_submodule(holder), name, pair[which])

    def __enter__(self):
        self.mode = self.model.training
        self.model.eval()
        self._put(1)
        return self

    def __exit__(self, *error):
        self._put(0)
        self.model.train(self.mode)

    def step(self, ids):
        model = self.model
        last = model.tgt_embed(ids)[:, -1].unsqueeze(1)
        out = model.decoder(last, self.memory, self.mask_of_src, padding_mask(ids, model.pad_id))
        return model.generator(out[:, 0])

    def keep(self, rows, alive):
        for _, cache in self.swapped.values():
            cache.keep(rows, alive)
