//! A book from what was played: collections of games, and named lines.

use super::{
    Contents, Weighted,
    contents::{Gather, id},
};
use crate::{
    model::{OpeningLine, not_text, read_text},
    openings::{LineError, position, replay},
};
use pgn_reader::{RawTag, Reader, SanPlus, Skip, Visitor};
use shakmaty::{Chess, Color, KnownOutcome, Move, Outcome, Position};
use std::{
    collections::HashMap,
    fs::File,
    io::{self, BufRead as _, BufReader},
    ops::ControlFlow,
    path::{Path, PathBuf},
};

/// What of the games becomes a book.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ImportOptions {
    /// Plies of a game that are looked at.
    pub plies: usize,
    /// In how many games a move must have been played in its position.
    pub min_games: u32,
    /// What it must have scored for its side: 0 to 1, a draw counts half.
    pub min_score: f64,
    /// Only moves of this side.
    pub side: Option<Color>,
}

impl Default for ImportOptions {
    fn default() -> ImportOptions {
        ImportOptions { plies: 24, min_games: 1, min_score: 0.0, side: None }
    }
}

/// Why nothing was imported.
#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    /// The system refused.
    #[error("cannot read '{}': {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The system's answer.
        source: io::Error,
    },
    /// It is compressed, or in an encoding that is not read.
    #[error("'{}' cannot be read: {why}", path.display())]
    NotText {
        /// The file.
        path: PathBuf,
        /// What it is, and what to do.
        why: &'static str,
    },
    /// A named line is wrong.
    #[error("line '{name}': {source}")]
    Line {
        /// Its name.
        name: String,
        /// What is wrong.
        source: LineError,
    },
}

/// What was imported.
#[derive(Debug)]
pub struct Imported {
    /// The book.
    pub contents: Contents,
    /// Games that were read.
    pub games: u64,
    /// Games that were left out, and why: the first few.
    pub skipped: Vec<String>,
    /// How many those were in all.
    pub skipped_count: u64,
}

/// Makes a book of games and lines. A game that is damaged counts up to its first wrong move; one of another variant or without a
/// readable position is left out, and named in the report.
///
/// A move's weight is that of most books: two for a won game, one for a drawn one (and for one without a result), nothing for a lost one,
/// scaled down where that is too large for the format. A named line counts as a drawn game.
///
/// # Errors
/// [`ImportError`]
pub fn import(
    files: &[PathBuf],
    lines: &[OpeningLine],
    options: ImportOptions,
) -> Result<Imported, ImportError> {
    let mut tally = Tally {
        options,
        roots: vec![Chess::default()],
        places: HashMap::new(),
        skipped: Vec::new(),
        skipped_count: 0,
    };
    let mut games = 0;
    for path in files {
        games += tally.read(path)?;
    }
    for line in lines {
        let name = || line.name.clone().unwrap_or_else(|| line.moves.join(" "));
        let (start, _) =
            replay(line).map_err(|source| ImportError::Line { name: name(), source })?;
        let mut game = Game::new(tally.root(start.clone()), start);
        for text in &line.moves {
            let mv = super::contents::legal(&game.now, text).expect("the line was replayed");
            game.play(mv);
        }
        tally.add(&game, None);
        games += 1;
    }
    let (skipped, skipped_count) = (std::mem::take(&mut tally.skipped), tally.skipped_count);
    Ok(Imported { contents: tally.finish(), games, skipped, skipped_count })
}

struct Tally {
    options: ImportOptions,
    roots: Vec<Chess>,
    places: HashMap<u128, Place>,
    skipped: Vec<String>,
    skipped_count: u64,
}

struct Place {
    position: Chess,
    root: usize,
    line: Vec<Move>,
    moves: Vec<Count>,
}

struct Count {
    mv: Move,
    games: u32,
    /// Two for a win, one for a draw.
    points: u32,
}

struct Game {
    root: usize,
    start: Chess,
    now: Chess,
    moves: Vec<Move>,
}

impl Game {
    fn new(root: usize, start: Chess) -> Game {
        Game { root, now: start.clone(), start, moves: Vec::new() }
    }

    fn play(&mut self, mv: Move) {
        self.now.play_unchecked(mv);
        self.moves.push(mv);
    }
}

impl Tally {
    fn read(&mut self, path: &Path) -> Result<u64, ImportError> {
        let io = |source| ImportError::Io { path: path.to_owned(), source };
        let mut file = BufReader::new(File::open(path).map_err(io)?);
        if let Some(why) = not_text(file.fill_buf().map_err(io)?) {
            return Err(ImportError::NotText { path: path.to_owned(), why });
        }
        let mut reader = Reader::new(file);
        let mut games = 0;
        loop {
            games += 1;
            let mut visitor =
                Import { tally: self, label: format!("{}, game {games}", path.display()) };
            match reader.read_game(&mut visitor) {
                Ok(Some(())) => {}
                Ok(None) => return Ok(games - 1),
                // A tag or a comment without an end; the reader has gone past it, and goes on behind it if anything is left.
                Err(error) if error.kind() == io::ErrorKind::InvalidData => {
                    self.skip(format!("{}, game {games}: {error}", path.display()));
                }
                Err(error) => return Err(io(error)),
            }
        }
    }

    fn root(&mut self, start: Chess) -> usize {
        let found = self.roots.iter().position(|root| *root == start);
        found.unwrap_or_else(|| {
            self.roots.push(start);
            self.roots.len() - 1
        })
    }

