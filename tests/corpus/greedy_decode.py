# %% right: skeleton filled in plainly
def greedy_decode(model, src, max_len, bos_id, eos_id):
    """Write, token by token, the likeliest next one: ids (N, length), length at most max_len.

    Each row begins with bos_id; after its eos_id it holds padding.
    """
    was_training = model.training
    model.eval()
    with torch.no_grad():
        src_mask = padding_mask(src, model.pad_id)
        memory = model.encode(src, src_mask)  # once: the source does not change
        ids = torch.full_like(src[:, :1], bos_id)  # (N, 1)
        ended = torch.zeros_like(src[:, 0], dtype=torch.bool)  # (N,)

        while ids.size(1) < max_len and not ended.all():
            tgt_mask = target_mask(ids, model.pad_id)
            decoded = model.decode(ids, memory, src_mask, tgt_mask)
            log_probs = model.generator(decoded[:, -1])  # (N, V)
            likeliest = log_probs.argmax(dim=-1)  # (N,)
            token = likeliest.masked_fill(ended, model.pad_id)
            ids = torch.cat([ids, token.unsqueeze(1)], dim=1)
            ended = ended | (token == eos_id)
    model.train(was_training)
    return ids

# %% right: skeleton, where and max indices, ended from likeliest
def greedy_decode(model, src, max_len, bos_id, eos_id):
    was_training = model.training
    model.eval()
    with torch.no_grad():
        src_mask = padding_mask(src, model.pad_id)
        memory = model.encode(src, src_mask)
        ids = torch.full_like(src[:, :1], bos_id)
        ended = torch.zeros_like(src[:, 0], dtype=torch.bool)

        while max_len > ids.shape[1] and not bool(torch.all(ended)):
            tgt_mask = target_mask(ids, model.pad_id)
            decoded = model.decode(ids, memory, src_mask, tgt_mask)
            log_probs = model.generator(decoded[:, -1])
            likeliest = log_probs.max(dim=1).indices
            token = torch.where(ended, torch.full_like(likeliest, model.pad_id), likeliest)
            ids = torch.hstack((ids, token[:, None]))
            ended = torch.logical_or(ended, likeliest == eos_id)
    model.train(was_training)
    return ids

# %% right: preallocated matrix of padding, filled column by column
@torch.no_grad()
def greedy_decode(model, src, max_len, bos_id, eos_id):
    mode = model.training
    model.eval()
    try:
        pad = model.pad_id
        src_mask = padding_mask(src, pad)
        memory = model.encode(src, src_mask)
        n = src.size(0)
        out = src.new_full((n, max_len), pad)
        out[:, 0] = bos_id
        running = torch.ones(n, dtype=torch.bool, device=src.device)
        length = 1
        while length < max_len and running.any():
            so_far = out[:, :length]
            states = model.decode(so_far, memory, src_mask, target_mask(so_far, pad))
            best = model.generator(states[:, -1]).argmax(-1)
            out[running, length] = best[running]
            running &= best != eos_id
            length += 1
        return out[:, :length].clone()
    finally:
        model.train(mode)

# %% right: list of columns, stacked anew at each step
def greedy_decode(model, src, max_len, bos_id, eos_id):
    training = model.training
    model.eval()
    columns = [torch.full((src.size(0),), bos_id, dtype=src.dtype, device=src.device)]
    open_rows = torch.ones(src.size(0), dtype=torch.bool, device=src.device)
    with torch.no_grad():
        src_mask = padding_mask(src, model.pad_id)
        memory = model.encode(src, src_mask)
        for _ in range(max_len - 1):
            if not open_rows.any():
                break
            ids = torch.stack(columns, dim=1)
            hidden = model.decode(ids, memory, src_mask, target_mask(ids, model.pad_id))
            nxt = model.generator(hidden[:, -1, :]).argmax(dim=-1)
            nxt[~open_rows] = model.pad_id
            columns.append(nxt)
            open_rows = open_rows & (nxt != eos_id)
    model.train(training)
    return torch.stack(columns, dim=1)

# %% right: generator applied to all positions, last one picked afterwards
def greedy_decode(model, src, max_len, bos_id, eos_id):
    before = model.training
    model.eval()
    with torch.no_grad():
        mask = padding_mask(src, model.pad_id)
        memory = model.encode(src, mask)
        y = torch.full((len(src), 1), bos_id, dtype=torch.long, device=src.device)
        done = torch.zeros(len(src), 1, dtype=torch.bool, device=src.device)
        for step in range(1, max_len):
            if done.all():
                break
            log_probs = model.generator(model.decode(y, memory, mask, target_mask(y, model.pad_id)))
            choice = log_probs.argmax(dim=-1)[:, -1:]
            choice = choice.masked_fill(done, model.pad_id)
            y = torch.cat((y, choice), dim=-1)
            done |= choice.eq(eos_id)
    model.train(before)
    return y

# %% right: integer arithmetic with alive as 0 or 1
def greedy_decode(model, src, max_len, bos_id, eos_id):
    state = model.training
    model.eval()
    with torch.no_grad():
        m = padding_mask(src, model.pad_id)
        mem = model.encode(src, m)
        ys = torch.ones_like(src[:, :1]) * bos_id
        alive = torch.ones_like(src[:, 0])
        while alive.sum().item() > 0 and ys.size(1) < max_len:
            h = model.decode(ys, mem, m, target_mask(ys, model.pad_id))
            best = model.generator(h[:, -1]).argmax(1)
            t = best * alive + model.pad_id * (1 - alive)
            ys = torch.cat([ys, t.view(-1, 1)], 1)
            alive = alive * (best != eos_id).long()
    model.train(state)
    return ys

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

# %% right: ended looked up in the ids themselves
def greedy_decode(model, src, max_len, bos_id, eos_id):
    # the first column is left out of the search, in case that bos_id is eos_id
    was_training = model.training
    model.eval()
    with torch.no_grad():
        src_mask = padding_mask(src, model.pad_id)
        memory = model.encode(src, src_mask)
        ids = torch.full_like(src[:, :1], bos_id)
        while ids.size(1) < max_len:
            ended = (ids[:, 1:] == eos_id).any(dim=1)
            if ended.all():
                break
            states = model.decode(ids, memory, src_mask, target_mask(ids, model.pad_id))
            token = model.generator(states[:, -1]).argmax(dim=-1)
            token = torch.where(ended, model.pad_id, token)
            ids = torch.cat([ids, token[:, None]], dim=1)
    model.train(was_training)
    return ids

# %% right: only the rows that still go on are decoded
def greedy_decode(model, src, max_len, bos_id, eos_id):
    """What has ended is taken out of the batch, so late steps are cheap."""
    was_training = model.training
    model.eval()
    with torch.no_grad():
        src_mask = padding_mask(src, model.pad_id)
        memory = model.encode(src, src_mask)
        out = src.new_full((src.size(0), max(max_len, 1)), model.pad_id)
        out[:, 0] = bos_id
        active = torch.arange(src.size(0), device=src.device)
        length = 1
        while length < max_len and active.numel() > 0:
            ids = out[active, :length]
            tgt_mask = target_mask(ids, model.pad_id)
            decoded = model.decode(ids, memory[active], src_mask[active], tgt_mask)
            token = model.generator(decoded[:, -1]).argmax(dim=-1)
            out[active, length] = token
            active = active[token != eos_id]
            length += 1
    model.train(was_training)
    return out[:, :length]

