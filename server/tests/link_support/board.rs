//! A whole board around the protocol's device side. It knows no chess: a move leads from one hash to another, and whatever was
//! executed is written down with the boot in which that happened.

use rookery_protocol::{
    Activity, Banner, BestMove, BootId, Decoder, Event, Iteration, MoveSource, MoveText,
    PageWriter, ParamKey, PositionHash, RebootTarget, ResetCause, Tag, Telemetry, Value,
    device::{
        BadPosition, BadValue, Device, Endpoint, IllegalMove, NoSuchTarget, PARTIAL_TIMEOUT,
        ThinkRefused, handle,
    },
};

pub const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// How long a think takes in milliseconds, by its node budget.
pub const PACE: fn(u32) -> u32 = |nodes| nodes;

/// Iterations of a think.
const ITERATIONS: u32 = 5;

/// The position after a move.
pub fn after(before: PositionHash, mv: MoveText) -> PositionHash {
    PositionHash::of_fen(&format!("{before} {mv}"))
}

/// What a board did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Call {
    Position(String),
    Play(Vec<MoveText>),
    Think(u32),
    Stop,
    Param(i32),
    Reboot,
}

/// What a board did, when, and where it stood then.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Executed {
    pub boot: BootId,
    pub call: Call,
    pub after: PositionHash,
}

struct Running {
    began: u32,
    millis: u32,
    sent: u32,
}

struct Toy {
    boot: BootId,
    hash: PositionHash,
    thinking: Option<(Tag, u32)>,
    stopped: bool,
    protocol: &'static str,
    log: Vec<Executed>,
    reboot: bool,
    /// It thinks about another position than the one that it was given.
    straying: bool,
    /// Thinks that it refuses.
    weary: u32,
    /// Moves that it takes for illegal.
    illegal: Option<MoveText>,
    /// Parameters change the hash, so that each acknowledgement shows which command it is for.
    telling: bool,
}

impl Toy {
    fn did(&mut self, call: Call) {
        self.log.push(Executed { boot: self.boot, call, after: self.hash });
    }
}

impl Device for Toy {
    fn position_hash(&self) -> PositionHash {
        self.hash
    }

    fn activity(&self) -> Activity {
        if self.thinking.is_some() { Activity::Thinking } else { Activity::Idle }
    }

    fn identify(&self, pages: &mut PageWriter<'_>) {
        pages.pair("kind", Value::Text("toy"));
        pages.pair("fw", Value::Text("0.0.1"));
        pages.pair("proto", Value::Text(self.protocol));
        pages.pair("eng", Value::Text("toy engine"));
        pages.pair("unit", Value::Number(100));
        pages.pair("cells", Value::Number(1024));
    }

    fn set_position(&mut self, fen: &str) -> Result<(), BadPosition> {
        assert!(self.thinking.is_none());
        if fen.starts_with('x') {
            return Err(BadPosition);
        }
        self.hash = PositionHash::of_fen(fen);
        self.did(Call::Position(fen.to_owned()));
        Ok(())
    }

    fn play(&mut self, moves: &[MoveText]) -> Result<(), IllegalMove> {
        assert!(self.thinking.is_none());
        if let Some(index) = moves.iter().position(|mv| Some(*mv) == self.illegal) {
            return Err(IllegalMove(u8::try_from(index).unwrap()));
        }
        self.hash = moves.iter().fold(self.hash, |hash, mv| after(hash, *mv));
        self.did(Call::Play(moves.to_vec()));
        Ok(())
    }

    fn think(&mut self, tag: Tag, nodes: u32) -> Result<(), ThinkRefused> {
        assert!(self.thinking.is_none());
        if nodes == 0 {
            return Err(ThinkRefused::Over);
        }
        if self.weary > 0 {
            self.weary -= 1;
            return Err(ThinkRefused::Budget);
        }
        self.hash.0 ^= u32::from(self.straying);
        self.thinking = Some((tag, nodes));
        self.did(Call::Think(nodes));
        Ok(())
    }

    fn stop(&mut self) {
        self.stopped = self.thinking.is_some();
        self.did(Call::Stop);
    }

    fn set_param(&mut self, _: ParamKey, value: i32) -> Result<(), BadValue> {
        assert!(self.thinking.is_none());
        if value < 0 {
            return Err(BadValue);
        }
        if self.telling {
            self.hash = PositionHash::of_fen(&format!("{} {value}", self.hash));
        }
        self.did(Call::Param(value));
        Ok(())
    }

    fn reboot(&mut self, target: RebootTarget) -> Result<(), NoSuchTarget> {
        if target == RebootTarget::Loader {
            return Err(NoSuchTarget);
        }
        self.reboot = true;
        self.did(Call::Reboot);
        Ok(())
    }
}

/// A board: its end of the conversation, its device and its clock.
pub struct Board {
    pub endpoint: Endpoint,
    toy: Toy,
    decoder: Decoder,
    heard: u32,
    think: Option<Running>,
    pace: fn(u32) -> u32,
    /// Best moves that were made: boot, node budget, and the hash after it.
    pub made: Vec<(BootId, u32, PositionHash)>,
    /// A board that does not end its thinks.
    pub stubborn: bool,
    /// Best moves that it makes and does not tell.
    pub untold: u32,
}

