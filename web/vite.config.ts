// SPDX-License-Identifier: GPL-3.0-or-later
import { defineConfig } from 'vitest/config';

// The built page is kept in the repository and embedded in the server, so its file names carry no hash: a rebuild that changes
// nothing must leave `git diff web/dist` empty, and one that changes something must not leave old files behind.
export default defineConfig({
  base: './',
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2022',
    modulePreload: false,
    assetsInlineLimit: 0,
    reportCompressedSize: true,
    // The licences of what is bundled travel with it.
    license: { fileName: 'licenses.md' },
    rollupOptions: {
      output: {
        entryFileNames: 'assets/rookery.js',
        chunkFileNames: 'assets/[name].js',
        assetFileNames: 'assets/rookery[extname]',
      },
    },
  },
  test: {
    include: ['test/**/*.test.{ts,mjs}'],
    environment: 'node',
  },
});