# %% right: writes on freely, puts the padding in at the end
def greedy_decode(model, src, max_len, bos_id, eos_id):
    # Rows do not see each other, so what an ended row goes on to say does no harm.
    was_training = model.training
    model.eval()
    with torch.no_grad():
        src_mask = padding_mask(src, model.pad_id)
        memory = model.encode(src, src_mask)
        ids = torch.full_like(src[:, :1], bos_id)
        ended = torch.zeros_like(src[:, 0], dtype=torch.bool)
        while ids.size(1) < max_len and not ended.all():
            decoded = model.decode(ids, memory, src_mask, target_mask(ids, model.pad_id))
            token = model.generator(decoded[:, -1]).argmax(dim=-1)
            ids = torch.cat([ids, token[:, None]], dim=1)
            ended = ended | (token == eos_id)
        is_eos = (ids == eos_id).long()
        is_eos[:, 0] = 0
        after = is_eos.cumsum(dim=1) - is_eos > 0
        ids = ids.masked_fill(after, model.pad_id)
    model.train(was_training)
    return ids

# %% right: topk and scatter
def greedy_decode(model, src, max_len, bos_id, eos_id):
    old = model.training
    model.train(False)
    with torch.set_grad_enabled(False):
        visible = padding_mask(src, model.pad_id)
        memory = model.encode(src, visible)
        batch = src.shape[0]
        ids = torch.full([batch, 1], bos_id, dtype=torch.int64, device=src.device)
        finished = torch.zeros([batch, 1], dtype=torch.bool, device=src.device)
        while True:
            if ids.shape[-1] >= max_len:
                break
            if finished.sum() == batch:
                break
            logp = model.generator(model.decode(ids, memory, visible, target_mask(ids, model.pad_id))[:, -1])
            _, winner = torch.topk(logp, k=1, dim=-1)
            winner = winner.clone()
            winner[finished] = model.pad_id
            grown = ids.new_empty(batch, ids.shape[-1] + 1)
            grown[:, :-1] = ids
            grown[:, -1:] = winner
            ids = grown
            finished = finished | (winner == eos_id)
    model.train(old)
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

# %% right: a generator function yields columns
def _columns(model, src, bos_id, eos_id):
    src_mask = padding_mask(src, model.pad_id)
    memory = model.encode(src, src_mask)
    ids = torch.full_like(src[:, :1], bos_id)
    ended = torch.zeros_like(src[:, :1], dtype=torch.bool)
    yield ids
    while not ended.all():
        decoded = model.decode(ids, memory, src_mask, target_mask(ids, model.pad_id))
        column = model.generator(decoded[:, -1:]).argmax(dim=-1)
        column = column.masked_fill(ended, model.pad_id)
        ended = ended | (column == eos_id)
        ids = torch.cat([ids, column], dim=1)
        yield column


def greedy_decode(model, src, max_len, bos_id, eos_id):
    import itertools

    was_training = model.training
    model.eval()
    with torch.no_grad():
        columns = list(itertools.islice(_columns(model, src, bos_id, eos_id), max_len))
    model.train(was_training)
    return torch.cat(columns, dim=1)

# %% right: inference_mode
def greedy_decode(model, src, max_len, bos_id, eos_id):
    was_training = model.training
    model.eval()
    with torch.inference_mode():
        src_mask = padding_mask(src, model.pad_id)
        memory = model.encode(src, src_mask)
        ids = torch.full_like(src[:, :1], bos_id)
        ended = torch.zeros_like(src[:, 0], dtype=torch.bool)
        while ids.size(1) < max_len and not ended.all():
            decoded = model.decode(ids, memory, src_mask, target_mask(ids, model.pad_id))
            token = model.generator(decoded[:, -1]).argmax(dim=-1)
            token = token.masked_fill(ended, model.pad_id)
            ids = torch.cat([ids, token[:, None]], dim=1)
            ended = ended | (token == eos_id)
    model.train(was_training)
    return ids.clone()  # a normal tensor again

# %% right: masks built by hand, keyword arguments
def greedy_decode(model, src, max_len, bos_id, eos_id):
    was_training = model.training
    model.eval()
    pad = model.pad_id
    with torch.no_grad():
        src_mask = src.ne(pad)[:, None, None, :]
        memory = model.encode(src, src_mask=src_mask)
        ids = src.new_full((src.size(0), 1), bos_id)
        ended = src.new_zeros((src.size(0),), dtype=torch.bool)
        while ids.size(1) < max_len and not ended.all():
            t = ids.size(1)
            place = torch.arange(t, device=src.device)
            past = place[None, :] <= place[:, None]  # (t, t)
            tgt_mask = past[None, None] & ids.ne(pad)[:, None, None, :]
            decoded = model.decode(ids, memory, src_mask=src_mask, tgt_mask=tgt_mask)
            token = model.generator(decoded.select(1, -1)).argmax(-1)
            token = torch.where(ended, torch.tensor(pad, device=src.device), token)
            ids = torch.cat([ids, token.unsqueeze(1)], dim=1)
            ended = ended | token.eq(eos_id)
    model.train(was_training)
    return ids

# %% right: logits with padding forced for ended rows before the argmax
def greedy_decode(model, src, max_len, bos_id, eos_id):
    was_training = model.training
    model.eval()
    with torch.no_grad():
        src_mask = padding_mask(src, model.pad_id)
        memory = model.encode(src, src_mask)
        ids = torch.full_like(src[:, :1], bos_id)
        ended = torch.zeros_like(src[:, 0], dtype=torch.bool)
        while ids.size(1) < max_len and not ended.all():
            decoded = model.decode(ids, memory, src_mask, target_mask(ids, model.pad_id))
            scores = model.generator(decoded[:, -1]).clone()
            # in an ended row nothing but padding is possible
            only_pad = torch.full_like(scores, float("-inf"))
            only_pad[:, model.pad_id] = 0.0
            scores = torch.where(ended[:, None], only_pad, scores)
            token = scores.argmax(dim=-1)
            ids = torch.cat([ids, token[:, None]], dim=1)
            ended = ended | (token == eos_id)
    model.train(was_training)
    return ids

# %% right: remembers the mode of every submodule
def greedy_decode(model, src, max_len, bos_id, eos_id):
    modes = [(module, module.training) for module in model.modules()]
    model.eval()
    try:
        with torch.no_grad():
            src_mask = padding_mask(src, model.pad_id)
            memory = model.encode(src, src_mask)
            ids = torch.full_like(src[:, :1], bos_id)
            ended = torch.zeros_like(src[:, 0], dtype=torch.bool)
            while ids.size(1) < max_len and not ended.all():
                decoded = model.decode(ids, memory, src_mask, target_mask(ids, model.pad_id))
                token = model.generator(decoded[:, -1]).argmax(dim=-1)
                token[ended] = model.pad_id
                ids = torch.cat([ids, token.reshape(-1, 1)], dim=1)
                ended = ended | (token == eos_id)
    finally:
        for module, mode in modes:
            module.training = mode
    return ids

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

# %% right: supports more, with a callback and a default for max_len
def greedy_decode(model, src, max_len=100, bos_id=1, eos_id=2, on_step=None):
    training = model.training
    model.eval()
    with torch.no_grad():
        src_mask = padding_mask(src, model.pad_id)
        memory = model.encode(src, src_mask)
        ids = torch.full_like(src[:, :1], bos_id)
        ended = torch.zeros_like(src[:, 0], dtype=torch.bool)
        for step in range(1, max_len):
            decoded = model.decode(ids, memory, src_mask, target_mask(ids, model.pad_id))
            log_probs = model.generator(decoded[:, -1])
            if on_step is not None:
                on_step(step, log_probs)
            token = torch.where(ended, model.pad_id, log_probs.argmax(dim=-1))
            ids = torch.cat([ids, token[:, None]], dim=1)
            ended |= token == eos_id
            if ended.all():
                break
    model.train(training)
    return ids

