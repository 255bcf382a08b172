// An orchard's harvest: baskets are read, weighed, queued for the press, and told of.
use std::collections::{HashMap, VecDeque};

struct Basket {
    row: u32,
    kind: String,
    weight: u64,
}

fn text_of_day(lines: usize) -> String {
    let kinds = ["boskoop", "cox orange", "elstar", "gravenstein", "jonagold", "topaz"];
    let mut text = String::new();
    let mut state: u32 = 9;
    for _ in 0..lines {
        state = state.wrapping_mul(1103515245).wrapping_add(12345);
        let drawn = state >> 16;
        text.push_str(&format!("{}:{}:{}\n", drawn % 600, kinds[(drawn % 6) as usize], 900 + drawn % 4000));
    }
    text
}

#[inline(never)]
fn number_of(text: &str) -> u64 {
    let mut number = 0;
    #[cfg(by_nth)]
    for i in 0..text.chars().count() {
        number = number * 10 + text.chars().nth(i).unwrap().to_digit(10).unwrap_or(0) as u64;
    }
    #[cfg(not(by_nth))]
    for c in text.chars() {
        number = number * 10 + c.to_digit(10).unwrap_or(0) as u64;
    }
    number
}

#[inline(never)]
fn read(text: &str) -> Vec<Basket> {
    let mut baskets = Vec::new();
    for line in text.lines() {
        let mut parts = line.split(':');
        let row = number_of(parts.next().unwrap()) as u32;
        let kind = parts.next().unwrap().to_string();
        let weight = number_of(parts.next().unwrap());
        baskets.push(Basket { row, kind, weight });
    }
    baskets
}

#[inline(never)]
fn weighed(baskets: &[Basket]) -> HashMap<String, u64> {
    let mut sums: HashMap<String, u64> = HashMap::new();
    for basket in baskets {
        #[cfg(key_made)]
        {
            *sums.entry(format!("{}/{}", basket.row, basket.kind)).or_insert(0) += basket.weight;
        }
        #[cfg(not(key_made))]
        {
            if let Some(sum) = sums.get_mut(&basket.kind) {
                *sum += basket.weight;
            } else {
                sums.insert(basket.kind.clone(), basket.weight);
            }
        }
    }
    sums
}

#[inline(never)]
fn pressed(baskets: &[Basket]) -> u64 {
    let mut juice = 0;
    #[cfg(queue_by_vec)]
    let mut queue: Vec<u64> = baskets.iter().map(|b| b.weight).collect();
    #[cfg(not(queue_by_vec))]
    let mut queue: VecDeque<u64> = baskets.iter().map(|b| b.weight).collect();
    while !queue.is_empty() {
        #[cfg(queue_by_vec)]
        let weight = queue.remove(0);
        #[cfg(not(queue_by_vec))]
        let weight = queue.pop_front().unwrap();
        if weight > 4000 {
            #[cfg(queue_by_vec)]
            queue.push(weight / 3);
            #[cfg(not(queue_by_vec))]
            queue.push_back(weight / 3);
        }
        juice += weight * 7 / 10;
    }
    juice
}

#[inline(never)]
fn smoothed(baskets: &[Basket]) -> Vec<u64> {
    let mut rows = vec![0u64; 600];
    for basket in baskets {
        rows[basket.row as usize] += basket.weight;
    }
    for _ in 0..60 {
        for i in 1..rows.len() - 1 {
            rows[i] = (rows[i - 1] + rows[i] * 2 + rows[i + 1]) / 4;
        }
    }
    rows
}

fn main() {
    let text = text_of_day(8000);
    let baskets = read(&text);
    let sums = weighed(&baskets);
    let juice = pressed(&baskets);
    let rows = smoothed(&baskets);
    println!("{} kinds, {} juice, {} at most", sums.len(), juice, rows.iter().max().unwrap());
    let _: VecDeque<u8> = VecDeque::new();
}
