/**
 * Runs every src/**\/*.test.ts, and those of the scripts, with Node's own test runner. Vite compiles the files, so that tests
 * and the page see the same modules.
 */
import { readdirSync } from 'node:fs';
import { createServer } from 'vite';

const root = new URL('..', import.meta.url).pathname;
const server = await createServer({
  root,
  logLevel: 'error',
  server: { middlewareMode: true, hmr: false, ws: false, watch: null },
  optimizeDeps: { noDiscovery: true },
});
const tests = readdirSync(`${root}src`, { recursive: true }).filter((path) => path.endsWith('.test.ts'));
if (tests.length === 0) throw new Error('no tests found');
for (const path of tests) await server.ssrLoadModule(`/src/${path}`);
await server.close();
await import('./check-languages.test.mjs');
