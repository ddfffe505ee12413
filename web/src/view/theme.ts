// SPDX-License-Identifier: GPL-3.0-or-later
import type { App } from '../app';

const dark = matchMedia('(prefers-color-scheme: dark)');

/** What is drawn on a canvas does not follow the theme by itself: it is drawn anew when this changes. */
export const themeKey = (app: App): string => (app.theme === 'auto' ? (dark.matches ? 'dark' : 'light') : app.theme);
