# %% wrong: always_position_0 | TRUE CAUSE: only the newest id is embedded, so tgt_embed gives it the encoding of position 0 at every step instead of that of its own position
class CachedDecoder:
    """A model's decoder, one position at a time."""

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
        newest = self.model.tgt_embed(ids[:, -1:])
        tgt_mask = padding_mask(ids, self.model.pad_id)
        decoded = self.model.decoder(newest, self.memory, self.src_mask, tgt_mask)
        log_probs = self.model.generator(decoded[:, -1])  # (R, V)
        return log_probs

    def keep(self, rows, alive):
        for cache in self.caches:
            cache.keep(rows, alive)

# %% wrong: mask_of_the_newest | TRUE CAUSE: the padding mask is made of the newest id alone, (R, 1, 1, 1), and is broadcast over all keys, so padding at earlier positions is not hidden (and all keys are hidden where the newest is padding)
class CachedDecoder:
    """A model's decoder, one position at a time."""

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
        newest = self.model.tgt_embed(ids)[:, -1:]
        tgt_mask = padding_mask(ids[:, -1:], self.model.pad_id)
        decoded = self.model.decoder(newest, self.memory, self.src_mask, tgt_mask)
        log_probs = self.model.generator(decoded[:, -1])  # (R, V)
        return log_probs

    def keep(self, rows, alive):
        for cache in self.caches:
            cache.keep(rows, alive)

# %% wrong: own_restores_only_on_success | TRUE CAUSE: __exit__ restores attentions and mode only if there was no error, so after an exception inside the with block the model keeps its caches and eval mode
class CachedDecoder:
    def __init__(self, model, src):
        self.model, self.training = model, model.training
        model.eval()
        self.src_mask = padding_mask(src, model.pad_id)
        self.memory = model.encode(src, self.src_mask)
        self.swapped = []

    def swap(self):
        for part in list(self.model.decoder.modules()):
            for name, child in list(part.named_children()):
                if hasattr(child, "w_q"):
                    cache = CachedMultiHeadAttention(child)
                    setattr(part, name, cache)
                    self.swapped.append((part, name, child, cache))

    def __enter__(self):
        self.swap()
        return self

    def __exit__(self, kind, error, trace):
        if kind is not None:
            return False
        while self.swapped:
            part, name, child, _ = self.swapped.pop()
            setattr(part, name, child)
        self.model.train(self.training)

    def step(self, ids):
        x = self.model.tgt_embed(ids)[:, -1].unsqueeze(1)
        hidden = padding_mask(ids, self.model.pad_id)
        y = self.model.decoder(x, self.memory, self.src_mask, hidden)
        return self.model.generator(y.squeeze(1))

    def keep(self, rows, alive):
        for *_, cache in self.swapped:
            cache.keep(rows, alive)

# %% wrong: own_encodes_before_eval | TRUE CAUSE: the memory is encoded in __init__, before __enter__ switches to eval mode, so for a model in train mode the memory is made with dropout
class CachedDecoder:
    def __init__(self, model, src):
        self.model = model
        self.pad = model.pad_id
        self.src_mask = padding_mask(src, self.pad)
        self.memory = model.encode(src, self.src_mask)
        self.originals = {}
        for path, module in model.decoder.named_modules():
            if hasattr(module, "w_q"):
                self.originals[path] = module
        self.caches = {path: CachedMultiHeadAttention(a) for path, a in self.originals.items()}

    def put(self, parts):
        for path, part in parts.items():
            parent, _, name = path.rpartition(".")
            setattr(self.model.decoder.get_submodule(parent), name, part)

    def __enter__(self):
        self.mode = self.model.training
        self.model.eval()
        self.put(self.caches)
        return self

    def __exit__(self, *_):
        self.put(self.originals)
        self.model.train(self.mode)

    def step(self, ids):
        newest = self.model.tgt_embed(ids)[:, -1:, :]
        decoded = self.model.decoder(newest, self.memory, self.src_mask, padding_mask(ids, self.pad))
        return self.model.generator(decoded[:, 0])

    def keep(self, rows, alive):
        for cache in self.caches.values():
            cache.keep(rows, alive)
