import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

/** The service that the development server passes API requests to. */
const service = process.env.SCENARIUM_URL ?? 'http://127.0.0.1:4000';
const proxied = [
  '/api',
  '/v1',
  '/graphql',
  '/docs',
  '/openapi.json',
  '/console/session',
  '/files',
  '/favicon.svg',
  '/healthz',
];

const ASSETS = 'console/assets';
/** Modules of this many of the 45 screens are one script: every screen then loads about 60 KB, of which it uses most. */
const COMMON_SCREENS = 16;

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  publicDir: false,
  cacheDir: fileURLToPath(new URL('../node_modules/.cache/vite', import.meta.url)),
  resolve: { alias: { '@': fileURLToPath(new URL('src', import.meta.url)) } },
  build: {
    assetsDir: ASSETS,
    // The policy of the page allows no data: scripts, and small files are cheap over one connection.
    assetsInlineLimit: 0,
    target: 'es2022',
    // The first releases with light-dark(). For older ones it would be replaced by variables that Mantine does not set.
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    manifest: 'console/manifest.json',
    // The test of sizes reports them (test/console/size.test.ts).
    reportCompressedSize: false,
    chunkSizeWarningLimit: 1_000,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        // Otherwise a screen loads about 60 small scripts, of which HTTP/1.1 transfers six at a time.
        codeSplitting: {
          groups: [
            { name: 'shell', tags: ['$initial'], priority: 1 },
            { name: 'shared', minShareCount: COMMON_SCREENS },
            { name: 'shared', minShareCount: 3, entriesAware: true },
          ],
        },
        // The default name of a shared script lists all screens that load it.
        chunkFileNames: ({ name }) => `${ASSETS}/${name.startsWith('shared') ? 'shared' : '[name]'}-[hash].js`,
      },
      // Libraries mark browser modules for servers that render React; there is none.
      onLog: (level, log, report) => {
        if (log.code !== 'MODULE_LEVEL_DIRECTIVE') report(level, log);
      },
    },
  },
  server: {
    port: 5173,
    proxy: Object.fromEntries(proxied.map(path => [path, { target: service, ws: path === '/graphql' }])),
  },
});
