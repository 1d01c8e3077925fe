# %% wrong: rate-upside-down | The rate is 10000^(2i/d_model) instead of 1 over it, so the waves get faster and faster from pair to pair instead of slower.
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

# %% wrong: doubles-twice | The exponent is 2 times even_feature over d_model, but even_feature already holds 2i, so the exponent is 4i/d_model and the rates fall twice as fast (in the exponent) as they should.
def sinusoidal_encoding(length, d_model):
    position = torch.arange(length, dtype=torch.float64)[:, None]
    even_feature = torch.arange(0, d_model, 2, dtype=torch.float64)
    rate = 10000.0 ** (-2 * even_feature / d_model)
    angle = position * rate
    encoding = torch.zeros(length, d_model)
    encoding[:, 0::2] = angle.sin()
    paired = angle[:, : d_model // 2]
    encoding[:, 1::2] = paired.cos()
    return encoding

# %% wrong: annotated-log10 | In the form with exp, the logarithm of 10000 is taken to base 10 (4 instead of 9.21), while exp needs the natural logarithm; the rates are e^(-4 * 2i/d_model), so the slow waves are far too fast.
def sinusoidal_encoding(length, d_model):
    pe = torch.zeros(length, d_model)
    position = torch.arange(0, length).unsqueeze(1)
    div_term = torch.exp(torch.arange(0, d_model, 2) * -(math.log10(10000.0) / d_model))
    pe[:, 0::2] = torch.sin(position * div_term)
    pe[:, 1::2] = torch.cos(position * div_term[: d_model // 2])
    return pe

# %% wrong: cosine-of-its-own-angle | The exponent is taken from the number of the feature itself, so the cosine of feature 2i + 1 has the exponent (2i + 1)/d_model and an angle of its own; both features of a pair share the angle of 2i.
def sinusoidal_encoding(length, d_model):
    encoding = torch.empty(length, d_model)
    for position in range(length):
        for feature in range(d_model):
            angle = position / 10000 ** (feature / d_model)
            if feature % 2 == 0:
                encoding[position, feature] = math.sin(angle)
            else:
                encoding[position, feature] = math.cos(angle)
    return encoding

# %% wrong: swapped-and-from-one | Two mistakes. Sine and cosine are swapped, so the even features are cosines; and positions are counted from 1, while the first position is 0.
def sinusoidal_encoding(length, d_model):
    def rates():
        exponents = torch.arange(0, d_model, 2, dtype=torch.float64) / d_model
        return 1.0 / 10000**exponents
    angles = torch.outer(torch.arange(1, length + 1, dtype=torch.float64), rates())
    pairs = torch.stack((angles.cos(), angles.sin()), dim=-1)
    return pairs.flatten(1)[:, :d_model].float()

# %% wrong: odd-drops-the-first | Where d_model is odd, the first angle is left out of the cosines instead of the last, so each cosine has the angle of the next pair; even sizes are right.
def sinusoidal_encoding(length, d_model):
    inv_freq = 1.0 / (10000 ** (torch.arange(0, d_model, 2).double() / d_model))
    sinusoid_inp = torch.einsum("i,j->ij", torch.arange(length).double(), inv_freq)
    encoding = torch.zeros(length, d_model)
    encoding[:, 0::2] = sinusoid_inp.sin()
    encoding[:, 1::2] = sinusoid_inp[:, d_model % 2 :].cos()
    return encoding

# %% right: polar
def sinusoidal_encoding(length, d_model):
    pairs = (d_model + 1) // 2
    rate = torch.logspace(0, -8 * (pairs - 1) / d_model, pairs, base=10.0, dtype=torch.float64)
    angle = torch.arange(length, dtype=torch.float64)[:, None] * rate
    hand = torch.polar(torch.ones_like(angle), angle)
    return torch.view_as_real(hand).flip(-1).reshape(length, -1)[:, :d_model].float()

# %% right: sine-with-a-shift
def sinusoidal_encoding(length, d_model):
    feature = torch.arange(d_model, dtype=torch.float64)
    odd = feature % 2
    rate = torch.exp((feature - odd) * (-math.log(10000.0) / d_model))
    angle = torch.arange(length, dtype=torch.float64).view(-1, 1) * rate
    return torch.sin(angle + odd * (math.pi / 2)).to(torch.float32)
