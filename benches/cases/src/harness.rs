//! One `main` for every bench: the clock of criterion, or a bare loop whose instructions a tool counts.
//!
//! * without arguments of its own, criterion, with criterion's options
//! * `--inputs` prints the inputs with their sizes and checksums, `--list-ops` the operations
//! * `--count OPERATION N` prepares one operation and runs it N times; the difference between N = 1 and
//!   N = 2 under `valgrind --tool=callgrind` is what one run takes
//!
//! The clock counts the processor time of its thread, not what goes by on the wall: where the machine is
//! shared, waiting for a turn is not the code's.
//!
//! An operation is prepared, and its answer asserted, only when its turn comes.

use std::time::Duration;

use cpu_time::ThreadTime;
use criterion::measurement::{Measurement, ValueFormatter, WallTime};
use criterion::{Criterion, SamplingMode, Throughput};

use crate::RECORDS;

type Run = Box<dyn FnMut()>;

/// Something to be measured.
pub struct Op {
    group: String,
    name: String,
    prepare: Box<dyn FnOnce() -> Run>,
    slow: bool,
}

impl Op {
    /// `prepare` makes the input, asserts the answer, and returns what is run on the clock. One run handles
    /// [`RECORDS`] records.
    pub fn new<R: FnMut() + 'static>(
        group: impl Into<String>,
        name: impl Into<String>,
        prepare: impl FnOnce() -> R + 'static,
    ) -> Op {
        let prepare = Box::new(|| Box::new(prepare()) as Run);
        Op { group: group.into(), name: name.into(), prepare, slow: false }
    }

    /// For runs of many milliseconds: fewer of them, the same number in each sample.
    pub fn slow(mut self) -> Op {
        self.slow = true;
        self
    }

    fn id(&self) -> String {
        format!("{}/{}", self.group, self.name)
    }

    fn measure(self, criterion: &mut Criterion<CpuTime>) {
        let mut group = criterion.benchmark_group(self.group);
        group.throughput(Throughput::Elements(RECORDS as u64));
        if self.slow {
            group.sampling_mode(SamplingMode::Flat).sample_size(10);
        }
        let (mut prepare, mut run) = (Some(self.prepare), None);
        group.bench_function(self.name, |bencher| {
            let run = run.get_or_insert_with(|| prepare.take().expect("prepared once")());
            bencher.iter(run);
        });
        group.finish();
    }
}

/// Runs what the command line asks for.
///
/// # Panics
/// When an answer is wrong, or the command line is.
pub fn main(ops: Vec<Op>) {
    let args: Vec<String> = std::env::args().skip(1).collect();
    match args.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["--inputs", ..] => {
            for (name, bytes) in crate::inputs() {
                println!("{name}\t{}\t{:08x}", bytes.len(), crc32c::crc32c(&bytes));
            }
        }
        ["--list-ops", ..] => ops.iter().for_each(|op| println!("{}", op.id())),
        ["--count", id, times, ..] => {
            let op = ops.into_iter().find(|op| op.id() == id).expect("a known operation");
            let mut run = (op.prepare)();
            (0..times.parse::<u32>().expect("a number of runs")).for_each(|_| run());
        }
        _ => {
            let mut criterion =
                Criterion::default().with_measurement(CpuTime).configure_from_args();
            ops.into_iter().for_each(|op| op.measure(&mut criterion));
            criterion.final_summary();
        }
    }
}

/// Durations, as on the wall, but of one thread's work.
struct CpuTime;

impl Measurement for CpuTime {
    type Intermediate = ThreadTime;
    type Value = Duration;

    fn start(&self) -> ThreadTime {
        ThreadTime::now()
    }

    fn end(&self, start: ThreadTime) -> Duration {
        start.elapsed()
    }

    fn add(&self, a: &Duration, b: &Duration) -> Duration {
        *a + *b
    }

    fn zero(&self) -> Duration {
        Duration::ZERO
    }

    fn to_f64(&self, value: &Duration) -> f64 {
        value.as_nanos() as f64
    }

    fn formatter(&self) -> &dyn ValueFormatter {
        WallTime.formatter()
    }
}
