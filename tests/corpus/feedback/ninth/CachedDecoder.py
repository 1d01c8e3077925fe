# %% wrong: always_at_position_0 | TRUE CAUSE: `newest` embeds the last token alone, so the positional encoding takes it for position 0 at every step.
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

# %% wrong: mask_of_the_first_position | TRUE CAUSE: `tgt_mask` cuts the first row out of the target mask instead of the last, so the newest position sees only position 0 and neither itself nor those in between.
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
        tgt_mask = target_mask(ids, self.model.pad_id)[:, :, :1]  # no future to hide, only padding
        decoded = self.model.decoder(newest, self.memory, self.src_mask, tgt_mask)
        log_probs = self.model.generator(decoded[:, -1])  # (R, V)
        return log_probs

    def keep(self, rows, alive):
        for cache in self.caches:
            cache.keep(rows, alive)

# %% wrong: own_context_manager_without_finally | TRUE CAUSE: The context manager puts attentions and mode back after yield without try/finally, so when an error occurs inside the with block the model keeps the caches and stays in eval mode.
from contextlib import contextmanager


class Stepper:
    def __init__(self, model, memory, src_mask, caches):
        self.model, self.memory, self.src_mask, self.caches = model, memory, src_mask, caches

    def step(self, ids):
        x = self.model.tgt_embed(ids)[:, -1].unsqueeze(1)
        mask = padding_mask(ids, self.model.pad_id)
        y = self.model.decoder(x, self.memory, self.src_mask, mask)
        return self.model.generator(y.squeeze(1))

    def keep(self, rows, alive):
        for cache in self.caches:
            cache.keep(rows, alive)


@contextmanager
def CachedDecoder(model, src):
    was_training = model.training
    model.eval()
    src_mask = padding_mask(src, model.pad_id)
    memory = model.encode(src, src_mask)
    swapped = []
    for part in list(model.decoder.modules()):
        for name, child in list(part.named_children()):
            if hasattr(child, "w_q"):
                setattr(part, name, CachedMultiHeadAttention(child))
                swapped.append((part, name, child))
    caches = [getattr(part, name) for part, name, _ in swapped]

    yield Stepper(model, memory, src_mask, caches)

    for part, name, child in swapped:
        setattr(part, name, child)
    model.train(was_training)

# %% wrong: own_mode_read_too_late | TRUE CAUSE: model.training is read after model.eval(), so it is always False, and a model that was in train mode is left in eval mode.
class CachedDecoder:
    def __init__(self, model, src):
        self.model = model.eval()
        self.mode = self.model.training
        self.mask = padding_mask(src, model.pad_id)
        self.memory = model.encode(src, self.mask)
        self.originals, self.caches = {}, {}
        for path, module in model.decoder.named_modules():
            if hasattr(module, "w_q"):
                self.originals[path] = module
                self.caches[path] = CachedMultiHeadAttention(module)

    def _install(self, modules):
        for path, module in modules.items():
            parent, _, name = path.rpartition(".")
            setattr(self.model.decoder.get_submodule(parent), name, module)

    def __enter__(self):
        self._install(self.caches)
        return self

    def __exit__(self, kind, error, trace):
        self._install(self.originals)
        self.model.train(self.mode)
        return False

    def step(self, ids):
        last = self.model.tgt_embed(ids)[:, [-1]]
        visible = (ids != self.model.pad_id)[:, None, None, :]
        out = self.model.decoder(last, self.memory, self.mask, visible)
        return self.model.generator(out)[:, 0]

    def keep(self, rows, alive):
        for cache in self.caches.values():
            cache.keep(rows, alive)

