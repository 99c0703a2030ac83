//! What every version of the format is made with: a value of the program and the same value as it
//! is written, made from each other field by field.

use std::collections::{BTreeMap, VecDeque};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

/// Why something written makes no sense.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Wrong(pub(super) String);

/// A `T` as it is written.
pub(super) trait Stored<T>: Sized {
    /// It as it will be written.
    fn keep(value: &T) -> Self;

    /// It as it was before.
    fn recall(self) -> Result<T, Wrong>;
}

/// The version that a text says it is in. Boxman says so first, and is quickest understood.
pub(super) fn version(text: &str) -> Option<u32> {
    #[derive(Deserialize)]
    struct Version {
        v: u32,
    }
    let first = text.strip_prefix("{\"v\":").and_then(|rest| rest.split_once(','));
    match first.and_then(|(number, _)| number.parse().ok()) {
        Some(number) => Some(number),
        None => serde_json::from_str(text).ok().map(|Version { v }| v),
    }
}

/// A value as text.
pub(super) fn write<T, S: Stored<T> + Serialize>(value: &T) -> String {
    serde_json::to_string(&S::keep(value)).expect("what is stored is plain data")
}

/// A value from text.
pub(super) fn read<T, S: Stored<T> + DeserializeOwned>(text: &str) -> Result<T, String> {
    let stored: S = serde_json::from_str(text).map_err(|error| error.to_string())?;
    stored.recall().map_err(|Wrong(reason)| reason)
}

/// Whether a field says nothing and is left out.
pub(super) fn absent<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

impl<T, S: Stored<T>> Stored<Vec<T>> for Vec<S> {
    fn keep(values: &Vec<T>) -> Vec<S> {
        values.iter().map(S::keep).collect()
    }

    fn recall(self) -> Result<Vec<T>, Wrong> {
        self.into_iter().map(S::recall).collect()
    }
}

impl<T, S: Stored<T>> Stored<VecDeque<T>> for Vec<S> {
    fn keep(values: &VecDeque<T>) -> Vec<S> {
        values.iter().map(S::keep).collect()
    }

    fn recall(self) -> Result<VecDeque<T>, Wrong> {
        self.into_iter().map(S::recall).collect()
    }
}

impl<T, S: Stored<T>> Stored<Option<T>> for Option<S> {
    fn keep(value: &Option<T>) -> Option<S> {
        value.as_ref().map(S::keep)
    }

    fn recall(self) -> Result<Option<T>, Wrong> {
        self.map(S::recall).transpose()
    }
}

impl<T, S: Stored<T>> Stored<Box<T>> for Box<S> {
    fn keep(value: &Box<T>) -> Box<S> {
        Box::new(S::keep(value))
    }

    fn recall(self) -> Result<Box<T>, Wrong> {
        (*self).recall().map(Box::new)
    }
}

impl<A, B, X: Stored<A>, Y: Stored<B>> Stored<(A, B)> for (X, Y) {
    fn keep((a, b): &(A, B)) -> (X, Y) {
        (X::keep(a), Y::keep(b))
    }

    fn recall(self) -> Result<(A, B), Wrong> {
        Ok((self.0.recall()?, self.1.recall()?))
    }
}

impl<K: Ord, T, L: Ord + Stored<K>, S: Stored<T>> Stored<BTreeMap<K, T>> for BTreeMap<L, S> {
    fn keep(values: &BTreeMap<K, T>) -> BTreeMap<L, S> {
        values.iter().map(|(key, value)| (L::keep(key), S::keep(value))).collect()
    }

    fn recall(self) -> Result<BTreeMap<K, T>, Wrong> {
        self.into_iter().map(|(key, value)| Ok((key.recall()?, value.recall()?))).collect()
    }
}

/// Values that are written as they are.
macro_rules! as_it_is {
    ($($type:ty),*) => { $(
        impl Stored<$type> for $type {
            fn keep(value: &$type) -> $type {
                value.clone()
            }

            fn recall(self) -> Result<$type, Wrong> {
                Ok(self)
            }
        }
    )* };
}

as_it_is!(bool, u8, u32, u64, u128, i128, String, crate::hash::Hash, crate::hash::Digest);

/// Declares stored types, each with the program's type it stands for. Fields have the same names
/// on both sides, and none is left out: a new field of the program's does not compile until
/// somebody has decided how it is written. What stands after the semicolon is written only where
/// it says something.
macro_rules! stored {
    () => {};
    (
        $(#[$attribute:meta])*
        struct $name:ident = $of:ty {
            $($field:ident: $type:ty),* $(; $($maybe:ident: $maybe_type:ty),+)? $(,)?
        }
        $($rest:tt)*
    ) => {
        $(#[$attribute])*
        #[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
        #[serde(deny_unknown_fields)]
        pub(in crate::log) struct $name {
            $($field: $type,)*
            $($(
                #[serde(default, skip_serializing_if = "crate::log::stored::absent")]
                $maybe: $maybe_type,
            )+)?
        }

        impl crate::log::stored::Stored<$of> for $name {
            fn keep(value: &$of) -> $name {
                type Of = $of;
                let Of { $($field,)* $($($maybe,)+)? } = value;
                $name {
                    $($field: crate::log::stored::Stored::keep($field),)*
                    $($($maybe: crate::log::stored::Stored::keep($maybe),)+)?
                }
            }

            fn recall(self) -> Result<$of, crate::log::stored::Wrong> {
                type Of = $of;
                Ok(Of {
                    $($field: self.$field.recall()?,)*
                    $($($maybe: self.$maybe.recall()?,)+)?
                })
            }
        }

        stored! { $($rest)* }
    };
    (
        $(#[$attribute:meta])*
        enum $name:ident = $of:ty {
            $(
                $(#[$mark:ident])? $variant:ident
                $({
                    $($field:ident: $type:ty),* $(; $($maybe:ident: $maybe_type:ty),+)? $(,)?
                })?
                $(($inner:ident: $inner_type:ty))?
            ),* $(,)?
        }
        $($rest:tt)*
    ) => {
        $(#[$attribute])*
        #[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
        #[serde(rename_all = "kebab-case", deny_unknown_fields)]
        pub(in crate::log) enum $name {
            $(
                $(#[$mark])? $variant
                $({
                    $($field: $type,)*
                    $($(
                        #[serde(default, skip_serializing_if = "crate::log::stored::absent")]
                        $maybe: $maybe_type,
                    )+)?
                })?
                $(($inner_type))?,
            )*
        }

        impl crate::log::stored::Stored<$of> for $name {
            fn keep(value: &$of) -> $name {
                type Of = $of;
                match value {
                    $(
                        Of::$variant $({ $($field,)* $($($maybe,)+)? })? $(($inner))? => {
                            $name::$variant
                            $({
                                $($field: crate::log::stored::Stored::keep($field),)*
                                $($($maybe: crate::log::stored::Stored::keep($maybe),)+)?
                            })?
                            $((crate::log::stored::Stored::keep($inner)))?
                        }
                    )*
                }
            }

            fn recall(self) -> Result<$of, crate::log::stored::Wrong> {
                type Of = $of;
                Ok(match self {
                    $(
                        $name::$variant $({ $($field,)* $($($maybe,)+)? })? $(($inner))? => {
                            Of::$variant
                            $({
                                $($field: $field.recall()?,)*
                                $($($maybe: $maybe.recall()?,)+)?
                            })?
                            $(($inner.recall()?))?
                        }
                    )*
                })
            }
        }

        stored! { $($rest)* }
    };
}

pub(super) use stored;
