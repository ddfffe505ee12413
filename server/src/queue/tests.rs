use super::*;
use proptest::prelude::*;

const A: BoardId = BoardId(1);
const B: BoardId = BoardId(2);

fn wish(boards: &[BoardId], seats: usize) -> Wish {
    let boards = boards.iter().map(|id| (*id, format!("board {id}"))).collect();
    Wish { boards, seats, ..Wish::default() }
}

/// What a wait has, without waiting.
fn given(wait: &mut Wait) -> Option<Taken> {
    wait.board.try_recv().ok()
}

fn why(ticket: &Ticket) -> Option<(u32, String)> {
    ticket.view.borrow().clone().map(|view| (view.place, view.why))
}

#[test]
fn runs_that_want_one_board_have_it_in_their_order() {
    let queue = Queue::default();
    let (one, mut first) = queue.enter(RunId(1), wish(&[A], 1));
    let (two, mut second) = queue.enter(RunId(2), wish(&[A], 1));
    let (three, mut third) = queue.enter(RunId(3), wish(&[A], 1));
    let board = given(&mut first[0]).expect("it is free");
    assert_eq!((board.board(), why(&one)), (A, None));
    assert_eq!(why(&two), Some((1, "run 1 plays on board 1".into())));
    assert_eq!(why(&three), Some((2, "run 1 plays on board 1".into())));
    queue.set_place(RunId(3), queue.front());
    assert_eq!((why(&two).map(|w| w.0), why(&three).map(|w| w.0)), (Some(2), Some(1)));
    queue.set_paused(RunId(1), true);
    assert_eq!(why(&two), Some((2, "run 1 is paused on board 1".into())));
    drop(board);
    assert!(given(&mut second[0]).is_none());
    let board = given(&mut third[0]).expect("it was moved before the other");
    // Who leaves the queue is not waited for.
    drop((two, second));
    assert!(!queue.waits(RunId(2)));
    drop(board);
    assert!(queue.lock().taken.is_empty());
}

#[test]
fn a_run_takes_whatever_board_of_its_own_is_free() {
    let queue = Queue::default();
    let (_one, mut first) = queue.enter(RunId(1), wish(&[A], 1));
    let (two, mut second) = queue.enter(RunId(2), wish(&[A, B], 1));
    assert_eq!(given(&mut first[0]).map(|board| board.board()), Some(A));
    // Given back at once: it was looked at only.
    let (_three, mut third) = queue.enter(RunId(3), wish(&[A, B], 2));
    assert_eq!(why(&two), None);
    assert_eq!(given(&mut second[0]).map(|board| board.board()), Some(B));
    let boards: Vec<_> = third.iter_mut().filter_map(given).map(|b| b.board()).collect();
    assert_eq!(boards.len(), 2, "{boards:?}");
}

#[test]
fn one_that_is_paused_is_passed_over_but_not_where_its_game_was_cut_off() {
    let queue = Queue::default();
    let closed = queue.close();
    let paused = Wish { paused: true, ..wish(&[A, B], 2) };
    let cut_off = Wish { interrupted: [B].into(), begun: true, ..paused };
    let (one, mut first) = queue.enter(RunId(1), wish(&[A, B], 1));
    let (two, mut second) = queue.enter(RunId(2), cut_off);
    assert_eq!(why(&one), Some((1, "the server starts".into())));
    assert!(queue.has_none(RunId(1)) && given(&mut first[0]).is_none(), "not everybody is there");
    drop(closed);
    assert_eq!(given(&mut second[0]).as_ref().map(Taken::board), Some(B), "its game goes on there");
    assert_eq!(given(&mut first[0]).as_ref().map(Taken::board), Some(A));
    assert!(why(&two).is_some_and(|(_, why)| why.starts_with("it is paused")));
    queue.set_paused(RunId(2), false);
    assert!(given(&mut second[1]).is_some());
}

#[derive(Clone, Debug)]
enum Deed {
    Enter { boards: u8, seats: usize, place: i64 },
    Leave(usize),
    GiveBack(usize),
    Pause(usize, bool),
    First(usize),
}

fn deed() -> impl Strategy<Value = Deed> {
    prop_oneof![
        (1..16u8, 1..4usize, -2..3i64).prop_map(|(boards, seats, place)| Deed::Enter {
            boards,
            seats,
            place
        }),
        any::<usize>().prop_map(Deed::Leave),
        any::<usize>().prop_map(Deed::GiveBack),
        (any::<usize>(), any::<bool>()).prop_map(|(n, paused)| Deed::Pause(n, paused)),
        any::<usize>().prop_map(Deed::First),
    ]
}

proptest! {
    /// Whatever happens: no board has two runs, none is free that a run waits for, and who is first waits for no one but its boards.
    #[test]
    fn no_board_is_given_twice_and_none_idles(deeds in prop::collection::vec(deed(), 1..60)) {
        let queue = Queue::default();
        let mut runs: Vec<(Ticket, Vec<Wait>)> = Vec::new();
        let mut taken: Vec<(RunId, Taken)> = Vec::new();
        let mut next = 1;
        for deed in deeds {
            let at = |n: usize| (!runs.is_empty()).then(|| n % runs.len());
            match deed {
                Deed::Enter { boards, seats, place } => {
                    let all = (0..4).filter(|n| boards & (1 << n) != 0).map(BoardId);
                    let all: Vec<BoardId> = all.collect();
                    let seats = seats.min(all.len());
                    runs.push(queue.enter(RunId(next), Wish { place, ..wish(&all, seats) }));
                    next += 1;
                }
                Deed::Leave(n) => if let Some(n) = at(n) { drop(runs.swap_remove(n)) },
                Deed::GiveBack(n) => if !taken.is_empty() { drop(taken.swap_remove(n % taken.len())) },
                Deed::Pause(n, paused) => if let Some(n) = at(n) { queue.set_paused(runs[n].0.run, paused) },
                Deed::First(n) => if let Some(n) = at(n) { queue.set_place(runs[n].0.run, queue.front()) },
            }
            for (ticket, waits) in &mut runs {
                taken.extend(waits.iter_mut().filter_map(given).map(|board| (ticket.run, board)));
                waits.retain(|wait| !wait.board.is_terminated());
            }
            let boards: BTreeSet<BoardId> = taken.iter().map(|(_, board)| board.board()).collect();
            prop_assert_eq!(boards.len(), taken.len(), "a board was given twice");
            let state = queue.lock();
            prop_assert_eq!(state.taken.keys().copied().collect::<BTreeSet<_>>(), boards);
            prop_assert_eq!(state.next(), None, "a free board is waited for");
            for (ticket, waits) in &runs {
                prop_assert_eq!(ticket.view.borrow().is_some(), !waits.is_empty());
            }
        }
    }
}
