// SPDX-License-Identifier: GPL-3.0-or-later
// Sounds, made by the browser itself: a tick for a move, a deeper one for a capture, two notes for the end. Off until somebody wants them.
import type { Change } from './generated/api';
import { browser, read, write } from './storage';

export class Sounds {
  on = read(browser, 'rookery.sound') === 'on';
  #audio: AudioContext | null = null;

  toggle(): void {
    this.on = !this.on;
    write(browser, 'rookery.sound', this.on ? 'on' : null);
    if (this.on) this.#note(660, 0, 0.07);
  }

  heard(change: Change, shown: number | null): void {
    if (!this.on) return;
    if (change.kind === 'ply' && change.game === shown) this.#note(change.ply.san.includes('x') ? 330 : 520, 0, 0.06);
    if (change.kind === 'game_ended' && change.game.id === shown) {
      this.#note(440, 0, 0.18);
      this.#note(change.game.result === '1/2-1/2' ? 440 : 660, 0.2, 0.3);
    }
  }

  #note(hertz: number, after: number, seconds: number): void {
    this.#audio ??= new AudioContext();
    const at = this.#audio.currentTime + after;
    const tone = this.#audio.createOscillator();
    const gain = this.#audio.createGain();
    tone.type = 'triangle';
    tone.frequency.value = hertz;
    gain.gain.setValueAtTime(0.25, at);
    gain.gain.exponentialRampToValueAtTime(0.001, at + seconds);
    tone.connect(gain).connect(this.#audio.destination);
    tone.start(at);
    tone.stop(at + seconds);
  }
}