# %% right: remaining rows as a python set
def greedy_decode(model, src, max_len, bos_id, eos_id):
    was_training = model.training
    model.eval()
    with torch.no_grad():
        src_mask = padding_mask(src, model.pad_id)
        memory = model.encode(src, src_mask)
        ids = torch.full_like(src[:, :1], bos_id)
        remaining = set(range(src.size(0)))
        while remaining and ids.size(1) < max_len:
            decoded = model.decode(ids, memory, src_mask, target_mask(ids, model.pad_id))
            likeliest = model.generator(decoded[:, -1]).argmax(dim=-1).tolist()
            column = [t if i in remaining else model.pad_id for i, t in enumerate(likeliest)]
            remaining -= {i for i, t in enumerate(column) if t == eos_id}
            ids = torch.cat([ids, ids.new_tensor(column).unsqueeze(1)], dim=1)
    model.train(was_training)
    return ids

# %% right: terse
def greedy_decode(model, src, max_len, bos_id, eos_id):
    was, _ = model.training, model.eval()
    with torch.no_grad():
        pad, seen = model.pad_id, padding_mask(src, model.pad_id)
        mem, y, end = model.encode(src, seen), src[:, :1] * 0 + bos_id, src[:, 0] != src[:, 0]
        while y.shape[1] < max_len and not end.all():
            t = model.generator(model.decode(y, mem, seen, target_mask(y, pad))[:, -1]).argmax(-1).masked_fill(end, pad)
            y, end = torch.cat([y, t[:, None]], 1), end | (t == eos_id)
    return model.train(was) and y

# %% right: sort instead of argmax, F.pad to grow
def greedy_decode(model, src, max_len, bos_id, eos_id):
    was_training = model.training
    model.eval()
    with torch.no_grad():
        src_mask = padding_mask(src, model.pad_id)
        memory = model.encode(src, src_mask)
        ids = torch.full_like(src[:, :1], bos_id)
        going = torch.ones_like(src[:, 0], dtype=torch.bool)
        while going.any() and ids.size(1) < max_len:
            decoded = model.decode(ids, memory, src_mask, target_mask(ids, model.pad_id))
            log_probs = model.generator(decoded[:, -1])
            order = log_probs.argsort(dim=-1, descending=True)
            ids = F.pad(ids, (0, 1), value=model.pad_id)  # one more column of padding
            ids[going, -1] = order[going, 0]
            going = going & (order[:, 0] != eos_id)
    model.train(was_training)
    return ids

# %% right: counts the lengths of the rows
def greedy_decode(model, src, max_len, bos_id, eos_id):
    # where[i] is the length of row i once it has ended, and max_len as long as it has not
    mode = model.training
    model.eval()
    with torch.no_grad():
        src_mask = padding_mask(src, model.pad_id)
        memory = model.encode(src, src_mask)
        ids = torch.full_like(src[:, :1], bos_id)
        where = torch.full_like(src[:, 0], max_len)
        for length in range(1, max_len):
            if int(where.max()) <= length:
                break
            decoded = model.decode(ids, memory, src_mask, target_mask(ids, model.pad_id))
            token = model.generator(decoded[:, -1]).argmax(dim=-1)
            token = torch.where(where <= length, model.pad_id, token)
            where = torch.where((token == eos_id) & (where > length), length + 1, where)
            ids = torch.cat([ids, token[:, None]], dim=1)
    model.train(mode)
    return ids

# %% right: probabilities instead of logarithms, first maximum by hand
def greedy_decode(model, src, max_len, bos_id, eos_id):
    def first_maximum(log_probs):
        vocab = torch.arange(log_probs.size(-1), device=log_probs.device)
        is_best = log_probs == log_probs.amax(dim=-1, keepdim=True)
        return torch.where(is_best, vocab, log_probs.size(-1)).amin(dim=-1)

    was_training = model.training
    model.eval()
    with torch.no_grad():
        src_mask = padding_mask(src, model.pad_id)
        memory = model.encode(src, src_mask)
        ids = torch.full_like(src[:, :1], bos_id)
        ended = torch.zeros_like(src[:, 0], dtype=torch.bool)
        while not (ids.size(1) >= max_len or ended.all()):
            decoded = model.decode(ids, memory, src_mask, target_mask(ids, model.pad_id))
            token = first_maximum(model.generator(decoded[:, -1]))
            token = token.masked_fill(ended, model.pad_id)
            ids = torch.cat([ids, token[:, None]], dim=1)
            ended = ended | (token == eos_id)
    model.train(was_training)
    return ids

# %% wrong: stops with the first row | any instead of all: the rows that go on are cut off
def greedy_decode(model, src, max_len, bos_id, eos_id):
    was_training = model.training
    model.eval()
    with torch.no_grad():
        src_mask = padding_mask(src, model.pad_id)
        memory = model.encode(src, src_mask)  # once: the source does not change
        ids = torch.full_like(src[:, :1], bos_id)  # (N, 1)
        ended = torch.zeros_like(src[:, 0], dtype=torch.bool)  # (N,)

        while ids.size(1) < max_len and not ended.any():
            tgt_mask = target_mask(ids, model.pad_id)
            decoded = model.decode(ids, memory, src_mask, tgt_mask)
            log_probs = model.generator(decoded[:, -1])  # (N, V)
            likeliest = log_probs.argmax(dim=-1)  # (N,)
            token = likeliest.masked_fill(ended, model.pad_id)
            ids = torch.cat([ids, token.unsqueeze(1)], dim=1)
            ended = ended | (token == eos_id)
    model.train(was_training)
    return ids

# %% wrong: one token too long | <= lets the rows become max_len + 1 long
def greedy_decode(model, src, max_len, bos_id, eos_id):
    was_training = model.training
    model.eval()
    with torch.no_grad():
        src_mask = padding_mask(src, model.pad_id)
        memory = model.encode(src, src_mask)
        ids = torch.full_like(src[:, :1], bos_id)
        ended = torch.zeros_like(src[:, 0], dtype=torch.bool)

        while ids.size(1) <= max_len and not ended.all():
            tgt_mask = target_mask(ids, model.pad_id)
            decoded = model.decode(ids, memory, src_mask, tgt_mask)
            log_probs = model.generator(decoded[:, -1])
            likeliest = log_probs.argmax(dim=-1)
            token = likeliest.masked_fill(ended, model.pad_id)
            ids = torch.cat([ids, token.unsqueeze(1)], dim=1)
            ended = ended | (token == eos_id)
    model.train(was_training)
    return ids

# %% wrong: max_len new tokens | bos_id is not counted: range(max_len) steps
@torch.no_grad()
def greedy_decode(model, src, max_len, bos_id, eos_id):
    mode = model.training
    model.eval()
    src_mask = padding_mask(src, model.pad_id)
    memory = model.encode(src, src_mask)
    ys = src.new_full((src.size(0), 1), bos_id)
    done = torch.zeros(src.size(0), dtype=torch.bool, device=src.device)
    for _ in range(max_len):
        out = model.decode(ys, memory, src_mask, target_mask(ys, model.pad_id))
        nxt = model.generator(out[:, -1]).argmax(-1)
        nxt = torch.where(done, model.pad_id, nxt)
        ys = torch.cat([ys, nxt[:, None]], dim=1)
        done |= nxt == eos_id
        if done.all():
            break
    model.train(mode)
    return ys

# %% wrong: one token too short | stops at max_len - 1
def greedy_decode(model, src, max_len, bos_id, eos_id):
    mode = model.training
    model.eval()
    with torch.no_grad():
        src_mask = padding_mask(src, model.pad_id)
        memory = model.encode(src, src_mask)
        columns = [src.new_full((src.size(0),), bos_id)]
        ended = src.new_zeros(src.size(0), dtype=torch.bool)
        for _ in range(1, max_len - 1):
            if ended.all():
                break
            ids = torch.stack(columns, 1)
            out = model.decode(ids, memory, src_mask, target_mask(ids, model.pad_id))
            token = model.generator(out[:, -1]).argmax(-1).masked_fill(ended, model.pad_id)
            columns.append(token)
            ended = ended | (token == eos_id)
    model.train(mode)
    return torch.stack(columns, 1)

