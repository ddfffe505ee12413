#!/usr/bin/env node
// SPDX-License-Identifier: GPL-3.0-or-later
// The browser's test: a server of its own with a game of 1,000 plies in its database, and a browser that watches it and works with it.
//
//   node e2e/run.mjs
//   ROOKERY       the program (default target/debug/rookery); see demo.mjs and browser.mjs for the others
import { books } from './books.mjs';
import { withBrowser } from './browser.mjs';
import { demo } from './demo.mjs';
import { desk } from './desk.mjs';
import { runs } from './runs.mjs';
import { builds, longGame, Server } from './server.mjs';

const server = new Server();
try {
  server.import(longGame(1000), 'Endurance');
  for (const [version, pgn] of builds()) server.import(pgn, `Build ${version}`, ['--firmware', version]);
  await server.start();
  // Each step has an end of its own; this is for a browser that hangs.
  await withBrowser(server.url, 1_500_000, async (page, context) => {
    await demo(page, server.url);
    await books(page, server);
    await runs(page, server);
    await desk(page, context, server, 1);
  });
} finally {
  await server.remove();
}
