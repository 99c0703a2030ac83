//! Whom an address belongs to.

use std::net::{IpAddr, Ipv6Addr};

/// Whoever has one address of version 6 has all that begin with the same 64 bits.
pub(crate) fn household(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => Ipv6Addr::from_bits(address.to_bits() >> 64 << 64).into(),
        address @ IpAddr::V4(_) => address,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_the_sixth_version_the_first_half_counts() {
        let of = |text: &str| household(text.parse().unwrap()).to_string();
        assert_eq!(of("2001:db8:1:2:ffff::9"), "2001:db8:1:2::");
        assert_eq!((of("10.0.0.1"), of("::ffff:10.0.0.1")), ("10.0.0.1".into(), "10.0.0.1".into()));
    }
}
