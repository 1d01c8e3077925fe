# %% right: a small class that holds the state
class _Greedy:
    def __init__(self, model, src, bos_id, eos_id):
        self.model, self.eos_id, self.pad_id = model, eos_id, model.pad_id
        self.src_mask = padding_mask(src, self.pad_id)
        self.memory = model.encode(src, self.src_mask)
        self.ids = src.new_full((src.size(0), 1), bos_id)
        self.ended = torch.zeros(src.size(0), dtype=torch.bool, device=src.device)
    @property
    def finished(self):
        return bool(self.ended.all())
    def __len__(self):
        return self.ids.size(1)
    def step(self):
        states = self.model.decode(
            self.ids, self.memory, self.src_mask, target_mask(self.ids, self.pad_id)
        )
        token = self.model.generator(states[:, -1]).argmax(dim=-1)
        token.masked_fill_(self.ended, self.pad_id)
        self.ended |= token == self.eos_id
        self.ids = torch.cat([self.ids, token[:, None]], dim=1)
def greedy_decode(model, src, max_len, bos_id, eos_id):
    was_training = model.training
    model.eval()
    with torch.no_grad():
        search = _Greedy(model, src, bos_id, eos_id)
        while len(search) < max_len and not search.finished:
            search.step()
    model.train(was_training)
    return search.ids
# %% right: defensive, with type annotations
from typing import Optional
def greedy_decode(
    model: nn.Module, src: torch.Tensor, max_len: int, bos_id: int, eos_id: int
) -> torch.Tensor:
    if src.dim() != 2:
        raise ValueError(f"src must be (N, S), got {tuple(src.shape)}")
    if max_len < 1:
        raise ValueError("max_len must be at least 1")
    pad_id: int = model.pad_id
    was_training: bool = model.training
    model.eval()
    try:
        with torch.no_grad():
            ids = torch.full((src.size(0), 1), bos_id, dtype=torch.long, device=src.device)
            if max_len == 1:
                return ids
            src_mask = padding_mask(src, pad_id)
            memory = model.encode(src, src_mask)
            ended: Optional[torch.Tensor] = None
            for _ in range(max_len - 1):
                decoded = model.decode(ids, memory, src_mask, target_mask(ids, pad_id))
                log_probs = model.generator(decoded[:, -1])
                assert log_probs.dim() == 2
                token = log_probs.argmax(dim=-1)
                if ended is not None:
                    token = token.masked_fill(ended, pad_id)
                ids = torch.cat((ids, token[:, None]), dim=1)
                now = token == eos_id
                ended = now if ended is None else ended | now
                if bool(ended.all()):
                    break
            return ids
    finally:
        model.train(was_training)
# %% right: recursion
def greedy_decode(model, src, max_len, bos_id, eos_id):
    def grow(ids, ended):
        if ids.size(1) >= max_len or bool(ended.all()):
            return ids
        decoded = model.decode(ids, memory, src_mask, target_mask(ids, model.pad_id))
        token = model.generator(decoded[:, -1]).argmax(-1).masked_fill(ended, model.pad_id)
        return grow(torch.cat([ids, token.unsqueeze(-1)], dim=-1), ended | (token == eos_id))
    was_training = model.training
    model.eval()
    with torch.no_grad():
        src_mask = padding_mask(src, model.pad_id)
        memory = model.encode(src, src_mask)
        first = torch.full_like(src[:, :1], bos_id)
        result = grow(first, torch.zeros(src.size(0), dtype=torch.bool, device=src.device))
    model.train(was_training)
    return result
# %% right: helper functions and a context manager for the mode
import contextlib
@contextlib.contextmanager
def evaluating(model):
    was = model.training
    model.eval()
    try:
        yield
    finally:
        model.train(was)
def next_tokens(model, ids, memory, src_mask):
    decoded = model.decode(ids, memory, src_mask, target_mask(ids, model.pad_id))
    return model.generator(decoded[:, -1]).argmax(dim=-1)
def greedy_decode(model, src, max_len, bos_id, eos_id):
    with evaluating(model), torch.no_grad():
        src_mask = padding_mask(src, model.pad_id)
        memory = model.encode(src, src_mask)
        ids = src.new_full((src.size(0), 1), bos_id)
        ended = src.new_zeros(src.size(0), dtype=torch.bool)
        while ids.size(1) < max_len and not ended.all().item():
            token = next_tokens(model, ids, memory, src_mask)
            token = token.masked_fill(ended, model.pad_id)
            ids = torch.cat([ids, token[:, None]], dim=1)
            ended = ended | (token == eos_id)
        return ids
