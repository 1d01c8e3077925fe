# %% wrong: floor_division_in_the_exponent | TRUE CAUSE: the exponent of the rate is even_feature // d_model, which is 0 for every pair, so all pairs turn with rate 1
def sinusoidal_encoding(length, d_model):
    """Write each position as sines and cosines of many wavelengths (section 3.5).

    Even features are sines, odd ones the cosines of the same angles; the last sine of an odd
    d_model has no cosine beside it.
    """
    position = torch.arange(length, dtype=torch.float64).unsqueeze(1)  # (T, 1)
    even_feature = torch.arange(0, d_model, 2, dtype=torch.float64)  # 2i, in double precision
    rate = 1 / 10000 ** (even_feature // d_model)
    angle = position * rate  # (T, ceil(D / 2))
    encoding = torch.zeros(length, d_model)
    encoding[:, 0::2] = angle.sin()
    paired = angle[:, : d_model // 2]  # if d_model is odd, without the last one
    encoding[:, 1::2] = paired.cos()
    return encoding

# %% wrong: cosine_from_the_sine | TRUE CAUSE: the cosines are computed as sqrt(1 - sin^2), which is never negative, so the sign is lost wherever the cosine is below 0
def sinusoidal_encoding(length, d_model):
    """Write each position as sines and cosines of many wavelengths (section 3.5).

    Even features are sines, odd ones the cosines of the same angles; the last sine of an odd
    d_model has no cosine beside it.
    """
    position = torch.arange(length)[:, None]  # (T, 1)
    even_feature = torch.arange(0, d_model, 2, dtype=torch.float64)  # 2i, in double precision
    rate = 10000 ** (-even_feature / d_model)
    angle = position * rate  # (T, ceil(D / 2))
    encoding = torch.zeros(length, d_model)
    encoding[:, 0::2] = torch.sin(angle)
    paired = angle[:, : d_model // 2]  # if d_model is odd, without the last one
    encoding[:, 1::2] = torch.sqrt(1 - torch.sin(paired) ** 2)
    return encoding

# %% wrong: own_each_feature_its_own_rate | TRUE CAUSE: in value() the exponent is k / d_model for every feature k, the odd ones too, so a cosine does not share the angle of the sine beside it
def sinusoidal_encoding(length, d_model):
    def value(pos, k):
        angle = pos / 10000 ** (k / d_model)
        return math.cos(angle) if k % 2 else math.sin(angle)

    return torch.tensor([[value(pos, k) for k in range(d_model)] for pos in range(length)])

# %% wrong: own_logspace_to_the_end | TRUE CAUSE: logspace(0, -4, half) includes its end point, so the last rate is exactly 1/10000 and the exponents are i / (half - 1) in place of 2i / d_model
def sinusoidal_encoding(length, d_model):
    half = (d_model + 1) // 2
    rates = torch.logspace(0, -4, half, dtype=torch.float64)
    angles = torch.outer(torch.arange(length, dtype=torch.float64), rates)
    waves = torch.stack((angles.sin(), angles.cos()), dim=2)
    return waves.flatten(start_dim=1)[:, :d_model].float()
