# %% wrong: one-room-for-both | Values get no room of their own: both attributes name one tensor, so writing the values overwrites the keys, and both come back as the values. A second name is no copy; there must be two tensors (as the given line makes them, with zeros_like).
class KeyValueCache:
    def __init__(self, max_len):
        self.max_len = max_len
        self.length = 0
        self.keys = self.values = None
    def append(self, keys, values):
        if self.keys is None:
            batch, num_heads, _, d_k = keys.shape
            self.keys = self.values = keys.new_zeros(batch, num_heads, self.max_len, d_k)
        end = self.length + keys.size(2)
        self.keys[:, :, self.length : end] = keys
        self.values[:, :, self.length : end] = values
        self.length = end
        return self.keys[:, :, :end], self.values[:, :, :end]
    def reorder(self, rows):
        for room in (self.keys, self.values):
            room[:, :, : self.length] = room[rows, :, : self.length]

# %% wrong: hugging-face-growing-with-cat | New keys and values are put behind the others with torch.cat, as in Hugging Face's DynamicCache, so there is no room for max_len positions: keys has as many places as were read, and everything is copied at every step. The contract: room from the first call on, (N, H, max_len, d_k) each, and each new key is written into the next free place.
class KeyValueCache:
    def __init__(self, max_len):
        self.max_len = max_len
        self.keys = None
        self.values = None
        self.length = 0
    def append(self, key_states, value_states):
        if self.keys is None:
            self.keys = key_states
            self.values = value_states
        else:
            self.keys = torch.cat([self.keys, key_states], dim=-2)
            self.values = torch.cat([self.values, value_states], dim=-2)
        self.length = self.keys.shape[-2]
        return self.keys, self.values
    def reorder(self, beam_idx):
        self.keys = self.keys.index_select(0, beam_idx)
        self.values = self.values.index_select(0, beam_idx)

# %% wrong: rows-overwritten-in-a-loop | reorder copies the rows one after the other within the same tensor, so a row that was already overwritten is read as the source of a later one: with rows 1, 0 both rows end as row 1's. All rows must be read as they were before.
class KeyValueCache:
    def __init__(self, max_len):
        self.max_len = max_len
        self.length = 0
        self.keys = self.values = None
    def append(self, keys, values):
        if self.keys is None:
            room = (*keys.shape[:2], self.max_len, keys.shape[3])
            self.keys, self.values = keys.new_zeros(room), values.new_zeros(room)
        count = keys.size(-2)
        self.keys.narrow(2, self.length, count).copy_(keys)
        self.values.narrow(2, self.length, count).copy_(values)
        self.length += count
        return self.keys.narrow(2, 0, self.length), self.values.narrow(2, 0, self.length)
    def reorder(self, rows):
        for room in (self.keys, self.values):
            for row, parent in enumerate(rows.tolist()):
                room[row] = room[parent]

# %% wrong: reorder-the-other-way | reorder writes row n to row rows[n] instead of giving row n what rows[n] holds: indices on the left of the assignment write (a scatter), where they should read (a gather). Both agree only where the order is its own inverse; with rows 0, 0 row 1 keeps its old past.
class KeyValueCache:
    def __init__(self, max_len):
        self.max_len = max_len
        self.length = 0
        self.keys = self.values = None
    def _make_room(self, like):
        batch, num_heads, _, d_k = like.shape
        return like.new_zeros((batch, num_heads, self.max_len, d_k))
    def append(self, keys, values):
        if self.length == 0 and self.keys is None:
            self.keys, self.values = self._make_room(keys), self._make_room(values)
        taken = slice(self.length, self.length + keys.size(2))
        self.keys[:, :, taken], self.values[:, :, taken] = keys, values
        self.length = taken.stop
        return tuple(room[:, :, : self.length] for room in (self.keys, self.values))
    def reorder(self, rows):
        for room in (self.keys, self.values):
            before = room.clone()
            room[rows] = before

# %% wrong: one-place-a-call | Each call is taken for one position: only the last of the new keys is written, at place length, and length grows by 1. A prompt may bring several positions in one call, and all but its last are lost; with one position a call it comes out right.
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
        place = keys.new_tensor([self.length], dtype=torch.long)
        self.keys.index_copy_(2, place, keys[:, :, -1:])
        self.values.index_copy_(2, place, values[:, :, -1:])
        self.length = self.length + 1
        return self.keys[:, :, : self.length], self.values[:, :, : self.length]
    def reorder(self, rows):
        self.keys = self.keys[rows]
        self.values = self.values[rows]

# %% wrong: two-calls-counted-and-keys-alone-reordered | Two mistakes. All new positions are written, but length counts the calls and not the positions, so after a prompt of several the next call overwrites them. And reorder moves the keys alone, and the values stay with their old rows.
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
        end = self.length + keys.size(2)
        self.keys[:, :, self.length : end] = keys
        self.values[:, :, self.length : end] = values
        self.length += 1
        return self.keys[:, :, :end], self.values[:, :, :end]
    def reorder(self, rows):
        self.keys[:, :, : self.length] = self.keys[rows, :, : self.length]

# %% right: static-cache-index-copy
class KeyValueCache:
    def __init__(self, max_len):
        self.max_len = max_len
        self.length = 0
        self.keys = None
        self.values = None
    def append(self, keys, values):
        if self.keys is None:
            shape = keys.shape[:2] + (self.max_len, keys.shape[-1])
            self.keys = torch.zeros(shape, dtype=keys.dtype, device=keys.device)
            self.values = torch.zeros(shape, dtype=values.dtype, device=values.device)
        seen = self.length
        self.length = seen + keys.shape[-2]
        cache_position = torch.arange(seen, self.length, device=keys.device)
        self.keys.index_copy_(2, cache_position, keys)
        self.values.index_copy_(2, cache_position, values)
        return self.keys[..., : self.length, :], self.values[..., : self.length, :]
    def reorder(self, rows):
        self.keys = self.keys.index_select(0, rows)
        self.values = self.values.index_select(0, rows)

# %% right: narrow-and-copy
class KeyValueCache:
    def __init__(self, max_len):
        self.max_len, self.length = max_len, 0
        self.keys = self.values = None
    def append(self, keys, values):
        if self.keys is None:
            extra = self.max_len - keys.size(2)
            self.keys = F.pad(torch.zeros_like(keys), (0, 0, 0, extra))
            self.values = F.pad(torch.zeros_like(values), (0, 0, 0, extra))
        filled = []
        for room, new in ((self.keys, keys), (self.values, values)):
            room.narrow(2, self.length, new.size(2)).copy_(new)
            filled.append(room.narrow(2, 0, self.length + new.size(2)))
        self.length += keys.size(2)
        return tuple(filled)
    def reorder(self, rows):
        for room in (self.keys, self.values):
            room.copy_(room[rows])