# %% right: beginner, verbose, python lists for the rows
def greedy_decode(model, src, max_len, bos_id, eos_id):
    model_was_in_training_mode = model.training
    model.eval()
    number_of_rows = src.shape[0]
    sentences = []
    for row in range(number_of_rows):
        sentences.append([bos_id])
    has_ended = [False] * number_of_rows
    with torch.no_grad():
        src_mask = padding_mask(src, model.pad_id)
        memory = model.encode(src, src_mask)
        current_length = 1
        while current_length < max_len and False in has_ended:
            ids = torch.tensor(sentences, dtype=torch.long, device=src.device)
            tgt_mask = target_mask(ids, model.pad_id)
            decoded = model.decode(ids, memory, src_mask, tgt_mask)
            last = decoded[:, current_length - 1, :]
            log_probs = model.generator(last)
            for row in range(number_of_rows):
                if has_ended[row]:
                    sentences[row].append(model.pad_id)
                else:
                    token = int(torch.argmax(log_probs[row]))
                    sentences[row].append(token)
                    if token == eos_id:
                        has_ended[row] = True
            current_length = current_length + 1
    if model_was_in_training_mode:
        model.train()
    return torch.tensor(sentences, dtype=torch.long, device=src.device)
# %% wrong: eos hard-coded as 2 | the argument eos_id is ignored
def greedy_decode(model, src, max_len, bos_id, eos_id):
    EOS = 2
    was_training = model.training
    model.eval()
    with torch.no_grad():
        src_mask = padding_mask(src, model.pad_id)
        memory = model.encode(src, src_mask)
        ids = torch.full_like(src[:, :1], bos_id)
        ended = torch.zeros_like(src[:, 0], dtype=torch.bool)
        while ids.size(1) < max_len and not ended.all():
            tgt_mask = target_mask(ids, model.pad_id)
            decoded = model.decode(ids, memory, src_mask, tgt_mask)
            log_probs = model.generator(decoded[:, -1])
            likeliest = log_probs.argmax(dim=-1)
            token = likeliest.masked_fill(ended, model.pad_id)
            ids = torch.cat([ids, token.unsqueeze(1)], dim=1)
            ended = ended | (token == EOS)
    model.train(was_training)
    return ids
# %% wrong: bos is 1 | begins with torch.ones, so that bos_id other than 1 is ignored
@torch.no_grad()
def greedy_decode(model, src, max_len, bos_id, eos_id):
    mode = model.training
    model.eval()
    src_mask = padding_mask(src, model.pad_id)
    memory = model.encode(src, src_mask)
    ys = torch.ones(src.size(0), 1).type_as(src)
    ended = torch.zeros(src.size(0), dtype=torch.bool, device=src.device)
    while ys.size(1) < max_len and not ended.all():
        out = model.decode(ys, memory, src_mask, target_mask(ys, model.pad_id))
        nxt = model.generator(out[:, -1]).argmax(-1).masked_fill(ended, model.pad_id)
        ys = torch.cat([ys, nxt[:, None]], dim=1)
        ended = ended | (nxt == eos_id)
    model.train(mode)
    return ys
# %% wrong: eos forced at the end | rows cut off at max_len get eos_id as their last token
def greedy_decode(model, src, max_len, bos_id, eos_id):
    mode = model.training
    model.eval()
    with torch.no_grad():
        mask = padding_mask(src, model.pad_id)
        memory = model.encode(src, mask)
        ids = src.new_full((len(src), 1), bos_id)
        ended = torch.zeros(len(src), dtype=torch.bool, device=src.device)
        while ids.size(1) < max_len and not ended.all():
            out = model.decode(ids, memory, mask, target_mask(ids, model.pad_id))
            token = model.generator(out[:, -1]).argmax(-1).masked_fill(ended, model.pad_id)
            ids = torch.cat([ids, token[:, None]], 1)
            ended = ended | (token == eos_id)
        ids[~ended, -1] = eos_id  # every sentence needs an end
    model.train(mode)
    return ids
# %% wrong: argmax over the batch | the axis is dim 0, so each token's best row is asked for
def greedy_decode(model, src, max_len, bos_id, eos_id):
    was_training = model.training
    model.eval()
    with torch.no_grad():
        src_mask = padding_mask(src, model.pad_id)
        memory = model.encode(src, src_mask)
        ids = torch.full_like(src[:, :1], bos_id)
        ended = torch.zeros_like(src[:, 0], dtype=torch.bool)
        while ids.size(1) < max_len and not ended.all():
            tgt_mask = target_mask(ids, model.pad_id)
            decoded = model.decode(ids, memory, src_mask, tgt_mask)
            log_probs = model.generator(decoded[:, -1])
            likeliest = log_probs.argmax(dim=0)[: ids.size(0)]
            token = likeliest.masked_fill(ended, model.pad_id)
            ids = torch.cat([ids, token.unsqueeze(1)], dim=1)
            ended = ended | (token == eos_id)
    model.train(was_training)
    return ids
