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


# %% right: own_exit_stack
from contextlib import ExitStack


class CachedDecoder:
    """Everything that is changed registers at once how it is put back."""

    def __init__(self, model, src):
        self.model, self.src = model, src
        self.caches = []
        self.undo = ExitStack()

    def __enter__(self):
        with ExitStack() as undo:
            undo.callback(self.model.train, self.model.training)
            self.model.eval()
            self.src_mask = padding_mask(self.src, self.model.pad_id)
            self.memory = self.model.encode(self.src, self.src_mask)
            for parent in list(self.model.decoder.modules()):
                for name, child in list(parent.named_children()):
                    if not hasattr(child, "w_q"):
                        continue
                    cache = CachedMultiHeadAttention(child)
                    undo.callback(setattr, parent, name, child)
                    setattr(parent, name, cache)
                    self.caches.append(cache)
            self.undo = undo.pop_all()
        return self

    def __exit__(self, *error):
        self.undo.close()

    def step(self, ids):
        embedded = self.model.tgt_embed(ids)
        newest = embedded[:, ids.size(1) - 1 :]
        visible = target_mask(ids, self.model.pad_id)[:, :, -1:]  # the last row hides no past
        decoded = self.model.decoder(newest, self.memory, self.src_mask, visible)
        return self.model.generator(decoded).squeeze(1)

    def keep(self, rows, alive):
        for cache in self.caches:
            cache.keep(rows, alive)

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


# %% right: tenth_own_paths_of_attentions
class CachedDecoder:
    def __init__(self, model, src):
        self.model = model
        self.mode = model.training
        self.src_mask = padding_mask(src, model.pad_id)
        model.eval()
        try:
            self.memory = model.encode(src, self.src_mask)
        except BaseException:
            model.train(self.mode)
            raise
        self.originals = {
            path: module for path, module in model.decoder.named_modules() if hasattr(module, "w_q")
        }
        self.caches = {path: CachedMultiHeadAttention(a) for path, a in self.originals.items()}

    def put(self, parts):
        for path, part in parts.items():
            parent, _, name = path.rpartition(".")
            setattr(self.model.decoder.get_submodule(parent), name, part)

    def __enter__(self):
        self.put(self.caches)
        return self

    def __exit__(self, kind, error, trace):
        self.put(self.originals)
        self.model.train(self.mode)
        return False

    def step(self, ids):
        embedded = self.model.tgt_embed(ids)
        newest = embedded[:, embedded.size(1) - 1 :]
        seen = (ids != self.model.pad_id)[:, None, None, :]
        y = self.model.decoder(newest, self.memory, self.src_mask, seen)
        return self.model.generator(y.squeeze(1))

    def keep(self, rows, alive):
        for cache in self.caches.values():
            cache.keep(rows, alive)

# %% right: tenth_own_swaps_in_a_list
class CachedDecoder:
    def __init__(self, model, src):
        self.model = model
        self.src = src

    def __enter__(self):
        model = self.model
        self.was_training = model.training
        self.swapped = []
        try:
            model.eval()
            self.src_mask = padding_mask(self.src, model.pad_id)
            self.memory = model.encode(self.src, self.src_mask)
            for part in list(model.decoder.modules()):
                for name, child in list(part.named_children()):
                    if hasattr(child, "w_q"):
                        cache = CachedMultiHeadAttention(child)
                        self.swapped.append((part, name, child, cache))
                        setattr(part, name, cache)
        except BaseException:
            self.restore()
            raise
        return self

    def restore(self):
        for part, name, child, _ in self.swapped:
            setattr(part, name, child)
        self.model.train(self.was_training)

    def __exit__(self, *error):
        self.restore()

    def step(self, ids):
        x = self.model.tgt_embed(ids)[:, [-1]]
        tgt_mask = target_mask(ids, self.model.pad_id)[:, :, -1:]  # the last row
        y = self.model.decoder(x, self.memory, self.src_mask, tgt_mask)
        return self.model.generator(y[:, 0])

    def keep(self, rows, alive):
        for entry in self.swapped:
            entry[3].keep(rows, alive)


# %% right: eleventh_own_list_of_places
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
        visible = padding_mask(ids, self.model.pad_id)
        out = self.model.decoder(x[:, -1:], self.memory, self.src_mask, visible)
        return self.model.generator(out.squeeze(1))

    def keep(self, rows, alive):
        for cache in self.caches:
            cache.keep(rows, alive)

# %% right: eleventh_own_dict_of_attentions
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
        self.put(self.originals)
        self.model.train(self.was_training)
        return False

    def step(self, ids):
        newest = target_vectors(self.model, ids)[:, -1:]
        mask = padding_mask(ids, self.model.pad_id)
        out = self.model.decoder(newest, self.memory, self.src_mask, mask)
        return self.model.generator(out[:, 0])

    def keep(self, rows, alive):
        for cache in self.caches.values():
            cache.keep(rows, alive)


# %% right: twelfth_own_paths
class CachedDecoder:
    def __init__(self, model, src):
        self.model = model
        self.mode = model.training
        self.src_mask = padding_mask(src, model.pad_id)
        self.own = {
            path: part for path, part in model.decoder.named_modules() if hasattr(part, "w_q")
        }
        self.cached = {path: CachedMultiHeadAttention(part) for path, part in self.own.items()}
        model.eval()
        try:
            self.memory = model.encode(src, self.src_mask)
        except BaseException:
            model.train(self.mode)
            raise

    def _put(self, parts):
        for path, part in parts.items():
            holder, _, name = path.rpartition(".")
            setattr(self.model.decoder.get_submodule(holder), name, part)

    def __enter__(self):
        self._put(self.cached)
        return self

    def __exit__(self, *error):
        self._put(self.own)
        self.model.train(self.mode)

    def step(self, ids):
        model = self.model
        last = model.tgt_embed(ids)[:, -1].unsqueeze(1)
        out = model.decoder(last, self.memory, self.src_mask, padding_mask(ids, model.pad_id))
        return model.generator(out.squeeze(1))

    def keep(self, rows, alive):
        for cache in self.cached.values():
            cache.keep(rows, alive)

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
