# %% right: twelfth_own_all_in_enter
class CachedDecoder:
    def __init__(self, model, src):
        self.model, self.src = model, src
        self.swaps = []
    def __enter__(self):
        model = self.model
        self.training = model.training
        try:
            model.eval()
            self.src_mask = padding_mask(self.src, model.pad_id)
            self.memory = model.encode(self.src, self.src_mask)
            for owner in list(model.decoder.modules()):
                for name, child in list(owner.named_children()):
                    if hasattr(child, "w_q"):
                        cache = CachedMultiHeadAttention(child)
                        self.swaps.append((owner, name, child, cache))
                        setattr(owner, name, cache)
        except BaseException:
            self.__exit__()
            raise
        return self
    def __exit__(self, *error):
        while self.swaps:
            owner, name, child, _ = self.swaps.pop()
            setattr(owner, name, child)
        self.model.train(self.training)
    def step(self, ids):
        model = self.model
        where = ids.size(1) - 1
        embedded = model.tgt_embed(ids)
        x = embedded.narrow(1, where, 1)
        hidden = model.decoder(x, self.memory, self.src_mask, padding_mask(ids, model.pad_id))
        return model.generator(hidden[:, -1])
    def keep(self, rows, alive):
        [cache.keep(rows, alive) for *_, cache in self.swaps]
# %% right: own_dictionaries_by_path
class CachedDecoder:
    def __init__(self, model, src):
        self.model = model
        self.mode = model.training
        self.mask = padding_mask(src, model.pad_id)
        try:
            self.memory = model.eval().encode(src, self.mask)
        except BaseException:
            model.train(self.mode)
            raise
        self.own = {
            path: part
            for path, part in model.decoder.named_modules(remove_duplicate=False)
            if hasattr(part, "w_q")
        }
        self.cached = {path: CachedMultiHeadAttention(part) for path, part in self.own.items()}
    def _put(self, parts):
        for path, part in parts.items():
            owner, _, name = path.rpartition(".")
            setattr(self.model.decoder.get_submodule(owner), name, part)
    def __enter__(self):
        self._put(self.cached)
        return self
    def __exit__(self, kind, error, where):
        self._put(self.own)
        self.model.train(self.mode)
        return False
    def step(self, ids):
        last = self.model.tgt_embed(ids)[:, [-1]]
        real = ids.ne(self.model.pad_id).unsqueeze(1).unsqueeze(1)
        out = self.model.decoder(last, self.memory, self.mask, real)
        return self.model.generator(out[:, 0])
    def keep(self, rows, alive):
        [cache.keep(rows, alive) for cache in self.cached.values()]
