// SPDX-License-Identifier: GPL-3.0-or-later
import { html } from 'lit-html';
import * as icons from './icons';

export const loading = (text: string) => html`<p class="wait" role="status"><span class="spinner" aria-hidden="true"></span>${text}</p>`;

export const failed = (text: string, again: () => void) =>
  html`<div class="wait bad" role="alert"><p>${icons.alarm} ${text}</p><button type="button" @click=${again}>${icons.again} Try again</button></div>`;