# %% wrong: no limit | max_len is ignored where every row ends by itself, and never stops where none does
def greedy_decode(model, src, max_len, bos_id, eos_id):
    was_training = model.training
    model.eval()
    with torch.no_grad():
        src_mask = padding_mask(src, model.pad_id)
        memory = model.encode(src, src_mask)
        ids = torch.full_like(src[:, :1], bos_id)
        ended = torch.zeros_like(src[:, 0], dtype=torch.bool)

        while not ended.all() and ids.size(1) < 60:  # surely long enough
            tgt_mask = target_mask(ids, model.pad_id)
            decoded = model.decode(ids, memory, src_mask, tgt_mask)
            log_probs = model.generator(decoded[:, -1])
            likeliest = log_probs.argmax(dim=-1)
            token = likeliest.masked_fill(ended, model.pad_id)
            ids = torch.cat([ids, token.unsqueeze(1)], dim=1)
            ended = ended | (token == eos_id)
    model.train(was_training)
    return ids

# %% wrong: always max_len long | does not stop when every row has ended
def greedy_decode(model, src, max_len, bos_id, eos_id):
    was_training = model.training
    model.eval()
    with torch.no_grad():
        src_mask = padding_mask(src, model.pad_id)
        memory = model.encode(src, src_mask)
        ids = torch.full_like(src[:, :1], bos_id)
        ended = torch.zeros_like(src[:, 0], dtype=torch.bool)

        while ids.size(1) < max_len:
            tgt_mask = target_mask(ids, model.pad_id)
            decoded = model.decode(ids, memory, src_mask, tgt_mask)
            log_probs = model.generator(decoded[:, -1])
            likeliest = log_probs.argmax(dim=-1)
            token = torch.where(ended, model.pad_id, likeliest)
            ids = torch.cat([ids, token[:, None]], dim=1)
            ended = ended | (token == eos_id)
    model.train(was_training)
    return ids

# %% wrong: or instead of and | goes on while either is true: ended batches grow to max_len, unfinished ones beyond
def greedy_decode(model, src, max_len, bos_id, eos_id):
    was_training = model.training
    model.eval()
    with torch.no_grad():
        src_mask = padding_mask(src, model.pad_id)
        memory = model.encode(src, src_mask)
        ids = torch.full_like(src[:, :1], bos_id)
        ended = torch.zeros_like(src[:, 0], dtype=torch.bool)

        while ids.size(1) < max_len or not ended.all():
            if ids.size(1) > 40:
                break
            tgt_mask = target_mask(ids, model.pad_id)
            decoded = model.decode(ids, memory, src_mask, tgt_mask)
            log_probs = model.generator(decoded[:, -1])
            likeliest = log_probs.argmax(dim=-1)
            token = likeliest.masked_fill(ended, model.pad_id)
            ids = torch.cat([ids, token.unsqueeze(1)], dim=1)
            ended = ended | (token == eos_id)
    model.train(was_training)
    return ids

# %% wrong: ended is forgotten | ended holds only for the row's last token, so that a row wakes up after one padding
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
            ids = torch.cat([ids, token.unsqueeze(1)], dim=1)
            ended = token == eos_id
    model.train(was_training)
    return ids

# %% wrong: all must end at once | stops only when all rows say eos in the same step
@torch.no_grad()
def greedy_decode(model, src, max_len, bos_id, eos_id):
    mode = model.training
    model.eval()
    mask = padding_mask(src, model.pad_id)
    memory = model.encode(src, mask)
    y = torch.full_like(src[:, :1], bos_id)
    dead = torch.zeros(len(src), dtype=torch.bool, device=src.device)
    for _ in range(max_len - 1):
        h = model.decode(y, memory, mask, target_mask(y, model.pad_id))
        t = model.generator(h[:, -1]).argmax(-1).masked_fill(dead, model.pad_id)
        dead = dead | (t == eos_id)
        y = torch.cat([y, t[:, None]], 1)
        if (t == eos_id).all():
            break
    model.train(mode)
    return y

# %% wrong: no padding after eos | an ended row writes on
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
            token = likeliest
            ids = torch.cat([ids, token.unsqueeze(1)], dim=1)
            ended = ended | (token == eos_id)
    model.train(was_training)
    return ids

# %% wrong: eos itself is padded over | ended is updated before the token is chosen, so no row ever holds eos
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
            ended = ended | (likeliest == eos_id)
            token = likeliest.masked_fill(ended, model.pad_id)
            ids = torch.cat([ids, token.unsqueeze(1)], dim=1)
    model.train(was_training)
    return ids

# %% wrong: eos repeated as filler | ended rows are filled with eos_id, not with pad_id
def greedy_decode(model, src, max_len, bos_id, eos_id):
    mode = model.training
    model.eval()
    with torch.no_grad():
        mask = padding_mask(src, model.pad_id)
        memory = model.encode(src, mask)
        ids = src.new_full((src.size(0), 1), bos_id)
        while ids.size(1) < max_len and not (ids[:, -1] == eos_id).all():
            out = model.decode(ids, memory, mask, target_mask(ids, model.pad_id))
            token = model.generator(out[:, -1]).argmax(-1)
            token[ids[:, -1] == eos_id] = eos_id
            ids = torch.cat([ids, token[:, None]], dim=1)
    model.train(mode)
    return ids

# %% wrong: padding hard-coded as 0 | model.pad_id need not be 0
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
            token = likeliest * ~ended
            ids = torch.cat([ids, token.unsqueeze(1)], dim=1)
            ended = ended | (token == eos_id)
    model.train(was_training)
    return ids

# %% wrong: source mask with pad 0 | the source's padding is hidden only if pad_id is 0
def greedy_decode(model, src, max_len, bos_id, eos_id):
    mode = model.training
    model.eval()
    with torch.no_grad():
        src_mask = (src != 0).unsqueeze(1).unsqueeze(2)
        memory = model.encode(src, src_mask)
        ids = torch.full((src.size(0), 1), bos_id, dtype=torch.long, device=src.device)
        ended = torch.zeros(src.size(0), dtype=torch.bool, device=src.device)
        for _ in range(max_len - 1):
            out = model.decode(ids, memory, src_mask, target_mask(ids, model.pad_id))
            token = model.generator(out[:, -1]).argmax(-1)
            token[ended] = model.pad_id
            ids = torch.cat([ids, token[:, None]], 1)
            ended |= token == eos_id
            if ended.all():
                break
    model.train(mode)
    return ids

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

# %% wrong: begins with the source's first token | right only if the source begins with bos_id, too
def greedy_decode(model, src, max_len, bos_id, eos_id):
    was_training = model.training
    model.eval()
    with torch.no_grad():
        src_mask = padding_mask(src, model.pad_id)
        memory = model.encode(src, src_mask)
        ids = src[:, :1].clone()
        ended = torch.zeros_like(src[:, 0], dtype=torch.bool)
        while ids.size(1) < max_len and not ended.all():
            tgt_mask = target_mask(ids, model.pad_id)
            decoded = model.decode(ids, memory, src_mask, tgt_mask)
            log_probs = model.generator(decoded[:, -1])
            likeliest = log_probs.argmax(dim=-1)
            token = likeliest.masked_fill(ended, model.pad_id)
            ids = torch.cat([ids, token.unsqueeze(1)], dim=1)
            ended = ended | (token == eos_id)
    model.train(was_training)
    return ids

