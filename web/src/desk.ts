// SPDX-License-Identifier: GPL-3.0-or-later
// What a board's page knows: its console, the images there are, and the flash that is being prepared.
import type { App } from './app';
import { Console, type Log, type Way } from './console';
import type { FirmwareImage, FlashEntry, FlashMode, FlashRecord, FlashView, FlashWhen } from './generated/api';
import { words, type Loadable } from './loadable';
import { saveBlob } from './save';

const SAID_KEPT = 50;

export class Desk {
  readonly console: Console;
  filter = '';
  way: Way = 'both';
  noise = true;
  hex = false;
  /** A log that stands still while somebody reads it. */
  held: Log | null = null;
  draft = '';
  force = false;
  #said: string[] = [];
  #saidAt = 0;

  images: Loadable<readonly FirmwareImage[]> = { at: 'loading' };
  history: Loadable<readonly FlashRecord[]> = { at: 'loading' };
  chosen: string | null = null;
  when: FlashWhen = 'free';
  entry: FlashEntry = 'app';
  lines = '';
  mode: FlashMode = 'write';
  unprotect = false;
  foreign = false;
  busy = false;

  constructor(
    private readonly app: App,
    readonly board: number,
  ) {
    this.console = new Console(
      () => app.access.socketUrl(`./api/v1/boards/${board}/console`),
      () => app.changed(),
    );
    void this.fetch();
  }

  close(): void {
    this.console.close();
  }

  set(change: Partial<Pick<Desk, 'filter' | 'way' | 'noise' | 'hex' | 'draft' | 'force' | 'chosen' | 'when' | 'entry' | 'lines' | 'mode' | 'unprotect' | 'foreign'>>): void {
    Object.assign(this, change);
    this.app.changed();
  }

  // ---- console ----

  get log(): Log {
    return this.held ?? this.console.log;
  }

  hold(): void {
    this.held = this.held ? null : this.console.log;
    this.app.changed();
  }

  say(): void {
    const text = this.draft.trim();
    if (text === '') return;
    if (!this.console.say(text, this.force)) return this.app.say('The console is not connected.', true);
    this.#said = [...this.#said.filter(s => s !== text), text].slice(-SAID_KEPT);
    this.#saidAt = this.#said.length;
    this.draft = '';
    this.held = null;
    this.app.changed();
  }

  /** What was said before, as in a shell. */
  recall(by: number): void {
    this.#saidAt = Math.max(0, Math.min(this.#said.length, this.#saidAt + by));
    this.draft = this.#said[this.#saidAt] ?? '';
    this.app.changed();
  }

  saveLines(): Promise<void> {
    return this.app.attempt(async () => saveBlob(await this.app.api.lines(this.board), `rookery-board-${this.board}.txt`));
  }

  // ---- flashing ----

  async fetch(): Promise<void> {
    const ask = async <T>(what: Promise<T>): Promise<Loadable<T>> => {
      try {
        return { at: 'here', value: await what };
      } catch (error) {
        return { at: 'failed', error: words(error) };
      }
    };
    [this.images, this.history] = await Promise.all([ask(this.app.api.images()), ask(this.app.api.flashes(this.board))]);
    if (this.images.at === 'here' && !this.images.value.some(i => i.sha256 === this.chosen)) this.chosen = this.images.value[0]?.sha256 ?? null;
    this.app.changed();
  }

  flashed(flash: FlashView): void {
    if (flash.record.board === this.board && flash.record.result !== 'running') void this.fetch();
  }

  async upload(files: FileList | null | undefined): Promise<void> {
    const file = files?.[0];
    if (!file) return;
    await this.app.busily(this, async () => {
      const image = await this.app.api.upload(file, /\.rkb$/i.test(file.name) ? 'book' : 'application', this.foreign);
      this.chosen = image.sha256;
      this.app.say(`${file.name} is kept: ${image.version ?? 'no version said'}, ${image.size.toLocaleString('en')} bytes.`);
      await this.fetch();
    });
  }

  forget(image: FirmwareImage): void {
    this.app.ask({
      title: 'Delete this image?',
      text: `${imageName(image)}. A board that runs it goes on running it, but cannot be rolled back to it.`,
      yes: 'Delete the image',
      no: 'Keep it',
      act: () =>
        void this.app.busily(this, async () => {
          await this.app.api.forgetImage(image.sha256);
          await this.fetch();
        }),
    });
  }

  askFlash(rollback: boolean): void {
    const image = this.images.at === 'here' ? this.images.value.find(i => i.sha256 === this.chosen) : undefined;
    const board = this.app.state.boards.find(b => b.id === this.board);
    const what = rollback ? 'the image that was on it before' : image ? imageName(image) : null;
    if (what === null) return this.app.say('Choose an image, or upload one.', true);
    const meanwhile = { free: '', finish: ' Its game is played to the end first.', pause: ' Its game rests meanwhile.' }[this.when];
    const deed = { write: 'is written to', verify: 'is compared with', dry_run: 'is tried (nothing is written) on' }[this.mode];
    this.app.ask({
      title: rollback ? 'Roll this board back?' : this.mode === 'write' ? 'Flash this board?' : 'Begin?',
      text: `${what[0]!.toUpperCase()}${what.slice(1)} ${deed} ${board?.name ?? `board ${this.board}`}.${meanwhile}${this.unprotect ? ' Taking the read-out protection away erases everything on the chip.' : ''} Do not cut its power.`,
      yes: rollback ? 'Roll back' : this.mode === 'write' ? 'Flash it' : 'Begin',
      no: 'Not now',
      act: () =>
        void this.app.busily(this, async () => {
          await this.app.api.flash(this.board, {
            ...(rollback ? { rollback } : { image: this.chosen! }),
            when: this.when,
            entry: this.entry,
            mode: this.mode,
            unprotect: this.unprotect,
            by: 'the page',
            ...(this.entry === 'lines' && this.lines ? { lines: this.lines } : {}),
          });
        }),
    });
  }

  cancel(): void {
    this.app.ask({
      title: 'Stop the flash?',
      text: 'A board that was changed already stays in its loader, without a program, until it is flashed again.',
      yes: 'Stop the flash',
      no: 'Let it go on',
      act: () => void this.app.busily(this, () => this.app.api.cancelFlash(this.board)),
    });
  }
}

export function imageName(image: Pick<FirmwareImage, 'sha256' | 'version' | 'region' | 'board'>): string {
  return `${image.region === 'application' ? 'firmware' : image.region} ${image.version ?? image.sha256.slice(0, 12)}${image.board ? ` for ${image.board}` : ''}`;
}
