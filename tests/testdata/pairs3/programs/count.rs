// Counts the words of generated lines.
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// The hash of Fowler, Noll and Vo.
struct FnvHasher(u64);

impl Default for FnvHasher {
    fn default() -> Self {
        FnvHasher(0xcbf29ce484222325)
    }
}

impl Hasher for FnvHasher {
    fn finish(&self) -> u64 {
        self.0
    }
    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x100000001b3);
        }
    }
}

#[cfg(not(default_hash))]
type Words = HashMap<String, u32, BuildHasherDefault<FnvHasher>>;
#[cfg(default_hash)]
type Words = HashMap<String, u32, BuildHasherDefault<std::collections::hash_map::DefaultHasher>>;

#[inline(never)]
fn count(words: &mut Words, line: &str) {
    for word in line.split(' ') {
        if let Some(n) = words.get_mut(word) {
            *n += 1;
        } else {
            words.insert(word.to_string(), 1);
        }
    }
}

#[inline(never)]
fn longest(lines: Vec<String>) -> usize {
    lines.iter().map(|line| line.len()).max().unwrap_or(0)
}

#[inline(never)]
fn longest_of(lines: &Vec<String>) -> usize {
    lines.iter().map(|line| line.len()).max().unwrap_or(0)
}

fn main() {
    let lines: Vec<String> = (0..150).map(|i| format!("line {} of some words and a number {}", i, i * i)).collect();
    let mut words = Words::default();
    let mut sum = 0;
    for line in &lines {
        count(&mut words, line);
    }
    for _ in 0..20 {
        sum += if cfg!(clone_each) { longest(lines.clone()) } else { longest_of(&lines) };
    }
    let mut check = FnvHasher::default();
    check.write_usize(sum);
    println!("{} {}", words.len(), check.finish());
}
