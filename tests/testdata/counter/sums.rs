// Generic and dynamic calls, strings, a map, a panic that is caught.
use std::collections::BTreeMap;
trait Shape {
    fn area(&self) -> u64;
}
struct Square(u64);
struct Oblong(u64, u64);
impl Shape for Square {
    fn area(&self) -> u64 {
        self.0 * self.0
    }
}
impl Shape for Oblong {
    fn area(&self) -> u64 {
        self.0 * self.1
    }
}
fn deep(n: u64) -> u64 {
    if n == 0 { std::hint::black_box(1) } else { deep(n - 1) + n }
}
fn main() {
    let mut words: BTreeMap<String, u64> = BTreeMap::new();
    for i in 0..200u64 {
        *words.entry(format!("word {}", i * 7 % 31)).or_insert(0) += deep(i % 20);
    }
    let shapes: Vec<Box<dyn Shape>> = (1..50).map(|i| -> Box<dyn Shape> {
        if i % 3 == 0 { Box::new(Square(i)) } else { Box::new(Oblong(i, 2)) }
    }).collect();
    std::panic::set_hook(Box::new(|_| {}));
    let caught = std::panic::catch_unwind(|| std::hint::black_box(&[1, 2, 3][..])[std::hint::black_box(7)]).is_err();
    println!("{} {} {}", words.values().sum::<u64>(), shapes.iter().map(|s| s.area()).sum::<u64>(), caught);
}
