// Parses short requests (pairs_eleventh.toml).
extern crate httparse;

fn main() {
    let texts: [&[u8]; 3] = [
        b"GET / HTTP/1.1\r\nHost: a.example\r\n\r\n",
        b"POST /form HTTP/1.1\r\nHost: a.example\r\nContent-Length: 0\r\n\r\n",
        b"GET /list?of=things HTTP/1.1\r\nHost: b.example\r\nAccept: */*\r\n\r\n",
    ];
    let mut sum = 0;
    for round in 0..6000 {
        let mut headers = [httparse::EMPTY_HEADER; 8];
        let mut request = httparse::Request::new(&mut headers);
        let done = request.parse(texts[round % 3]).unwrap();
        sum += done.unwrap() + request.method.unwrap().len();
    }
    println!("{}", sum);
}
