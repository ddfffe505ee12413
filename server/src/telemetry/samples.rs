//! Percentiles.

/// The percentiles of a summary.
pub const PERCENTILES: [u32; 4] = [50, 90, 95, 99];

/// Thinks one by one, as far as they report their nodes and have a time.
#[derive(Clone, Debug, Default)]
pub struct Samples {
    nodes: Vec<u64>,
    us: Vec<u64>,
    nps: Vec<u64>,
}

impl Samples {
    /// From two lists of equal length, numbers or `null` with a comma behind each: the nodes and microseconds of the same thinks.
    #[must_use]
    pub fn read(nodes: &str, us: &str) -> Samples {
        let mut samples = Samples::default();
        for (nodes, us) in numbers(nodes).zip(numbers(us)) {
            samples.nodes.extend(nodes);
            samples.us.extend(us);
            if let (Some(nodes), Some(us @ 1..)) = (nodes, us) {
                samples.nps.push(nodes.saturating_mul(1_000_000) / us);
            }
        }
        samples
    }

    /// Nodes.
    pub fn nodes(&mut self) -> [Option<u64>; 4] {
        percentiles(&mut self.nodes)
    }

    /// Microseconds.
    pub fn us(&mut self) -> [Option<u64>; 4] {
        percentiles(&mut self.us)
    }

    /// Nodes a second.
    pub fn nps(&mut self) -> [Option<u64>; 4] {
        percentiles(&mut self.nps)
    }
}

fn numbers(list: &str) -> impl Iterator<Item = Option<u64>> {
    list.split_terminator(',').map(|item| item.parse().ok())
}

/// By the nearest rank: the smallest value that so many per cent of all do not exceed. It is always one that was measured.
fn percentiles(values: &mut [u64]) -> [Option<u64>; 4] {
    let count = values.len();
    // From the highest down, each among those that the last left below it: no more is sorted than has to be.
    let mut below = count;
    let mut found = [None; 4];
    for (place, percent) in PERCENTILES.iter().enumerate().rev() {
        if count == 0 {
            break;
        }
        let rank = (count * *percent as usize).div_ceil(100).max(1) - 1;
        if rank >= below {
            found[place] = found[place + 1];
            continue;
        }
        let (_, value, _) = values[..below].select_nth_unstable(rank);
        found[place] = Some(*value);
        below = rank;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn by_sorting(values: &[u64]) -> [Option<u64>; 4] {
        let mut sorted = values.to_vec();
        sorted.sort_unstable();
        PERCENTILES.map(|p| {
            let covers = |v: &&u64| {
                sorted.iter().filter(|x| x <= v).count() * 100 >= sorted.len() * p as usize
            };
            sorted.iter().find(covers).copied()
        })
    }

    proptest! {
        #[test]
        fn a_percentile_is_the_least_value_that_covers_so_many(values in prop::collection::vec(0_u64..50, 0..120)) {
            prop_assert_eq!(percentiles(&mut values.clone()), by_sorting(&values));
        }
    }

    #[test]
    fn thinks_without_a_number_are_left_out_where_they_have_none() {
        let mut samples = Samples::read("100,null,300,50,", "1000000,5,null,0,");
        assert_eq!(samples.nodes(), [Some(100), Some(300), Some(300), Some(300)]);
        assert_eq!(samples.us(), [Some(5), Some(1_000_000), Some(1_000_000), Some(1_000_000)]);
        assert_eq!(samples.nps(), [Some(100); 4]);
        assert_eq!(Samples::read("", "").nodes(), [None; 4]);
    }
}
