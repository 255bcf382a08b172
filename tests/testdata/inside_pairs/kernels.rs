// Small Rust functions whose insides the pairs of pairs.toml change: kernels NAME N runs one of them. A mark (an @ and a name) names its line.

#[inline(never)]
fn run_length(bytes: &[u8], from: usize) -> usize {
    let mut at = from;
    while at < bytes.len() && bytes[at] == bytes[from] { // @run
        at += 1;
    } // @run-end
    at - from
}

fn runs(length: usize) -> usize {
    let bytes: Vec<u8> = (0..12_000).map(|i| (i / length % 251) as u8).collect();
    (0..1_000).map(|i| run_length(&bytes, i * length % 11_900 / length * length)).sum()
}

#[inline(never)]
fn fold(numbers: &[u32]) -> u32 {
    let mut hash = 3u32;
    for &number in numbers { // @fold
        hash = hash.wrapping_mul(31).wrapping_add(number);
        #[cfg(stronger)]
        {
            hash ^= hash >> 11;
            hash = hash.wrapping_mul(0x2545_f491);
        }
    } // @fold-end
    hash
}

fn folds(count: usize) -> usize {
    let numbers: Vec<u32> = (0..1_000u32).map(|i| i * 7 + 1).collect();
    (0..100).map(|_| fold(&numbers[..count]) as usize % 1_000).sum()
}

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let n: usize = arguments[2].parse().unwrap();
    let result = match arguments[1].as_str() {
        "run" => runs(n),
        _ => folds(n),
    };
    println!("{result}");
}