    fn skip(&mut self, why: String) {
        const NAMED: usize = 5;
        self.skipped_count += 1;
        if self.skipped.len() < NAMED {
            self.skipped.push(why);
        }
    }

    fn add(&mut self, game: &Game, winner: Option<Color>) {
        let mut position = game.start.clone();
        for (n, &mv) in game.moves.iter().enumerate() {
            let turn = position.turn();
            if self.options.side.is_none_or(|side| side == turn) {
                let points = winner.map_or(1, |winner| if winner == turn { 2 } else { 0 });
                let place = self.places.entry(id(&position)).or_insert_with(|| Place {
                    position: position.clone(),
                    root: game.root,
                    line: game.moves[..n].to_vec(),
                    moves: Vec::new(),
                });
                if n < place.line.len() {
                    place.root = game.root;
                    place.line = game.moves[..n].to_vec();
                    place.position = position.clone();
                }
                match place.moves.iter_mut().find(|count| count.mv == mv) {
                    Some(count) => {
                        count.games = count.games.saturating_add(1);
                        count.points = count.points.saturating_add(points);
                    }
                    None => place.moves.push(Count { mv, games: 1, points }),
                }
            }
            position.play_unchecked(mv);
        }
    }

    fn finish(self) -> Contents {
        let ImportOptions { min_games, min_score, .. } = self.options;
        let mut gather = Gather::new(self.roots);
        for place in self.places.into_values() {
            let most = place.moves.iter().map(|count| count.points).max().unwrap_or(0);
            let scale = most.div_ceil(u32::from(u16::MAX)).max(1);
            for count in &place.moves {
                let score = f64::from(count.points) / 2.0 / f64::from(count.games);
                if count.games < min_games || score < min_score {
                    continue;
                }
                let weight = u16::try_from(count.points / scale).unwrap_or(u16::MAX);
                let m = Weighted { mv: count.mv, weight, cp: None };
                gather.add(&place.position, place.root, &place.line, m);
            }
        }
        gather.finish()
    }
}

struct Import<'a> {
    tally: &'a mut Tally,
    label: String,
}

#[derive(Default)]
struct Tags {
    fen: Option<String>,
    variant: Option<String>,
    winner: Option<Color>,
}

struct Movetext {
    game: Game,
    winner: Option<Color>,
    /// Its result has come.
    ended: bool,
    over: bool,
}

impl Visitor for Import<'_> {
    type Tags = Tags;
    type Movetext = Movetext;
    type Output = ();

    fn begin_tags(&mut self) -> ControlFlow<(), Tags> {
        ControlFlow::Continue(Tags::default())
    }

    fn tag(&mut self, tags: &mut Tags, name: &[u8], value: RawTag<'_>) -> ControlFlow<()> {
        let text = read_text(&value.decode()).trim().to_owned();
        match name {
            b"FEN" => tags.fen = Some(text),
            b"Variant" => tags.variant = Some(text),
            b"Result" => tags.winner = winner(&text),
            _ => {}
        }
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, tags: Tags) -> ControlFlow<(), Movetext> {
        let standard = |v: &String| {
            let v = v.to_ascii_lowercase();
            matches!(v.as_str(), "" | "standard" | "chess" | "normal" | "from position")
        };
        if let Some(variant) = tags.variant.filter(|v| !standard(v)) {
            self.tally.skip(format!("{}: the variant '{variant}'", self.label));
            return ControlFlow::Break(());
        }
        let start = match tags.fen.as_deref().map(position) {
            None => Chess::default(),
            Some(Ok((_, start))) => start,
            Some(Err(why)) => {
                self.tally.skip(format!("{}: {why}", self.label));
                return ControlFlow::Break(());
            }
        };
        let game = Game::new(self.tally.root(start.clone()), start);
        ControlFlow::Continue(Movetext { game, winner: tags.winner, ended: false, over: false })
    }

    fn san(&mut self, text: &mut Movetext, san: SanPlus) -> ControlFlow<()> {
        let game = &mut text.game;
        if text.over || game.moves.len() >= self.tally.options.plies {
            text.over = true;
            return ControlFlow::Continue(());
        }
        // The reader tells games apart by empty lines alone.
        if text.ended {
            text.over = true;
            self.tally.skip(format!(
                "{}: '{san}' follows the result; an empty line must stand between two games",
                self.label
            ));
            return ControlFlow::Continue(());
        }
        match san.san.to_move(&game.now) {
            Ok(mv) => game.play(mv),
            Err(_) => {
                text.over = true;
                let number = game.moves.len() + 1;
                self.tally.skip(format!(
                    "{}: from half-move {number} on, '{san}' is not legal",
                    self.label
                ));
            }
        }
        ControlFlow::Continue(())
    }

    fn begin_variation(&mut self, _: &mut Movetext) -> ControlFlow<(), Skip> {
        ControlFlow::Continue(Skip(true))
    }

    fn outcome(&mut self, text: &mut Movetext, outcome: Outcome) -> ControlFlow<()> {
        // Where another game follows without an empty line, its result is not this one's.
        if !std::mem::replace(&mut text.ended, true)
            && let Outcome::Known(KnownOutcome::Decisive { winner }) = outcome
        {
            text.winner = Some(winner);
        }
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, text: Movetext) {
        self.tally.add(&text.game, text.winner);
    }
}

fn winner(result: &str) -> Option<Color> {
    match result {
        "1-0" => Some(Color::White),
        "0-1" => Some(Color::Black),
        _ => None,
    }
}
