//! Where the replicas of a new block go (`BlockPlacementPolicyDefault`), and whether a set of nodes meets the rack rule.
