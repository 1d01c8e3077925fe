# %% wrong: fairseq-halves | Two mistakes. All sines stand on the left and all cosines on the right, where features have to alternate between sine and cosine; and the exponent is divided by half the width minus 1, so that the last rate is exactly 1/10000, where the paper's rates are 10000^(-2i/d_model).
def sinusoidal_encoding(length, d_model):
    half_dim = (d_model + 1) // 2
    emb = math.log(10000.0) / max(half_dim - 1, 1)
    emb = torch.exp(torch.arange(half_dim, dtype=torch.float64) * -emb)
    emb = torch.arange(length, dtype=torch.float64).unsqueeze(1) * emb.unsqueeze(0)
    emb = torch.cat([torch.sin(emb), torch.cos(emb)[:, : d_model // 2]], dim=1)
    return emb.view(length, d_model).float()

# %% wrong: annotated-sign-lost | The minus sign in the exponent is missing: the rates are exp(+2i ln(10000) / d_model) = 10000^(+2i/d_model), which grow from 1 to nearly 10000 from pair to pair instead of falling from 1 to nearly 1/10000.
def sinusoidal_encoding(length, d_model):
    pe = torch.zeros(length, d_model)
    position = torch.arange(0, length, dtype=torch.float64).unsqueeze(1)
    div_term = torch.exp(
        torch.arange(0, d_model, 2, dtype=torch.float64) * (math.log(10000.0) / d_model)
    )
    pe[:, 0::2] = torch.sin(position * div_term)
    pe[:, 1::2] = torch.cos(position * div_term[: d_model // 2])
    return pe

# %% wrong: every-feature-its-own-rate | Each feature j has its own rate 10000^(-j/d_model), also the odd ones, so a cosine has another angle than the sine beside it. Both of a pair have to share the angle with the even exponent 2i.
def sinusoidal_encoding(length, d_model):
    pos = torch.arange(length, dtype=torch.float64)
    columns = []
    for j in range(d_model):
        angle = pos / 10000 ** (j / d_model)
        columns.append(torch.sin(angle) if j % 2 == 0 else torch.cos(angle))
    return torch.stack(columns, dim=1).to(torch.float32)

# %% wrong: counted-from-one | The positions are counted 1, 2, 3, ... (a cumulative sum of ones), where the first row belongs to position 0: row r holds the encoding of position r + 1.
def sinusoidal_encoding(length, d_model):
    position = torch.ones(length, 1, dtype=torch.float64).cumsum(dim=0)
    exponent = torch.arange(0, d_model, 2, dtype=torch.float64) / d_model
    angle = position * torch.pow(10000.0, -exponent)
    encoding = torch.empty(length, d_model)
    encoding[:, 0::2] = angle.sin()
    encoding[:, 1::2] = angle.cos()[:, : d_model // 2]
    return encoding

# %% wrong: odd-width-rounded-up | For an odd d_model the width is rounded up to the next even number, and that number, d_model + 1, also divides the exponent. The rates have to be 10000^(-2i/d_model) with d_model itself, so for odd widths all pairs but the first turn at a wrong rate (even widths are right).
def sinusoidal_encoding(length, d_model):
    width = d_model + d_model % 2
    rate = torch.pow(10000.0, -torch.arange(0, width, 2, dtype=torch.float64) / width)
    angle = torch.outer(torch.arange(length, dtype=torch.float64), rate)
    both = torch.stack([angle.sin(), angle.cos()], dim=-1).flatten(1)
    return both[:, :d_model].float()

# %% right: chosen-by-parity
def sinusoidal_encoding(length, d_model):
    feature = torch.arange(d_model, dtype=torch.float64)
    odd = feature.remainder(2)
    rate = torch.exp((odd - feature) * (math.log(10000.0) / d_model))
    angle = torch.arange(length, dtype=torch.float64)[:, None] * rate
    return torch.where(odd.bool(), angle.cos(), angle.sin()).float()

# %% right: hands-of-clocks
def sinusoidal_encoding(length, d_model):
    pairs = torch.arange(math.ceil(d_model / 2), dtype=torch.float64)
    freqs = 1.0 / 10000 ** (2 * pairs / d_model)
    freqs = torch.outer(torch.arange(length, dtype=torch.float64), freqs)
    hands = torch.polar(torch.ones_like(freqs), freqs)
    width_and_height = torch.view_as_real(hands)
    alternating = width_and_height.flip(-1).flatten(1)
    return alternating[:, :d_model].to(torch.float32)
