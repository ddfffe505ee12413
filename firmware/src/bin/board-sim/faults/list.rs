//! Lists of faults and their rates, as the command line has them.

/// Reads KIND=RATE and names of profiles, joined by commas; what comes later wins. `names` says
/// which kinds there are, `profiles` what rates a name stands for.
pub(crate) fn parse<const N: usize>(
    text: &str,
    names: [&str; N],
    profiles: &[(&str, [f64; N])],
) -> Result<[f64; N], String> {
    let mut rates = [0.0; N];
    for item in text.split(',').map(str::trim) {
        if let Some((_, profile)) = profiles.iter().find(|(name, _)| *name == item) {
            rates = *profile;
            continue;
        }
        let (name, rate) = item.split_once('=').ok_or_else(|| {
            let profiles: Vec<&str> = profiles.iter().map(|(name, _)| *name).collect();
            format!("`{item}` is neither {} nor KIND=RATE", profiles.join(", "))
        })?;
        let index = names.iter().position(|known| *known == name).ok_or_else(|| {
            format!("`{name}` is no kind of fault; there are {}", names.join(", "))
        })?;
        rates[index] = rate
            .parse()
            .ok()
            .filter(|rate| (0.0..=1.0).contains(rate))
            .ok_or_else(|| format!("`{rate}` is not a rate from 0 to 1"))?;
    }
    Ok(rates)
}
