//! Sessions on a graphics card, found at run time: its kernels are `kernels.cu`, compiled to
//! `kernels.ptx` on a machine that has one.

#![expect(unsafe_code, reason = "a driver is asked, and kernels are launched")]

mod loaded;

pub use self::loaded::{Loaded, Lookup};

use std::sync::Arc;

use cudarc::driver::sys::{self, CUdevice_attribute, CUfunction_attribute};
use cudarc::driver::{
    CudaContext, CudaFunction, CudaModule, CudaStream, DriverError, LaunchConfig,
};
use cudarc::nvrtc::Ptx;
use sha2::{Digest, Sha256};

/// The kernels as their source.
pub const SOURCE: &str = include_str!("kernels.cu");
/// And compiled; its first line names the SHA-256 of the source it was made of.
pub const COMPILED: &str = include_str!("kernels.ptx");

/// The threads of a block.
const THREADS: u32 = 1024;

/// A graphics card.
pub struct Gpu {
    context: Arc<CudaContext>,
    stream: Arc<CudaStream>,
    module: Arc<CudaModule>,
    /// The blocks of threads of a launch: two for each multiprocessor.
    blocks: u32,
    /// The bytes of shared memory a block may have.
    shared: usize,
}

/// Why a card cannot be used, as a sentence that goes on after "no GPU:".
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoGpu(pub String);

impl std::fmt::Display for NoGpu {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "no GPU: {}", self.0)
    }
}

impl std::error::Error for NoGpu {}

impl From<DriverError> for NoGpu {
    fn from(error: DriverError) -> NoGpu {
        let words = error.error_string().ok().map(|words| words.to_string_lossy().into_owned());
        NoGpu(format!("the driver says {}", words.unwrap_or_else(|| format!("{:?}", error.0))))
    }
}

impl Gpu {
    /// The first card of this machine.
    pub fn open() -> Result<Gpu, NoGpu> {
        // SAFETY: it looks for the library and does nothing else.
        if !unsafe { sys::is_culib_present() } {
            return Err(NoGpu("NVIDIA's driver (libcuda) is not on this machine".to_owned()));
        }
        if CudaContext::device_count()? == 0 {
            return Err(NoGpu("the driver finds none on this machine".to_owned()));
        }
        Gpu::with_kernels(COMPILED)
    }

    /// A card with kernels that were just compiled.
    pub fn with_kernels(compiled: &str) -> Result<Gpu, NoGpu> {
        let context = CudaContext::new(0)?;
        let stream = context.default_stream();
        let module = context.load_module(Ptx::from_src(compiled))?;
        let ask = |attribute| context.attribute(attribute);
        let processors = ask(CUdevice_attribute::CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT)?;
        let shared =
            ask(CUdevice_attribute::CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN)?;
        // A little of it belongs to the kernels' own variables.
        let shared = (shared as usize).saturating_sub(256);
        Ok(Gpu { context, stream, module, blocks: 2 * processors as u32, shared })
    }

    /// What it is called.
    pub fn name(&self) -> String {
        self.context.name().unwrap_or_else(|_| "a graphics card".to_owned())
    }

    fn function(&self, name: &str, shared: usize) -> Result<CudaFunction, NoGpu> {
        let function = self.module.load_function(name)?;
        let most = CUfunction_attribute::CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES;
        function.set_attribute(most, shared as i32)?;
        Ok(function)
    }

    fn config(&self, shared: usize) -> LaunchConfig {
        LaunchConfig {
            grid_dim: (self.blocks, 1, 1),
            block_dim: (THREADS, 1, 1),
            shared_mem_bytes: shared as u32,
        }
    }
}

/// The SHA-256 of a source, which the kernels compiled of it name.
pub fn source_hash(source: &str) -> [u8; 32] {
    Sha256::digest(source).into()
}
