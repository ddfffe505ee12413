//! Who may ask, and what a page of another site may not: the token, Host and Origin, the page's files and its headers.

mod http_support;

use http_support::{Server, ask, knights, send};

const TOKEN: &str = "s3cret+/ä=&%";
/// The same in a query.
const ENCODED: &str = "s3cret%2B%2F%C3%A4%3D%26%25";

const UPGRADE: [(&str, &str); 4] = [
    ("Upgrade", "websocket"),
    ("Sec-WebSocket-Version", "13"),
    ("Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ=="),
    ("X-Nothing", "x"),
];

/// A request to become a WebSocket; only its status is of interest.
async fn upgrade(server: &Server, target: &str, more: &[(&str, &str)]) -> u16 {
    let address = server.address;
    let mut text = format!("GET {target} HTTP/1.1\r\nConnection: Upgrade\r\n");
    if !more.iter().any(|(name, _)| *name == "Host") {
        text.push_str(&format!("Host: {address}\r\n"));
    }
    for (name, value) in UPGRADE.iter().chain(more) {
        text.push_str(&format!("{name}: {value}\r\n"));
    }
    text.push_str("\r\n");
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
    let mut stream = tokio::net::TcpStream::connect(address).await.expect("a connection");
    stream.write_all(text.as_bytes()).await.expect("a request");
    let mut head = [0; 12];
    stream.read_exact(&mut head).await.expect("a status line");
    String::from_utf8_lossy(&head[9..]).parse().expect("a status")
}

