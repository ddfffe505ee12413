//! From the specification of an engine to one that is ready: the program is found and started, its options are set.

use super::{
    engine::EngineOptions,
    error::StartError,
    guard,
    line::{Check, UciLine},
    option::{OptionLine, set_option},
    process::Process,
    talk::{Heard, Talk, Unsent},
};
use crate::model::EngineSpec;
use std::{
    ffi::OsString,
    fs, io,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    process::Command,
    time::Duration,
};
use tokio::time::Instant;

const NAME_CHARS: usize = 200;
const OUR_VARIABLES: &[u8] = b"ROOKERY_";

/// An engine that is ready, and what it said of itself.
pub(super) struct Started {
    pub(super) talk: Talk,
    pub(super) name: String,
    pub(super) author: Option<String>,
    pub(super) declared: Vec<OptionLine>,
}

pub(super) async fn start(
    spec: &EngineSpec,
    options: &EngineOptions,
) -> Result<Started, StartError> {
    let shown = shown_command(spec);
    let program = find(spec, &shown)?;
    if let Some(dir) = spec.dir.as_ref().filter(|d| !d.is_dir()) {
        return Err(StartError::NoFolder { command: shown, dir: dir.clone() });
    }
    let guard = options.guard.as_ref().map(|g| {
        // The engine's working folder is another one.
        std::path::absolute(g).unwrap_or_else(|_| g.clone())
    });
    let mut command = match &guard {
        Some(guard) => guard::guarded(guard, &program, &spec.args),
        None => {
            let mut command = Command::new(&program);
            command.args(&spec.args);
            command
        }
    };
    // Our own settings may hold the token of the API: nothing for a program of somebody else.
    for (name, _) in std::env::vars_os() {
        if name.as_encoded_bytes().starts_with(OUR_VARIABLES) {
            command.env_remove(name);
        }
    }
    command.envs(&spec.env);
    if let Some(dir) = &spec.dir {
        command.current_dir(dir);
    }
    let label = spec.name.clone().unwrap_or_else(|| spec.path.display().to_string());
    let process = Process::start(command, label.clone())
        .await
        .map_err(|error| not_spawned(&shown, options.guard.as_deref(), &error))?;
    let mut handshake = Handshake {
        talk: Talk::new(process, label),
        shown,
        id_name: None,
        author: None,
        declared: Vec::new(),
    };
    match handshake.run(spec, options).await {
        Ok(()) => {}
        Err(obstacle) => return Err(handshake.explain(obstacle).await),
    }
    let Handshake { talk, id_name, author, declared, .. } = handshake;
    let file_name = || spec.path.file_name().unwrap_or_default().to_string_lossy();
    let name = spec.name.clone().or(id_name).unwrap_or_else(|| file_name().into_owned());
    Ok(Started { talk, name, author, declared })
}

/// The step that failed and how.
struct Obstacle {
    asked: &'static str,
    awaited: &'static str,
    /// Elapsed in vain; `None` where the engine ended.
    after: Option<Duration>,
}

struct Handshake {
    talk: Talk,
    shown: String,
    id_name: Option<String>,
    author: Option<String>,
    declared: Vec<OptionLine>,
}

impl Handshake {
    async fn run(&mut self, spec: &EngineSpec, options: &EngineOptions) -> Result<(), Obstacle> {
        let after = options.handshake_timeout;
        let until = Instant::now() + after;
        let obstacle = |after| Obstacle { asked: "uci", awaited: "uciok", after };
        match self.talk.send("uci\n", until, None).await {
            Ok(()) | Err(Unsent::Closed) => {}
            Err(Unsent::TimeUp | Unsent::Cancelled) => return Err(obstacle(Some(after))),
        }
        loop {
            match self.talk.hear(until, None).await {
                Heard::Line(UciLine::UciOk) => break,
                Heard::Line(line) => self.note(line),
                Heard::TimeUp | Heard::Cancelled => return Err(obstacle(Some(after))),
                Heard::Closed => return Err(obstacle(None)),
            }
        }

        let mut commands = String::new();
        for (name, value) in &spec.options {
            let (command, warning) = set_option(&self.declared, name, value);
            commands.extend(command);
            if let Some(warning) = warning {
                self.talk.warn(warning);
            }
        }
        let after = options.ready_timeout;
        let until = Instant::now() + after;
        let obstacle = |after| Obstacle { asked: "isready", awaited: "readyok", after };
        match self.talk.send_and_ask_ready(&commands, until, None).await {
            Ok(()) | Err(Unsent::Closed) => {}
            Err(Unsent::TimeUp | Unsent::Cancelled) => return Err(obstacle(Some(after))),
        }
        while self.talk.is_unready() {
            match self.talk.hear(until, None).await {
                Heard::Line(line) => self.note(line),
                Heard::TimeUp | Heard::Cancelled => return Err(obstacle(Some(after))),
                Heard::Closed => return Err(obstacle(None)),
            }
        }
        Ok(())
    }

