//! The cluster file and the block map beside it.
use super::import::Imported;
use crate::blocks_file;
use cluster::{BlockFile, ImportedBlocks, cluster_file};
use std::io::{self, Write};
use std::path::Path;

impl Imported {
    /// Writes `NAME.toml` and beside it, where blocks are listed, `NAME.blocks.parquet`; each is
    /// whole or not there.
    ///
    /// # Errors
    /// A file cannot be written; the cluster file is written last, so it never names a map that is
    /// not there.
    pub fn write(&self, toml: &Path) -> io::Result<()> {
        let blocks = match &self.synthesis {
            Some(counted) => ImportedBlocks::Synthesised(counted.clone()),
            None => ImportedBlocks::File(self.write_blocks(toml)?),
        };
        let text = cluster_file::write(&cluster::Imported {
            cluster: self.cluster.clone(),
            sources: self.sources.clone(),
            date: self.date.clone(),
            namenode: self.namenode.clone(),
            hardware: self.hardware.clone(),
            hdfs_site: self.hdfs_site.clone(),
            blocks: Some(blocks),
        });
        let (temp, mut out) = crate::parquet_io::TempFile::create(toml)?;
        out.write_all(text.as_bytes())?;
        out.sync_all()?;
        temp.keep()
    }

    fn write_blocks(&self, toml: &Path) -> io::Result<BlockFile> {
        let stem = toml.file_stem().ok_or_else(|| io::Error::other("no file name"))?;
        let file = format!("{}.blocks.parquet", stem.to_string_lossy());
        let beside = toml.with_file_name(&file);
        let sha256 = blocks_file::write(&beside, &self.blocks, self.disks_known)?;
        let (blocks, replicas) = (self.blocks.id.len() as u64, self.blocks.replica.len() as u64);
        Ok(BlockFile { file, sha256, blocks, replicas })
    }
}
