//! What is done to a board, its bridge or its server while a game is played.

use super::{
    cell::Table,
    control::Control,
    matrix::Deed,
    peers::{terminal_to, wait_for},
};
use std::{process::Child, thread, time::Duration};

/// How often, and after how many plies each time.
const TIMES: [u64; 3] = [3, 9, 15];

/// Does it, a few times over the game.
pub(crate) fn commit(deed: Deed, table: &mut Table, server: &mut Child) {
    // A disk that is full again and again shows nothing more.
    let times = if deed == Deed::FullDisk { &TIMES[..1] } else { &TIMES[..] };
    for (done, &plies) in times.iter().enumerate() {
        let mut over = false;
        wait_for("plies", || {
            over = server.try_wait().expect("a child of ours").is_some();
            over || table.plies() >= plies
        });
        if over {
            // The game was faster than whoever looks on: there is enough in it if something was done at all.
            assert!(done > 0, "the run is over too early: {}", table.place.text("stderr"));
            return;
        }
        once(deed, table, server);
    }
}

fn once(deed: Deed, table: &mut Table, server: &mut Child) {
    match deed {
        Deed::HalfOpen => table.bridge().forget(),
        Deed::ResetMidCommand => {
            let mut control = table.control();
            table.bridge().amid_a_line(|| reset(&mut control));
        }
        Deed::TwoBoots => {
            let mut control = table.control();
            reset(&mut control);
            reset(&mut control);
        }
        Deed::StaleBytes => {
            let bridge = table.bridge();
            bridge.repeat_old_bytes(b"");
            bridge.hang_up();
        }
        Deed::EspReboot => {
            let bridge = table.bridge();
            // What the ESP's own loader says at another rate, and the old bytes of its buffer.
            bridge.repeat_old_bytes(
                b"\x1c\x82\x1c\xe0l\xe3\x00ets Jan  8 2013,rst cause:2, boot mode:(3,6)\r\n\n",
            );
            bridge.set_away(true);
            thread::sleep(Duration::from_secs(2));
            bridge.set_away(false);
        }
        Deed::Replug => {
            table.plug = None;
            thread::sleep(Duration::from_millis(500));
            table.plug = Some(terminal_to(&table.port, table.board, ""));
        }
        Deed::ServerRestart => {
            server.kill().expect("it runs");
            let _ = server.wait();
            *server = table.serve();
        }
        Deed::FullDisk => {
            table.fill_the_disk();
            wait_for("an alarm", || {
                let alarm = table.place.sql("SELECT coalesce(error, '') FROM runs");
                let said =
                    table.place.text("stderr") + &table.place.text("stdout") + &alarm.join("");
                said.contains("waiting for the database")
            });
            table.make_room();
        }
    }
}

/// Presses the reset button, and waits until the program has begun anew.
fn reset(control: &mut Control) {
    let starts = control.starts();
    control.order("reset");
    wait_for("a reset", || control.starts() > starts);
}