# %% wrong: bos cut off | returns ids[:, 1:]
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
            ids = torch.cat([ids, token.unsqueeze(1)], dim=1)
            ended = ended | (token == eos_id)
    model.train(was_training)
    return ids[:, 1:]

# %% wrong: eos not written | breaks before the last token is appended
def greedy_decode(model, src, max_len, bos_id, eos_id):
    mode = model.training
    model.eval()
    with torch.no_grad():
        mask = padding_mask(src, model.pad_id)
        memory = model.encode(src, mask)
        ids = src.new_full((len(src), 1), bos_id)
        ended = torch.zeros(len(src), dtype=torch.bool, device=src.device)
        for _ in range(max_len - 1):
            out = model.decode(ids, memory, mask, target_mask(ids, model.pad_id))
            token = model.generator(out[:, -1]).argmax(-1).masked_fill(ended, model.pad_id)
            ended = ended | (token == eos_id)
            if ended.all():
                break
            ids = torch.cat([ids, token[:, None]], 1)
    model.train(mode)
    return ids

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

# %% wrong: values instead of indices | max(...)[0] gives the log-probability, not the token
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
            likeliest = log_probs.max(dim=-1)[0].abs().long()
            token = likeliest.masked_fill(ended, model.pad_id)
            ids = torch.cat([ids, token.unsqueeze(1)], dim=1)
            ended = ended | (token == eos_id)
    model.train(was_training)
    return ids

# %% wrong: negative log-likelihood confused | takes argmin, as if the generator gave losses
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
            likeliest = log_probs.argmin(dim=-1)
            token = likeliest.masked_fill(ended, model.pad_id)
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

# %% wrong: reads the first position | decoded[:, 0] says the first token again and again
def greedy_decode(model, src, max_len, bos_id, eos_id):
    mode = model.training
    model.eval()
    with torch.no_grad():
        mask = padding_mask(src, model.pad_id)
        memory = model.encode(src, mask)
        ids = torch.full_like(src[:, :1], bos_id)
        ended = torch.zeros_like(src[:, 0], dtype=torch.bool)
        while ids.size(1) < max_len and not ended.all():
            out = model.decode(ids, memory, mask, target_mask(ids, model.pad_id))
            token = model.generator(out[:, 0]).argmax(-1).masked_fill(ended, model.pad_id)
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

# %% wrong: feeds the newest token alone | without the beginning (and its position) the decoder forgets what it wrote
def greedy_decode(model, src, max_len, bos_id, eos_id):
    mode = model.training
    model.eval()
    with torch.no_grad():
        mask = padding_mask(src, model.pad_id)
        memory = model.encode(src, mask)
        ids = torch.full_like(src[:, :1], bos_id)
        ended = torch.zeros_like(src[:, 0], dtype=torch.bool)
        while ids.size(1) < max_len and not ended.all():
            newest = ids[:, -1:]
            out = model.decode(newest, memory, mask, target_mask(newest, model.pad_id))
            token = model.generator(out[:, -1]).argmax(-1).masked_fill(ended, model.pad_id)
            ids = torch.cat([ids, token[:, None]], 1)
            ended = ended | (token == eos_id)
    model.train(mode)
    return ids

# %% wrong: new token in front | cat has the two in the wrong order
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
            ids = torch.cat([token.unsqueeze(1), ids], dim=1)
            ended = ended | (token == eos_id)
    model.train(was_training)
    return ids

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

# %% wrong: token not unsqueezed | (N,) cannot be put behind (N, length)
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
            ids = torch.cat([ids, token], dim=1)
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

# %% wrong: no causal mask | tgt_mask left out: the states of earlier positions see later ones, as they never did in training
def greedy_decode(model, src, max_len, bos_id, eos_id):
    was_training = model.training
    model.eval()
    with torch.no_grad():
        src_mask = padding_mask(src, model.pad_id)
        memory = model.encode(src, src_mask)
        ids = torch.full_like(src[:, :1], bos_id)
        ended = torch.zeros_like(src[:, 0], dtype=torch.bool)
        while ids.size(1) < max_len and not ended.all():
            decoded = model.decode(ids, memory, src_mask)  # there is no future to hide
            log_probs = model.generator(decoded[:, -1])
            likeliest = log_probs.argmax(dim=-1)
            token = likeliest.masked_fill(ended, model.pad_id)
            ids = torch.cat([ids, token.unsqueeze(1)], dim=1)
            ended = ended | (token == eos_id)
    model.train(was_training)
    return ids

# %% wrong: padding mask as target mask | hides padding, but not the future
@torch.no_grad()
def greedy_decode(model, src, max_len, bos_id, eos_id):
    mode = model.training
    model.eval()
    memory = model.encode(src, padding_mask(src, model.pad_id))
    ids = torch.full_like(src[:, :1], bos_id)
    ended = torch.zeros_like(src[:, 0], dtype=torch.bool)
    while ids.size(1) < max_len and not ended.all():
        out = model.decode(ids, memory, padding_mask(src, model.pad_id), padding_mask(ids, model.pad_id))
        token = model.generator(out[:, -1]).argmax(-1).masked_fill(ended, model.pad_id)
        ids = torch.cat([ids, token[:, None]], 1)
        ended = ended | (token == eos_id)
    model.train(mode)
    return ids

# %% wrong: target mask made once, before the loop | a 1 x 1 mask is broadcast to every length, so it hides nothing
def greedy_decode(model, src, max_len, bos_id, eos_id):
    was_training = model.training
    model.eval()
    with torch.no_grad():
        src_mask = padding_mask(src, model.pad_id)
        memory = model.encode(src, src_mask)
        ids = torch.full_like(src[:, :1], bos_id)
        ended = torch.zeros_like(src[:, 0], dtype=torch.bool)
        tgt_mask = target_mask(ids, model.pad_id)  # both masks are made only once
        while ids.size(1) < max_len and not ended.all():
            decoded = model.decode(ids, memory, src_mask, tgt_mask)
            log_probs = model.generator(decoded[:, -1])
            likeliest = log_probs.argmax(dim=-1)
            token = likeliest.masked_fill(ended, model.pad_id)
            ids = torch.cat([ids, token.unsqueeze(1)], dim=1)
            ended = ended | (token == eos_id)
    model.train(was_training)
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

# %% wrong: source mask for the encoder only | cross-attention reads the padding
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
            decoded = model.decode(ids, memory, None, tgt_mask)
            log_probs = model.generator(decoded[:, -1])
            likeliest = log_probs.argmax(dim=-1)
            token = likeliest.masked_fill(ended, model.pad_id)
            ids = torch.cat([ids, token.unsqueeze(1)], dim=1)
            ended = ended | (token == eos_id)
    model.train(was_training)
    return ids

# %% wrong: encoder without its mask | the memory has already mixed in the padding
@torch.no_grad()
def greedy_decode(model, src, max_len, bos_id, eos_id):
    mode = model.training
    model.eval()
    memory, src_mask = model.encode(src), padding_mask(src, model.pad_id)
    ids = src.new_full((src.shape[0], 1), bos_id)
    ended = src.new_zeros(src.shape[0], dtype=torch.bool)
    for _ in range(max_len - 1):
        out = model.decode(ids, memory, src_mask, target_mask(ids, model.pad_id))
        token = model.generator(out[:, -1]).argmax(-1).masked_fill(ended, model.pad_id)
        ids = torch.cat([ids, token[:, None]], 1)
        ended |= token == eos_id
        if ended.all():
            break
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

