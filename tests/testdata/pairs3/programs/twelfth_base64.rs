// A text, packed and unpacked again.
extern crate base64;

fn main() {
    let mut bytes = Vec::new();
    let mut state: u32 = 3;
    for _ in 0..30000 {
        state = state.wrapping_mul(1103515245).wrapping_add(12345);
        bytes.push((state >> 16) as u8);
    }
    let text = base64::encode(&bytes);
    let mut sum = 0usize;
    for _ in 0..10 {
        sum += match base64::decode(&text) {
            Ok(back) => back.len(),
            Err(_) => 0,
        };
    }
    println!("{}", sum);
}
