//! `rookery runs start`: a new run of a server, from options, from a file, or like another one.

use super::{Format, in_a_line, watch};
use crate::{
    api::RunView,
    cli::{
        out,
        remote::Remote,
        run::{Label, Options},
    },
    model::{RunSettings, RunState},
};
use anyhow::Context as _;
use clap::Args as _;
use std::{io::Read as _, path::PathBuf, process::ExitCode};

/// The options of `rookery runs start`. Programs and books are files of the server's machine; openings are read here.
#[derive(Debug, clap::Args)]
#[command(
    mut_arg("engine", |arg| arg.required(false).required_unless_present_any(["settings", "like"])),
    mut_arg("board", |arg| arg.required_unless_present_any(["engine2", "settings", "like"])),
    // clap leaves the group of a struct empty that has another one in it.
    mut_group("Options", |group| group.args(names_of_options())),
)]
pub(super) struct Args {
    #[command(flatten)]
    asked: super::Asked,
    /// Settings as the API has them, or a run as 'show --format json' writes it; - for standard input
    #[arg(long, value_name = "FILE", conflicts_with_all = ["like", "Options"])]
    settings: Option<PathBuf>,
    /// The settings of this run once more
    #[arg(long, value_name = "RUN", conflicts_with = "Options")]
    like: Option<i64>,
    /// Follow it until it ends, as 'watch' does
    #[arg(long)]
    watch: bool,
    #[command(flatten)]
    label: Label,
    // Last, and all or nothing: they exclude the ways above.
    #[command(flatten)]
    options: Option<Options>,
}

/// Every option of [`Options`], those of its parts included.
fn names_of_options() -> Vec<clap::Id> {
    let options = Options::augment_args(clap::Command::new("options"));
    options.get_arguments().map(|option| option.get_id().clone()).collect()
}

/// Begins it.
pub(super) async fn start(args: &Args) -> anyhow::Result<ExitCode> {
    let remote = Remote::needed(&args.asked.place)?;
    let mut settings = match (&args.settings, args.like) {
        (Some(path), _) => read(path)?,
        (_, Some(run)) => like(&remote, run).await?,
        _ => match &args.options {
            Some(options) => options.settings()?,
            None => return Err(super::Usage("say what is to be played: see --help".into()).into()),
        },
    };
    args.label.put_on(&mut settings);
    let run: RunView = remote.client().post("/api/v1/runs", &settings).await?;
    if args.watch {
        out::note(format_args!("run {} '{}' is begun", run.id, run.name));
        return watch::follow(&remote, run.id, args.asked.format).await;
    }
    match args.asked.format {
        Format::Json => out::line(serde_json::to_string_pretty(&run)?)?,
        Format::Table => out::line(in_a_line(&run))?,
    }
    Ok(ExitCode::SUCCESS)
}

async fn like(remote: &Remote, number: i64) -> anyhow::Result<RunSettings> {
    let run = super::run(remote, number).await?;
    if run.state == RunState::Imported {
        anyhow::bail!("run {number} was played elsewhere and imported: its settings are not known");
    }
    Ok(run.settings)
}

/// Settings, or a whole run, of which they are a part.
fn read(path: &PathBuf) -> anyhow::Result<RunSettings> {
    let mut text = String::new();
    let name = if path.as_os_str() == "-" {
        std::io::stdin().read_to_string(&mut text)?;
        "standard input".to_owned()
    } else {
        let name = format!("'{}'", path.display());
        text = std::fs::read_to_string(path).with_context(|| format!("{name} cannot be read"))?;
        name
    };
    #[derive(serde::Deserialize)]
    struct Whole {
        #[serde(rename = "settings")]
        _settings: serde::de::IgnoredAny,
    }
    let settings = match serde_json::from_str::<Whole>(&text) {
        Ok(_) => serde_json::from_str::<RunView>(&text).map(|run| run.settings),
        Err(_) => serde_json::from_str(&text),
    };
    settings.with_context(|| format!("{name} is not the settings of a run"))
}
