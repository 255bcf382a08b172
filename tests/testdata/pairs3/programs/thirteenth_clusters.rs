extern crate unicode_segmentation;
use unicode_segmentation::UnicodeSegmentation;

// Words with accents among plain ones.
fn main() {
    let mut text = String::new();
    for i in 0..250 {
        text.push_str(&format!("déjà vu — à la carte, où? ça va n° {} … naïve façade\r\n", i));
    }
    println!("{}", text.graphemes(true).count());
}
