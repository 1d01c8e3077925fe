# %% wrong: annotated-odd-width | copied from the Annotated Transformer: the cosines are written for all ceil(D/2) angles, so an odd d_model crashes with a shape mismatch (there is one cosine column fewer).
def sinusoidal_encoding(length, d_model):
    pe = torch.zeros(length, d_model)
    position = torch.arange(0, length).unsqueeze(1)
    div_term = torch.exp(torch.arange(0, d_model, 2) * -(math.log(10000.0) / d_model))
    pe[:, 0::2] = torch.sin(position * div_term)
    pe[:, 1::2] = torch.cos(position * div_term)
    return pe

# %% wrong: cosine-has-its-own-angle | the cosine at feature i + 1 uses the exponent (i + 1) / d_model instead of that of its sine, i / d_model: the two of a pair do not share one angle.
def sinusoidal_encoding(length, d_model):
    pe = torch.zeros(length, d_model)
    for pos in range(length):
        for i in range(0, d_model, 2):
            pe[pos, i] = math.sin(pos / (10000 ** (i / d_model)))
            if i + 1 < d_model:
                pe[pos, i + 1] = math.cos(pos / (10000 ** ((i + 1) / d_model)))
    return pe

# %% wrong: tensor2tensor-signal | two mistakes of a copy from tensor2tensor: all sines stand on the left and all cosines on the right instead of alternating, and the rates are spaced over (number of pairs - 1), so that the last one is exactly 1/10000 and the exponents are not 2i / d_model.
def sinusoidal_encoding(length, d_model):
    num_timescales = (d_model + 1) // 2
    log_increment = math.log(10000.0) / max(num_timescales - 1, 1)
    inv_timescales = torch.exp(torch.arange(num_timescales).float() * -log_increment)
    scaled_time = torch.arange(length).float().unsqueeze(1) * inv_timescales.unsqueeze(0)
    signal = torch.cat([torch.sin(scaled_time), torch.cos(scaled_time)], dim=1)
    return signal[:, :d_model]

# %% wrong: stays-in-double | everything is computed in float64 and stacked without going back: the result is float64, where the notebook wants float32.
def sinusoidal_encoding(length, d_model):
    even_feature = torch.arange(0, d_model, 2, dtype=torch.float64)
    rate = 10000 ** (-even_feature / d_model)
    angle = torch.outer(torch.arange(length, dtype=torch.float64), rate)
    waves = torch.stack([angle.sin(), angle.cos()], dim=-1)
    return waves.flatten(1)[:, :d_model]

# %% wrong: rate-is-not-inverted | the rate is 10000 to the power +2i/d_model, without the minus: the pairs turn faster and faster instead of slower (angle is position times 10000^(2i/d)).
def sinusoidal_encoding(length, d_model):
    position = torch.arange(length, dtype=torch.float64).unsqueeze(1)
    even_feature = torch.arange(0, d_model, 2, dtype=torch.float64)
    rate = 10000 ** (even_feature / d_model)
    angle = position * rate
    encoding = torch.zeros(length, d_model)
    encoding[:, 0::2] = angle.sin()
    paired = angle[:, : d_model // 2]
    encoding[:, 1::2] = paired.cos()
    return encoding

# %% wrong: counts-from-one | positions run from 1 to length instead of from 0 to length - 1, so every row is the encoding of the position after it.
def sinusoidal_encoding(length, d_model):
    places = torch.linspace(1, length, length, dtype=torch.float64)
    rates = torch.tensor([10000 ** (-i / d_model) for i in range(0, d_model, 2)]).double()
    angles = torch.einsum("t,r->tr", places, rates)
    columns = []
    for i in range(d_model):
        wave = angles[:, i // 2]
        columns.append(wave.sin() if i % 2 == 0 else wave.cos())
    return torch.stack(columns, dim=1).float()

# %% right: complex-hands
def sinusoidal_encoding(length, d_model):
    pairs = (d_model + 1) // 2
    rate = torch.exp(-math.log(10000.0) * 2 * torch.arange(pairs, dtype=torch.float64) / d_model)
    angle = torch.arange(length, dtype=torch.float64)[:, None] * rate[None, :]
    hand = torch.view_as_real(torch.polar(torch.ones_like(angle), angle))
    return hand.flip(-1).flatten(1)[:, :d_model].float()

# %% right: annotated-with-odd-widths
def sinusoidal_encoding(length, d_model):
    pe = torch.zeros(length, d_model)
    position = torch.arange(0, length, dtype=torch.float).unsqueeze(1)
    div_term = torch.exp(torch.arange(0, d_model, 2).float() * (-math.log(10000.0) / d_model))
    pe[:, 0::2] = torch.sin(position * div_term)
    if d_model % 2 == 1:
        div_term = div_term[:-1]
    pe[:, 1::2] = torch.cos(position * div_term)
    return pe
