//! `tenbin meta demo`: three servers, several clients, one server killed and restarted.
use super::args::MetaDemo;
use super::children::{Children, on_loopback};
use super::players::Stage;
use ppmds_check::{Verdict, check};
use ppmds_protocol::{Key, ROOT, mixed};
use ppmds_service::cluster::Cluster;
use ppmds_service::durability::Durability;
use serde_json::json;
use std::sync::atomic::Ordering;
use std::thread::sleep;
use std::time::Duration;
use system::{Failure, clock, console, interrupt};

const SERVERS: usize = 3;
const CLIENTS: u64 = 6;
/// The server that is killed first.
const VICTIM: usize = 1;
/// Play before the first kill, while the server is away, and after the last restart.
const ACTS: [Duration; 3] =
    [Duration::from_millis(1_200), Duration::from_millis(300), Duration::from_millis(1_500)];

pub(super) fn demo(args: &MetaDemo) -> Result<(), Failure> {
    let say = |sentence: &str| match args.json {
        true => console::note(sentence),
        false => drop(console::text(&format!("{sentence}\n"))),
    };
    let began = clock::now();
    let folder = std::env::temp_dir().join(format!("tenbin-meta-demo-{}", std::process::id()));
    let cluster = Cluster { evidence: true, ..on_loopback(SERVERS, args.standbys)? };
    let mut children =
        Children::start(&folder, cluster, (Durability::Group, args.tls), &|_| Ok(()))?;
    let addresses = children.cluster.addresses.join(", ");
    let pairs = if args.standbys { ", each with a standby" } else { "" };
    let how = if args.tls { ", with certificates; connections use TLS 1.3" } else { "" };
    say(&format!("Started {SERVERS} servers on this machine{pairs}: {addresses}{how}."));
    let stage = Stage::new(children.cluster.clone());
    let kept = play(&stage, &mut children, args, &say)?;
    let lost = stage.count_missing(&kept)?;
    drop(children);
    let acknowledged = stage.acknowledged();
    let events = stage.events.into_inner().expect("no player panics");
    let Verdict { faults, decided, .. } = check(&events, &[(ROOT, ROOT)]);
    let is_serializable = decided.then_some(faults.is_empty());
    let seconds = (began.elapsed().as_secs_f64() * 10.0).round() / 10.0;
    say(&format!(
        "{acknowledged} operations of {CLIENTS} clients were acknowledged. Of {} files that \
         nothing removes, {lost} are missing.",
        kept.len()
    ));
    if let Some(fault) = faults.first() {
        say(&fault.say(&events, &|_| String::new()))
    }
    say(match is_serializable {
        Some(true) => "The history is strictly serializable. The servers and their data are gone.",
        Some(false) => "The history is NOT strictly serializable.",
        None => "Whether the history is strictly serializable is not decided.",
    });
    if args.json {
        console::json(&json!({
            "acknowledged": acknowledged, "lost": lost, "strictly_serializable": is_serializable,
            "seconds": seconds, "servers": SERVERS, "standbys": args.standbys,
            "clients": CLIENTS, "killed": args.kills,
        }))?
    }
    match lost == 0 && is_serializable == Some(true) {
        true => Ok(()),
        false => Err(Failure::Failed(String::from("the service lost or reordered operations"))),
    }
}

/// Clients play while a server is killed and restarted. Returns the files that must exist.
fn play(
    stage: &Stage,
    children: &mut Children<'_>,
    args: &MetaDemo,
    say: &dyn Fn(&str),
) -> Result<Vec<Key>, Failure> {
    std::thread::scope(|scope| {
        let players: Vec<_> =
            (0..CLIENTS).map(|player| scope.spawn(move || stage.play(player + 1))).collect();
        let mut direct = || {
            sleep(ACTS[0]);
            let (mut victim, mut away, mut pause) = (VICTIM, ACTS[1], Duration::ZERO);
            for kill in 1..=args.kills {
                sleep(pause);
                interrupt::check()?;
                let change = match args.grow {
                    true => Some(scope.spawn(children.begin_change()?)),
                    false => None,
                };
                children.kill(victim);
                let so_far = stage.acknowledged();
                say(&format!("Killed server {victim} after {so_far} acknowledged operations."));
                sleep(away);
                if args.standbys {
                    children.replace(victim)?;
                    say("Deleted its data, promoted its standby, and started a new standby.")
                } else {
                    children.restart(victim)?;
                    say(&format!("Restarted server {victim}."))
                }
                if let Some(change) = change {
                    let changed = change.join().expect("it does not panic");
                    say(&children.end_change(changed.map_err(Failure::Failed)?)?)
                }
                let draws = mixed(u64::from(kill));
                victim = usize::try_from(draws % SERVERS as u64).expect("below three");
                away = Duration::from_millis(draws >> 8 & 0xff);
                pause = Duration::from_millis(draws >> 16 & 0x1ff)
            }
            sleep(ACTS[2]);
            interrupt::check()
        };
        let directed = direct();
        stage.is_over.store(true, Ordering::Relaxed);
        let played: Vec<_> = players.into_iter().map(|player| player.join()).collect();
        // Without a server the clients fail, too.
        directed?;
        let mut kept = Vec::new();
        for played in played {
            kept.extend(played.map_err(|_| Failure::Failed("a client panicked".into()))??)
        }
        Ok(kept)
    })
}