# %% wrong: encodes at each step | the model is called as a whole, so the encoder runs once for each token
def greedy_decode(model, src, max_len, bos_id, eos_id):
    was_training = model.training
    model.eval()
    with torch.no_grad():
        ids = torch.full_like(src[:, :1], bos_id)
        ended = torch.zeros_like(src[:, 0], dtype=torch.bool)
        src_mask = padding_mask(src, model.pad_id)
        while ids.size(1) < max_len and not ended.all():
            memory = model.encode(src, src_mask)
            decoded = model.decode(ids, memory, src_mask, target_mask(ids, model.pad_id))
            token = model.generator(decoded[:, -1]).argmax(dim=-1).masked_fill(ended, model.pad_id)
            ids = torch.cat([ids, token.unsqueeze(1)], dim=1)
            ended = ended | (token == eos_id)
    model.train(was_training)
    return ids

# %% wrong: row by row | every row is encoded and decoded alone: the right ids, but not batched
def greedy_decode(model, src, max_len, bos_id, eos_id):
    mode = model.training
    model.eval()
    rows = []
    with torch.no_grad():
        for row in src:
            row = row[None]
            mask = padding_mask(row, model.pad_id)
            memory = model.encode(row, mask)
            ids = torch.tensor([[bos_id]], device=src.device)
            while ids.size(1) < max_len:
                out = model.decode(ids, memory, mask, target_mask(ids, model.pad_id))
                token = model.generator(out[:, -1]).argmax(-1)
                ids = torch.cat([ids, token[:, None]], 1)
                if token.item() == eos_id:
                    break
            rows.append(ids[0])
    model.train(mode)
    return nn.utils.rnn.pad_sequence(rows, batch_first=True, padding_value=model.pad_id)

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

# %% wrong: eval forgotten | dropout is on while a model in training mode writes
def greedy_decode(model, src, max_len, bos_id, eos_id):
    with torch.no_grad():
        src_mask = padding_mask(src, model.pad_id)
        memory = model.encode(src, src_mask)
        ids = torch.full_like(src[:, :1], bos_id)
        ended = torch.zeros_like(src[:, 0], dtype=torch.bool)
        while ids.size(1) < max_len and not ended.all():
            tgt_mask = target_mask(ids, model.pad_id)
            decoded = model.decode(ids, memory, src_mask, tgt_mask)
            token = model.generator(decoded[:, -1]).argmax(dim=-1)
            token = token.masked_fill(ended, model.pad_id)
            ids = torch.cat([ids, token.unsqueeze(1)], dim=1)
            ended = ended | (token == eos_id)
    return ids

# %% wrong: left in eval mode | the model's mode is not restored: training would go on without dropout
@torch.no_grad()
def greedy_decode(model, src, max_len, bos_id, eos_id):
    model.eval()
    src_mask = padding_mask(src, model.pad_id)
    memory = model.encode(src, src_mask)
    ids = torch.full_like(src[:, :1], bos_id)
    ended = torch.zeros_like(src[:, 0], dtype=torch.bool)
    while ids.size(1) < max_len and not ended.all():
        decoded = model.decode(ids, memory, src_mask, target_mask(ids, model.pad_id))
        token = model.generator(decoded[:, -1]).argmax(dim=-1).masked_fill(ended, model.pad_id)
        ids = torch.cat([ids, token.unsqueeze(1)], dim=1)
        ended = ended | (token == eos_id)
    return ids

# %% wrong: always back to train | a model that was in eval mode is left in training mode
def greedy_decode(model, src, max_len, bos_id, eos_id):
    model.eval()
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
    model.train()
    return ids

# %% wrong: early return skips the restore | returns from inside the loop, before model.train
def greedy_decode(model, src, max_len, bos_id, eos_id):
    was_training = model.training
    model.eval()
    with torch.no_grad():
        src_mask = padding_mask(src, model.pad_id)
        memory = model.encode(src, src_mask)
        ids = torch.full_like(src[:, :1], bos_id)
        ended = torch.zeros_like(src[:, 0], dtype=torch.bool)
        while ids.size(1) < max_len:
            decoded = model.decode(ids, memory, src_mask, target_mask(ids, model.pad_id))
            token = model.generator(decoded[:, -1]).argmax(dim=-1).masked_fill(ended, model.pad_id)
            ids = torch.cat([ids, token.unsqueeze(1)], dim=1)
            ended = ended | (token == eos_id)
            if ended.all():
                return ids
    model.train(was_training)
    return ids

# %% wrong: encodes before eval | the source is read with dropout
def greedy_decode(model, src, max_len, bos_id, eos_id):
    with torch.no_grad():
        src_mask = padding_mask(src, model.pad_id)
        memory = model.encode(src, src_mask)
        ids = torch.full_like(src[:, :1], bos_id)
        ended = torch.zeros_like(src[:, 0], dtype=torch.bool)
        was_training = model.training
        model.eval()
        while ids.size(1) < max_len and not ended.all():
            decoded = model.decode(ids, memory, src_mask, target_mask(ids, model.pad_id))
            token = model.generator(decoded[:, -1]).argmax(dim=-1).masked_fill(ended, model.pad_id)
            ids = torch.cat([ids, token.unsqueeze(1)], dim=1)
            ended = ended | (token == eos_id)
        model.train(was_training)
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

# %% wrong: gradients recorded | no_grad is missing: the graph of each step is kept
def greedy_decode(model, src, max_len, bos_id, eos_id):
    was_training = model.training
    model.eval()
    src_mask = padding_mask(src, model.pad_id)
    memory = model.encode(src, src_mask)
    ids = torch.full_like(src[:, :1], bos_id)
    ended = torch.zeros_like(src[:, 0], dtype=torch.bool)
    while ids.size(1) < max_len and not ended.all():
        tgt_mask = target_mask(ids, model.pad_id)
        decoded = model.decode(ids, memory, src_mask, tgt_mask)
        log_probs = model.generator(decoded[:, -1])
        token = log_probs.argmax(dim=-1).masked_fill(ended, model.pad_id)
        ids = torch.cat([ids, token.unsqueeze(1)], dim=1)
        ended = ended | (token == eos_id)
    model.train(was_training)
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

# %% wrong: gradients switched off for good | set_grad_enabled(False) is never taken back
def greedy_decode(model, src, max_len, bos_id, eos_id):
    torch.set_grad_enabled(False)
    was_training = model.training
    model.eval()
    src_mask = padding_mask(src, model.pad_id)
    memory = model.encode(src, src_mask)
    ids = torch.full_like(src[:, :1], bos_id)
    ended = torch.zeros_like(src[:, 0], dtype=torch.bool)
    while ids.size(1) < max_len and not ended.all():
        out = model.decode(ids, memory, src_mask, target_mask(ids, model.pad_id))
        token = model.generator(out[:, -1]).argmax(-1).masked_fill(ended, model.pad_id)
        ids = torch.cat([ids, token[:, None]], dim=1)
        ended = ended | (token == eos_id)
    model.train(was_training)
    return ids

# %% wrong: parameters frozen | requires_grad_(False) in place of no_grad: the model cannot be trained any more
def greedy_decode(model, src, max_len, bos_id, eos_id):
    was_training = model.training
    model.eval().requires_grad_(False)
    with torch.no_grad():
        src_mask = padding_mask(src, model.pad_id)
        memory = model.encode(src, src_mask)
        ids = torch.full_like(src[:, :1], bos_id)
        ended = torch.zeros_like(src[:, 0], dtype=torch.bool)
        while ids.size(1) < max_len and not ended.all():
            out = model.decode(ids, memory, src_mask, target_mask(ids, model.pad_id))
            token = model.generator(out[:, -1]).argmax(-1).masked_fill(ended, model.pad_id)
            ids = torch.cat([ids, token[:, None]], dim=1)
            ended = ended | (token == eos_id)
    model.train(was_training)
    return ids

