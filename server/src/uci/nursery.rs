//! The one thread from which every engine is started, and where those are reaped that nobody waits for.
//!
//! Why a thread of its own: an engine behind the guard is killed by the kernel when the *thread* that started it ends
//! (`PR_SET_PDEATHSIG`), not when the process does. Threads of tokio's pools come and go; this one lives as long as the server.

use rustix::process::{Pid, Signal, kill_process_group};
use std::{
    io,
    process::{Child, Command},
    sync::{
        OnceLock,
        mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel},
    },
    thread,
    time::Duration,
};
use tokio::sync::oneshot;

/// More orders than engines can be started or dropped at the same time in earnest; beyond it the sender waits.
const ORDERS: usize = 256;
/// How often a killed process is looked after until it is gone.
const REAP_EVERY: Duration = Duration::from_millis(5);

enum Order {
    Start(Box<Command>, oneshot::Sender<io::Result<Child>>),
    Reap(Child),
}

static ORDERS_TO: OnceLock<SyncSender<Order>> = OnceLock::new();

fn orders() -> io::Result<&'static SyncSender<Order>> {
    if let Some(orders) = ORDERS_TO.get() {
        return Ok(orders);
    }
    let (to, from) = sync_channel(ORDERS);
    // Of two that come here at once one is too late: its thread ends with its channel.
    thread::Builder::new().name("engine-nursery".into()).spawn(move || attend(&from))?;
    Ok(ORDERS_TO.get_or_init(|| to))
}

/// Starts a process. When the returned future is dropped before it is done, the process is killed and reaped.
pub(super) async fn start(command: Command) -> io::Result<Child> {
    let gone = || io::Error::other("the thread that starts engines has ended");
    let (reply, answer) = oneshot::channel();
    orders()?.send(Order::Start(Box::new(command), reply)).map_err(|_| gone())?;
    answer.await.map_err(|_| gone())?
}

/// Reaps a process that was killed, without waiting for it here.
pub(super) fn reap(child: Child) {
    if let Ok(orders) = orders() {
        // An error means that the thread is gone, which it is only when the whole server is ending.
        let _ = orders.send(Order::Reap(child));
    }
}

/// Kills the process group that `child` leads. Only before `child` is reaped: after that its number may be another's.
pub(super) fn kill_group(child: &Child) {
    if let Some(group) = i32::try_from(child.id()).ok().and_then(Pid::from_raw) {
        // It fails only when nobody is left in the group.
        let _ = kill_process_group(group, Signal::KILL);
    }
}

fn attend(orders: &Receiver<Order>) {
    let mut doomed: Vec<Child> = Vec::new();
    loop {
        let order = if doomed.is_empty() {
            orders.recv().map_err(|_| RecvTimeoutError::Disconnected)
        } else {
            orders.recv_timeout(REAP_EVERY)
        };
        match order {
            Ok(Order::Start(mut command, reply)) => {
                if let Err(Ok(unwanted)) = reply.send(command.spawn()) {
                    kill_group(&unwanted);
                    doomed.push(unwanted);
                }
            }
            Ok(Order::Reap(child)) => doomed.push(child),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => return,
        }
        doomed.retain_mut(|child| matches!(child.try_wait(), Ok(None)));
    }
}
