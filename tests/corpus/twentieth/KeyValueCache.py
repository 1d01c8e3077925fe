# %% wrong: gpt-fast-returns-the-whole-room | append returns all max_len places, as gpt-fast does (which relies on a mask), instead of the first `length`: the places not taken yet hold zeros, and queries give weight to these.
class KeyValueCache:
    def __init__(self, max_len):
        self.max_len = max_len
        self.length = 0
        self.keys = self.values = None
    def append(self, keys, values):
        if self.keys is None:
            shape = (keys.size(0), keys.size(1), self.max_len, keys.size(3))
            self.keys, self.values = keys.new_zeros(shape), values.new_zeros(shape)
        input_pos = torch.arange(self.length, self.length + keys.size(2), device=keys.device)
        self.keys[:, :, input_pos] = keys
        self.values[:, :, input_pos] = values
        self.length += keys.size(2)
        return self.keys, self.values
    def reorder(self, rows):
        for room in (self.keys, self.values):
            room[:, :, : self.length] = room[rows, :, : self.length]

# %% wrong: end-counts-this-call-only | end is the number of positions of this call, without the length so far. From the second call on nothing is written (the slice is empty), and the cache keeps giving the first positions only.
class KeyValueCache:
    def __init__(self, max_len):
        self.max_len = max_len
        self.length = 0
        self.keys = self.values = None
    def append(self, keys, values):
        if self.keys is None:
            batch, num_heads, _, d_k = keys.shape
            self.keys = keys.new_zeros(batch, num_heads, self.max_len, d_k)
            self.values = torch.zeros_like(self.keys)
        end = keys.size(2)
        self.keys[:, :, self.length : end] = keys
        self.values[:, :, self.length : end] = values
        self.length = end
        return self.keys[:, :, :end], self.values[:, :, :end]
    def reorder(self, rows):
        for room in (self.keys, self.values):
            room[:, :, : self.length] = room[rows, :, : self.length]

# %% wrong: hf-dynamic-cache | New keys and values are put behind the others with torch.cat, as in Hugging Face's DynamicCache, so everything is copied at every step and `keys` grows; the cache should hold room for max_len positions, (N, H, max_len, d_k), from the first call on and write into the next free places.
class KeyValueCache:
    def __init__(self, max_len):
        self.max_len = max_len
        self.length = 0
        self.keys = self.values = None
    def append(self, keys, values):
        if self.keys is None:
            self.keys, self.values = keys, values
        else:
            self.keys = torch.cat([self.keys, keys], dim=-2)
            self.values = torch.cat([self.values, values], dim=-2)
        self.length = self.keys.shape[-2]
        return self.keys, self.values
    def reorder(self, rows):
        self.keys = self.keys.index_select(0, rows)
        self.values = self.values.index_select(0, rows)

# %% wrong: reorder-row-by-row-in-place | reorder overwrites the rows one after the other in place, so a later row may read one that was already overwritten (rows = 1, 0 makes both the same); the old rows have to be read, all of them, before any is written.
class KeyValueCache:
    def __init__(self, max_len):
        self.max_len = max_len
        self.length = 0
        self.keys = None
        self.values = None
    def append(self, keys, values):
        batch, num_heads, count, d_k = keys.shape
        if self.keys is None:
            self.keys = keys.new_zeros((batch, num_heads, self.max_len, d_k))
            self.values = values.new_zeros((batch, num_heads, self.max_len, d_k))
        self.keys.narrow(2, self.length, count).copy_(keys)
        self.values.narrow(2, self.length, count).copy_(values)
        self.length += count
        return self.keys.narrow(2, 0, self.length), self.values.narrow(2, 0, self.length)
    def reorder(self, rows):
        for row, source in enumerate(rows.tolist()):
            self.keys[row] = self.keys[source]
            self.values[row] = self.values[source]

# %% wrong: one-tensor-for-both | keys and values are two names of one tensor (chained assignment), so what is written for the values overwrites the keys; each needs a tensor of its own.
class KeyValueCache:
    def __init__(self, max_len):
        self.max_len = max_len
        self.length = 0
        self.keys = self.values = None
    def append(self, keys, values):
        if self.keys is None:
            room = keys.new_zeros(*keys.shape[:2], self.max_len, keys.shape[3])
            self.keys = self.values = room
        start, self.length = self.length, self.length + keys.shape[2]
        new = slice(start, self.length)
        self.keys[..., new, :] = keys
        self.values[..., new, :] = values
        return self.keys[..., : self.length, :], self.values[..., : self.length, :]
    def reorder(self, rows):
        for room in (self.keys, self.values):
            room[:, :, : self.length] = room[rows, :, : self.length]

# %% wrong: reorder-the-other-way-round | reorder writes row n into row rows[n] (scatter) instead of giving row n what stands in rows[n] (gather). It differs whenever rows isn't its own inverse, and where a parent has several children.
class KeyValueCache:
    def __init__(self, max_len):
        self.max_len = max_len
        self.length = 0
        self.keys = self.values = None
    def append(self, keys, values):
        if self.keys is None:
            bsz, num_heads, _, head_dim = keys.size()
            self.keys = torch.zeros(
                bsz, num_heads, self.max_len, head_dim, dtype=keys.dtype, device=keys.device
            )
            self.values = self.keys.clone()
        end = self.length + keys.size(2)
        self.keys[:, :, self.length : end] = keys
        self.values[:, :, self.length : end] = values
        self.length = end
        return self.keys[:, :, :end], self.values[:, :, :end]
    def reorder(self, new_order):
        for input_buffer in (self.keys, self.values):
            before = input_buffer.clone()
            input_buffer.index_copy_(0, new_order, before)

# %% right: two-halves-of-one-room
class KeyValueCache:
    def __init__(self, max_len):
        self.max_len = max_len
        self.length = 0
        self.room = self.keys = self.values = None
    def append(self, keys, values):
        if self.room is None:
            batch, num_heads, _, d_k = keys.shape
            self.room = keys.new_zeros(2, batch, num_heads, self.max_len, d_k)
            self.keys, self.values = self.room[0], self.room[1]
        start = self.length
        self.length = start + keys.size(2)
        self.room[:, :, :, start : self.length] = torch.stack([keys, values])
        return self.keys[:, :, : self.length], self.values[:, :, : self.length]
    def reorder(self, rows):
        self.room[:, :, :, : self.length] = self.room[:, rows, :, : self.length]

# %% right: gpt-fast-index-copy
class KeyValueCache:
    def __init__(self, max_len):
        self.max_len = max_len
        self.length = 0
        self.keys = None
        self.values = None
    def append(self, keys, values):
        if self.length == 0 and self.keys is None:
            self.keys = torch.empty(
                (*keys.shape[:2], self.max_len, keys.shape[-1]), dtype=keys.dtype, device=keys.device
            ).zero_()
            self.values = torch.zeros_like(self.keys)
        input_pos = torch.arange(keys.size(2), device=keys.device) + self.length
        self.keys.index_copy_(2, input_pos, keys)
        self.values.index_copy_(2, input_pos, values)
        self.length += len(input_pos)
        return self.keys[:, :, : self.length], self.values[:, :, : self.length]
    def reorder(self, rows):
        self.keys.copy_(self.keys.index_select(0, rows))
        self.values.copy_(self.values.index_select(0, rows))
