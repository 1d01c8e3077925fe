# %% wrong: one_member_many_times | TRUE CAUSE: only the container is mended: `[nn.Linear(...)] * num_members` stays, so all members are one and the same layer with one set of weights
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
# %% wrong: softmax_after_the_mean | TRUE CAUSE: both bugs are mended, but forward is broken: the scores are averaged and the softmax is taken of the mean, instead of averaging the members' votes (their probabilities)
class Committee(nn.Module):
    """Classify with several members, each with weights of its own, and average their votes."""

    def __init__(self, num_members, num_features, num_classes):
        super().__init__()
        members = [nn.Linear(num_features, num_classes) for _ in range(num_members)]
        self.members = nn.ModuleList(members)

    def forward(self, x):
        votes = [member(x) for member in self.members]
        average = torch.stack(votes).mean(dim=0).softmax(dim=-1)  # (N, num_classes)
        return average
# %% wrong: own_members_in_a_dict | TRUE CAUSE: the members are distinct now, but are kept in a plain Python dict, in which PyTorch finds no parameters, so nothing is trained, saved or moved
class Committee(nn.Module):
    def __init__(self, num_members, num_features, num_classes):
        super().__init__()
        self.members = {
            f"member{i}": nn.Linear(num_features, num_classes) for i in range(num_members)
        }

    def forward(self, x):
        total = 0
        for name in self.members:
            total = total + F.softmax(self.members[name](x), dim=-1)
        return total / len(self.members)
# %% wrong: own_joint_softmax | TRUE CAUSE: the members' outputs are computed together and the softmax is taken over all members' classes at once before the axes are split, so members with large scores outvote the others instead of each having one vote
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
