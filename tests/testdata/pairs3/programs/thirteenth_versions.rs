extern crate semver;
use semver::Version;

// Versions, many of them alike, put in order.
fn main() {
    let mut all = Vec::new();
    let mut state: u32 = 3;
    for _ in 0..1500 {
        state = state.wrapping_mul(1664525).wrapping_add(1013904223);
        let drawn = state >> 12;
        let text = if drawn % 3 == 0 { format!("1.{}.0", drawn % 2) } else { format!("1.{}.0-rc.{}+b.{}", drawn % 2, drawn / 7 % 3, drawn / 5 % 2) };
        all.push(Version::parse(&text).unwrap());
    }
    all.sort();
    println!("{} {}", all[0], all[all.len() - 1]);
}
