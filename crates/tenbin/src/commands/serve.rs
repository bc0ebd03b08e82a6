//! `tenbin serve RUN…`: the runs' pages on this machine's own address.
//!
//! Nothing is read from the disk while it serves: the pages are made first, so that no address
//! can reach a file.
use crate::cli::Serve;
use crate::failure::Failure;
use crate::{console, interrupt, systems};
use std::net::{Ipv4Addr, SocketAddr};
use std::time::Duration;
use system::template;
use tiny_http::{Header, Method, Request, Response, Server};

/// Only what the page brings itself may run or load.
const POLICY: &str = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; \
                      img-src data:; font-src data:; base-uri 'none'; form-action 'none'; \
                      frame-ancestors 'none'";

/// A run's page, ready.
struct Ready {
    name: String,
    verdict: String,
    html: String,
}

/// Serves until Ctrl-C.
pub fn serve(args: Serve) -> Result<(), Failure> {
    let mut runs = Vec::new();
    for run in &args.runs {
        let found = systems::finished(run)?;
        let name = run.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let page = found.explains()?.page(&found.trace);
        let verdict = page::plain(&page.head.verdict);
        runs.push(Ready { name, verdict, html: template::of(&page) })
    }
    let address = SocketAddr::from((Ipv4Addr::LOCALHOST, args.port));
    let server = Server::http(address).map_err(|e| {
        Failure::Failed(format!("cannot listen at {address}: {e}. Choose another --port"))
    })?;
    let port = server.server_addr().to_ip().map_or(args.port, |at| at.port());
    console::text(&format!("http://127.0.0.1:{port}/\n"))?;
    loop {
        interrupt::check()?;
        match server.recv_timeout(Duration::from_millis(200)) {
            Ok(Some(request)) => answer(request, &runs, port),
            Ok(None) => {}
            Err(e) => return Err(Failure::Failed(format!("cannot receive: {e}"))),
        }
    }
}

fn answer(request: Request, runs: &[Ready], port: u16) {
    let value = |name: &'static str| {
        let found = request.headers().iter().find(|h| h.field.equiv(name));
        found.map(|header| header.value.as_str().to_string())
    };
    let (host, origin, site) = (value("Host"), value("Origin"), value("Sec-Fetch-Site"));
    let own = is_own(host.as_deref(), origin.as_deref(), site.as_deref(), port);
    let (status, text) = match own {
        false => (403, "This address is for browsers on this machine only.\n".to_string()),
        true if *request.method() != Method::Get => (405, "Only GET.\n".into()),
        true => page(request.url(), runs),
    };
    let kind = if status == 200 { "text/html; charset=utf-8" } else { "text/plain; charset=utf-8" };
    let headers = [
        ("Content-Type", kind),
        ("Content-Security-Policy", POLICY),
        ("X-Content-Type-Options", "nosniff"),
        ("Referrer-Policy", "no-referrer"),
        ("Cross-Origin-Resource-Policy", "same-origin"),
        ("Cache-Control", "no-store"),
    ];
    let mut response = Response::from_string(text).with_status_code(status);
    for (name, value) in headers {
        response.add_header(Header::from_bytes(name, value).expect("both are ASCII"))
    }
    // A browser that has gone is no failure.
    let _ = request.respond(response);
}

/// From a browser on this machine, and from no other site's page.
fn is_own(host: Option<&str>, origin: Option<&str>, site: Option<&str>, port: u16) -> bool {
    let hosts = [format!("127.0.0.1:{port}"), format!("localhost:{port}")];
    let is_host = |text: &str| hosts.iter().any(|own| own == text);
    let of_own = |origin: &str| origin.strip_prefix("http://").is_some_and(is_host);
    host.is_some_and(is_host)
        && origin.is_none_or(of_own)
        && site.is_none_or(|site| matches!(site, "same-origin" | "none"))
}

/// `/` lists the runs, or is the only one; `/run/N` is one.
fn page(url: &str, runs: &[Ready]) -> (u16, String) {
    let path = url.split(['?', '#']).next().unwrap_or("");
    let place = path.strip_prefix("/run/").and_then(|n| n.parse::<usize>().ok());
    match (path, place.and_then(|n| runs.get(n.checked_sub(1)?)), runs) {
        ("/", _, [one]) => (200, one.html.clone()),
        ("/", ..) => (200, list(runs)),
        (_, Some(run), _) => (200, run.html.clone()),
        _ => (404, "No such page.\n".into()),
    }
}

fn list(runs: &[Ready]) -> String {
    let escaped = |text: &str| {
        text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
    };
    let line = |(at, run): (usize, &Ready)| {
        format!(
            "<tr><td><a href=\"/run/{}\">{}</a></td><td>{}</td></tr>\n",
            at + 1,
            escaped(&run.name),
            escaped(&run.verdict)
        )
    };
    let lines: String = runs.iter().enumerate().map(line).collect();
    format!(
        "<!doctype html>\n<html lang=\"en\"><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width\"><title>tenbin</title>\n\
         <style>{STYLE}</style>\n<h1>{} runs</h1>\n<table>\n{lines}</table>\n</html>\n",
        runs.len()
    )
}

/// As quiet as the pages that it leads to.
const STYLE: &str = "body{font:15px/1.5 Inter,system-ui,sans-serif;max-width:76rem;\
    margin:2rem auto;padding:0 1rem;color-scheme:light dark}\
    td{padding:.5rem 2rem .5rem 0;border-top:1px solid #8884;vertical-align:top}\
    h1{font-size:1.6rem;font-weight:600}";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn foreign_hosts_and_sites_are_refused() {
        let own = Some("127.0.0.1:80");
        assert!(is_own(own, None, None, 80));
        assert!(is_own(Some("localhost:80"), Some("http://localhost:80"), Some("same-origin"), 80));
        assert!(!is_own(None, None, None, 80));
        assert!(!is_own(Some("evil.example:80"), None, None, 80), "DNS rebinding");
        assert!(!is_own(own, Some("https://evil.example"), None, 80));
        assert!(!is_own(own, Some("null"), None, 80));
        assert!(!is_own(own, None, Some("cross-site"), 80));
    }

    #[test]
    fn no_address_leads_to_a_file() {
        let run = |name: &str| {
            let (name, html) = (name.to_string(), name.to_string());
            Ready { name, verdict: "slow <".into(), html }
        };
        let runs = [run("a"), run("<b>")];
        assert_eq!(page("/run/2?x#y", &runs), (200, "<b>".into()));
        assert!(page("/", &runs).1.contains("&lt;b&gt;"));
        assert!(page("/", &runs).1.contains("slow &lt;"), "what held each up");
        for path in ["/run/0", "/run/3", "/../etc/passwd", "/run/..%2f1", "//", ""] {
            assert_eq!(page(path, &runs).0, 404, "{path}");
        }
    }
}
