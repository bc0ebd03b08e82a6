//! Parts of the service that a prediction removes: network, store.
use system::without::Removal;

pub static AWAY: [Removal; 2] = [
    Removal {
        metric: "at_most_without_network_per_s",
        words: "a network without delay",
        holders: &["NIC", "port", "Switch", "switch"],
        others: &["utilisation_max_store"],
    },
    Removal {
        metric: "at_most_without_store_per_s",
        words: "a store without delay",
        holders: &["Store", "store"],
        others: &[
            "utilisation_max_client_nic",
            "utilisation_max_server_nic",
            "utilisation_max_switch",
        ],
    },
];
