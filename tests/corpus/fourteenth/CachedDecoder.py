# %% wrong: newest_at_position_zero | tgt_embed gets the newest token alone, so it adds the position of the first one at every step. All ids have to be embedded, and the last vector taken, for the token to stand at its own position.
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
# %% wrong: mask_of_the_newest_token | The mask is made from the newest token only, (R, 1, 1, 1), and so applied to all keys alike. Earlier padding among the ids is not hidden; the mask has to be that of all ids so far.
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
# %% wrong: own_error_leaves_the_caches | __exit__ returns at once if the block raised an error, before the attentions and the mode are restored. They should be restored whatever happens.
class CachedDecoder:
    def __init__(self, model, src):
        self.model = model
        self.src_mask = padding_mask(src, model.pad_id)
        self.was_training = model.training
        model.eval()
        self.memory = model.encode(src, self.src_mask)
        self.borrowed = {}  # a cache for each place of an attention
        for part in model.decoder.modules():
            for name, child in part.named_children():
                if hasattr(child, "w_q"):
                    self.borrowed[part, name] = (child, CachedMultiHeadAttention(child))
    def put(self, which):
        for (part, name), both in self.borrowed.items():
            setattr(part, name, both[which])
    def __enter__(self):
        self.put(1)
        return self
    def __exit__(self, kind, error, trace):
        if error is not None:
            return False  # the error goes on to the caller
        self.put(0)
        self.model.train(self.was_training)
        return False
    def step(self, ids):
        placed = self.model.tgt_embed(ids)
        real = (ids != self.model.pad_id)[:, None, None, :]
        out = self.model.decoder(placed[:, -1:, :], self.memory, self.src_mask, real)
        return self.model.generator(out.squeeze(1))
    def keep(self, rows, alive):
        for _, cache in self.borrowed.values():
            cache.keep(rows, alive)
# %% wrong: own_source_read_before_eval | model.encode is called before model.eval(), so a model in train mode reads the source with dropout, and the memory is noisy. Everything should happen in eval mode.
class CachedDecoder:
    def __init__(self, model, src):
        self.model = model
        self.src_mask = padding_mask(src, model.pad_id)
        self.memory = model.encode(src, self.src_mask)
        self.was_training = model.training
        model.eval()
        self.borrowed = {}  # a cache for each place of an attention
        for part in model.decoder.modules():
            for name, child in part.named_children():
                if hasattr(child, "w_q"):
                    self.borrowed[part, name] = (child, CachedMultiHeadAttention(child))
    def put(self, which):
        for (part, name), both in self.borrowed.items():
            setattr(part, name, both[which])
    def __enter__(self):
        self.put(1)
        return self
    def __exit__(self, kind, error, trace):
        self.put(0)
        self.model.train(self.was_training)
    def step(self, ids):
        placed = self.model.tgt_embed(ids)
        real = (ids != self.model.pad_id)[:, None, None, :]
        out = self.model.decoder(placed[:, -1:, :], self.memory, self.src_mask, real)
        return self.model.generator(out.squeeze(1))
    def keep(self, rows, alive):
        for _, cache in self.borrowed.values():
            cache.keep(rows, alive)
