# %% wrong: only_module_list | Only the plain list is repaired: the ModuleList still holds one and the same Linear num_members times. All members share one set of weights.
class Committee(nn.Module):
    def __init__(self, num_members, num_features, num_classes):
        super().__init__()
        members = [nn.Linear(num_features, num_classes)] * num_members
        self.members = nn.ModuleList(members)
    def forward(self, x):
        votes = [member(x).softmax(dim=-1) for member in self.members]
        average = torch.stack(votes).mean(dim=0)  # (N, num_classes)
        return average
# %% wrong: only_new_layers | Each member is created anew, but they stay in a plain Python list, in which PyTorch does not look: the committee has no parameters to train, save or move.
class Committee(nn.Module):
    def __init__(self, num_members, num_features, num_classes):
        super().__init__()
        members = [nn.Linear(num_features, num_classes) for _ in range(num_members)]
        self.members = members
    def forward(self, x):
        votes = [member(x).softmax(dim=-1) for member in self.members]
        average = torch.stack(votes).mean(dim=0)  # (N, num_classes)
        return average
# %% wrong: own_layer_made_before_the_loop | The Linear is created once before the loop, and the loop registers this same object under several names. The members are found now, but they still share one set of weights.
class Committee(nn.Module):
    def __init__(self, num_members, num_features, num_classes):
        super().__init__()
        self.members = nn.ModuleDict()
        member = nn.Linear(num_features, num_classes)
        for number in range(num_members):
            self.members[f"member_{number}"] = member
    def forward(self, x):
        votes = []
        for member in self.members.values():
            votes.append(F.softmax(member(x), dim=-1))
        return sum(votes) / len(votes)
# %% wrong: own_averages_scores | Both bugs of the members are gone, but the forward pass was "repaired" as well: it averages the scores and takes the softmax of the average. The votes are to be averaged, that is each member's softmax.
class Committee(nn.Module):
    def __init__(self, num_members, num_features, num_classes):
        super().__init__()
        self.members = nn.ModuleList()
        for _ in range(num_members):
            self.members.append(nn.Linear(num_features, num_classes))
    def forward(self, x):
        scores = torch.stack([member(x) for member in self.members], dim=0)
        return scores.mean(dim=0).softmax(dim=-1)