# %% wrong: memory kept on the function | the cache knows the source only by its shape
def greedy_decode(model, src, max_len, bos_id, eos_id):
    was_training = model.training
    model.eval()
    with torch.no_grad():
        src_mask = padding_mask(src, model.pad_id)
        cache = greedy_decode.__dict__.setdefault("cache", {})
        key = (id(model), tuple(src.shape))
        if key not in cache:
            cache[key] = model.encode(src, src_mask)  # once: the source does not change
        memory = cache[key]
        ids = torch.full_like(src[:, :1], bos_id)
        ended = torch.zeros_like(src[:, 0], dtype=torch.bool)
        while ids.size(1) < max_len and not ended.all():
            out = model.decode(ids, memory, src_mask, target_mask(ids, model.pad_id))
            token = model.generator(out[:, -1]).argmax(-1).masked_fill(ended, model.pad_id)
            ids = torch.cat([ids, token[:, None]], dim=1)
            ended = ended | (token == eos_id)
    model.train(was_training)
    return ids

# %% wrong: mutable default grows | the columns of the call before stand in front of the next one's
def greedy_decode(model, src, max_len, bos_id, eos_id, columns=[]):
    mode = model.training
    model.eval()
    if not columns or columns[0].size(0) != src.size(0):
        columns.clear()
        columns.append(torch.full_like(src[:, :1], bos_id))
    with torch.no_grad():
        mask = padding_mask(src, model.pad_id)
        memory = model.encode(src, mask)
        ended = torch.zeros_like(src[:, :1], dtype=torch.bool)
        while len(columns) < max_len and not ended.all():
            ids = torch.cat(columns, dim=1)
            out = model.decode(ids, memory, mask, target_mask(ids, model.pad_id))
            token = model.generator(out[:, -1:]).argmax(-1).masked_fill(ended, model.pad_id)
            columns.append(token)
            ended = ended | (token == eos_id)
    model.train(mode)
    return torch.cat(columns, dim=1)

# %% wrong: writes into the source | the target is built in src's own memory, which destroys the caller's batch
def greedy_decode(model, src, max_len, bos_id, eos_id):
    mode = model.training
    model.eval()
    with torch.no_grad():
        mask = padding_mask(src, model.pad_id)
        memory = model.encode(src, mask)
        ids = src[:, :1]
        ids.fill_(bos_id)
        ended = torch.zeros_like(src[:, 0], dtype=torch.bool)
        while ids.size(1) < max_len and not ended.all():
            out = model.decode(ids, memory, mask, target_mask(ids, model.pad_id))
            token = model.generator(out[:, -1]).argmax(-1).masked_fill(ended, model.pad_id)
            ids = torch.cat([ids, token[:, None]], dim=1)
            ended = ended | (token == eos_id)
    model.train(mode)
    return ids

# %% wrong: no longer than the source | the length is bounded by src.size(1), too
def greedy_decode(model, src, max_len, bos_id, eos_id):
    mode = model.training
    model.eval()
    with torch.no_grad():
        mask = padding_mask(src, model.pad_id)
        memory = model.encode(src, mask)
        ids = src.new_full(src.shape, model.pad_id)
        ids[:, 0] = bos_id
        ended = torch.zeros_like(src[:, 0], dtype=torch.bool)
        t = 1
        while t < min(max_len, ids.size(1)) and not ended.all():
            out = model.decode(ids[:, :t], memory, mask, target_mask(ids[:, :t], model.pad_id))
            token = model.generator(out[:, -1]).argmax(-1)
            ids[~ended, t] = token[~ended]
            ended = ended | (token == eos_id)
            t += 1
    model.train(mode)
    return ids[:, :t]

# %% wrong: floats | the ids are collected in a float tensor
def greedy_decode(model, src, max_len, bos_id, eos_id):
    mode = model.training
    model.eval()
    with torch.no_grad():
        mask = padding_mask(src, model.pad_id)
        memory = model.encode(src, mask)
        ids = torch.full((src.size(0), 1), float(bos_id), device=src.device)
        ended = torch.zeros_like(src[:, 0], dtype=torch.bool)
        while ids.size(1) < max_len and not ended.all():
            y = ids.long()
            out = model.decode(y, memory, mask, target_mask(y, model.pad_id))
            token = model.generator(out[:, -1]).argmax(-1).masked_fill(ended, model.pad_id)
            ids = torch.cat([ids, token[:, None]], dim=1)
            ended = ended | (token == eos_id)
    model.train(mode)
    return ids

# %% wrong: list of lists | returns Python lists, cut at eos, instead of one tensor
def greedy_decode(model, src, max_len, bos_id, eos_id):
    mode = model.training
    model.eval()
    with torch.no_grad():
        mask = padding_mask(src, model.pad_id)
        memory = model.encode(src, mask)
        rows = [[bos_id] for _ in range(src.size(0))]
        ended = [False] * src.size(0)
        while len(rows[0]) < max_len and not all(ended):
            ids = torch.tensor(rows, device=src.device)
            out = model.decode(ids, memory, mask, target_mask(ids, model.pad_id))
            for i, t in enumerate(model.generator(out[:, -1]).argmax(-1).tolist()):
                rows[i].append(model.pad_id if ended[i] else t)
                ended[i] = ended[i] or t == eos_id
    model.train(mode)
    return [[t for t in row if t != model.pad_id] for row in rows]

# %% wrong: returns the scores, too | a tuple (ids, log-probability)
def greedy_decode(model, src, max_len, bos_id, eos_id):
    mode = model.training
    model.eval()
    with torch.no_grad():
        mask = padding_mask(src, model.pad_id)
        memory = model.encode(src, mask)
        ids = torch.full_like(src[:, :1], bos_id)
        ended = torch.zeros_like(src[:, 0], dtype=torch.bool)
        total = torch.zeros(src.size(0), device=src.device)
        while ids.size(1) < max_len and not ended.all():
            out = model.decode(ids, memory, mask, target_mask(ids, model.pad_id))
            best, token = model.generator(out[:, -1]).max(-1)
            total = total + best.masked_fill(ended, 0.0)
            token = token.masked_fill(ended, model.pad_id)
            ids = torch.cat([ids, token[:, None]], dim=1)
            ended = ended | (token == eos_id)
    model.train(mode)
    return ids, total

# %% wrong: generator forgotten | argmax over the D features of the decoder's state
def greedy_decode(model, src, max_len, bos_id, eos_id):
    mode = model.training
    model.eval()
    with torch.no_grad():
        mask = padding_mask(src, model.pad_id)
        memory = model.encode(src, mask)
        ids = torch.full_like(src[:, :1], bos_id)
        ended = torch.zeros_like(src[:, 0], dtype=torch.bool)
        vocab = model.generator(model.decode(ids, memory, mask, None)).size(-1)
        while ids.size(1) < max_len and not ended.all():
            decoded = model.decode(ids, memory, mask, target_mask(ids, model.pad_id))
            token = decoded[:, -1].argmax(-1).clamp(max=vocab - 1)
            token = token.masked_fill(ended, model.pad_id)
            ids = torch.cat([ids, token[:, None]], dim=1)
            ended = ended | (token == eos_id)
    model.train(mode)
    return ids

# %% wrong: xor | an ended row that says eos again (under its padding) wakes up
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
            ids = torch.cat([ids, token.unsqueeze(1)], dim=1)
            ended = ended ^ (likeliest == eos_id)
    model.train(was_training)
    return ids

# %% wrong: masked_fill with the wrong sense | the rows that go on get padding, the ended ones write
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
            token = torch.where(ended, likeliest, model.pad_id)
            ids = torch.cat([ids, token.unsqueeze(1)], dim=1)
            ended = ended | (likeliest == eos_id)
    model.train(was_training)
    return ids

