//! What a client comes back with.

/// Why something did not work, in words.
pub type Error = Box<dyn std::error::Error + Send + Sync>;

/// What a client comes back with.
pub type Fallible<T> = Result<T, Error>;
