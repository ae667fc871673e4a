/**
 * Fails if the first load of a page is larger than its budget, in bytes after gzip: its HTML, the scripts and styles
 * that it names, the icon and, for players, the standard pieces. Other parts are loaded when they are needed; the
 * browser test of a first move on a phone bounds all bytes together.
 */
import { readFileSync, readdirSync } from 'node:fs';
import { gzipSync } from 'node:zlib';

const dist = new URL('../dist/', import.meta.url).pathname;
const pieces = readdirSync(`${dist}assets`).filter((name) => /^standard-.*\.svg$/.test(name)).map((name) => `assets/${name}`);
check('index.html', 180 * 1024, pieces);
check('admin.html', 80 * 1024, []);

function check(page, budget, more) {
  const html = readFileSync(dist + page, 'utf8');
  const named = [...html.matchAll(/(?:src|href)="\.\/([^"]+\.(?:js|css|svg|webmanifest))"/g)].map(([, path]) => path);
  let total = 0;
  for (const path of new Set([page, ...named, ...more])) {
    const size = gzipSync(readFileSync(dist + path), { level: 9 }).length;
    total += size;
    console.log(`${String(size).padStart(8)}  ${path}`);
  }
  console.log(`${String(total).padStart(8)}  first load after gzip, of ${budget} allowed`);

  const inline = /<style|\sstyle=|<script(?![^>]*\ssrc=)|\son\w+=|(?:src|href)="\//.exec(html);
  if (inline) {
    console.error(`${page} has inline code or an absolute address: ${inline[0]}`);
    process.exitCode = 1;
  }
  if (total > budget) {
    console.error(`${page} is larger than its budget.`);
    process.exitCode = 1;
  }
}
