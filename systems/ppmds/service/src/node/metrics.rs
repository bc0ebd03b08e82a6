//! The metrics page: Prometheus text for any request of HTTP.
use super::inputs::{Input, Inputs};
use crate::wire::{Query, QueryReply};
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::oneshot;
use tokio::time::timeout;

/// Longest request that is read \[bytes\].
const MOST_REQUEST: usize = 8 << 10;

/// One request after the other.
pub async fn serve(listener: TcpListener, inputs: Inputs) {
    loop {
        match listener.accept().await {
            Ok((stream, _)) => {
                let _ = timeout(Duration::from_secs(2), answer(stream, &inputs)).await;
            }
            Err(_) => tokio::time::sleep(Duration::from_millis(100)).await,
        }
    }
}

async fn answer(mut stream: TcpStream, inputs: &Inputs) -> std::io::Result<()> {
    let mut request: Vec<u8> = Vec::new();
    while !request.windows(4).any(|end| end == b"\r\n\r\n") && request.len() < MOST_REQUEST {
        let mut part = [0; 512];
        match stream.read(&mut part).await? {
            0 => return Ok(()),
            read => request.extend(&part[..read]),
        }
    }
    let (reply, status) = oneshot::channel();
    inputs.send(Input::Query(Query::Status, reply));
    let text = match status.await {
        Ok(QueryReply::Status(status)) => status.metrics(),
        _ => return Ok(()),
    };
    let head = format!(
        "HTTP/1.0 200 OK\r\nContent-Type: text/plain; version=0.0.4\r\nContent-Length: {}\r\n\r\n",
        text.len()
    );
    stream.write_all(head.as_bytes()).await?;
    stream.write_all(text.as_bytes()).await?;
    stream.shutdown().await
}
