// SPDX-License-Identifier: GPL-3.0-or-later
// Runs before the first paint, so that a chosen theme does not flash the other one. Kept apart because the page's policy forbids inline scripts.
try {
  const theme = localStorage.getItem('rookery.theme');
  if (theme === 'dark' || theme === 'light') document.documentElement.dataset.theme = theme;
} catch {
  // Storage may be forbidden: the system's preference holds.
}
