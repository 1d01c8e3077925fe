# %% wrong: still_one_member | TRUE CAUSE: only the container is repaired: the ModuleList still holds one and the same layer num_members times.
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


# %% wrong: copies_of_one_member | TRUE CAUSE: the members are deep copies of one layer: separate objects, but all start with the same weights, get the same gradients, and so remain the same voter.
import copy


class Committee(nn.Module):
    def __init__(self, num_members, num_features, num_classes):
        super().__init__()
        member = nn.Linear(num_features, num_classes)
        self.members = nn.ModuleList(copy.deepcopy(member) for _ in range(num_members))

    def forward(self, x):
        votes = [member(x).softmax(dim=-1) for member in self.members]
        average = torch.stack(votes).mean(dim=0)  # (N, num_classes)
        return average


# %% wrong: plain_list_and_softmax_of_mean | TRUE CAUSE: two mistakes: the members, now separate, stay in a plain list where PyTorch does not find them, and the softmax was taken for the second bug and moved behind the mean, so scores are averaged instead of votes.
class Committee(nn.Module):
    """Classify with several members, each with weights of its own, and average their votes."""

    def __init__(self, num_members, num_features, num_classes):
        super().__init__()
        members = [nn.Linear(num_features, num_classes) for _ in range(num_members)]
        self.members = members

    def forward(self, x):
        votes = [member(x) for member in self.members]
        average = torch.stack(votes).mean(dim=0).softmax(dim=-1)  # (N, num_classes)
        return average
