# %% wrong: t2t-halves | All sines are laid in the left half of the features and all cosines in the right half, as in tensor2tensor, instead of alternating.
def sinusoidal_encoding(length, d_model):
    position = torch.arange(length, dtype=torch.float64)[:, None]
    even_feature = torch.arange(0, d_model, 2, dtype=torch.float64)
    rate = 10000 ** (-even_feature / d_model)
    angle = position * rate
    sines = angle.sin()
    cosines = angle[:, : d_model // 2].cos()
    return torch.cat([sines, cosines], dim=-1).float()

# %% wrong: twice-two-i | The exponent doubles 2i once more: even_feature already holds 2i, and is multiplied by 2; so the rates fall twice as fast as they should.
def sinusoidal_encoding(length, d_model):
    position = torch.arange(length, dtype=torch.float64).unsqueeze(1)  # (T, 1)
    even_feature = torch.arange(0, d_model, 2, dtype=torch.float64)
    rate = 1 / 10000 ** (2 * even_feature / d_model)
    angle = position * rate
    encoding = torch.zeros(length, d_model)
    encoding[:, 0::2] = torch.sin(angle)
    paired = angle[:, : d_model // 2]
    encoding[:, 1::2] = torch.cos(paired)
    return encoding

# %% wrong: tensorflow-rate-per-feature | Each feature gets a rate of its own, with its own number in the exponent (the // 2 * 2 is missing), so a cosine has another, slower angle than the sine beside it; both of a pair should share one angle.
def sinusoidal_encoding(length, d_model):
    def get_angles(pos, feature):
        return pos / torch.pow(torch.tensor(10000.0, dtype=torch.float64), feature / d_model)
    pos = torch.arange(length, dtype=torch.float64)[:, None]
    feature = torch.arange(d_model, dtype=torch.float64)[None, :]
    angles = get_angles(pos, feature)
    encoding = torch.empty_like(angles)
    encoding[:, 0::2] = torch.sin(angles[:, 0::2])
    encoding[:, 1::2] = torch.cos(angles[:, 1::2])
    return encoding.to(torch.float32)

# %% wrong: fairseq-last-wave-exact | The rates are spread such that the last pair has exactly 1/10000 (log 10000 divided by the number of pairs minus one), as in fairseq, instead of 10000 to the power -2i / d_model.
def sinusoidal_encoding(length, d_model):
    half_dim = (d_model + 1) // 2
    step = math.log(10000) / max(half_dim - 1, 1)
    rates = torch.exp(torch.arange(half_dim, dtype=torch.float64) * -step)
    angles = torch.arange(length, dtype=torch.float64).unsqueeze(1) * rates.unsqueeze(0)
    waves = torch.stack([angles.sin(), angles.cos()], dim=2)
    return waves.view(length, -1)[:, :d_model].float()

# %% wrong: llama-cos-first | The pair is taken from a complex number, whose real part is the cosine; so the even features are the cosines and the odd ones the sines, the wrong way round.
def sinusoidal_encoding(length, d_model):
    freqs = 1.0 / (10000 ** (torch.arange(0, d_model, 2, dtype=torch.float64) / d_model))
    t = torch.arange(length, dtype=torch.float64)
    angle = torch.outer(t, freqs)
    hands = torch.polar(torch.ones_like(angle), angle)
    return torch.view_as_real(hands).flatten(1)[:, :d_model].to(torch.float32)

# %% wrong: positions-from-one | The positions are counted from 1 instead of from 0; so each row is that of the next position, and row 0 is not sin 0 and cos 0.
def sinusoidal_encoding(length, d_model):
    columns = []
    position = torch.arange(1, length + 1, dtype=torch.float64)
    for feature in range(d_model):
        pair = feature // 2
        angle = position * math.exp(-math.log(10000.0) * 2 * pair / d_model)
        columns.append(angle.cos() if feature % 2 else angle.sin())
    return torch.stack(columns, dim=1).float()

# %% wrong: tutorial-loop-exponents | Two mistakes. (1) The loop variable i already runs over even features, 2i of the paper, and is doubled again in the exponent. (2) The cosine uses an exponent of its own, from i + 1, instead of the angle of the sine beside it.
def sinusoidal_encoding(length, d_model):
    pe = torch.zeros(length, d_model)
    pos = torch.arange(length, dtype=torch.float64)
    for i in range(0, d_model, 2):
        pe[:, i] = torch.sin(pos / (10000 ** ((2 * i) / d_model)))
        if i + 1 < d_model:
            pe[:, i + 1] = torch.cos(pos / (10000 ** ((2 * (i + 1)) / d_model)))
    return pe

# %% right: cosine-is-a-shifted-sine
def sinusoidal_encoding(length, d_model):
    feature = torch.arange(d_model, dtype=torch.float64)
    odd = feature % 2
    rate = torch.exp((feature - odd) * (-math.log(10000.0) / d_model))
    position = torch.arange(length, dtype=torch.float64)
    angle = torch.outer(position, rate)
    return torch.sin(angle + odd * (math.pi / 2)).float()

# %% right: stacked-pairs
def sinusoidal_encoding(length, d_model):
    inv_freq = 1.0 / (10000.0 ** (torch.arange(0, d_model, 2).double() / d_model))
    freqs = torch.einsum("i,j->ij", torch.arange(length).double(), inv_freq)
    pairs = torch.stack((freqs.sin(), freqs.cos()), dim=-1)  # (T, pairs, 2)
    return pairs.reshape(length, 2 * inv_freq.numel())[:, :d_model].float()
