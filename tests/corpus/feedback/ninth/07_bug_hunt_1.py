# %% wrong: same_member_in_a_module_list | TRUE CAUSE: only the plain list is mended; `[nn.Linear(...)] * num_members` is left, so all members are one layer with one set of weights.
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

# %% wrong: members_in_a_plain_list | TRUE CAUSE: only the sharing is mended; the members stay in a plain Python list, so PyTorch finds no parameters and trains, saves and moves none.
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

# %% wrong: own_running_average_by_halves | TRUE CAUSE: the running average is halved at each member (`(average + vote) / 2`), so with three or more members the later ones count more than the earlier ones.
class Committee(nn.Module):
    def __init__(self, num_members, num_features, num_classes):
        super().__init__()
        self.members = nn.ModuleList()
        for _ in range(num_members):
            self.members.append(nn.Linear(num_features, num_classes))

    def forward(self, x):
        average = None
        for member in self.members:
            vote = F.softmax(member(x), dim=-1)
            average = vote if average is None else (average + vote) / 2
        return average

# %% wrong: own_softmax_over_all_members | TRUE CAUSE: the members are computed by one wide layer, and the softmax runs over the num_members * num_classes scores together before they are split, so the members' votes do not sum to 1 each and the average sums to 1 / num_members.
class Committee(nn.Module):
    def __init__(self, num_members, num_features, num_classes):
        super().__init__()
        self.shape = (num_members, num_classes)
        self.members = nn.Linear(num_features, num_members * num_classes)

    def forward(self, x):
        votes = self.members(x).softmax(dim=-1)
        return votes.unflatten(-1, self.shape).mean(dim=-2)
