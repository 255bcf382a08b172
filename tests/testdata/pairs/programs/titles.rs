// Makes identifiers of generated titles.

#[cfg(not(by_position))]
#[inline(never)]
fn identifier(title: &str) -> String {
    let mut out = String::with_capacity(title.len());
    for c in title.chars() {
        if c.is_alphanumeric() {
            out.push(c);
        } else if !out.ends_with('-') {
            out.push('-');
        }
    }
    out
}

#[cfg(by_position)]
#[inline(never)]
fn identifier(title: &str) -> String {
    let mut out = String::with_capacity(title.len());
    for i in 0..title.chars().count() {
        let c = title.chars().nth(i).unwrap();
        if c.is_alphanumeric() {
            out.push(c);
        } else if !out.ends_with('-') {
            out.push('-');
        }
    }
    out
}

#[inline(never)]
fn write_page(titles: &[String]) -> String {
    let mut out = String::new();
    for title in titles {
        out.push_str("<a id=\"");
        out.push_str(&identifier(title));
        out.push_str("\">");
        out.push_str(title);
        out.push_str("</a>\n");
    }
    out
}

fn main() {
    let titles: Vec<String> = (0..400).map(|i| format!("Chapter {}: what happens, and why it is so (part {})", i, i % 7)).collect();
    println!("{}", write_page(&titles).len());
}