impl Board {
    pub fn new(boot: u32, pace: fn(u32) -> u32) -> Board {
        let toy = Toy {
            boot: BootId(boot),
            hash: PositionHash::of_fen(START),
            thinking: None,
            stopped: false,
            protocol: "2-2",
            log: Vec::new(),
            reboot: false,
            straying: false,
            weary: 0,
            illegal: None,
            telling: false,
        };
        Board {
            endpoint: Endpoint::new(BootId(boot)),
            toy,
            decoder: Decoder::new(),
            heard: 0,
            think: None,
            pace,
            made: Vec::new(),
            stubborn: false,
            untold: 0,
        }
    }

    /// Parameters change the position's hash from now on.
    pub fn telling(mut self) -> Board {
        self.toy.telling = true;
        self
    }

    pub fn speaking(mut self, protocol: &'static str) -> Board {
        self.toy.protocol = protocol;
        self
    }

    pub fn straying(mut self) -> Board {
        self.toy.straying = true;
        self
    }

    /// Refuses so many thinks, as where the command was damaged and its checksum does not show it.
    pub fn tire(&mut self, thinks: u32) {
        self.toy.weary = thinks;
    }

    pub fn refuse(&mut self, mv: MoveText) {
        self.toy.illegal = Some(mv);
    }

    /// The board is lifted and a piece is put elsewhere.
    pub fn displace(&mut self) {
        self.toy.hash = PositionHash(self.toy.hash.0 ^ 1);
    }

    pub fn boot(&self) -> BootId {
        self.toy.boot
    }

    pub fn hash(&self) -> PositionHash {
        self.toy.hash
    }

    pub fn is_thinking(&self) -> bool {
        self.toy.thinking.is_some()
    }

    pub fn log(&self) -> &[Executed] {
        &self.toy.log
    }

    /// Whether it was told to restart.
    pub fn wants_reset(&self) -> bool {
        self.toy.reboot
    }

    /// Power is lost and comes again. What it wrote down stays.
    pub fn reset(&mut self, boot: u32, out: &mut impl FnMut(&[u8])) {
        self.toy.boot = BootId(boot);
        self.toy.hash = PositionHash::of_fen(START);
        (self.toy.thinking, self.toy.stopped, self.toy.reboot) = (None, false, false);
        self.think = None;
        self.decoder = Decoder::new();
        self.endpoint = Endpoint::new(BootId(boot));
        let banner = Banner {
            boot: BootId(boot),
            cause: ResetCause::PowerOn,
            protocol: 2,
            firmware: "0.0.1",
            kind: "toy",
        };
        self.endpoint.banner(&banner, out);
    }

    pub fn receive(&mut self, bytes: &[u8], now: u32, out: &mut impl FnMut(&[u8])) {
        self.heard = now;
        for &byte in bytes {
            let decoded = self.decoder.push(byte);
            handle(&mut self.endpoint, &mut self.toy, decoded, now, out);
            if let (Some((_, nodes)), None) = (self.toy.thinking, &self.think) {
                self.think = Some(Running { began: now, millis: (self.pace)(nodes), sent: 0 });
            }
        }
    }

    /// Does what the time asks for.
    pub fn advance(&mut self, now: u32, out: &mut impl FnMut(&[u8])) {
        if self.decoder.is_partial() && now.wrapping_sub(self.heard) >= PARTIAL_TIMEOUT {
            self.decoder.drop_partial();
        }
        self.advance_think(now, out);
        self.endpoint.tick(now, out);
    }

    fn advance_think(&mut self, now: u32, out: &mut impl FnMut(&[u8])) {
        let (Some(running), Some((tag, nodes))) = (&mut self.think, self.toy.thinking) else {
            return;
        };
        let elapsed = now.wrapping_sub(running.began);
        let best: MoveText = "e2e4".parse().unwrap();
        while running.sent < ITERATIONS
            && elapsed >= running.millis * (running.sent + 1) / (ITERATIONS + 1)
        {
            running.sent += 1;
            let iteration = Iteration {
                tag,
                depth: u8::try_from(running.sent).unwrap(),
                nodes,
                score: 3,
                best,
                millis: elapsed,
            };
            self.endpoint.telemetry(&Telemetry::Iteration(iteration), out);
        }
        if (elapsed < running.millis && !self.toy.stopped) || self.stubborn {
            return;
        }
        let source = if self.toy.stopped { MoveSource::Stopped } else { MoveSource::Search };
        self.toy.hash = after(self.toy.hash, best);
        let hash = self.toy.hash;
        self.made.push((self.toy.boot, nodes, hash));
        (self.toy.thinking, self.toy.stopped, self.think) = (None, false, None);
        if self.untold > 0 {
            self.untold -= 1;
            return;
        }
        let event =
            BestMove { tag, best, depth: 5, nodes, score: 3, millis: elapsed, source, hash };
        self.endpoint.event(Event::BestMove(event), now, out).expect("a think had room");
    }

    /// How many milliseconds [`Board::advance`] may wait.
    pub fn wait(&self, now: u32) -> Option<u32> {
        let partial = self
            .decoder
            .is_partial()
            .then(|| PARTIAL_TIMEOUT.saturating_sub(now.wrapping_sub(self.heard)));
        let think = self.think.as_ref().and_then(|running| {
            let elapsed = now.wrapping_sub(running.began);
            let next = match running.sent {
                ITERATIONS if self.stubborn => return None,
                ITERATIONS => running.millis,
                sent => running.millis * (sent + 1) / (ITERATIONS + 1),
            };
            let stopped = self.toy.stopped && !self.stubborn;
            Some(if stopped { 0 } else { next.saturating_sub(elapsed) })
        });
        [partial, think, self.endpoint.wait(now)].into_iter().flatten().min()
    }
}