    fn note(&mut self, line: UciLine) {
        match line {
            UciLine::IdName(name) => self.id_name = clean(&name),
            UciLine::IdAuthor(author) => self.author = clean(&author),
            UciLine::Option(option) => self.declared.push(option),
            UciLine::CopyProtection(Check::Error) => {
                self.talk.warn("its copy protection failed".into());
            }
            UciLine::Registration(Check::Error) => {
                self.talk.warn("it is not registered".into());
            }
            UciLine::Other(noise) if !noise.is_empty() => {
                tracing::debug!(target: "engine", engine = %self.shown, "not UCI: {noise}");
            }
            _ => {}
        }
    }

    async fn explain(self, obstacle: Obstacle) -> StartError {
        let Obstacle { asked, awaited, after } = obstacle;
        let command = self.shown;
        // Whoever had its time already gets no more of it.
        let patience = after.map_or(Duration::from_millis(500), |_| Duration::ZERO);
        let (how, stderr) = self.talk.process.finish(patience).await;
        if let super::Ended::Code(code) = how
            && let Some(reason) = guard::failure(code, &stderr.0)
        {
            return StartError::Spawn { command, reason: reason.to_owned() };
        }
        match after {
            None => StartError::Ended { command, how, asked, awaited, stderr },
            Some(after) => StartError::Silent { command, asked, awaited, after, stderr },
        }
    }
}

/// A name that can stand in a log and in a PGN tag.
fn clean(name: &str) -> Option<String> {
    let name: String = name.chars().filter(|c| !c.is_control()).take(NAME_CHARS).collect();
    let name = name.trim();
    (!name.is_empty()).then(|| name.to_owned())
}

fn shown_command(spec: &EngineSpec) -> String {
    let mut shown = spec.path.display().to_string();
    for arg in &spec.args {
        shown.push(' ');
        shown.push_str(arg);
    }
    shown
}

/// Where Debian puts chess engines; a service's PATH, and root's, do not have it.
const GAME_FOLDERS: [&str; 2] = ["/usr/games", "/usr/local/games"];

/// The program, absolute: a bare name is looked up in PATH (the engine's own, where its environment has one) and in
/// [`GAME_FOLDERS`], a relative path is meant from the server's working folder, whatever the engine's is.
fn find(spec: &EngineSpec, shown: &str) -> Result<PathBuf, StartError> {
    let not_found = |searched| StartError::NotFound { command: shown.to_owned(), searched };
    let mut parts = spec.path.components();
    let is_bare = parts.next().is_some() && parts.next().is_none() && spec.path.is_relative();
    if !is_bare || spec.path.starts_with("..") || spec.path.starts_with(".") {
        let path = std::path::absolute(&spec.path).map_err(|_| not_found(None))?;
        return match unfit(&path) {
            Some(Unfit::Missing) => Err(not_found(None)),
            Some(Unfit::Because(why)) => {
                Err(StartError::NotExecutable { command: shown.to_owned(), path, why })
            }
            None => Ok(path),
        };
    }
    let searched = spec
        .env
        .get("PATH")
        .map(OsString::from)
        .or_else(|| std::env::var_os("PATH"))
        .unwrap_or_default();
    let mut obstacle = not_found(Some(searched.to_string_lossy().into_owned()));
    let games = GAME_FOLDERS.iter().map(PathBuf::from);
    for folder in std::env::split_paths(&searched).chain(games) {
        let Ok(path) = std::path::absolute(folder.join(&spec.path)) else {
            continue;
        };
        match unfit(&path) {
            None => return Ok(path),
            Some(Unfit::Missing) => {}
            Some(Unfit::Because(why)) => {
                obstacle = StartError::NotExecutable { command: shown.to_owned(), path, why };
            }
        }
    }
    Err(obstacle)
}

enum Unfit {
    Missing,
    Because(&'static str),
}

fn unfit(path: &Path) -> Option<Unfit> {
    match fs::metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => {
            Some(Unfit::Because("is in a folder that may not be entered"))
        }
        Err(_) => Some(Unfit::Missing),
        Ok(found) if found.is_dir() => Some(Unfit::Because("is a folder")),
        Ok(found) if found.permissions().mode() & 0o111 == 0 => {
            Some(Unfit::Because("is not executable (chmod +x?)"))
        }
        Ok(_) => None,
    }
}

fn not_spawned(shown: &str, guard: Option<&Path>, error: &io::Error) -> StartError {
    let reason = match guard {
        Some(guard) => format!("its guard {} does not start: {error}", guard.display()),
        None => explain_spawn(error),
    };
    StartError::Spawn { command: shown.to_owned(), reason }
}

/// The file was just seen to be there, so that a missing file is another one.
fn explain_spawn(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => {
            format!(
                "{error}: its interpreter or its loader is missing, or it is built for another system"
            )
        }
        _ => error.to_string(),
    }
}
