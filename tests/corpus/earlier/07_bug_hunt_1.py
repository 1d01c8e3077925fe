# %% wrong: own_scores_averaged_before_softmax | One wide Linear holds all members, but their scores are averaged first and the softmax is taken of the mean; each member has to vote (softmax) before the votes are averaged.
class Committee(nn.Module):
    def __init__(self, num_members, num_features, num_classes):
        super().__init__()
        self.shape = (num_members, num_classes)
        self.members = nn.Linear(num_features, num_members * num_classes)
    def forward(self, x):
        scores = self.members(x).unflatten(-1, self.shape)  # (N, members, num_classes)
        average = scores.mean(dim=-2).softmax(dim=-1)  # (N, num_classes)
        return average
# %% wrong: own_stacked_weights_as_plain_tensors | The weights and biases of the members are stacked into plain tensors and kept as attributes; these are no nn.Parameter, so PyTorch finds no parameters to train, save or move.
class Committee(nn.Module):
    def __init__(self, num_members, num_features, num_classes):
        super().__init__()
        members = [nn.Linear(num_features, num_classes) for _ in range(num_members)]
        self.weight = torch.stack([member.weight for member in members])  # (M, C, F)
        self.bias = torch.stack([member.bias for member in members])  # (M, C)
    def forward(self, x):
        scores = torch.einsum("nf,mcf->nmc", x, self.weight) + self.bias
        return scores.softmax(dim=-1).mean(dim=1)
# %% wrong: own_joint_softmax | the members' outputs are computed together and the softmax is taken over all members' classes at once before the axes are split, so members with large scores outvote the others instead of each having one vote
class Committee(nn.Module):
    def __init__(self, num_members, num_features, num_classes):
        super().__init__()
        self.num_members = num_members
        self.members = nn.ModuleList(
            nn.Linear(num_features, num_classes) for _ in range(num_members)
        )
    def forward(self, x):
        together = torch.cat([member(x) for member in self.members], dim=-1)
        shares = F.softmax(together, dim=-1)
        return shares.unflatten(-1, (self.num_members, -1)).sum(dim=-2)
# %% wrong: own_softmax_over_members | the scores are stacked as (N, members, classes) and softmax and mean are both taken along dim=1, the members, so every result is 1 / num_members instead of an average of probabilities over the classes
class Committee(nn.Module):
    def __init__(self, num_members, num_features, num_classes):
        super().__init__()
        self.members = nn.ModuleDict(
            {str(i): nn.Linear(num_features, num_classes) for i in range(num_members)}
        )
    def forward(self, x):
        scores = torch.stack([m(x) for m in self.members.values()], dim=1)
        return scores.softmax(dim=1).mean(dim=1)

# %% wrong: tensors-that-are-no-parameters | The members' weights are plain tensors with requires_grad=True instead of nn.Parameter. PyTorch does not register them: model.parameters() does not contain them, so no optimizer trains them, and they are neither saved nor moved.
class Committee(nn.Module):
    def __init__(self, num_members, num_features, num_classes):
        super().__init__()
        bound = num_features**-0.5
        weight = torch.empty(num_members, num_classes, num_features).uniform_(-bound, bound)
        bias = torch.empty(num_members, num_classes).uniform_(-bound, bound)
        self.weight = weight.requires_grad_()
        self.bias = bias.requires_grad_()
    def forward(self, x):
        logits = torch.einsum("nf,mcf->mnc", x, self.weight) + self.bias.unsqueeze(1)
        return logits.softmax(dim=-1).mean(dim=0)
