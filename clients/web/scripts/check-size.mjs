/**
 * Fails if the first load of the page is larger than its budget, in bytes after gzip.
 * Everything in dist counts but icons, which a browser fetches only to install the page, piece sets that the user
 * has to choose, the licences, and the part about ratings, which is loaded when it is needed.
 */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { gzipSync } from 'node:zlib';

const BUDGET_BYTES = 150 * 1024;
const dist = new URL('../dist/', import.meta.url).pathname;

/** The paths of all files below a folder. */
function filesBelow(folder) {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    return statSync(path).isDirectory() ? filesBelow(path) : [path];
  });
}

const files = filesBelow(dist).filter((path) => !/^(icons\/|assets\/(flat|letters|ratings)-|licenses\.txt$)/.test(relative(dist, path)));
let total = 0;
for (const path of files) {
  const size = gzipSync(readFileSync(path), { level: 9 }).length;
  total += size;
  console.log(`${String(size).padStart(8)}  ${relative(dist, path)}`);
}
console.log(`${String(total).padStart(8)}  first load after gzip, of ${BUDGET_BYTES} allowed`);

const html = readFileSync(join(dist, 'index.html'), 'utf8');
const inline = /<style|\sstyle=|<script(?![^>]*\ssrc=)|\son\w+=|(?:src|href)="\//.exec(html);
if (inline) {
  console.error(`index.html has inline code or an absolute address: ${inline[0]}`);
  process.exitCode = 1;
}
if (total > BUDGET_BYTES) {
  console.error('The page is larger than its budget.');
  process.exitCode = 1;
}
