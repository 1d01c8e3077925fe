# %% wrong: grows-with-cat | As in Hugging Face's DynamicCache the tensors grow by torch.cat at each call: there is no room for max_len positions from the first call on, keys and values have only as many places as were written, and everything is copied at every step.
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

# %% wrong: end-without-what-is-there | end is only the number of new positions, keys.size(2), without the length so far: from the second call on, the slice self.length:end is empty or too short (an error, or a single key lost by broadcasting into an empty slice), and length does not grow.
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

# %% wrong: float32-on-cpu | The room is made by torch.zeros without dtype and device: in half or double precision, keys come back as float32, and with a model on a GPU the room lies on the CPU.
class KeyValueCache:
    def __init__(self, max_len):
        self.max_len = max_len
        self.length = 0
        self.keys = self.values = None
    def append(self, keys, values):
        batch, num_heads, new, d_k = keys.shape
        if self.keys is None:
            self.keys = torch.zeros(batch, num_heads, self.max_len, d_k)
            self.values = torch.zeros(batch, num_heads, self.max_len, d_k)
        start, self.length = self.length, self.length + new
        self.keys[:, :, start : self.length] = keys
        self.values[:, :, start : self.length] = values
        return self.keys[:, :, : self.length], self.values[:, :, : self.length]
    def reorder(self, rows):
        self.keys = self.keys[rows]
        self.values = self.values[rows]

# %% wrong: rows-overwritten-one-by-one | reorder copies row by row within the same tensor: a row that has been overwritten already is read again for a later row, so with rows = [1, 0] both get the past of row 1.
class KeyValueCache:
    def __init__(self, max_len):
        self.max_len = max_len
        self.length = 0
        self.keys = self.values = None
    def append(self, keys, values):
        if self.keys is None:
            shape = (*keys.shape[:2], self.max_len, keys.shape[3])
            self.keys, self.values = keys.new_empty(shape), values.new_empty(shape)
        for room, new in ((self.keys, keys), (self.values, values)):
            room.narrow(2, self.length, new.size(2)).copy_(new)
        self.length += keys.size(2)
        return self.keys[:, :, : self.length], self.values[:, :, : self.length]
    def reorder(self, rows):
        for n, row in enumerate(rows.tolist()):
            self.keys[n, :, : self.length] = self.keys[row, :, : self.length]
            self.values[n, :, : self.length] = self.values[row, :, : self.length]

# %% wrong: one-store-for-all | The tensors are kept in a dict that is an attribute of the class and not of the object: all caches share it, so what one layer (or the next decoding) writes overwrites what another one keeps.
class KeyValueCache:
    room = {}
    def __init__(self, max_len):
        self.max_len = max_len
        self.length = 0
    @property
    def keys(self):
        return self.room.get("keys")
    @property
    def values(self):
        return self.room.get("values")
    def append(self, keys, values):
        end = self.length + keys.size(2)
        for name, new in (("keys", keys), ("values", values)):
            if name not in self.room:
                self.room[name] = new.new_zeros(*new.shape[:2], self.max_len, new.size(3))
            self.room[name][:, :, self.length : end] = new
        self.length = end
        return self.keys[:, :, :end], self.values[:, :, :end]
    def reorder(self, rows):
        for name in self.room:
            self.room[name] = self.room[name].index_select(0, rows)

# %% right: narrow-and-index-select
class KeyValueCache:
    def __init__(self, max_len):
        self.max_len, self.length = max_len, 0
        self.keys = None
        self.values = None
    def append(self, keys, values):
        B, nh, T, hs = keys.size()
        if self.keys is None:
            self.keys = keys.new_zeros((B, nh, self.max_len, hs))
            self.values = values.new_zeros((B, nh, self.max_len, hs))
        self.keys.narrow(2, self.length, T).copy_(keys)
        self.values.narrow(2, self.length, T).copy_(values)
        self.length += T
        return self.keys.narrow(2, 0, self.length), self.values.narrow(2, 0, self.length)
    def reorder(self, rows):
        self.keys = self.keys.index_select(0, rows)
        self.values = self.values.index_select(0, rows)
