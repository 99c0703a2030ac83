//! Money is exact or refuses.

use craps::commission::{Commission, CommissionWhen, Measure, Rounding, Vig, VigStep};
use craps::money::Fraction;
use craps::{Cents, MicroCents, Multiple, Rate};

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
        let (unit, minimum) = (Cents(unit), Cents(minimum));
        let vig = Vig::Share { rate: Rate(50_000), rounding, unit, minimum };
        let commission = Commission { vig, of: Measure::Stake, when: CommissionWhen::Placed };
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

/// $1 from 20 to 35, $2 to 55, $3 to 75 and a dollar more for each twenty.
#[test]
fn commission_by_steps() {
    let step = |from, due, more| VigStep { from: Cents::dollars(from), due, more };
    let each = Some((Cents::dollars(1), Cents::dollars(20)));
    let steps = vec![
        step(20, Cents::dollars(1), None),
        step(36, Cents::dollars(2), None),
        step(56, Cents::dollars(3), each),
    ];
    let (of, when) = (Measure::Stake, CommissionWhen::Placed);
    let commission = Commission { vig: Vig::Steps(steps), of, when };
    for (cents, dollars) in [
        (1_999, 0),
        (2_000, 1),
        (3_500, 1),
        (3_599, 1), // a step holds until the next begins
        (3_600, 2),
        (5_500, 2),
        (5_600, 3),
        (7_599, 3),
        (7_600, 4),
        (100_000, 50),
    ] {
        assert_eq!(commission.on(Cents(cents)), Cents::dollars(dollars), "{cents}");
    }
}

#[test]
fn multiples_are_exact_to_the_hundredth() {
    for (text, five, nine) in [("2", 1_000, 1_800), ("2.5", 1_250, 2_250), ("0.25", 125, 225)] {
        let multiple: Multiple = text.parse().unwrap();
        assert_eq!(multiple.of(Cents(500), 1, 1), Cents(five));
        assert_eq!(multiple.of(Cents(900), 1, 1), Cents(nine));
        assert_eq!(multiple.to_string(), text);
    }
    assert_eq!("2.5".parse::<Multiple>().unwrap().of(Cents(500), 6, 5), Cents(1_500));
    assert_eq!("2.25".parse::<Multiple>().unwrap().den(), 4);
    for text in ["", "0", "-1", "2.555", "1000.01", "two", "2.", "2x"] {
        assert!(text.parse::<Multiple>().is_err(), "{text}");
    }
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

/// A comma stands before three digits only, and behind a number that needs it.
#[test]
fn amounts_are_read_as_people_write_them() {
    for (text, cents) in [
        ("25", 2_500),
        ("$12.50", 1_250),
        ("1,234.50", 123_450),
        ("$12,500", 1_250_000),
        ("1,000,000", 100_000_000),
    ] {
        assert_eq!(text.parse(), Ok(Cents(cents)), "{text}");
    }
    for text in ["12,50", "1,2345", "1234,567", "1,23,456", ",500", "0,500", "1,234,", "12.", ""] {
        assert!(text.parse::<Cents>().is_err(), "{text}");
    }
}
