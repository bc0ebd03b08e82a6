//! Writes the cluster file and the block map.
use super::import::Imported;
use crate::blocks_file;
use hdfs_scenario::{BlockFile, ImportedBlocks, cluster_file};
use std::io::{self, Write};
use std::path::Path;
use trace::parquet_io::TempFile;

impl Imported {
    /// Writes `NAME.toml` and, if blocks are listed, `NAME.blocks.parquet`. Both are complete
    /// before either is renamed, so a full disk keeps the old files.
    ///
    /// # Errors
    /// A file cannot be written. The cluster file is renamed last, so it never names a missing map.
    pub fn write(&self, toml: &Path) -> io::Result<()> {
        let (draft, blocks) = match &self.synthesis {
            Some(counted) => (None, ImportedBlocks::Synthesised(counted.clone())),
            None => {
                let (draft, file) = self.draft_blocks(toml)?;
                (Some(draft), ImportedBlocks::File(file))
            }
        };
        let text = cluster_file::write(&hdfs_scenario::Imported {
            cluster: self.cluster.clone(),
            sources: self.sources.clone(),
            date: self.date.clone(),
            namenode: self.namenode.clone(),
            hadoop: self.hadoop.clone(),
            hardware: self.hardware.clone(),
            hdfs_site: self.hdfs_site.clone(),
            finals: self.finals.clone(),
            site_names: self.site_names.clone(),
            blocks: Some(blocks),
        });
        let (temp, mut out) = TempFile::create(toml)?;
        out.write_all(text.as_bytes())?;
        out.sync_all()?;
        draft.map_or(Ok(()), TempFile::keep)?;
        temp.keep()
    }

    fn draft_blocks(&self, toml: &Path) -> io::Result<(TempFile, BlockFile)> {
        let stem = toml.file_stem().ok_or_else(|| io::Error::other("no file name"))?;
        let file = format!("{}.blocks.parquet", stem.to_string_lossy());
        let beside = toml.with_file_name(&file);
        let (draft, sha256) = blocks_file::draft(&beside, &self.blocks, self.disks_known)?;
        let (blocks, replicas) = (self.blocks.len() as u64, self.blocks.replicas());
        Ok((draft, BlockFile { file, sha256, blocks, replicas }))
    }
}
