# %% wrong: minus-forgotten | The exponent of the rate has no minus: the rates grow from 1 to nearly 10000 instead of falling to nearly 1/10000.
def sinusoidal_encoding(length, d_model):
    position = torch.arange(length).unsqueeze(1)
    even_feature = torch.arange(0, d_model, 2, dtype=torch.float64)
    rate = 10000 ** (even_feature / d_model)
    angle = position * rate
    encoding = torch.zeros(length, d_model)
    encoding[:, 0::2] = torch.sin(angle)
    paired = angle[:, : d_model // 2]
    encoding[:, 1::2] = torch.cos(paired)
    return encoding

# %% wrong: two-i-doubled | `even_feature` already holds 2i, and is multiplied by 2 once more: the exponent is 4i/d_model, so the rates fall twice as fast (in the logarithm).
def sinusoidal_encoding(length, d_model):
    position = torch.arange(length, dtype=torch.float64)[:, None]
    even_feature = torch.arange(0, d_model, 2, dtype=torch.float64)
    rate = 1 / 10000 ** (2 * even_feature / d_model)
    angle = position * rate
    encoding = torch.zeros(length, d_model)
    encoding[:, 0::2] = angle.sin()
    paired = angle[:, : d_model // 2]
    encoding[:, 1::2] = paired.cos()
    return encoding

# %% wrong: cosine-with-its-own-rate | As in a much-copied tutorial with a loop over features: the cosine of feature i + 1 gets the exponent (i + 1)/d_model of its own, while sine and cosine of a pair share one angle, with exponent 2i/d_model.
def sinusoidal_encoding(length, d_model):
    pe = torch.zeros(length, d_model)
    pos = torch.arange(length, dtype=torch.float64)
    for i in range(0, d_model, 2):
        pe[:, i] = torch.sin(pos / (10000 ** (i / d_model)))
        if i + 1 < d_model:
            pe[:, i + 1] = torch.cos(pos / (10000 ** ((i + 1) / d_model)))
    return pe

# %% wrong: halves-side-by-side | In the manner of tensor2tensor: all sines stand in the left half and all cosines in the right half. The formula alternates them: even features are sines, odd ones cosines.
def sinusoidal_encoding(length, d_model):
    position = torch.arange(length, dtype=torch.float32)
    inv_timescales = torch.exp(
        torch.arange(0, d_model, 2, dtype=torch.float32) * -(math.log(10000.0) / d_model)
    )
    scaled_time = position.unsqueeze(1) * inv_timescales.unsqueeze(0)
    signal = torch.cat([torch.sin(scaled_time), torch.cos(scaled_time)[:, : d_model // 2]], dim=1)
    return signal

# %% wrong: one-pair-fewer-in-the-exponent | In the manner of fairseq and tensor2tensor: the logarithm is divided by the number of pairs minus one, so that the last rate is exactly 1/10000. The formula divides 2i by d_model.
def sinusoidal_encoding(length, d_model):
    half_dim = (d_model + 1) // 2
    emb = math.log(10000) / max(half_dim - 1, 1)
    emb = torch.exp(torch.arange(half_dim, dtype=torch.float) * -emb)
    emb = torch.arange(length, dtype=torch.float).unsqueeze(1) * emb.unsqueeze(0)
    encoding = torch.zeros(length, d_model)
    encoding[:, 0::2] = torch.sin(emb)
    encoding[:, 1::2] = torch.cos(emb[:, : d_model // 2])
    return encoding

# %% wrong: result-in-double | All values are right, but rates and angles are in float64 and the result stays so; the contract asks for float32.
def sinusoidal_encoding(length, d_model):
    pairs = (d_model + 1) // 2
    rate = torch.logspace(0, -8 * (pairs - 1) / d_model, pairs, dtype=torch.float64)
    angle = torch.outer(torch.arange(length, dtype=torch.float64), rate)
    clocks = torch.stack([angle.sin(), angle.cos()], dim=-1)
    return clocks.flatten(1)[:, :d_model]

# %% wrong: swapped-and-counted-from-one | Two mistakes. Even features hold the cosines and odd ones the sines, the other way round than the formula; and the positions are counted from 1, so row 0 is that of position 1.
def sinusoidal_encoding(length, d_model):
    position = torch.arange(1, length + 1).unsqueeze(1)
    div_term = torch.exp(torch.arange(0, d_model, 2) * (-math.log(10000.0) / d_model))
    pe = torch.zeros(length, d_model)
    pe[:, 0::2] = torch.cos(position * div_term)
    pe[:, 1::2] = torch.sin(position * div_term[: d_model // 2])
    return pe

# %% right: sine-with-a-phase
def sinusoidal_encoding(length, d_model):
    feature = torch.arange(d_model)
    odd = feature % 2
    exponent = (feature - odd).double() / d_model
    turn = torch.arange(length).double().unsqueeze(1) / torch.pow(10000.0, exponent)
    return torch.where(odd.bool(), turn.cos(), turn.sin()).float()

# %% right: stacked-pairs
def sinusoidal_encoding(length, d_model):
    half = (d_model + 1) // 2
    div_term = torch.exp(-math.log(10000.0) * 2 * torch.arange(half, dtype=torch.float64) / d_model)
    theta = torch.einsum("t,i->ti", torch.arange(length, dtype=torch.float64), div_term)
    interleaved = torch.stack((theta.sin(), theta.cos()), dim=2).reshape(length, 2 * half)
    return interleaved[:, :d_model].to(torch.float32)
