# %% wrong: comprehension-in-a-list | Each member is a new layer now, but they stay in a plain Python list, into which PyTorch does not look: the committee has no parameters, so its members are never trained, saved or moved.
class Committee(nn.Module):
    def __init__(self, num_members, num_features, num_classes):
        super().__init__()
        self.members = []
        for _ in range(num_members):
            self.members.append(nn.Linear(num_features, num_classes))
    def forward(self, x):
        votes = [member(x).softmax(dim=-1) for member in self.members]
        average = torch.stack(votes).mean(dim=0)
        return average

# %% wrong: softmax-over-all-members | All members are one wide layer, but the softmax is taken over the classes of all members together before they are cut apart. So the members' votes do not sum to 1 each, a member with large logits takes the share of the others, and the average sums to 1 / num_members (each member votes with a softmax of its own).
class Committee(nn.Module):
    def __init__(self, num_members, num_features, num_classes):
        super().__init__()
        self.num_members, self.num_classes = num_members, num_classes
        self.members = nn.Linear(num_features, num_members * num_classes)
    def forward(self, x):
        votes = self.members(x).softmax(dim=-1)
        votes = votes.view(-1, self.num_members, self.num_classes)
        return votes.mean(dim=1)

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

# %% right: module-dict
class Committee(nn.Module):
    def __init__(self, num_members, num_features, num_classes):
        super().__init__()
        self.members = nn.ModuleDict()
        for number in range(num_members):
            self.members[f"member_{number}"] = nn.Linear(num_features, num_classes)
    def forward(self, x):
        total = sum(F.softmax(member(x), dim=-1) for member in self.members.values())
        return total / len(self.members)

# %% right: appended-one-by-one
class Committee(nn.Module):
    def __init__(self, num_members, num_features, num_classes):
        super().__init__()
        self.members = nn.ModuleList()
        while len(self.members) < num_members:
            self.members.append(nn.Linear(num_features, num_classes))
    def forward(self, x):
        logits = torch.stack([member(x) for member in self.members], dim=1)
        return logits.softmax(dim=2).mean(dim=1)
