# %% right: tenth_own_stack_then_softmax
class Committee(nn.Module):
    def __init__(self, num_members, num_features, num_classes):
        super().__init__()
        self.voters = nn.ModuleDict(
            {f"voter{i}": nn.Linear(num_features, num_classes) for i in range(num_members)}
        )
    def forward(self, x):
        scores = torch.stack([voter(x) for voter in self.voters.values()], dim=-2)
        return scores.softmax(dim=-1).mean(dim=-2)  # (N, members, classes) -> (N, classes)
# %% right: eleventh_own_numbered_attributes
class Committee(nn.Module):
    def __init__(self, num_members, num_features, num_classes):
        super().__init__()
        self.names = [f"member_{number}" for number in range(num_members)]
        for name in self.names:
            setattr(self, name, nn.Linear(num_features, num_classes))
    def forward(self, x):
        votes = torch.stack([getattr(self, name)(x).softmax(-1) for name in self.names], dim=-1)
        return votes.mean(-1)
