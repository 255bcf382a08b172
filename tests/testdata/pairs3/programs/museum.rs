// A museum's catalogue: pieces are read, grouped by room, sorted and listed (pairs_eleventh.toml).
use std::collections::{BTreeMap, HashSet};
use std::fmt::Write;

#[derive(Clone)]
struct Piece {
    name: String,
    maker: String,
    year: u32,
    room: u32,
}

#[inline(never)]
fn piece_of(number: u32) -> Piece {
    let makers = ["van Eyck", "Gentileschi", "Hokusai", "Kauffmann", "an unknown hand"];
    let kinds = ["portrait of a merchant", "view of the harbour", "still life with lemons", "study of hands"];
    let noise = number.wrapping_mul(2654435761) >> 8;
    Piece {
        name: format!("{} no. {}", kinds[(noise % 4) as usize], noise % 613),
        maker: makers[(noise / 4 % 5) as usize].to_string(),
        year: 1400 + noise % 520,
        room: noise / 16 % 14,
    }
}

#[cfg(key_cloned)]
#[inline(never)]
fn sorted(pieces: &mut Vec<Piece>) {
    pieces.sort_by_key(|piece| (piece.name.clone(), piece.year));
}

#[cfg(not(key_cloned))]
#[inline(never)]
fn sorted(pieces: &mut Vec<Piece>) {
    pieces.sort_by(|a, b| a.name.cmp(&b.name).then(a.year.cmp(&b.year)));
}

#[cfg(seen_by_list)]
#[inline(never)]
fn names_once(pieces: &[Piece]) -> usize {
    let mut seen: Vec<&str> = Vec::new();
    for piece in pieces {
        if !seen.contains(&piece.name.as_str()) {
            seen.push(&piece.name);
        }
    }
    seen.len()
}

#[cfg(not(seen_by_list))]
#[inline(never)]
fn names_once(pieces: &[Piece]) -> usize {
    let mut seen: HashSet<&str> = HashSet::new();
    for piece in pieces {
        seen.insert(&piece.name);
    }
    seen.len()
}

#[inline(never)]
fn listed(rooms: &BTreeMap<u32, Vec<Piece>>) -> String {
    let mut text = String::new();
    for (room, pieces) in rooms {
        writeln!(text, "Room {}", room).unwrap();
        for piece in pieces {
            writeln!(text, "  {} ({}, {})", piece.name, piece.maker, piece.year).unwrap();
        }
    }
    text
}

fn main() {
    let mut rooms: BTreeMap<u32, Vec<Piece>> = BTreeMap::new();
    let mut all = Vec::new();
    for number in 0..1500 {
        let piece = piece_of(number);
        rooms.entry(piece.room).or_default().push(piece.clone());
        all.push(piece);
    }
    for pieces in rooms.values_mut() {
        sorted(pieces);
    }
    println!("{} {}", listed(&rooms).len(), names_once(&all));
}
