//! The server, from outside and from inside.

mod api;
mod audit;
mod chance;
mod changes;
mod concurrent;
mod conformance;
mod crowd;
mod dice;
mod faults;
mod frames;
mod history;
mod hostile;
mod lines;
mod live;
mod odds;
mod pages;
mod real;
mod reports;
mod restarts;
mod roles;
mod sight;
mod statistics;
mod store;
mod storm;
mod tables;
mod terms;