#[tokio::test(flavor = "multi_thread")]
async fn on_loopback_only_this_machine_is_a_host() {
    let server = Server::start().await;
    let port = server.address.port();
    for host in ["localhost", "127.0.0.1", "[::1]", "127.0.0.1:1", "LocalHost:80"] {
        let reply = ask(server.address, "GET", "/api/v1/games", &[("Host", host)], "").await;
        assert_eq!(reply.status, 200, "{host}: {reply:?}");
    }
    let rebound = format!("evil.example:{port}");
    for host in [
        rebound.as_str(),
        "127.0.0.1.evil.example",
        "localhost.evil.example",
        "127.0.0.1@evil.example",
        "localhost:80@evil.example",
        "10.0.0.1",
        "0.0.0.0",
        "[::ffff:10.0.0.1]",
        "2130706433.evil",
        "",
        "\u{e4}",
    ] {
        for target in ["/", "/healthz", "/metrics", "/api/v1/games"] {
            let reply = ask(server.address, "GET", target, &[("Host", host)], "").await;
            assert!(matches!(reply.status, 400 | 403), "{host:?} {target}: {reply:?}");
            assert!(!reply.body.contains("<html"), "{host:?} {target}");
        }
        assert!(matches!(upgrade(&server, "/ws", &[("Host", host)]).await, 400 | 403), "{host:?}");
    }
    let reply = ask(server.address, "GET", "/api/v1/games", &[("Host", "evil.example")], "").await;
    let said = reply.is_error(403, "forbidden");
    assert!(said.contains("evil.example") && said.contains("localhost"), "{said}");
    let none = send(server.address, b"GET / HTTP/1.1\r\nConnection: close\r\n\r\n").await;
    assert_eq!(none.status, 400, "{none:?}");
    for (target, hosts, status) in [
        ("/", "Host: localhost\r\nHost: evil.example\r\n", 400),
        ("/", "Host: evil.example\r\nHost: localhost\r\n", 400),
        ("http://evil.example/", "Host: localhost\r\n", 403),
        ("http://localhost/", "Host: evil.example\r\n", 403),
        ("http://localhost/", "Host: 127.0.0.1\r\n", 200),
    ] {
        let request = format!("GET {target} HTTP/1.1\r\n{hosts}Connection: close\r\n\r\n");
        let reply = send(server.address, request.as_bytes()).await;
        assert_eq!(reply.status, status, "{target} {hosts}: {reply:?}");
    }
    let old = send(server.address, b"GET / HTTP/1.0\r\n\r\n").await;
    assert_eq!(old.status, 400, "{old:?}");
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_of_another_site_can_neither_change_nor_watch() {
    let server = Server::start().await;
    let host = server.address.to_string();
    let body = knights(1, "").to_string();
    let (own, own_secure) = (format!("http://{host}"), format!("https://{host}"));
    let long = format!("http://{host}.evil.example");
    let user = format!("http://{host}@evil.example");
    for origin in [
        "http://evil.example",
        "null",
        "",
        "http://127.0.0.1",
        "http://127.0.0.1:1",
        &long,
        &user,
        "file://",
        "\u{e4}",
    ] {
        let headers = [("Origin", origin), ("Content-Type", "application/json")];
        let reply = ask(server.address, "POST", "/api/v1/runs", &headers, &body).await;
        reply.is_error(403, "forbidden");
        let reply = ask(server.address, "POST", "/api/v1/runs/1/abort", &headers, "").await;
        reply.is_error(403, "forbidden");
        assert_eq!(upgrade(&server, "/ws", &[("Origin", origin)]).await, 403, "{origin:?}");
    }
    assert_eq!(upgrade(&server, "/ws", &[("Origin", &own)]).await, 101);
    assert_eq!(upgrade(&server, "/ws", &[("Origin", &own_secure)]).await, 101, "behind a proxy");
    assert_eq!(upgrade(&server, "/ws", &[]).await, 101, "no browser");
    // A browser does not let it read the answer: there is no permission in it.
    let get = ask(server.address, "GET", "/api/v1/games", &[("Origin", "http://evil.example")], "");
    assert_eq!(get.await.header("access-control-allow-origin"), None);
    let preflight = [("Origin", "http://evil.example"), ("Access-Control-Request-Method", "POST")];
    let reply = ask(server.address, "OPTIONS", "/api/v1/runs", &preflight, "").await;
    reply.is_error(405, "method_not_allowed");
    assert_eq!(reply.header("access-control-allow-origin"), None);
    let headers = [("Origin", own.as_str()), ("Content-Type", "application/json")];
    assert_eq!(ask(server.address, "POST", "/api/v1/runs", &headers, &body).await.status, 201);
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn with_a_token_only_who_has_it_may_ask() {
    let server = Server::start_with("0.0.0.0:0", Some(TOKEN)).await;
    let bearer = format!("Bearer {TOKEN}");
    for target in ["/api/v1/games", "/api/v1/nothing", "/api/v1/games/x", "/metrics", "/ws"] {
        let question = |headers: &'static [(&'static str, &'static str)], query: &str| {
            let target = format!("{target}{query}");
            async move { ask(server.address, "GET", &target, headers, "").await }
        };
        for reply in [
            question(&[], "").await,
            question(&[("Authorization", "Bearer")], "").await,
            question(&[("Authorization", "Bearer ")], "").await,
            question(&[("Authorization", "Bearer s3cret")], "").await,
            question(&[("Authorization", "Basic czNjcmV0")], "").await,
            question(&[("Authorization", "s3cret+/ä=&%")], "").await,
            question(&[("Authorization", "Bearer wrong")], &format!("?token={ENCODED}")).await,
            question(&[], "?token=").await,
            question(&[], "?token").await,
            question(&[], "?token=s3cret").await,
            question(&[], "?token=%").await,
            question(&[], &format!("?toke={ENCODED}")).await,
            question(&[], &format!("?token=wrong&token={ENCODED}")).await,
        ] {
            let said = reply.is_error(401, "unauthorized");
            assert_eq!(reply.header("www-authenticate"), Some("Bearer"), "{target}");
            assert!(!said.contains("s3cret"), "{said}");
        }
        let asked = ask(server.address, "GET", target, &[("Authorization", &bearer)], "").await;
        assert_ne!(asked.status, 401, "{target}");
        let lower = bearer.replace("Bearer", "bearer");
        let asked = ask(server.address, "GET", target, &[("Authorization", &lower)], "").await;
        assert_ne!(asked.status, 401, "{target}");
        let query = format!("{target}?token={ENCODED}");
        let asked = ask(server.address, "GET", &query, &[], "").await;
        assert_ne!(asked.status, 401, "{target}");
        assert!(!asked.head.contains("s3cret"), "{asked:?}");
    }
    assert_eq!(upgrade(&server, "/ws", &[]).await, 401);
    assert_eq!(upgrade(&server, "/ws?token=s3cret", &[]).await, 401);
    assert_eq!(upgrade(&server, &format!("/ws?token={ENCODED}"), &[]).await, 101);
    assert_eq!(upgrade(&server, &format!("/ws?epoch=x&since=1&token={ENCODED}"), &[]).await, 101);
    let query = format!("/api/v1/games/1/pgn?token={ENCODED}&style=board");
    assert_eq!(ask(server.address, "GET", &query, &[], "").await.status, 404);
    // The page and the health check hold no secret; the page asks for the token itself.
    for target in ["/", "/healthz"] {
        assert_eq!(server.get(target).await.status, 200, "{target}");
    }
    let body = knights(1, "").to_string();
    server.ask("POST", "/api/v1/runs", &body).await.is_error(401, "unauthorized");
    // Whoever is asked by name from elsewhere: here the token is what protects.
    let headers = [("Host", "chess.example"), ("Authorization", bearer.as_str())];
    assert_eq!(ask(server.address, "GET", "/api/v1/games", &headers, "").await.status, 200);
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_token_of_base_64_works_also_where_nobody_encoded_it() {
    let server = Server::start_with("127.0.0.1:0", Some(" q+8/Zg== ")).await;
    for target in ["/api/v1/games?token=q+8/Zg==", "/api/v1/games?token=q%2B8%2FZg%3D%3D&limit=1"] {
        assert_eq!(server.get(target).await.status, 200, "{target}");
    }
    assert_eq!(server.get("/api/v1/games?token=q%208/Zg==").await.status, 401);
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_pages_files_are_served_and_no_others() {
    let server = Server::start().await;
    let index = server.get("/").await;
    assert_eq!((index.status, index.header("content-type")), (200, Some("text/html")));
    assert_eq!(server.get("/index.html").await.body, index.body);
    let files = index.body.split('"').filter(|word| {
        let name = word.trim_start_matches("./").trim_start_matches('/');
        name.starts_with("assets/") || name == "theme.js"
    });
    let mut count = 0;
    for file in files {
        let target = format!("/{}", file.trim_start_matches("./").trim_start_matches('/'));
        let reply = server.get(&target).await;
        assert_eq!(reply.status, 200, "{target}");
        let kind = reply.header("content-type").unwrap_or_default();
        assert!(kind.contains("javascript") || kind.contains("css"), "{target}: {kind}");
        count += 1;
    }
    assert!(count >= 2, "the page has a script and a style sheet");

    for target in [
        "/../Cargo.toml",
        "/../../../../../../etc/passwd",
        "/%2e%2e/Cargo.toml",
        "/%2e%2e%2f%2e%2e%2fetc%2fpasswd",
        "/..%2fCargo.toml",
        "/assets/../../package.json",
        "/assets/..%5c..%5cpackage.json",
        "//etc/passwd",
        "///etc/passwd",
        "/./../package.json",
        "/assets",
        "/assets/",
        "/index.html/",
        "/index.html%00",
        "/.env",
        "/INDEX.HTML",
    ] {
        let reply = server.get(target).await;
        assert_eq!((reply.status, &*reply.body), (404, "not found\n"), "{target}: {reply:?}");
    }
    for bytes in ["GET ../Cargo.toml HTTP/1.1", "GET /\0 HTTP/1.1", "GET HTTP/1.1", "\0\0\0\0"] {
        let text = format!("{bytes}\r\nHost: localhost\r\nConnection: close\r\n\r\n");
        assert_eq!(send(server.address, text.as_bytes()).await.status, 400, "{bytes:?}");
    }
    let absolute = format!("http://{}/../Cargo.toml", server.address);
    assert_eq!(server.get(&absolute).await.status, 404);
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn every_answer_has_the_headers_that_guard_a_page() {
    let server = Server::start().await;
    for target in ["/", "/nothing", "/healthz", "/api/v1/games", "/api/v1/nothing", "/metrics"] {
        let reply = server.get(target).await;
        assert_eq!(reply.header("x-content-type-options"), Some("nosniff"), "{target}");
        assert_eq!(reply.header("x-frame-options"), Some("DENY"), "{target}");
        assert_eq!(reply.header("referrer-policy"), Some("no-referrer"), "{target}");
        let policy = reply.header("content-security-policy").unwrap_or_default();
        assert!(policy.contains("default-src 'self'"), "{target}: {policy}");
        assert!(policy.contains("frame-ancestors 'none'"), "{target}: {policy}");
        assert!(!policy.contains("unsafe-eval"), "{policy}");
        assert_eq!(reply.header("server"), None, "{target}");
    }
    let refused = ask(server.address, "GET", "/", &[("Host", "evil.example")], "").await;
    assert_eq!(refused.header("x-frame-options"), Some("DENY"), "errors as well");
    assert_eq!(server.get("/api/v1/games").await.header("cache-control"), Some("no-store"));
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_the_browser_has_is_not_sent_again() {
    let server = Server::start().await;
    let first = server.get("/").await;
    let tag = first.header("etag").expect("a tag").to_owned();
    assert_eq!(first.header("cache-control"), Some("no-cache"));
    let strong = tag.trim_start_matches("W/").to_owned();
    let among = format!("\"x\", {tag}");
    for given in [tag.as_str(), &strong, &among, "*"] {
        let reply = ask(server.address, "GET", "/", &[("If-None-Match", given)], "").await;
        assert_eq!((reply.status, reply.body.len()), (304, 0), "{given}");
        assert_eq!(reply.header("etag"), Some(&*tag));
        assert!(reply.header("content-security-policy").is_some());
    }
    for given in ["\"x\"", "", "W/", "x"] {
        let reply = ask(server.address, "GET", "/", &[("If-None-Match", given)], "").await;
        assert_eq!(reply.status, 200, "{given}");
    }
    let head = ask(server.address, "HEAD", "/", &[], "").await;
    assert_eq!((head.status, head.body.len()), (200, 0));
    assert_eq!(head.header("etag"), Some(&*tag));
    let zipped = ask(server.address, "GET", "/", &[("Accept-Encoding", "gzip")], "").await;
    assert_eq!(zipped.header("content-encoding"), Some("gzip"));
    assert_eq!(zipped.header("etag"), Some(&*tag));
    server.stop().await;
}
