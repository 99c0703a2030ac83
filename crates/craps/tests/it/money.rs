//! Money is exact or refuses.

use craps::commission::{Commission, CommissionWhen, Measure, Rounding};
use craps::money::Fraction;
use craps::{Cents, MicroCents, Rate};

#[test]
fn shares_round_down_and_keep_the_rest() {
    assert_eq!(Cents(700).share(7, 6), (Cents(816), 4));
    assert_eq!(Cents(-700).share(7, 6), (Cents(-817), 2));
    // A product beyond 64 bits is still exact.
    assert_eq!(Cents(i64::MAX).share(4, 8), (Cents(i64::MAX / 2), 4));
}

#[test]
#[should_panic(expected = "money overflowed")]
fn overflow_is_corruption() {
    let _ = Cents(i64::MAX) + Cents(1);
}

#[test]
fn commission_rounds_as_the_house_says() {
    #[track_caller]
    fn check(rounding: Rounding, unit: i64, minimum: i64, amount: i64, expected: i64) {
        let commission = Commission {
            rate: Rate(50_000),
            of: Measure::Stake,
            when: CommissionWhen::Placed,
            rounding,
            unit: Cents(unit),
            minimum: Cents(minimum),
        };
        assert_eq!(commission.on(Cents(amount)), Cents(expected));
    }
    check(Rounding::Floor, 1, 0, 50, 2); // 2.5 cents
    check(Rounding::Nearest, 1, 0, 50, 3);
    check(Rounding::Ceil, 1, 0, 41, 3);
    check(Rounding::Floor, 100, 0, 5_900, 200); // 2.95 dollars
    check(Rounding::Nearest, 100, 0, 5_000, 300); // 2.50 dollars
    check(Rounding::Nearest, 100, 0, 4_900, 200); // 2.45 dollars
    check(Rounding::Ceil, 100, 0, 4_100, 300); // 2.05 dollars
    check(Rounding::Floor, 100, 100, 500, 100); // 25 cents, but at least a dollar
}

#[test]
fn fractions_sum_reduced() {
    let sum = Fraction::new(2, 3) + Fraction::new(1, 2) + Fraction::new(5, 6);
    assert_eq!(sum.to_string(), "2");
    assert_eq!((sum + -Fraction::new(1, 3)).to_string(), "5/3");
}

#[test]
fn micro_cents_show_what_they_carry() {
    assert_eq!(MicroCents(100_012_500_000).to_string(), "1000.125");
    assert_eq!(MicroCents::from(Cents(-5)).to_string(), "-0.05");
    assert_eq!(MicroCents(-1).whole_cents(), Cents(-1));
}
