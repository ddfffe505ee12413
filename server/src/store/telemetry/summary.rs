//! Summaries: from the roll-ups where these tell apart what is asked for, from the plies otherwise. Both give the same numbers.

use super::{
    limited, sql,
    sql::{TABLES, joined},
    table,
};
use crate::{
    store::{Store, StoreError},
    telemetry::{Filter, Group, PERCENTILES, Query, Samples, Table, Value},
};
use sqlx::{QueryBuilder, Sqlite};

/// A sum: its name, and how it is made of roll-ups (`p` is one) and of plies (`p` is one).
const SUMS: [(&str, &str, &str); 20] = [
    ("games", "count(DISTINCT g.id)", "count(DISTINCT g.id)"),
    ("plies", "sum(p.plies)", "count(*)"),
    ("thinks", "sum(p.thinks)", "sum(p.think)"),
    ("book_hits", "sum(p.book_hits)", "sum(p.book)"),
    ("noded", "sum(p.noded)", "count(iif(p.think, p.nodes, NULL))"),
    ("nodes", "sum(p.nodes)", "coalesce(sum(iif(p.think, p.nodes, 0)), 0)"),
    ("clocked", "sum(p.clocked)", "count(p.think_us)"),
    ("think_us", "sum(p.think_us)", "coalesce(sum(p.think_us), 0)"),
    ("timed_nodes", "sum(p.timed_nodes)", "sum(iif(p.nps IS NULL, 0, p.nodes))"),
    ("timed_us", "sum(p.timed_us)", "sum(iif(p.nps IS NULL, 0, p.think_us))"),
    ("peak_nodes", "nullif(max(p.peak_nodes), 0)", "nullif(max(iif(p.think, p.nodes, NULL)), 0)"),
    ("peak_us", "nullif(max(p.peak_us), 0)", "nullif(max(p.think_us), 0)"),
    (
        "fastest_nps",
        "nullif(max(p.fastest_nps), 0)",
        "nullif(max(iif(p.think_us >= 1000000, p.nps, NULL)), 0)",
    ),
    ("depths", "sum(p.depths)", "count(p.counted_depth)"),
    ("depth_sum", "sum(p.depth_sum)", "coalesce(sum(p.counted_depth), 0)"),
    ("depth_max", "nullif(max(p.depth_max), 0)", "nullif(max(p.counted_depth), 0)"),
    ("mate_lines", "sum(p.mate_lines)", "sum(p.mate_line)"),
    (
        "overruns",
        "sum(p.overruns)",
        "count(iif(p.think AND p.mover = 'first' AND p.nodes > g.level, 1, NULL))",
    ),
    (
        "budgeted",
        "sum(iif(p.mover = 'first' AND g.level IS NOT NULL, p.thinks, 0))",
        "count(iif(p.think AND p.mover = 'first' AND g.level IS NOT NULL, 1, NULL))",
    ),
    ("retransmissions", "sum(p.retransmissions)", "sum(p.retransmissions)"),
];

/// What is shown of the sums.
const SHOWN: [(&str, &str); 19] = [
    ("games", "games"),
    ("plies", "plies"),
    ("thinks", "thinks"),
    ("book_hits", "book_hits"),
    ("nodes", "nodes"),
    ("time_ms", "think_us / 1000.0"),
    ("nodes_mean", "round(nodes * 1.0 / nullif(noded, 0), 1)"),
    ("time_mean_ms", "round(think_us / 1000.0 / nullif(clocked, 0), 3)"),
    ("nps", "timed_nodes * 1000000 / nullif(timed_us, 0)"),
    ("fastest_nps", "fastest_nps"),
    ("peak_nodes", "peak_nodes"),
    ("peak_time_ms", "peak_us / 1000.0"),
    ("depths", "depths"),
    ("depth_mean", "round(depth_sum * 1.0 / nullif(depths, 0), 2)"),
    ("depth_max", "depth_max"),
    ("mate_lines", "mate_lines"),
    ("overruns", "overruns"),
    ("overrun_share", "round(overruns * 1.0 / nullif(budgeted, 0), 4)"),
    ("retransmissions", "retransmissions"),
];

