# %% wrong: registered-and-still-one | The members are now in an nn.ModuleList, so PyTorch finds them, but `[...] * num_members` still puts one layer in it many times: all members share one set of weights.
class Committee(nn.Module):
    def __init__(self, num_members, num_features, num_classes):
        super().__init__()
        members = [nn.Linear(num_features, num_classes)] * num_members
        self.members = nn.ModuleList(members)
    def forward(self, x):
        votes = [member(x).softmax(dim=-1) for member in self.members]
        average = torch.stack(votes).mean(dim=0)
        return average

# %% wrong: own-weights-in-a-plain-list | Each member is a layer of its own now, but they are kept in a plain Python list, where PyTorch does not find them: no parameters, so nothing is trained, saved or moved.
class Committee(nn.Module):
    def __init__(self, num_members, num_features, num_classes):
        super().__init__()
        self.members = []
        for _ in range(num_members):
            self.members.append(nn.Linear(num_features, num_classes))
    def forward(self, x):
        total = 0
        for member in self.members:
            total = total + F.softmax(member(x), dim=-1)
        return total / len(self.members)

# %% wrong: average-before-the-softmax | Both bugs are mended, but the logits are averaged and the softmax taken of their mean. Each member votes (with its own softmax), and the votes are averaged.
class Committee(nn.Module):
    def __init__(self, num_members, num_features, num_classes):
        super().__init__()
        self.members = nn.ModuleList(
            nn.Linear(num_features, num_classes) for _ in range(num_members)
        )
    def forward(self, x):
        logits = torch.stack([member(x) for member in self.members], dim=1)
        return logits.mean(dim=1).softmax(dim=-1)

# %% wrong: softmax-over-the-members | All members are put into one wide layer, which is fine, but the softmax runs over the axis of the members and not of the classes, so a member's vote does not sum to 1 and the average is 1 / num_members everywhere.
class Committee(nn.Module):
    def __init__(self, num_members, num_features, num_classes):
        super().__init__()
        self.num_members = num_members
        self.members = nn.Linear(num_features, num_members * num_classes)
    def forward(self, x):
        heads = self.members(x).view(x.size(0), self.num_members, -1)
        votes = torch.softmax(heads, dim=1)
        return votes.mean(dim=1)

# %% wrong: tensors-that-are-no-parameters | Each member has weights of its own, but they are plain tensors and not nn.Parameter, so PyTorch does not find them: nothing is trained, saved or moved.
class Committee(nn.Module):
    def __init__(self, num_members, num_features, num_classes):
        super().__init__()
        scale = 1 / math.sqrt(num_features)
        self.weight = scale * torch.randn(num_members, num_features, num_classes)
        self.bias = torch.zeros(num_members, 1, num_classes)
    def forward(self, x):
        logits = torch.einsum("nf,mfc->mnc", x, self.weight) + self.bias
        return logits.softmax(dim=-1).mean(dim=0)

# %% wrong: registered-copies-of-a-name | Two mistakes. The one layer is registered under a name for each member, so PyTorch finds it, but it is still a single layer with one set of weights. And the softmax runs over the batch (dim=0) and not over the classes.
class Committee(nn.Module):
    def __init__(self, num_members, num_features, num_classes):
        super().__init__()
        member = nn.Linear(num_features, num_classes)
        for number in range(num_members):
            self.add_module(f"member_{number}", member)
        self.names = [f"member_{number}" for number in range(num_members)]
    def forward(self, x):
        votes = [getattr(self, name)(x).softmax(0) for name in self.names]
        return torch.stack(votes).mean(dim=0)

# %% right: running-sum
class Committee(nn.Module):
    def __init__(self, num_members, num_features, num_classes):
        super().__init__()
        self.members = nn.ModuleList()
        while len(self.members) < num_members:
            self.members.append(nn.Linear(num_features, num_classes))
    def forward(self, x):
        votes = torch.cat([member(x).unsqueeze(0) for member in self.members])
        return votes.log_softmax(dim=-1).exp().sum(dim=0) / len(self.members)
