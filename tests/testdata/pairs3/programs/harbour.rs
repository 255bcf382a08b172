// Ships wait before a harbour; berths are given in order, cargo is summed by owner (pairs_ninth.toml).
use std::collections::HashMap;
#[cfg(not(from_front))]
use std::collections::VecDeque;

#[derive(Clone)]
struct Ship {
    name: String,
    owner: String,
    cargo: u64,
    length: u32,
}

fn ships(count: u32) -> Vec<Ship> {
    let mut seed: u32 = 9;
    (0..count)
        .map(|i| {
            seed = seed.wrapping_mul(1_103_515_245).wrapping_add(12345);
            Ship { name: format!("ship {}", i), owner: format!("owner with a long name {}", (seed >> 16) % 60), cargo: u64::from(seed >> 20), length: 40 + (seed >> 24) }
        })
        .collect()
}

#[cfg(from_front)]
#[inline(never)]
fn berthed(waiting: &[Ship]) -> u64 {
    let mut queue: Vec<u64> = waiting.iter().map(|ship| ship.cargo * 1000 + u64::from(ship.length)).collect();
    let mut sum = 0;
    while !queue.is_empty() {
        let next = queue.remove(0);
        sum += next % 997;
        if next % 3 == 0 && next > 3 {
            queue.push(next / 3);
        }
    }
    sum
}

#[cfg(not(from_front))]
#[inline(never)]
fn berthed(waiting: &[Ship]) -> u64 {
    let mut queue: VecDeque<u64> = waiting.iter().map(|ship| ship.cargo * 1000 + u64::from(ship.length)).collect();
    let mut sum = 0;
    while let Some(next) = queue.pop_front() {
        sum += next % 997;
        if next % 3 == 0 && next > 3 {
            queue.push_back(next / 3);
        }
    }
    sum
}

#[cfg(owned_keys)]
#[inline(never)]
fn cargo_by_owner(ships: &[Ship]) -> HashMap<String, u64> {
    let mut sums = HashMap::new();
    for ship in ships {
        *sums.entry(ship.owner.clone()).or_insert(0) += ship.cargo;
    }
    sums
}

#[cfg(not(owned_keys))]
#[inline(never)]
fn cargo_by_owner(ships: &[Ship]) -> HashMap<String, u64> {
    let mut sums: HashMap<String, u64> = HashMap::new();
    for ship in ships {
        if let Some(sum) = sums.get_mut(ship.owner.as_str()) {
            *sum += ship.cargo;
        } else {
            sums.insert(ship.owner.clone(), ship.cargo);
        }
    }
    sums
}

#[inline(never)]
fn longest_first(ships: &[Ship]) -> usize {
    let mut sorted: Vec<&Ship> = ships.iter().collect();
    sorted.sort_by(|a, b| b.length.cmp(&a.length).then_with(|| a.name.cmp(&b.name)));
    sorted[0].name.len()
}

fn main() {
    let all = ships(2500);
    let mut sum = 0;
    for round in 0..4 {
        sum += cargo_by_owner(&all).values().max().copied().unwrap_or(0) + round;
    }
    sum += berthed(&all) + longest_first(&all) as u64;
    println!("{}", sum);
}