impl Store {
    pub(super) async fn summary(&self, query: &Query) -> Result<Table, StoreError> {
        let mut sql = build(query);
        let rows = sql.build().fetch_all(&self.inner.readers).await.map_err(|e| self.error(e))?;
        let keys = query.group.iter().map(|group| group.as_str());
        let mut columns: Vec<&str> = keys.chain(SHOWN.iter().map(|(name, _)| *name)).collect();
        if query.percentiles {
            columns.extend(["all_nodes", "all_us"]);
        }
        let table = table(&rows, columns.into_iter().map(str::to_owned).collect());
        let table = if query.percentiles { with_percentiles(table) } else { table };
        Ok(limited(table, query.limit))
    }
}

pub(super) fn build(query: &Query) -> QueryBuilder<Sqlite> {
    let rolled_up = can_use_rollups(&query.filter, &query.group.0);
    let keys: Vec<String> =
        query.group.iter().map(|group| format!("{} AS k_{group}", key(*group))).collect();
    let mut sums: Vec<String> = SUMS
        .iter()
        .map(|(name, rollups, plies)| {
            format!("{} AS {name}", if rolled_up { rollups } else { plies })
        })
        .collect();
    if query.percentiles {
        sums.extend(if rolled_up {
            ["group_concat(p.all_nodes, '') AS all_nodes", "group_concat(p.all_us, '') AS all_us"]
                .map(str::to_owned)
        } else {
            ["nodes", "think_us"].map(|what| {
                let name = if what == "nodes" { "all_nodes" } else { "all_us" };
                format!(
                    "group_concat(iif(p.think, coalesce(p.{what}, 'null') || ',', ''), '') AS {name}"
                )
            })
        });
    }
    let shown_keys = query.group.iter().map(|group| format!("k_{group} AS \"{group}\""));
    let shown = SHOWN.iter().map(|(name, made)| format!("{made} AS {name}"));
    let more = query.percentiles.then_some(["all_nodes".to_owned(), "all_us".to_owned()]);
    let mut sql = QueryBuilder::new(format!(
        "SELECT {} FROM (SELECT {} FROM games g CROSS JOIN {} p ON p.game_id = g.id",
        joined(shown_keys.chain(shown).chain(more.into_iter().flatten())),
        joined(keys.into_iter().chain(sums)),
        if rolled_up { "rollups" } else { "plies" },
    ));
    sql::conditions(&mut sql, &query.filter, &TABLES);
    let groups = joined(query.group.iter().map(|group| format!("k_{group}")));
    if groups.is_empty() {
        // One row over everything, and none over nothing.
        sql.push(" HAVING count(*) > 0)");
    } else {
        let order = joined(query.group.iter().map(|group| rank(*group)));
        sql.push(format!(" GROUP BY {groups}) ORDER BY {order}"));
    }
    sql::limit(&mut sql, query);
    sql
}

/// What a group's rows stand in order by: phases as a game goes through them, everything else by itself.
fn rank(group: Group) -> String {
    match group {
        Group::Phase => "CASE k_phase WHEN 'book' THEN 0 WHEN 'opening' THEN 1 WHEN 'middlegame' THEN 2 ELSE 3 END".to_owned(),
        other => format!("k_{other}"),
    }
}

/// Roll-ups know games, players and phases.
fn can_use_rollups(filter: &Filter, groups: &[Group]) -> bool {
    let finer = [Group::Depth, Group::Ply, Group::Move, Group::Material];
    !filter.looks_at_plies() && !groups.iter().any(|group| finer.contains(group))
}

fn key(group: Group) -> &'static str {
    match group {
        Group::Run => TABLES.run,
        Group::Board => TABLES.board,
        Group::Firmware => TABLES.firmware,
        Group::Game => TABLES.game,
        Group::Mover => "p.mover",
        Group::Phase => "p.phase",
        Group::Depth => "p.depth",
        Group::Ply => "p.ply",
        Group::Move => "(p.ply + 1) / 2",
        Group::Material => "p.material",
    }
}

/// Puts the percentiles in the place of the lists that they are made of.
fn with_percentiles(mut table: Table) -> Table {
    let kept = table.columns.len() - 2;
    table.columns.truncate(kept);
    for (name, unit) in [("time", "_ms"), ("nodes", ""), ("nps", "")] {
        table.columns.extend(PERCENTILES.map(|p| format!("{name}_p{p}{unit}")));
    }
    for row in &mut table.rows {
        let lists = row.split_off(kept);
        let list = |n: usize| lists[n].as_str().unwrap_or_default();
        let mut samples = Samples::read(list(0), list(1));
        row.extend(samples.us().map(|us| Value::from(us.map(|us| us as f64 / 1000.0))));
        row.extend(samples.nodes().map(Value::from));
        row.extend(samples.nps().map(Value::from));
    }
    table
}
