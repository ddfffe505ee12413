//! A view, page by page.

use super::{Archive, Parts};
use crate::telemetry::{Ask, Query, Table, Value, View};
use anyhow::{Context as _, bail};
use futures_util::{StreamExt as _, stream};
use std::collections::HashSet;

/// Rows of a page: some megabytes.
const PAGE: u32 = 20_000;

/// All rows of a view that are wanted.
pub(super) fn of_view(archive: Archive, query: &Query, ask: Ask) -> Parts {
    let left = ask.limit.map_or(u64::MAX, u64::from);
    let (view, key) = (query.view, query.key());
    let pages = Pages { archive, view, key, ask, left, before: None, over: false };
    stream::try_unfold(pages, async |mut pages| Ok(pages.next().await?.map(|table| (table, pages))))
        .boxed()
}

struct Pages {
    archive: Archive,
    view: View,
    /// The question; its offset is that of the next page.
    ask: Ask,
    /// The columns that tell rows apart.
    key: Vec<&'static str>,
    /// Rows that are still wanted.
    left: u64,
    /// Of the page before.
    before: Option<Before>,
    over: bool,
}

struct Before {
    columns: Vec<String>,
    keys: HashSet<String>,
}

impl Pages {
    async fn next(&mut self) -> anyhow::Result<Option<Table>> {
        if self.over {
            return Ok(None);
        }
        // A server refuses to answer with no row.
        let rows = u32::try_from(self.left).unwrap_or(u32::MAX).clamp(1, PAGE);
        self.ask.limit = Some(rows);
        let mut table = self.archive.page(self.view, &self.ask).await?;
        let come = u32::try_from(table.rows.len()).ok();
        let offset = come.and_then(|come| self.ask.offset.checked_add(come));
        self.ask.offset = offset.context("so many rows cannot be passed over: use filters")?;
        self.drop_repeated(&mut table)?;
        table.keep(usize::try_from(self.left).unwrap_or(usize::MAX));
        self.left -= table.rows.len() as u64;
        self.over = !table.truncated || self.left == 0 || come == Some(0);
        Ok(Some(table))
    }

    /// Rows that were added before those of the last page, by a game that is being played, have moved its end into this page.
    fn drop_repeated(&mut self, table: &mut Table) -> anyhow::Result<()> {
        let places: Option<Vec<usize>> = self.key.iter().map(|name| table.column(name)).collect();
        // A row over everything has no key, and a server may not have a column.
        let places = places.unwrap_or_default();
        let key = |row: &Vec<Value>| {
            places.iter().map(|place| row[*place].to_text()).collect::<Vec<_>>().join("\n")
        };
        let keys: Vec<String> = table.rows.iter().map(key).collect();
        if let Some(before) = &self.before {
            if before.columns != table.columns {
                bail!("the columns have changed meanwhile: ask again");
            }
            let repeated = keys.iter().take_while(|key| before.keys.contains(*key)).count();
            if !places.is_empty() {
                table.rows.drain(..repeated);
            }
        }
        self.before =
            Some(Before { columns: table.columns.clone(), keys: keys.into_iter().collect() });
        Ok(())
    }
}
