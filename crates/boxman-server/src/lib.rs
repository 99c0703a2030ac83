//! Live craps tables.
