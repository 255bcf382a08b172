extern crate textwrap;

// Many short lines and a few long ones.
fn main() {
    let mut text = String::new();
    for i in 0..600 {
        text.push_str(&format!("line {} of the log of a ship\n", i));
        if i % 20 == 0 {
            text.push_str("a line that tells more of what came to pass, so that it does not fit into the width and has to be broken\n");
        }
    }
    let lines = textwrap::wrap(&text, 60);
    println!("{}", lines.len());
}
