# %% right: silu_in_one_line
def swiglu(x, w_gate, w_up, w_down):
    return (F.silu(x @ w_gate) * (x @ w_up)) @ w_down


# %% right: sigmoid_by_tanh
def swiglu(x, w_gate, w_up, w_down):
    z = torch.einsum("ntd,df->ntf", x, w_gate)
    up = torch.einsum("ntd,df->ntf", x, w_up)
    share = 0.5 * (1 + torch.tanh(z / 2))  # the sigmoid
    return torch.einsum("ntf,fd->ntd", up * share * z, w_down)


# %% right: own_one_joined_matrix
def swiglu(x, w_gate, w_up, w_down):
    both = torch.matmul(x, torch.cat((w_gate, w_up), dim=1))
    gate, up = both.chunk(2, dim=-1)
    return torch.matmul(F.silu(gate) * up, w_down)

# %% right: own_sentence_by_sentence
def swiglu(x, w_gate, w_up, w_down):
    results = []
    for sentence in x:
        z = sentence.mm(w_gate)
        swish = torch.sigmoid(z).mul(z)
        results.append((swish * sentence.mm(w_up)).mm(w_down))
    return torch.stack(results, dim=0)
