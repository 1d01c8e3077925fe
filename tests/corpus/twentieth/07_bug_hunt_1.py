# %% wrong: shared-in-a-module-list | Only one bug is mended: the list became an nn.ModuleList, but [layer] * num_members still puts one and the same nn.Linear into all places, so the members share their weights and all vote alike.
class Committee(nn.Module):
    def __init__(self, num_members, num_features, num_classes):
        super().__init__()
        members = [nn.Linear(num_features, num_classes)] * num_members
        self.members = nn.ModuleList(members)
    def forward(self, x):
        votes = [member(x).softmax(dim=-1) for member in self.members]
        average = torch.stack(votes).mean(dim=0)
        return average

# %% wrong: own-layers-in-a-python-dict | Only one bug is mended: each member is a layer of its own now, but they are kept in Python's dict, into which PyTorch does not look, so it finds no parameters (no training, saving or moving).
class Committee(nn.Module):
    def __init__(self, num_members, num_features, num_classes):
        super().__init__()
        self.members = {
            f"member{i}": nn.Linear(num_features, num_classes) for i in range(num_members)
        }
    def forward(self, x):
        average = 0
        for member in self.members.values():
            average = average + F.softmax(member(x), dim=-1) / len(self.members)
        return average

# %% wrong: softmax-before-the-split | All members are one large linear layer, which is fine, but the softmax runs over the classes of all members together, before the row is split into members; so the members' votes don't each sum to 1, and the average sums to 1 / num_members.
class Committee(nn.Module):
    def __init__(self, num_members, num_features, num_classes):
        super().__init__()
        self.num_members, self.num_classes = num_members, num_classes
        self.members = nn.Linear(num_features, num_members * num_classes)
    def forward(self, x):
        votes = self.members(x).softmax(dim=-1)
        votes = votes.view(x.size(0), self.num_members, self.num_classes)
        return votes.mean(dim=1)

# %% wrong: registered-under-one-name | The members are layers of their own, but each is registered under the same name, so it replaces the one before: PyTorch knows the last member only, the others live in a plain list and are not found.
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
        return sum(votes) / len(votes)

# %% wrong: average-of-logits | Both bugs are mended, but in rewriting the order has changed: the members' logits are averaged and one softmax follows, while each member has to vote with its own softmax, and the votes are averaged.
class Committee(nn.Module):
    def __init__(self, num_members, num_features, num_classes):
        super().__init__()
        self.members = nn.ModuleList(
            [nn.Linear(num_features, num_classes) for _ in range(num_members)]
        )
    def forward(self, x):
        logits = torch.stack([member(x) for member in self.members], dim=1)
        return F.softmax(logits.mean(dim=1), dim=-1)

# %% right: sequential-as-container
class Committee(nn.Module):
    def __init__(self, num_members, num_features, num_classes):
        super().__init__()
        self.members = nn.Sequential()
        for number in range(num_members):
            self.members.add_module(str(number), nn.Linear(num_features, num_classes))
    def forward(self, x):
        total = torch.zeros((), dtype=x.dtype, device=x.device)
        for member in self.members:
            total = total + F.softmax(member(x), dim=-1)
        return total / len(self.members)

# %% right: numbered-in-a-module-dict
class Committee(nn.Module):
    def __init__(self, num_members, num_features, num_classes):
        super().__init__()
        names = [f"member_{number}" for number in range(num_members)]
        self.members = nn.ModuleDict({name: nn.Linear(num_features, num_classes) for name in names})
    def forward(self, x):
        logits = torch.stack([member(x) for member in self.members.values()], dim=-1)
        return logits.softmax(dim=-2).mean(dim=-1)
