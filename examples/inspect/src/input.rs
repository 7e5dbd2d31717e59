//! What the arguments name: files, the segments of a partition's folder, standard input.
//!
//! Kafka names a segment by its base offset, in twenty digits. Segments are read in that order, and a name
//! tells what offsets the segment may have.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// The argument that stands for standard input.
const STDIN: &str = "-";

/// One input to be read from its start to its end.
#[derive(Clone, Debug)]
pub(crate) struct Input {
    /// As the user knows it.
    pub(crate) name: String,
    path: Option<PathBuf>,
    /// The offset in the file's name, if it is named as a segment.
    pub(crate) base_offset: Option<i64>,
    /// Which argument it comes from: a folder gives many inputs, and only they are neighbours.
    pub(crate) argument: usize,
}

/// An open input, and its size where that is known beforehand.
pub(crate) type Opened = (Box<dyn Read + Send>, Option<u64>);

impl Input {
    fn file(path: PathBuf, argument: usize) -> Self {
        let base_offset = segment_offset(&path);
        Input { name: path.display().to_string(), path: Some(path), base_offset, argument }
    }

    /// Opens it. A file is read as far as it reaches now: a broker may be writing to it.
    pub(crate) fn open(&self) -> io::Result<Opened> {
        let Some(path) = &self.path else { return Ok((Box::new(io::stdin()), None)) };
        let file = File::open(path)?;
        let metadata = file.metadata()?;
        if !metadata.is_file() {
            return Ok((Box::new(file), None));
        }
        let size = metadata.len();
        Ok((Box::new(file.take(size)), Some(size)))
    }
}

/// The inputs that `arguments` name, in the order to read them, with the paths that cannot be looked at.
pub(crate) fn inputs(arguments: &[PathBuf]) -> (Vec<Input>, Vec<(PathBuf, io::Error)>) {
    let (mut inputs, mut unreadable) = (Vec::new(), Vec::new());
    for (argument, path) in arguments.iter().enumerate() {
        if path.as_os_str() == STDIN {
            let name = STDIN.to_owned();
            inputs.push(Input { name, path: None, base_offset: None, argument });
        } else if path.is_dir() {
            match segments(path) {
                Ok(paths) => {
                    inputs.extend(paths.into_iter().map(|path| Input::file(path, argument)));
                }
                Err(error) => unreadable.push((path.clone(), error)),
            }
        } else {
            inputs.push(Input::file(path.clone(), argument));
        }
    }
    (inputs, unreadable)
}

/// The `.log` files of a partition's folder in offset order.
fn segments(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut paths = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "log") && !path.is_dir() {
            paths.push(path);
        }
    }
    if paths.is_empty() {
        return Err(io::Error::new(io::ErrorKind::NotFound, "no .log file in this folder"));
    }
    paths.sort_by_cached_key(|path| (segment_offset(path), path.clone()));
    Ok(paths)
}

/// The base offset in the name of a segment file, `00000000000000000015.log`.
fn segment_offset(path: &Path) -> Option<i64> {
    let stem = path.file_name()?.to_str()?.strip_suffix(".log")?;
    let digits = stem.len() == 20 && stem.bytes().all(|byte| byte.is_ascii_digit());
    if digits { stem.parse().ok() } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_twenty_digits_are_an_offset() {
        let offset = |name: &str| segment_offset(Path::new(name));
        assert_eq!(offset("topic-0/00000000000000000015.log"), Some(15));
        assert_eq!(offset("09223372036854775807.log"), Some(i64::MAX));
        for name in
            ["15.log", "00000000000000000015.index", "java_txn-15.log", "99999999999999999999.log"]
        {
            assert_eq!(offset(name), None, "{name}");
        }
    }
}
