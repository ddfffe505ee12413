//! What a browser has to load before it shows anything, as this server sends it.

mod http_support;

use http_support::Server;
use std::{collections::BTreeSet, path::Path};
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpStream,
};

/// On a line of a megabit a second or so: a bit more than a second.
const LIMIT: usize = 150_000;

/// Bytes of a file's body as they go over the line to a browser, which takes what is compressed.
async fn weight(server: &Server, path: &str) -> usize {
    let mut stream = TcpStream::connect(server.address).await.expect("a connection");
    let request = format!(
        "GET {path} HTTP/1.1\r\nHost: {}\r\nAccept-Encoding: gzip, deflate, br, zstd\r\nConnection: close\r\n\r\n",
        server.address
    );
    stream.write_all(request.as_bytes()).await.expect("it takes a request");
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).await.expect("an answer");
    let head = answer.windows(4).position(|bytes| bytes == b"\r\n\r\n").expect("a head") + 4;
    let said = String::from_utf8_lossy(&answer[..head]).to_lowercase();
    assert!(said.starts_with("http/1.1 200"), "{path}: {said}");
    // The smallest are sent as they are.
    let small = answer.len() < 2000;
    assert!(small || said.contains("content-encoding: gzip"), "{path} is not compressed: {said}");
    answer.len() - head
}

/// All paths in quotation marks that a file names, of those that there are.
fn named<'a>(text: &str, all: &'a BTreeSet<String>) -> impl Iterator<Item = &'a String> {
    let text = text.to_owned();
    all.iter().filter(move |path| {
        let name = path.rsplit('/').next().unwrap_or(path);
        ["\"", "'", "`"].iter().any(|quote| text.contains(&format!("/{name}{quote}")))
    })
}

fn read(dist: &Path, path: &str) -> String {
    std::fs::read_to_string(dist.join(path)).expect("a file of the page")
}

#[tokio::test]
async fn the_page_is_light_even_with_everything_that_it_loads_later() {
    let dist = Path::new(env!("CARGO_MANIFEST_DIR")).join("../web/dist");
    let mut all = BTreeSet::new();
    for (folder, before) in [(dist.clone(), ""), (dist.join("assets"), "assets/")] {
        for file in std::fs::read_dir(folder).expect("the built page") {
            let file = file.expect("a file");
            if file.file_type().expect("a kind").is_file() {
                all.insert(format!("{before}{}", file.file_name().to_string_lossy()));
            }
        }
    }
    // From the page on, whatever is named by what was named.
    let (mut found, mut open) = (BTreeSet::new(), vec!["index.html".to_owned()]);
    while let Some(path) = open.pop() {
        open.extend(
            named(&read(&dist, &path), &all).filter(|path| !found.contains(*path)).cloned(),
        );
        found.insert(path);
    }
    for wanted in ["assets/rookery.js", "assets/rookery.css", "theme.js"] {
        assert!(found.contains(wanted), "{wanted} is not named by the page: {found:?}");
    }
    let server = Server::start().await;
    let mut weights = Vec::new();
    for path in &found {
        let target = if path == "index.html" { "/".to_owned() } else { format!("/{path}") };
        weights.push((weight(&server, &target).await, path));
    }
    let total: usize = weights.iter().map(|(bytes, _)| bytes).sum();
    assert!(total < LIMIT, "{total} bytes: {weights:?}");
    server.stop().await;
}
