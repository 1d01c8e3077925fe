# %% wrong: whole-room-returned | append returns the whole room of max_len places and not only those that are taken, so the queries also see keys and values of zeros, which take part in the softmax.
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
        self.length = end
        return self.keys, self.values
    def reorder(self, rows):
        for room in (self.keys, self.values):
            room[:, :, : self.length] = room[rows, :, : self.length]

# %% wrong: one-place-a-call | The length grows by one in each call, however many positions came. After a prompt of several positions, the next keys are written over the prompt's second one, and most of what is there is not returned.
class KeyValueCache:
    def __init__(self, max_len):
        self.max_len = max_len
        self.length = 0
        self.keys = self.values = None
    def append(self, keys, values):
        n, h, t, d = keys.size()
        if self.length == 0:
            self.keys = torch.zeros(n, h, self.max_len, d, dtype=keys.dtype, device=keys.device)
            self.values = self.keys.clone()
        self.keys.narrow(2, self.length, t).copy_(keys)
        self.values.narrow(2, self.length, t).copy_(values)
        self.length += 1
        return self.keys[:, :, : self.length], self.values[:, :, : self.length]
    def reorder(self, rows):
        self.keys = self.keys.index_select(0, rows)
        self.values = self.values.index_select(0, rows)

# %% wrong: rows-overwritten-one-by-one | reorder copies row by row within the same tensor, so a row that was overwritten already is read again as the source of a later one: with rows [1, 0], both get the past of row 1. All rows have to be read before any is written.
class KeyValueCache:
    def __init__(self, max_len):
        self.max_len = max_len
        self.length = 0
        self.keys = self.values = None
    def append(self, keys, values):
        if self.keys is None:
            shape = (keys.size(0), keys.size(1), self.max_len, keys.size(3))
            self.keys, self.values = keys.new_empty(shape), values.new_empty(shape)
        places = slice(self.length, self.length + keys.size(2))
        self.keys[:, :, places] = keys
        self.values[:, :, places] = values
        self.length = places.stop
        return self.keys[:, :, : places.stop], self.values[:, :, : places.stop]
    def reorder(self, rows):
        for row, parent in enumerate(rows.tolist()):
            self.keys[row] = self.keys[parent]
            self.values[row] = self.values[parent]

# %% wrong: written-to-rows | reorder is turned round: it writes row n to row rows[n], while row n has to get what row rows[n] holds. With [2, 0, 1] each row gets the wrong past, and a row that is no parent keeps its old one.
class KeyValueCache:
    def __init__(self, max_len):
        self.max_len = max_len
        self.length = 0
        self.keys = self.values = None
    def append(self, keys, values):
        if self.keys is None:
            batch, num_heads, _, d_k = keys.shape
            self.keys = keys.new_zeros((batch, num_heads, self.max_len, d_k))
            self.values = torch.zeros_like(self.keys)
        end = self.length + keys.shape[-2]
        self.keys[..., self.length : end, :] = keys
        self.values[..., self.length : end, :] = values
        self.length = end
        return self.keys[..., :end, :], self.values[..., :end, :]
    def reorder(self, rows):
        for room in (self.keys, self.values):
            room[rows] = room.clone()

# %% wrong: one-tensor-for-both | keys and values are made in one chained assignment and are one and the same tensor, so writing the values overwrites the keys, and both halves of what append returns are the values.
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

# %% wrong: grows-with-cat | The cache grows by torch.cat at each step, as Hugging Face's dynamic one does, and copies all that is there; the lesson's cache makes room for max_len positions, (N, H, max_len, d_k), at the first call and writes into it.
class KeyValueCache:
    def __init__(self, max_len):
        self.max_len = max_len
        self.length = 0
        self.keys = self.values = None
    def append(self, key_states, value_states):
        if self.keys is None:
            self.keys, self.values = key_states, value_states
        else:
            self.keys = torch.cat([self.keys, key_states], dim=-2)
            self.values = torch.cat([self.values, value_states], dim=-2)
        self.length = self.keys.shape[-2]
        return self.keys, self.values
    def reorder(self, beam_idx):
        self.keys = self.keys.index_select(0, beam_idx)
        self.values = self.values.index_select(0, beam_idx)

# %% wrong: only-the-new-and-selection-thrown-away | Two mistakes. append returns only the keys and values that were just given, and not all that are there. And reorder calls index_select without keeping its result (it returns a new tensor and changes nothing), so no row gets another past.
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
        start, end = self.length, self.length + keys.size(2)
        self.keys[:, :, start:end] = keys
        self.values[:, :, start:end] = values
        self.length = end
        return self.keys[:, :, start:end], self.values[:, :, start:end]
    def reorder(self, rows):
        for room in (self.keys, self.values):
            room.index_select(0, rows)

# %% right: index-copy
class KeyValueCache:
    def __init__(self, max_len):
        self.max_len = max_len
        self.length = 0
        self.keys = self.values = None
    def _make_room(self, like):
        n, h, _, d = like.shape
        return like.new_zeros((n, h, self.max_len, d))
    def append(self, keys, values):
        if self.keys is None:
            self.keys, self.values = self._make_room(keys), self._make_room(values)
        steps = keys.size(-2)
        places = torch.arange(self.length, self.length + steps, device=keys.device)
        self.keys.index_copy_(2, places, keys)
        self.values.index_copy_(2, places, values)
        self.length += steps
        return self.keys.narrow(2, 0, self.length), self.values.narrow(2, 0, self.length)
    def reorder(self, rows):
        self.keys = self.keys.index_select(0, rows)
        self.values = self.values.index_select(0, rows)

# %% right: one-room-two-views
class KeyValueCache:
    def __init__(self, max_len):
        self.max_len = max_len
        self.length = 0
        self.keys = None
        self.values = None
    def append(self, keys, values):
        if self.length == 0 and self.keys is None:
            batch, num_heads, _, d_k = keys.shape
            both = keys.new_zeros(2, batch, num_heads, self.max_len, d_k)
            self.keys, self.values = both[0], both[1]
        begin = self.length
        self.length = begin + keys.size(2)
        for room, new in ((self.keys, keys), (self.values, values)):
            room[:, :, begin : self.length] = new
        return tuple(room[:, :, : self.length] for room in (self.keys, self.values))
    def reorder(self, rows):
        past_keys = self.keys[rows, :, : self.length].clone()
        past_values = self.values[rows, :, : self.length].clone()
        self.keys[:, :, : self.length] = past_keys
        self.values[:, :, : self.length] = past_values
