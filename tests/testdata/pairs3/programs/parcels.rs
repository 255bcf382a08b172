// Parcels are read from lines, charged by tariffs and put on routes (pairs_tenth.toml).
use std::collections::HashMap;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Zone {
    Near,
    Far,
    Abroad,
}

#[derive(Debug)]
struct Parcel {
    number: u32,
    zone: Zone,
    grams: u32,
    sides: [u32; 3],
}

fn zone_in(field: &str) -> Option<Zone> {
    match field {
        "near" => Some(Zone::Near),
        "far" => Some(Zone::Far),
        "abroad" => Some(Zone::Abroad),
        _ => None,
    }
}

fn sides_in(field: &str) -> Option<[u32; 3]> {
    let mut sides = [0; 3];
    let mut parts = field.split('x');
    for side in &mut sides {
        *side = parts.next()?.parse().ok()?;
    }
    parts.next().is_none().then_some(sides)
}

/// A parcel, unless the line does not tell of one.
#[cfg(fields_collected)]
#[inline(never)]
fn parcel_in(line: &str) -> Option<Parcel> {
    let fields: Vec<String> = line.split(';').map(|field| field.trim().to_string()).collect();
    if fields.len() != 4 {
        return None;
    }
    Some(Parcel { number: fields[0].parse().ok()?, zone: zone_in(&fields[1])?, grams: fields[2].parse().ok()?, sides: sides_in(&fields[3])? })
}

#[cfg(not(fields_collected))]
#[inline(never)]
fn parcel_in(line: &str) -> Option<Parcel> {
    let mut fields = line.split(';').map(str::trim);
    let parcel = Parcel { number: fields.next()?.parse().ok()?, zone: zone_in(fields.next()?)?, grams: fields.next()?.parse().ok()?, sides: sides_in(fields.next()?)? };
    fields.next().is_none().then_some(parcel)
}

// What a parcel costs, rule by rule.
trait Rule {
    fn cents(&self, parcel: &Parcel, so_far: u32) -> u32;
}

struct PerKilo(u32);
struct Bulky {
    above: u32,
    cents: u32,
}
struct Surcharge(Zone, u32);

impl Rule for PerKilo {
    fn cents(&self, parcel: &Parcel, so_far: u32) -> u32 {
        so_far + self.0 * parcel.grams.div_ceil(1000)
    }
}

impl Rule for Bulky {
    fn cents(&self, parcel: &Parcel, so_far: u32) -> u32 {
        let longest = parcel.sides.iter().copied().max().unwrap_or(0);
        if longest > self.above { so_far + self.cents } else { so_far }
    }
}

impl Rule for Surcharge {
    fn cents(&self, parcel: &Parcel, so_far: u32) -> u32 {
        if parcel.zone == self.0 { so_far + self.1 } else { so_far }
    }
}

#[cfg(rules_boxed)]
fn rules() -> Vec<Box<dyn Rule>> {
    vec![Box::new(PerKilo(90)), Box::new(Bulky { above: 60, cents: 250 }), Box::new(Surcharge(Zone::Abroad, 900)), Box::new(Surcharge(Zone::Far, 150))]
}

#[cfg(rules_boxed)]
#[inline(never)]
fn income(parcels: &[Parcel], rules: &[Box<dyn Rule>]) -> u64 {
    parcels.iter().map(|parcel| u64::from(rules.iter().fold(250, |cents, rule| rule.cents(parcel, cents)))).sum()
}

#[cfg(not(rules_boxed))]
fn rules() -> (PerKilo, Bulky, Surcharge, Surcharge) {
    (PerKilo(90), Bulky { above: 60, cents: 250 }, Surcharge(Zone::Abroad, 900), Surcharge(Zone::Far, 150))
}

#[cfg(not(rules_boxed))]
#[inline(never)]
fn income(parcels: &[Parcel], rules: &(PerKilo, Bulky, Surcharge, Surcharge)) -> u64 {
    parcels
        .iter()
        .map(|parcel| {
            let cents = rules.0.cents(parcel, 250);
            let cents = rules.1.cents(parcel, cents);
            let cents = rules.2.cents(parcel, cents);
            u64::from(rules.3.cents(parcel, cents))
        })
        .sum()
}

/// How many parcels each route has.
#[inline(never)]
fn routes(parcels: &[Parcel]) -> HashMap<u32, u32> {
    let mut counts = HashMap::new();
    for parcel in parcels {
        *counts.entry(parcel.number % 97).or_insert(0) += 1;
    }
    counts
}

fn lines(count: u32) -> Vec<String> {
    let mut state: u32 = 3;
    (0..count)
        .map(|i| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let zone = ["near", "far", "abroad"][(state >> 20) as usize % 3];
            format!("{}; {}; {}; {}x{}x{}", i, zone, 100 + (state >> 16) % 9000, 5 + (state >> 8) % 80, 5 + (state >> 12) % 40, 9)
        })
        .collect()
}

fn main() {
    let lines = lines(1500);
    let parcels: Vec<Parcel> = lines.iter().filter_map(|line| parcel_in(line)).collect();
    let rules = rules();
    let mut sum = 0;
    for _ in 0..40 {
        sum += income(&parcels, &rules);
    }
    let most = routes(&parcels).values().copied().max().unwrap_or(0);
    println!("{} parcels, {} cents, {}", parcels.len(), sum, most);
}
