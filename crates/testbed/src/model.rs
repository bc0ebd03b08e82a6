//! A disk as in its data sheet: the duration of each request, as pure arithmetic over given times.
use cluster::catalogue::CatalogueDisk;
use units::{Bytes, BytesPerSec, Nanos, floored_u64};

/// Track-to-track seek: HGST Ultrastar 7K4000 specification §4.4.1.
const NEXT_TRACK: Nanos = Nanos::micros(600);

/// Mean of √|a − b| of two random positions on a disk of length 1, as a fraction: 8/15.
const MEAN_ROOT: (u64, u64) = (8, 15);

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Order {
    /// Shortest access time among the oldest 32, as drives with a queue.
    #[default]
    Nearest,
    /// The oldest, as drives without a queue.
    FirstCome,
}

/// Requests that a drive can reorder.
const QUEUE: usize = 32;

/// No request waits longer while others pass it.
const PATIENCE: Nanos = Nanos::secs(1);

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Request {
    pub at: u64,
    pub size: u64,
    pub arrival: Nanos,
}

/// A disk with one head: seek (grows as the root of the distance), rotation, and track rate; an SSD
/// only has the rate.
///
/// The full stroke is the disk's size, even of a small disk: random requests over all of it take
/// the times of the data sheet.
#[derive(Clone, Debug)]
pub struct Disk {
    size: u64,
    rate: BytesPerSec,
    next_track: Nanos,
    /// Additional time of a seek over the entire disk, beyond track-to-track.
    stroke: Nanos,
    turn: Nanos,
    order: Order,
    /// Position after the last byte moved.
    head: u64,
    /// Completion time of all requests so far.
    free: Nanos,
}

impl Disk {
    /// A disk of the catalogue with this size.
    pub fn new(of: &CatalogueDisk, size: Bytes, order: Order) -> Disk {
        let seek = of.seek.saturating_sub(Nanos(of.turn.0 / 2));
        let next_track = NEXT_TRACK.min(seek);
        Disk {
            size: size.0,
            rate: of.rate,
            next_track,
            stroke: Nanos((seek - next_track).0 * MEAN_ROOT.1 / MEAN_ROOT.0),
            turn: of.turn,
            order,
            head: 0,
            free: Nanos::ZERO,
        }
    }

    /// Index of the next request in `waiting`, which is ordered by arrival.
    pub fn next(&self, waiting: &[Request]) -> usize {
        let start = |request: &Request| self.free.max(request.arrival);
        let waited = waiting.first().map_or(Nanos::ZERO, |r| start(r).saturating_sub(r.arrival));
        if self.order == Order::FirstCome || waited > PATIENCE {
            return 0;
        }
        let known = waiting.iter().take(QUEUE).enumerate();
        let reached = |request: &Request| start(request) + self.way(request.at, start(request));
        known.min_by_key(|(_, request)| reached(request)).map_or(0, |(place, _)| place)
    }

    /// Returns the completion time. Sequential requests need no positioning: for up to one rotation
    /// the drive reads ahead into its buffer and gathers writes.
    pub fn serve(&mut self, request: Request) -> Nanos {
        let start = self.free.max(request.arrival);
        let moved = self.rate.time_for(Bytes(request.size));
        let end = match request.at == self.head {
            true => {
                let ahead = self.free.max(request.arrival.saturating_sub(self.turn));
                start.max(ahead + moved)
            }
            false => start + self.way(request.at, start) + moved,
        };
        self.head = request.at + request.size;
        self.free = end;
        end
    }

    /// Positioning time until the byte passes the head.
    fn way(&self, to: u64, start: Nanos) -> Nanos {
        if to == self.head {
            return Nanos::ZERO;
        }
        let seek = self.seek(to.abs_diff(self.head));
        if self.turn == Nanos::ZERO {
            return seek;
        }
        // A byte passes the head once per rotation, at the transfer time of all bytes before it.
        let passes = self.rate.time_for(Bytes(to)).0 % self.turn.0;
        let arrives = (start + seek).0 % self.turn.0;
        seek + Nanos((passes + self.turn.0 - arrives) % self.turn.0)
    }

