// Distances between the names of a register (pairs_eleventh.toml).
extern crate strsim;

fn names() -> Vec<String> {
    let firsts = ["margaret", "jonathan", "elisabeth", "friedrich", "katherine"];
    let lasts = ["underwood", "ferryman", "hallgarten", "lindqvist", "oswaldson", "pemberton"];
    let mut all = Vec::new();
    for (i, first) in firsts.iter().enumerate() {
        for (j, last) in lasts.iter().enumerate() {
            all.push(format!("{} {} of the {}th house", first, last, i * 7 + j));
        }
    }
    all
}

fn main() {
    let all = names();
    let mut sum = 0;
    for a in &all {
        for b in &all {
            #[cfg(by_osa)]
            {
                sum += strsim::osa_distance(a, b);
            }
            #[cfg(not(by_osa))]
            {
                sum += strsim::levenshtein(a, b);
            }
        }
    }
    println!("{}", sum);
}