# %% wrong: ended counted by eos in the first row | the loop looks at row 0 only
def greedy_decode(model, src, max_len, bos_id, eos_id):
    mode = model.training
    model.eval()
    with torch.no_grad():
        mask = padding_mask(src, model.pad_id)
        memory = model.encode(src, mask)
        ids = torch.full_like(src[:, :1], bos_id)
        ended = torch.zeros_like(src[:, 0], dtype=torch.bool)
        for _ in range(max_len - 1):
            out = model.decode(ids, memory, mask, target_mask(ids, model.pad_id))
            token = model.generator(out[:, -1]).argmax(-1).masked_fill(ended, model.pad_id)
            ids = torch.cat([ids, token[:, None]], dim=1)
            ended = ended | (token == eos_id)
            if token[0] == eos_id:
                break
    model.train(mode)
    return ids

# %% wrong: number of eos compared with the batch | counts every eos that is predicted, also those of ended rows
def greedy_decode(model, src, max_len, bos_id, eos_id):
    mode = model.training
    model.eval()
    n_ended = 0
    with torch.no_grad():
        mask = padding_mask(src, model.pad_id)
        memory = model.encode(src, mask)
        ids = torch.full_like(src[:, :1], bos_id)
        while ids.size(1) < max_len and n_ended < src.size(0):
            out = model.decode(ids, memory, mask, target_mask(ids, model.pad_id))
            token = model.generator(out[:, -1]).argmax(-1)
            n_ended += int((token == eos_id).sum())
            ids = torch.cat([ids, token[:, None]], dim=1)
        first = (ids == eos_id).long().cumsum(1)
        ids = ids.masked_fill((first - (ids == eos_id).long()) > 0, model.pad_id)
    model.train(mode)
    return ids

# %% wrong: compaction without putting back | ended rows are dropped from ids, but memory and mask are not cut alike
def greedy_decode(model, src, max_len, bos_id, eos_id):
    mode = model.training
    model.eval()
    with torch.no_grad():
        src_mask = padding_mask(src, model.pad_id)
        memory = model.encode(src, src_mask)
        out = src.new_full((src.size(0), max_len), model.pad_id)
        out[:, 0] = bos_id
        active = torch.arange(src.size(0), device=src.device)
        t = 1
        while t < max_len and len(active):
            ids = out[active, :t]
            n = len(active)
            decoded = model.decode(ids, memory[:n], src_mask[:n], target_mask(ids, model.pad_id))
            token = model.generator(decoded[:, -1]).argmax(-1)
            out[active, t] = token
            active = active[token != eos_id]
            t += 1
    model.train(mode)
    return out[:, :t]

# %% wrong: finished rows sorted to the end | the result comes back in the order in which the rows ended
def greedy_decode(model, src, max_len, bos_id, eos_id):
    mode = model.training
    model.eval()
    done = []
    with torch.no_grad():
        src_mask = padding_mask(src, model.pad_id)
        memory = model.encode(src, src_mask)
        ids = torch.full_like(src[:, :1], bos_id)
        while ids.size(1) < max_len and len(ids):
            decoded = model.decode(ids, memory, src_mask, target_mask(ids, model.pad_id))
            token = model.generator(decoded[:, -1]).argmax(-1)
            ids = torch.cat([ids, token[:, None]], 1)
            stop = token == eos_id
            done.extend(ids[stop])
            ids, memory, src_mask = ids[~stop], memory[~stop], src_mask[~stop]
        done.extend(ids)
    model.train(mode)
    return nn.utils.rnn.pad_sequence(done, batch_first=True, padding_value=model.pad_id)

# %% wrong: no repetition | the token that was just written may not be chosen again
def greedy_decode(model, src, max_len, bos_id, eos_id):
    mode = model.training
    model.eval()
    with torch.no_grad():
        mask = padding_mask(src, model.pad_id)
        memory = model.encode(src, mask)
        ids = torch.full_like(src[:, :1], bos_id)
        ended = torch.zeros_like(src[:, 0], dtype=torch.bool)
        while ids.size(1) < max_len and not ended.all():
            out = model.decode(ids, memory, mask, target_mask(ids, model.pad_id))
            scores = model.generator(out[:, -1])
            scores = scores.scatter(1, ids[:, -1:], float("-inf"))  # avoids endless loops
            token = scores.argmax(-1).masked_fill(ended, model.pad_id)
            ids = torch.cat([ids, token[:, None]], dim=1)
            ended = ended | (token == eos_id)
    model.train(mode)
    return ids

# %% wrong: seeds the generator | sets the global random seed for the sake of reproducibility
def greedy_decode(model, src, max_len, bos_id, eos_id):
    torch.manual_seed(0)
    mode = model.training
    model.eval()
    with torch.no_grad():
        mask = padding_mask(src, model.pad_id)
        memory = model.encode(src, mask)
        ids = torch.full_like(src[:, :1], bos_id)
        ended = torch.zeros_like(src[:, 0], dtype=torch.bool)
        while ids.size(1) < max_len and not ended.all():
            out = model.decode(ids, memory, mask, target_mask(ids, model.pad_id))
            token = model.generator(out[:, -1]).argmax(-1).masked_fill(ended, model.pad_id)
            ids = torch.cat([ids, token[:, None]], dim=1)
            ended = ended | (token == eos_id)
    model.train(mode)
    return ids

# %% wrong: memory reversed | the source is read backwards, mask and all
def greedy_decode(model, src, max_len, bos_id, eos_id):
    mode = model.training
    model.eval()
    with torch.no_grad():
        src = src.flip(1)  # a trick from the time of LSTMs
        mask = padding_mask(src, model.pad_id)
        memory = model.encode(src, mask)
        ids = torch.full_like(src[:, :1], bos_id)
        ended = torch.zeros_like(src[:, 0], dtype=torch.bool)
        while ids.size(1) < max_len and not ended.all():
            out = model.decode(ids, memory, mask, target_mask(ids, model.pad_id))
            token = model.generator(out[:, -1]).argmax(-1).masked_fill(ended, model.pad_id)
            ids = torch.cat([ids, token[:, None]], dim=1)
            ended = ended | (token == eos_id)
    model.train(mode)
    return ids

# %% wrong: ended and instead of or | ended stays False for ever, so rows write on after eos up to max_len
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
            ids = torch.cat([ids, token.unsqueeze(1)], dim=1)
            ended = ended & (token == eos_id)
    model.train(was_training)
    return ids

# %% wrong: python and on tensors | likeliest taken for all rows as soon as one has not ended: a row's ended is never used alone
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
            token = likeliest if not ended.all() else torch.full_like(likeliest, model.pad_id)
            ids = torch.cat([ids, token.unsqueeze(1)], dim=1)
            ended = (ids == eos_id).any(dim=1)
    model.train(was_training)
    return ids

# %% wrong: result trimmed of its padding columns and last column | the slice before the return drops the column in which the last row ended
def greedy_decode(model, src, max_len, bos_id, eos_id):
    mode = model.training
    model.eval()
    with torch.no_grad():
        mask = padding_mask(src, model.pad_id)
        memory = model.encode(src, mask)
        ids = src.new_full((src.size(0), max_len), model.pad_id)
        ids[:, 0] = bos_id
        ended = src.new_zeros(src.size(0), dtype=torch.bool)
        for t in range(1, max_len):
            y = ids[:, :t]
            token = model.generator(model.decode(y, memory, mask, target_mask(y, model.pad_id))[:, -1]).argmax(-1)
            ids[:, t] = torch.where(ended, model.pad_id, token)
            ended |= token == eos_id
            if ended.all():
                return_len = t
                break
        else:
            return_len = max_len
    model.train(mode)
    return ids[:, :return_len]
