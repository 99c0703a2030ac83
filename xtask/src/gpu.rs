//! `cargo xtask gpu`: on a machine with a graphics card, its kernels compiled anew, held against
//! the processor's over every ready plan, and timed. Not in CI.

use crate::shell;

pub(crate) fn run(every: &[&str]) -> Result<(), String> {
    if !shell::works("nvidia-smi") {
        return Err("this machine has no NVIDIA driver (nvidia-smi): nothing to compile for, and \
                    nothing to compare with"
            .to_owned());
    }
    let every = match every {
        [] => "",
        ["every"] => "every",
        _ => return Err("expected: cargo xtask gpu, or gpu every for every way to look up".into()),
    };
    let kernels = "crates/craps-sim/src/kernel/cuda/kernels";
    shell::run(
        &format!(
            "cargo run --release -p craps-sim --example gpu -- {kernels}.cu {kernels}.ptx {every}"
        ),
        &[],
    )
}
