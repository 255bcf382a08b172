// An observatory's night: exposures are read, smoothed by filters, counted by star, and a catalogue is written.
#[cfg(not(stars_in_tree))]
use std::collections::HashMap;
#[cfg(stars_in_tree)]
use std::collections::BTreeMap;

#[derive(Clone)]
struct Exposure {
    star: String,
    frame: u32,
    counts: Vec<u32>,
}

struct Dice(u32);

impl Dice {
    fn below(&mut self, limit: u32) -> u32 {
        self.0 = self.0.wrapping_mul(1664525).wrapping_add(1013904223);
        (self.0 >> 10) % limit
    }
}

#[inline(never)]
fn night(frames: u32) -> Vec<Exposure> {
    let names = ["aldebaran", "betelgeuse", "capella", "deneb", "fomalhaut", "regulus", "vega"];
    let mut dice = Dice(77);
    (0..frames)
        .map(|frame| Exposure {
            star: format!("{}-{}", names[dice.below(7) as usize], dice.below(60)),
            frame,
            counts: (0..48).map(|_| 100 + dice.below(4000)).collect(),
        })
        .collect()
}

// ---- filters, each of which makes one value of three
trait Filter {
    fn of(&self, before: u32, here: u32, behind: u32) -> u32;
}

struct Mean;
struct Middle;
struct Sharpened {
    by: u32,
}

impl Filter for Mean {
    #[cfg_attr(filters_boxed, inline(never))]
    fn of(&self, before: u32, here: u32, behind: u32) -> u32 {
        (before + 2 * here + behind) / 4
    }
}

impl Filter for Middle {
    #[cfg_attr(filters_boxed, inline(never))]
    fn of(&self, before: u32, here: u32, behind: u32) -> u32 {
        before.max(here).min(before.min(here).max(behind))
    }
}

impl Filter for Sharpened {
    #[cfg_attr(filters_boxed, inline(never))]
    fn of(&self, before: u32, here: u32, behind: u32) -> u32 {
        (here * (self.by + 2)).saturating_sub((before + behind) * self.by / 2) / 2
    }
}

#[cfg(filters_boxed)]
#[inline(never)]
fn filtered(counts: &[u32], filter: &dyn Filter) -> Vec<u32> {
    let mut out = counts.to_vec();
    for i in 1..counts.len() - 1 {
        out[i] = filter.of(counts[i - 1], counts[i], counts[i + 1]);
    }
    out
}

#[cfg(not(filters_boxed))]
#[inline(never)]
fn filtered<F: Filter>(counts: &[u32], filter: &F) -> Vec<u32> {
    let mut out = counts.to_vec();
    for i in 1..counts.len() - 1 {
        out[i] = filter.of(counts[i - 1], counts[i], counts[i + 1]);
    }
    out
}

#[inline(never)]
fn smoothed(counts: &[u32]) -> Vec<u32> {
    let once = filtered(counts, &Middle);
    let twice = filtered(&once, &Mean);
    filtered(&twice, &Sharpened { by: 2 })
}

// ---- what lies behind a star
#[cfg(sorted_whole)]
#[inline(never)]
fn background(counts: &[u32]) -> u32 {
    let mut sum = 0;
    for i in 0..counts.len() - 8 {
        let mut window: Vec<u32> = counts[i..i + 8].to_vec();
        window.sort();
        sum += window[4];
    }
    sum / counts.len() as u32
}

#[cfg(not(sorted_whole))]
#[inline(never)]
fn background(counts: &[u32]) -> u32 {
    let mut sum = 0;
    let mut window: Vec<u32> = counts[..8].to_vec();
    window.sort();
    for i in 0..counts.len() - 8 {
        sum += window[4];
        let gone = window.binary_search(&counts[i]).unwrap();
        window.remove(gone);
        let place = window.partition_point(|&one| one < counts[i + 8]);
        window.insert(place, counts[i + 8]);
    }
    sum / counts.len() as u32
}

// ---- sums by star
#[cfg(not(stars_in_tree))]
type Stars = HashMap<String, (u64, u32)>;
#[cfg(stars_in_tree)]
type Stars = BTreeMap<String, (u64, u32)>;

#[inline(never)]
fn add(stars: &mut Stars, star: &str, light: u64) {
    for part in 0..6 {
        if let Some(sum) = stars.get_mut(star) {
            sum.0 += light + part;
            sum.1 += 1;
        } else {
            stars.insert(star.to_string(), (light, 1));
        }
    }
}

#[cfg(exposures_cloned)]
#[inline(never)]
fn brightest(exposures: Vec<Exposure>, limit: u32) -> usize {
    exposures.iter().filter(|one| one.counts.iter().any(|&count| count > limit)).count()
}

#[cfg(not(exposures_cloned))]
#[inline(never)]
fn brightest(exposures: &[Exposure], limit: u32) -> usize {
    exposures.iter().filter(|one| one.counts.iter().any(|&count| count > limit)).count()
}

#[inline(never)]
fn limits(exposures: &Vec<Exposure>) -> usize {
    let mut sum = 0;
    for limit in (3500..4100).step_by(50) {
        #[cfg(exposures_cloned)]
        {
            sum += brightest(exposures.clone(), limit);
        }
        #[cfg(not(exposures_cloned))]
        {
            sum += brightest(exposures, limit);
        }
    }
    sum
}

#[inline(never)]
fn catalogue(stars: &Stars) -> String {
    let mut names: Vec<&String> = stars.keys().collect();
    names.sort();
    let mut text = String::new();
    for name in names {
        let (light, frames) = stars[name];
        text.push_str(&format!("{:<16} {:>10} {:>5}\n", name, light, frames));
    }
    text
}

fn main() {
    let exposures = night(2000);
    let mut stars = Stars::new();
    let mut behind: u64 = 0;
    for one in &exposures {
        let counts = smoothed(&one.counts);
        let dark = background(&counts);
        behind += dark as u64;
        let light: u64 = counts.iter().map(|&count| count.saturating_sub(dark) as u64).sum();
        add(&mut stars, &one.star, light + (one.frame % 3) as u64);
    }
    let bright = limits(&exposures);
    let text = catalogue(&stars);
    println!("{} stars, {} behind, {} bright, {} characters", stars.len(), behind, bright, text.len());
}
