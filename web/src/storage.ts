// SPDX-License-Identifier: GPL-3.0-or-later
// The browser's storage. It may be forbidden; the page does without it then.

export function read(storage: () => Storage, key: string): string | null {
  try {
    return storage().getItem(key);
  } catch {
    return null;
  }
}

/** `null` removes it. */
export function write(storage: () => Storage, key: string, value: string | null): void {
  try {
    if (value === null) storage().removeItem(key);
    else storage().setItem(key, value);
  } catch {
    // See above.
  }
}

export const tab = () => sessionStorage;
export const browser = () => localStorage;
