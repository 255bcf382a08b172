// Keeps the bids of an auction and says who leads (pairs_eighth.toml).
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

#[derive(Clone)]
struct Bid {
    bidder: String,
    lot: u32,
    amount: u64,
}

#[allow(dead_code)]
#[derive(Default)]
struct Simple(u64);

impl Hasher for Simple {
    fn finish(&self) -> u64 {
        self.0
    }
    fn write(&mut self, bytes: &[u8]) {
        for &b in bytes {
            self.0 = (self.0.rotate_left(5) ^ u64::from(b)).wrapping_mul(0x517c_c1b7_2722_0a95);
        }
    }
    fn write_u32(&mut self, n: u32) {
        self.0 = (self.0.rotate_left(5) ^ u64::from(n)).wrapping_mul(0x517c_c1b7_2722_0a95);
    }
}

#[cfg(simple_hash)]
type Best = HashMap<u32, u64, BuildHasherDefault<Simple>>;
#[cfg(not(simple_hash))]
type Best = HashMap<u32, u64, BuildHasherDefault<std::collections::hash_map::DefaultHasher>>;

#[inline(never)]
fn best_of_each(bids: &[Bid]) -> Best {
    let mut best = Best::default();
    for bid in bids {
        let most = best.entry(bid.lot).or_insert(0);
        if bid.amount > *most {
            *most = bid.amount;
        }
    }
    best
}

#[cfg(not(cloned))]
#[inline(never)]
fn names_above(bids: &[Bid], least: u64) -> usize {
    let mut letters = 0;
    for bid in bids {
        if bid.amount >= least {
            letters += bid.bidder.len();
        }
    }
    letters
}

#[cfg(cloned)]
#[inline(never)]
fn names_above(bids: &[Bid], least: u64) -> usize {
    let mut letters = 0;
    let chosen: Vec<Bid> = bids.iter().cloned().filter(|bid| bid.amount >= least).collect();
    for bid in chosen {
        letters += bid.bidder.len();
    }
    letters
}

#[inline(never)]
fn rank(bids: &mut [Bid]) -> u64 {
    bids.sort_by(|a, b| b.amount.cmp(&a.amount).then_with(|| a.bidder.cmp(&b.bidder)));
    bids.iter().take(10).map(|bid| bid.amount).sum()
}

#[inline(never)]
fn checksum(bids: &[Bid]) -> u64 {
    let mut sum = 0u64;
    for bid in bids {
        for b in bid.bidder.bytes() {
            sum = (sum * 31 + u64::from(b)) % 1_000_000_007;
        }
    }
    sum
}

fn main() {
    let mut bids: Vec<Bid> = (0..4000u32)
        .map(|i| Bid { bidder: format!("bidder {} of the room", i % 211), lot: i * 37 % 700, amount: u64::from(i) * 7919 % 50_021 })
        .collect();
    let best: u64 = best_of_each(&bids).values().sum();
    let letters = names_above(&bids, 30_000);
    let sum = checksum(&bids);
    println!("{} {} {} {}", best, letters, rank(&mut bids), sum);
}