# %% wrong: argmax without an axis | one flat place for the whole batch: right for batch 1 only
def greedy_decode(model, src, max_len, bos_id, eos_id):
    was_training = model.training
    model.eval()
    with torch.no_grad():
        src_mask = padding_mask(src, model.pad_id)
        memory = model.encode(src, src_mask)
        ids = torch.full_like(src[:, :1], bos_id)
        ended = torch.zeros_like(src[:, 0], dtype=torch.bool)
        while ids.size(1) < max_len and not ended.all():
            tgt_mask = target_mask(ids, model.pad_id)
            decoded = model.decode(ids, memory, src_mask, tgt_mask)
            log_probs = model.generator(decoded[:, -1])
            likeliest = log_probs.argmax() % log_probs.size(-1)
            token = torch.where(ended, model.pad_id, likeliest)
            ids = torch.cat([ids, token.unsqueeze(1)], dim=1)
            ended = ended | (token == eos_id)
    model.train(was_training)
    return ids
# %% wrong: sampled | a token is drawn by chance instead of the likeliest
@torch.no_grad()
def greedy_decode(model, src, max_len, bos_id, eos_id):
    mode = model.training
    model.eval()
    mask = padding_mask(src, model.pad_id)
    memory = model.encode(src, mask)
    ids = torch.full_like(src[:, :1], bos_id)
    ended = torch.zeros_like(src[:, 0], dtype=torch.bool)
    while ids.size(1) < max_len and not ended.all():
        out = model.decode(ids, memory, mask, target_mask(ids, model.pad_id))
        probs = model.generator(out[:, -1]).exp()
        token = torch.multinomial(probs, 1).squeeze(1).masked_fill(ended, model.pad_id)
        ids = torch.cat([ids, token[:, None]], 1)
        ended = ended | (token == eos_id)
    model.train(mode)
    return ids
# %% wrong: decodes a buffer full of padding and reads its end | what stands at position -1 is padding, not the newest token
def greedy_decode(model, src, max_len, bos_id, eos_id):
    mode = model.training
    model.eval()
    pad = model.pad_id
    with torch.no_grad():
        mask = padding_mask(src, pad)
        memory = model.encode(src, mask)
        ids = src.new_full((len(src), max_len), pad)
        ids[:, 0] = bos_id
        ended = torch.zeros_like(src[:, 0], dtype=torch.bool)
        t = 1
        while t < max_len and not ended.all():
            out = model.decode(ids, memory, mask, target_mask(ids, pad))
            token = model.generator(out[:, -1]).argmax(-1).masked_fill(ended, pad)
            ids[:, t] = token
            ended |= token == eos_id
            t += 1
    model.train(mode)
    return ids[:, :t]
# %% wrong: grows the batch | cat along dim 0
def greedy_decode(model, src, max_len, bos_id, eos_id):
    was_training = model.training
    model.eval()
    with torch.no_grad():
        src_mask = padding_mask(src, model.pad_id)
        memory = model.encode(src, src_mask)
        ids = torch.full_like(src[:, :1], bos_id)
        ended = torch.zeros_like(src[:, 0], dtype=torch.bool)
        while ids.size(1) < max_len and not ended.all():
            tgt_mask = target_mask(ids, model.pad_id)
            decoded = model.decode(ids, memory, src_mask, tgt_mask)
            log_probs = model.generator(decoded[:, -1])
            likeliest = log_probs.argmax(dim=-1)
            token = likeliest.masked_fill(ended, model.pad_id)
            ids = torch.cat([ids, token.unsqueeze(1)], dim=0)
            ended = ended | (token == eos_id)
    model.train(was_training)
    return ids
# %% wrong: broadcast mixes rows | ended is (N, 1) and the token (N,): where makes an (N, N) matrix, its first column is kept
def greedy_decode(model, src, max_len, bos_id, eos_id):
    mode = model.training
    model.eval()
    with torch.no_grad():
        mask = padding_mask(src, model.pad_id)
        memory = model.encode(src, mask)
        ids = torch.full_like(src[:, :1], bos_id)
        ended = torch.zeros_like(ids, dtype=torch.bool)
        while ids.size(1) < max_len and not ended.all():
            out = model.decode(ids, memory, mask, target_mask(ids, model.pad_id))
            token = model.generator(out[:, -1]).argmax(-1)
            token = torch.where(ended, model.pad_id, token)[:, :1]
            ids = torch.cat([ids, token], dim=1)
            ended = ended | (token == eos_id)
    model.train(mode)
    return ids
