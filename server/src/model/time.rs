//! Times: Unix milliseconds, and how people read them.

use std::time::{SystemTime, UNIX_EPOCH};

/// Milliseconds since 1970, UTC: every time in the store and in the API.
#[must_use]
pub fn unix_millis() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
}

/// A time's date and time of day, UTC: `2027.03.14` as PGN writes it, and `15:09:26`.
#[must_use]
pub fn utc(unix_ms: i64) -> (String, String) {
    let seconds = unix_ms.div_euclid(1000);
    let (days, second) = (seconds.div_euclid(86_400), seconds.rem_euclid(86_400));
    // Days since 0000-03-01, in eras of 400 years (Howard Hinnant's "days_from_civil", backwards).
    let days = days.clamp(-700_000, 2_900_000) + 719_468;
    let (era, day_of_era) = (days.div_euclid(146_097), days.rem_euclid(146_097));
    let year_of_era =
        (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted_month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * shifted_month + 2) / 5 + 1;
    let month = (shifted_month + 2) % 12 + 1;
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    (
        format!("{year:04}.{month:02}.{day:02}"),
        format!("{:02}:{:02}:{:02}", second / 3600, second / 60 % 60, second % 60),
    )
}

/// `2027-03-14T15:09:26.999`, as log lines begin.
#[must_use]
pub fn iso(unix_ms: i64) -> String {
    let (date, time) = utc(unix_ms);
    format!("{}T{time}.{:03}", date.replace('.', "-"), unix_ms.rem_euclid(1000))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_over_leap_years_and_before_1970() {
        let day = |days: i64| utc(days * 86_400_000).0;
        assert_eq!(day(0), "1970.01.01");
        assert_eq!(day(-1), "1969.12.31");
        assert_eq!(day(11_016), "2000.02.29");
        assert_eq!(day(11_017), "2000.03.01");
        assert_eq!(day(47_540), "2100.02.28");
        assert_eq!(day(47_541), "2100.03.01");
        assert_eq!(utc(1_805_036_966_999), ("2027.03.14".into(), "15:09:26".into()));
        assert_eq!(iso(1_805_036_966_999), "2027-03-14T15:09:26.999");
        let _ = (utc(i64::MAX), utc(i64::MIN));
    }
}
