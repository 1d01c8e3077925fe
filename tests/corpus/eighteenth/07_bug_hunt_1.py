# %% wrong: module-list-of-one | An nn.ModuleList now lets PyTorch find the members, but the list is still made by multiplication, which repeats one nn.Linear num_members times: all members share a single set of weights.
class Committee(nn.Module):
    def __init__(self, num_members, num_features, num_classes):
        super().__init__()
        self.members = nn.ModuleList([nn.Linear(num_features, num_classes)] * num_members)
    def forward(self, x):
        votes = [member(x).softmax(dim=-1) for member in self.members]
        average = torch.stack(votes).mean(dim=0)
        return average

# %% wrong: own-layers-in-a-tuple | The members are made one by one now, but they stay in a Python tuple, into which PyTorch doesn't look: it finds no parameters, so the members are never trained, saved or moved.
class Committee(nn.Module):
    def __init__(self, num_members, num_features, num_classes):
        super().__init__()
        self.members = tuple(nn.Linear(num_features, num_classes) for _ in range(num_members))
    def forward(self, x):
        total = 0
        for member in self.members:
            total = total + F.softmax(member(x), dim=-1)
        return total / len(self.members)

# %% wrong: all-under-one-name | Each member is registered, but all under the same name, so each replaces the one before, and PyTorch finds the last one alone; the others live in a Python list only.
class Committee(nn.Module):
    def __init__(self, num_members, num_features, num_classes):
        super().__init__()
        self.voters = []
        for _ in range(num_members):
            member = nn.Linear(num_features, num_classes)
            self.add_module("member", member)
            self.voters.append(member)
    def forward(self, x):
        votes = torch.stack([member(x).softmax(dim=-1) for member in self.voters])
        return votes.mean(dim=0)

# %% wrong: logits-averaged | Both bugs are mended, by one wide layer that holds all members, but the average is taken of the logits, and the softmax comes after it. Each member votes with its own softmax, and the votes are averaged.
class Committee(nn.Module):
    def __init__(self, num_members, num_features, num_classes):
        super().__init__()
        self.num_members = num_members
        self.members = nn.Linear(num_features, num_members * num_classes)
    def forward(self, x):
        logits = self.members(x).unflatten(-1, (self.num_members, -1))
        average = logits.mean(dim=-2).softmax(dim=-1)
        return average

# %% wrong: weights-as-buffers | The members' weights are stacked in one tensor for each, which are registered as buffers and not as nn.Parameter. Buffers are saved and moved, but they are no parameters, so nothing is ever trained.
class Committee(nn.Module):
    def __init__(self, num_members, num_features, num_classes):
        super().__init__()
        members = [nn.Linear(num_features, num_classes) for _ in range(num_members)]
        weight = torch.stack([member.weight.detach() for member in members])
        bias = torch.stack([member.bias.detach() for member in members])
        self.register_buffer("weight", weight)
        self.register_buffer("bias", bias)
    def forward(self, x):
        logits = torch.einsum("nf,mcf->mnc", x, self.weight) + self.bias[:, None]
        return logits.softmax(dim=-1).mean(dim=0)

# %% right: a-name-for-each
class Committee(nn.Module):
    def __init__(self, num_members, num_features, num_classes):
        super().__init__()
        names = [f"member_{number}" for number in range(num_members)]
        self.members = nn.ModuleDict(
            {name: nn.Linear(num_features, num_classes) for name in names}
        )
    def forward(self, x):
        total = sum(member(x).softmax(dim=-1) for member in self.members.values())
        return total / len(self.members)
