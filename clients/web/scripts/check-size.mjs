/**
 * Fails if the first load of the page is larger than its budget, in bytes after gzip: index.html, the scripts and
 * styles that it names, the icon and the standard pieces. Other parts are loaded when they are needed; the browser
 * test of a first move on a phone bounds all bytes together.
 */
import { readFileSync, readdirSync } from 'node:fs';
import { gzipSync } from 'node:zlib';

const BUDGET_BYTES = 180 * 1024;
const dist = new URL('../dist/', import.meta.url).pathname;

const html = readFileSync(`${dist}index.html`, 'utf8');
const named = [...html.matchAll(/(?:src|href)="\.\/([^"]+\.(?:js|css|svg|webmanifest))"/g)].map(([, path]) => path);
const pieces = readdirSync(`${dist}assets`).filter((name) => /^standard-.*\.svg$/.test(name)).map((name) => `assets/${name}`);
let total = 0;
for (const path of new Set(['index.html', ...named, ...pieces])) {
  const size = gzipSync(readFileSync(dist + path), { level: 9 }).length;
  total += size;
  console.log(`${String(size).padStart(8)}  ${path}`);
}
console.log(`${String(total).padStart(8)}  first load after gzip, of ${BUDGET_BYTES} allowed`);

const inline = /<style|\sstyle=|<script(?![^>]*\ssrc=)|\son\w+=|(?:src|href)="\//.exec(html);
if (inline) {
  console.error(`index.html has inline code or an absolute address: ${inline[0]}`);
  process.exitCode = 1;
}
if (total > BUDGET_BYTES) {
  console.error('The page is larger than its budget.');
  process.exitCode = 1;
}
