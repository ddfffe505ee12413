//! docs/telemetry.md says what there is: every column of every view, and examples that a plain SQLite client answers.

use super::*;
use rookery_server::store::SqlLimits;
use std::collections::BTreeSet;

const DOCS: &str = include_str!("../../../docs/telemetry.md");

fn section(view: &str) -> &'static str {
    let heading = format!("\n### {view}\n");
    let text = DOCS.split(&heading).nth(1).unwrap_or_else(|| panic!("no section '{view}'"));
    text.split("\n##").next().unwrap()
}

/// The names in the first column of a section's table.
fn described(view: &str) -> BTreeSet<String> {
    let rows = section(view).lines().filter(|line| line.starts_with("| `"));
    rows.flat_map(|row| row.split('|').nth(1).unwrap().split('`').skip(1).step_by(2))
        .map(str::to_owned)
        .collect()
}

#[tokio::test]
async fn every_column_is_described_and_nothing_else() {
    let dir = tempfile::tempdir().unwrap();
    let store = history(&dir.path().join("a.db")).await;
    for view in View::ALL {
        let mut query = asked(*view);
        query.percentiles = *view == View::Summary;
        let table = store.telemetry(&query).await.unwrap();
        let columns: BTreeSet<String> = table.columns.iter().cloned().collect();
        assert_eq!(columns.len(), table.columns.len());
        assert_eq!(described(view.as_str()), columns, "{view}");
    }
    let table = Table::of_comparison();
    assert_eq!(described("compare"), table.columns.into_iter().collect());
    // The same names in the plain file, for whoever asks it directly.
    for view in ["plies", "games", "iterations", "journal"] {
        let all = format!("SELECT * FROM telemetry_{view}");
        let table = store.query(&all, SqlLimits::default()).await.unwrap();
        assert_eq!(described(view), table.columns.into_iter().collect(), "telemetry_{view}");
    }
}

#[tokio::test]
async fn every_example_is_answered_by_sqlite_itself_and_by_us() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("a.db");
    let store = history(&path).await;
    let examples: Vec<&str> =
        DOCS.split("```sql\n").skip(1).map(|rest| rest.split("```").next().unwrap()).collect();
    assert!(examples.len() >= 8, "{}", examples.len());
    let mut empty = 0;
    for example in examples {
        let ours = store.query(example, SqlLimits::default()).await;
        let ours = ours.unwrap_or_else(|e| panic!("{example}: {e}"));
        let theirs = sqlite3(&path, &format!("{example};"));
        assert_eq!(theirs.lines().count(), ours.rows.len(), "{example}");
        empty += usize::from(ours.rows.is_empty());
    }
    assert!(empty <= 1, "only lost book markers are missing in this history");
}