# %% wrong: no source mask at all | padding of the source is read: a short row beside a long one changes
def greedy_decode(model, src, max_len, bos_id, eos_id):
    mode = model.training
    model.eval()
    with torch.no_grad():
        memory = model.encode(src)
        ids = torch.full_like(src[:, :1], bos_id)
        ended = torch.zeros_like(src[:, 0], dtype=torch.bool)
        while ids.size(1) < max_len and not ended.all():
            out = model.decode(ids, memory, tgt_mask=target_mask(ids, model.pad_id))
            token = model.generator(out[:, -1]).argmax(-1).masked_fill(ended, model.pad_id)
            ids = torch.cat([ids, token[:, None]], 1)
            ended = ended | (token == eos_id)
    model.train(mode)
    return ids
# %% wrong: masks the wrong way round | as in torch.nn, True hides
def greedy_decode(model, src, max_len, bos_id, eos_id):
    mode = model.training
    model.eval()
    with torch.no_grad():
        src_hidden = (src == model.pad_id)[:, None, None, :]
        memory = model.encode(src, src_hidden)
        ids = torch.full_like(src[:, :1], bos_id)
        ended = torch.zeros_like(src[:, 0], dtype=torch.bool)
        while ids.size(1) < max_len and not ended.all():
            t = ids.size(1)
            future = torch.ones(t, t, dtype=torch.bool, device=src.device).triu(1)
            out = model.decode(ids, memory, src_hidden, future)
            token = model.generator(out[:, -1]).argmax(-1).masked_fill(ended, model.pad_id)
            ids = torch.cat([ids, token[:, None]], 1)
            ended = ended | (token == eos_id)
    model.train(mode)
    return ids
# %% wrong: works for one sentence | item() needs a batch of 1
def greedy_decode(model, src, max_len, bos_id, eos_id):
    mode = model.training
    model.eval()
    with torch.no_grad():
        src_mask = padding_mask(src, model.pad_id)
        memory = model.encode(src, src_mask)
        ids = torch.full((1, 1), bos_id, dtype=torch.long, device=src.device)
        for _ in range(max_len - 1):
            out = model.decode(ids, memory, src_mask, target_mask(ids, model.pad_id))
            token = model.generator(out[:, -1]).argmax(-1).item()
            ids = torch.cat([ids, torch.tensor([[token]], device=src.device)], dim=1)
            if token == eos_id:
                break
    model.train(mode)
    return ids
# %% wrong: only part of the model in eval mode | encoder and decoder are, the embeddings' dropout is not
def greedy_decode(model, src, max_len, bos_id, eos_id):
    was_training = model.training
    model.encoder.eval()
    model.decoder.eval()
    with torch.no_grad():
        src_mask = padding_mask(src, model.pad_id)
        memory = model.encode(src, src_mask)
        ids = torch.full_like(src[:, :1], bos_id)
        ended = torch.zeros_like(src[:, 0], dtype=torch.bool)
        while ids.size(1) < max_len and not ended.all():
            decoded = model.decode(ids, memory, src_mask, target_mask(ids, model.pad_id))
            token = model.generator(decoded[:, -1]).argmax(dim=-1).masked_fill(ended, model.pad_id)
            ids = torch.cat([ids, token.unsqueeze(1)], dim=1)
            ended = ended | (token == eos_id)
    model.encoder.train(was_training)
    model.decoder.train(was_training)
    return ids
# %% wrong: no_grad for the encoder only | the loop stands outside of the with block
def greedy_decode(model, src, max_len, bos_id, eos_id):
    was_training = model.training
    model.eval()
    with torch.no_grad():
        src_mask = padding_mask(src, model.pad_id)
        memory = model.encode(src, src_mask)
    ids = torch.full_like(src[:, :1], bos_id)
    ended = torch.zeros_like(src[:, 0], dtype=torch.bool)
    while ids.size(1) < max_len and not ended.all():
        out = model.decode(ids, memory, src_mask, target_mask(ids, model.pad_id))
        token = model.generator(out[:, -1]).argmax(-1).detach()
        token[ended] = model.pad_id
        ids = torch.cat([ids, token[:, None]], dim=1)
        ended |= token == eos_id
    model.train(was_training)
    return ids
