//! A simple generator for tests that need chance and no more.

/// The same numbers in every run.
pub(crate) struct Lehmer(pub(crate) u64);

impl Lehmer {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        self.0 >> 33
    }

    pub(crate) fn below(&mut self, bound: usize) -> usize {
        self.next() as usize % bound
    }

    /// At most so many of all, in their order.
    pub(crate) fn some<T>(&mut self, mut all: Vec<T>, most: usize) -> Vec<T> {
        while all.len() > most {
            all.remove(self.below(all.len()));
        }
        all
    }

    pub(crate) fn one<'a, T>(&mut self, all: &'a [T]) -> &'a T {
        &all[self.below(all.len())]
    }
}
