# %% wrong: still_a_list | TRUE CAUSE: the members are separate now but still kept in a plain Python list, so PyTorch does not find their parameters and they are not trained, saved or moved
class Committee(nn.Module):
    """Classify with several members, each with weights of its own, and average their votes."""

    def __init__(self, num_members, num_features, num_classes):
        super().__init__()
        members = [nn.Linear(num_features, num_classes) for _ in range(num_members)]
        self.members = members

    def forward(self, x):
        votes = [member(x).softmax(dim=-1) for member in self.members]
        average = torch.stack(votes).mean(dim=0)  # (N, num_classes)
        return average

# %% wrong: still_one_member | TRUE CAUSE: `[nn.Linear(...)] * num_members` still repeats one object inside the ModuleList, so all members share one set of weights
class Committee(nn.Module):
    """Classify with several members, each with weights of its own, and average their votes."""

    def __init__(self, num_members, num_features, num_classes):
        super().__init__()
        members = [nn.Linear(num_features, num_classes)] * num_members
        self.members = nn.ModuleList(members)

    def forward(self, x):
        votes = [member(x).softmax(dim=-1) for member in self.members]
        average = torch.stack(votes).mean(dim=0)  # (N, num_classes)
        return average

# %% wrong: own_softmax_at_the_end | TRUE CAUSE: the scores are averaged first and the softmax is taken of their average, instead of averaging each member's own probabilities
class Committee(nn.Module):
    def __init__(self, num_members, num_features, num_classes):
        super().__init__()
        self.members = nn.ModuleList()
        for _ in range(num_members):
            self.members.append(nn.Linear(num_features, num_classes))

    def forward(self, x):
        total = 0
        for member in self.members:
            total = total + member(x)
        return F.softmax(total / len(self.members), dim=-1)

# %% wrong: own_softmax_over_members | TRUE CAUSE: the scores are stacked as (N, members, classes) and softmax and mean are both taken along dim=1, the members, so every result is 1 / num_members instead of an average of probabilities over the classes
class Committee(nn.Module):
    def __init__(self, num_members, num_features, num_classes):
        super().__init__()
        self.members = nn.ModuleDict(
            {str(i): nn.Linear(num_features, num_classes) for i in range(num_members)}
        )

    def forward(self, x):
        scores = torch.stack([m(x) for m in self.members.values()], dim=1)
        return scores.softmax(dim=1).mean(dim=1)
