# %% wrong: registered-but-shared | the list has become an nn.ModuleList, but it is still one Linear times num_members: all members share one set of weights.
class Committee(nn.Module):
    def __init__(self, num_members, num_features, num_classes):
        super().__init__()
        members = [nn.Linear(num_features, num_classes)] * num_members
        self.members = nn.ModuleList(members)
    def forward(self, x):
        votes = [member(x).softmax(dim=-1) for member in self.members]
        average = torch.stack(votes).mean(dim=0)
        return average

# %% wrong: own-weights-in-a-plain-list | each member now has weights of its own, but they are still in a plain Python list, where PyTorch does not find them.
class Committee(nn.Module):
    def __init__(self, num_members, num_features, num_classes):
        super().__init__()
        self.members = [nn.Linear(num_features, num_classes) for _ in range(num_members)]
    def forward(self, x):
        votes = [member(x).softmax(dim=-1) for member in self.members]
        average = torch.stack(votes).mean(dim=0)
        return average

# %% wrong: softmax-of-the-average | both bugs are mended, but what was right is changed: the logits are averaged and the softmax comes after, so it is not the votes (probabilities) that are averaged.
class Committee(nn.Module):
    def __init__(self, num_members, num_features, num_classes):
        super().__init__()
        self.members = nn.ModuleList(nn.Linear(num_features, num_classes) for _ in range(num_members))
    def forward(self, x):
        votes = [member(x) for member in self.members]
        average = torch.stack(votes).mean(dim=0).softmax(dim=-1)
        return average

# %% wrong: registered-under-one-name | the members are registered with add_module, but all under the same name: each replaces the one before, so PyTorch finds only the last.
class Committee(nn.Module):
    def __init__(self, num_members, num_features, num_classes):
        super().__init__()
        self.members = []
        for _ in range(num_members):
            member = nn.Linear(num_features, num_classes)
            self.add_module("member", member)
            self.members.append(member)
    def forward(self, x):
        votes = [member(x).softmax(dim=-1) for member in self.members]
        average = torch.stack(votes).mean(dim=0)
        return average

# %% right: appended-and-summed
class Committee(nn.Module):
    def __init__(self, num_members, num_features, num_classes):
        super().__init__()
        self.members = nn.ModuleList()
        for _ in range(num_members):
            self.members.append(nn.Linear(num_features, num_classes))
    def forward(self, x):
        total = 0
        for member in self.members:
            total = total + F.softmax(member(x), dim=-1)
        return total / len(self.members)
