//! C4.2: that all server counts saturate at last.
use super::c4_1::SERVERS;
use super::grid::{Grid, Sets, at};
use page::words::num;
use system::Failure;
use system::claims::{Asked, Band, Claim, Verdict};

/// Clients a server, above the knee (22) and twice that.
pub const MANY: [u32; 2] = [44, 88];
/// Servers beyond the document's, of its section on parallel runs, and clients.
const BEYOND: (u32, [u32; 2]) = (128, [4_096, 8_192]);
/// Creates of each client: the fetches of one inode spread the starts of 4 096 over 133 ms, which a
/// steady rate must outlast.
const CREATES: &str = "1000";
/// Seeds at most: they differ by less than 1 %.
const SEEDS: u32 = 3;
const FLAT: f64 = 0.03;

/// So many servers and clients, long at work.
pub fn long(servers: u32, clients: u32) -> Sets {
    at(servers, clients, &[("workload.creates_per_client", CREATES)])
}

/// Runs that are needed, of which few seeds are enough.
pub fn run(asked: &Asked<'_>) -> Result<Grid, Failure> {
    let mut grid = Grid::new(asked.sets);
    for (servers, few, many) in places() {
        grid.ask(long(servers, few));
        grid.ask(long(servers, many))
    }
    grid.run(&Asked { seeds: asked.seeds.min(SEEDS), ..*asked })?;
    Ok(grid)
}

fn places() -> Vec<(u32, u32, u32)> {
    let all = SERVERS.into_iter().map(|s| (s, s * MANY[0], s * MANY[1]));
    all.chain([(BEYOND.0, BEYOND.1[0], BEYOND.1[1])]).collect()
}

pub fn judge(grid: &Grid) -> Claim {
    let all = places();
    let ratio = |(s, few, many): &(u32, u32, u32)| grid.ratio(&long(*s, *many), &long(*s, *few));
    let band = Band::near(1.0, FLAT);
    let verdict = Verdict::of(all.iter().map(|place| band.holds(&ratio(place))));
    let said = |place: &(u32, u32, u32)| {
        let (ratio, rate) = (ratio(place), grid.rate(&long(place.0, place.2)));
        format!("{}: {} ({}/s)", place.0, num(ratio.mean, 3), num(rate.mean, 0))
    };
    let said: Vec<String> = all.iter().map(said).collect();
    let worst =
        all.iter().map(ratio).max_by(|a, b| (a.mean - 1.0).abs().total_cmp(&(b.mean - 1.0).abs()));
    Claim {
        id: "C4.2",
        claim: "with more clients every server count saturates and stays flat",
        document: "flat".into(),
        ours: worst.map(|worst| worst.mean),
        spread: worst.map(|worst| worst.ci95),
        unit: "of the rate with half the clients",
        verdict,
        reason: format!(
            "{CREATES} creates a client; twice the clients give, by servers: {}",
            said.join(", ")
        ),
        sensitivity: Vec::new(),
    }
}