    fn seek(&self, distance: u64) -> Nanos {
        let track = self.rate.bytes_in(self.turn).0;
        if distance < track {
            return Nanos::ZERO;
        }
        let part = (distance as f64 / self.size as f64).min(1.0).sqrt();
        self.next_track + Nanos(floored_u64(self.stroke.0 as f64 * part))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cluster::catalogue;

    const GIB: u64 = 1 << 30;

    fn disk(order: Order) -> Disk {
        let of = catalogue::disk("hdd-7200").expect("it is there");
        Disk::new(of, Bytes(8 * GIB), order)
    }

    /// Random places on the disk, the same each time.
    fn places() -> impl Iterator<Item = u64> {
        let mut state = 1u64;
        std::iter::repeat_with(move || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040);
            (state >> 33) % (8 * GIB / 4096) * 4096
        })
    }

    /// Requests per second with `outstanding` random 4 KiB requests.
    fn random(order: Order, outstanding: usize) -> f64 {
        const REQUESTS: u32 = 20_000;
        let (mut disk, mut places) = (disk(order), places());
        let mut at = |arrival| Request { at: places.next().expect("endless"), size: 4096, arrival };
        let mut waiting: Vec<Request> = (0..outstanding).map(|_| at(Nanos::ZERO)).collect();
        let mut now = Nanos::ZERO;
        for _ in 0..REQUESTS {
            let next = waiting.remove(disk.next(&waiting));
            now = disk.serve(next);
            // The next request arrives with a delay.
            waiting.push(at(now + Nanos::micros(50)));
        }
        f64::from(REQUESTS) / now.as_secs()
    }

    #[test]
    fn a_sequence_runs_at_the_rate() {
        let mut disk = disk(Order::Nearest);
        let mut now = Nanos::ZERO;
        for block in 0..1000 {
            // Each request follows the completion of the last with a delay.
            now = disk.serve(Request {
                at: block << 20,
                size: 1 << 20,
                arrival: now + Nanos(80_000),
            });
        }
        let rate = (1000u64 << 20) as f64 / now.as_secs();
        assert!((rate / 150e6 - 1.0).abs() < 0.001, "{rate}");
    }

    #[test]
    fn random_reads_take_a_mean_seek_and_half_a_turn() {
        let each = 0.01236 + 50e-6 + 4096.0 / 150e6;
        for order in [Order::Nearest, Order::FirstCome] {
            let rate = random(order, 1);
            assert!((rate * each - 1.0).abs() < 0.01, "{order:?}: {rate}");
        }
        let rate = random(Order::FirstCome, 32);
        assert!((rate * (each - 50e-6) - 1.0).abs() < 0.01, "a queue without choice: {rate}");
    }

    #[test]
    fn a_drive_that_may_choose_serves_about_three_times_as_many() {
        let rate = random(Order::Nearest, 32);
        assert!((200.0..280.0).contains(&rate), "{rate}");
    }

    #[test]
    fn no_request_waits_for_ever() {
        let mut disk = disk(Order::Nearest);
        let far = Request { at: 4 * GIB, size: 4096, arrival: Nanos::ZERO };
        let mut stream = Request { at: 0, size: 1 << 20, arrival: Nanos::ZERO };
        let mut passed = 0;
        while disk.next(&[far, stream]) == 1 {
            disk.serve(stream);
            stream = Request { at: stream.at + stream.size, ..stream };
            passed += 1;
        }
        assert_eq!(passed, 1 + 150_000_000 / (1 << 20), "a second of the sequence");
    }

    #[test]
    fn what_is_read_ahead_is_a_turn_at_most() {
        let mut disk = disk(Order::Nearest);
        let block = |at: u64, arrival: Nanos| Request { at: at << 20, size: 1 << 20, arrival };
        let first = disk.serve(block(0, Nanos::ZERO));
        let later = first + Nanos::secs(1);
        assert_eq!(disk.serve(block(1, later)), later, "it lies in the buffer");
        let second = disk.serve(block(2, later));
        assert_eq!((second - later).0, 6_990_507, "the buffer is empty");
    }

    #[test]
    fn what_has_no_seek_has_only_a_rate() {
        let of = catalogue::disk("ssd-sata").expect("it is there");
        let mut disk = Disk::new(of, Bytes(GIB), Order::Nearest);
        let request = Request { at: GIB / 2, size: 490_000, arrival: Nanos::ZERO };
        assert_eq!(disk.serve(request), Nanos::millis(1));
        assert_eq!(disk.serve(Request { at: 0, ..request }), Nanos::millis(2));
    }
}
