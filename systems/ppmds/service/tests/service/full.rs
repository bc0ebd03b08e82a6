//! A disk that is full: the node stops, and nothing acknowledged is lost.
use crate::disk::Scratch;
use crate::nodes::{Node, OF, cluster, options};
use ppmds_protocol::{Change, Key, Name, Operation, ROOT};
use ppmds_service::Error;
use ppmds_service::client::{Client, ClientOptions, OperationError};
use ppmds_service::durability::Durability;
use ppmds_service::node::serve;
use ppmds_service::runtime::block_on;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::time::Duration;

/// A small file system; it is unmounted when this is dropped.
struct Small(PathBuf);

impl Small {
    /// `None`: this machine may not mount.
    fn mount(at: &Path, megabytes: u32) -> Option<Small> {
        std::fs::create_dir_all(at).unwrap();
        let size = format!("size={megabytes}m");
        let done =
            Command::new("mount").args(["-t", "tmpfs", "-o", &size, "tmpfs"]).arg(at).output();
        done.is_ok_and(|done| done.status.success()).then(|| Small(at.to_path_buf()))
    }

    fn grow(&self, megabytes: u32) {
        let size = format!("remount,size={megabytes}m");
        let done = Command::new("mount").args(["-o", &size]).arg(&self.0).status().unwrap();
        assert!(done.success())
    }
}

impl Drop for Small {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg(&self.0).status();
    }
}

#[test]
fn a_node_on_a_full_disk_stops_and_loses_nothing() {
    let (scratch, cluster) = (Scratch::new("full"), cluster(1));
    let place = scratch.0.join("small");
    let Some(small) = Small::mount(&place, 80) else {
        println!("not run: mounts are refused");
        return;
    };
    let options = options(&cluster, 0, &place, Durability::Group);
    let running = std::thread::spawn({
        let options = options.clone();
        move || serve(&options, &mut |_| {}, &|| false)
    });
    let contents = Arc::new(vec![7; 256 << 10]);
    let deadline = Duration::from_millis(500);
    let acknowledged = block_on(async {
        let client = Client::connect(&cluster, ClientOptions::default()).await.unwrap();
        let mut made = 0;
        loop {
            let name = Name::new(format!("file{made}").as_bytes()).unwrap();
            let contents = Some(Arc::clone(&contents));
            let change = Box::new(Change { contents, ..Change::default() });
            let write = async {
                client.create(ROOT, &name, OF).await?;
                client.run(Operation::Setattr(Key::entry(ROOT, &name), change)).await
            };
            match tokio::time::timeout(deadline, write).await {
                Ok(Ok(_)) => made += 1,
                Ok(Err(OperationError::Errno(errno))) => panic!("{errno}"),
                _ if running.is_finished() => return made,
                _ => {}
            }
            assert!(made < 2_000, "the disk is not full")
        }
    })
    .unwrap();
    let Err(Error::Failed(why)) = running.join().unwrap() else { panic!("the node ends well") };
    assert!(why.contains("free some space"), "{why}");
    small.grow(400);
    let node = Node::start(options);
    block_on(async {
        let client = Client::connect(&cluster, ClientOptions::default()).await.unwrap();
        for n in 0..acknowledged {
            let name = Name::new(format!("file{n}").as_bytes()).unwrap();
            let file = client.read(ROOT, &name).await.unwrap();
            assert!(file.contents == *contents, "file{n}")
        }
        client.close().await
    })
    .unwrap();
    assert!(acknowledged > 50);
    drop(node);
    drop(small)
}
