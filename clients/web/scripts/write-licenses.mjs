// Writes dist/licenses.txt: the licences of the packages of which parts are in the built page.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const clients = fileURLToPath(new URL('../../', import.meta.url));
const lock = JSON.parse(readFileSync(join(clients, 'package-lock.json'), 'utf8'));

const texts = [];
for (const [path, entry] of Object.entries(lock.packages)) {
  const directory = join(clients, path);
  const isOurs = !path.startsWith('node_modules/') || entry.link;
  if (isOurs || entry.dev || entry.devOptional || entry.optional || entry.peer || !existsSync(directory)) continue;
  const { name, version, license } = JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8'));
  const file = readdirSync(directory).find((it) => /^licen[cs]e/i.test(it));
  const text = file ? readFileSync(join(directory, file), 'utf8').trim() : '';
  texts.push(`${name} ${version}: ${license}\n\n${text}`.trim());
}
// The engine contains the parts of Java's class library that it uses, as TeaVM writes them.
if (readdirSync(new URL('../dist/assets/', import.meta.url)).some((name) => name.endsWith('.wasm'))) {
  const version = /<teavm\.version>(.*)</.exec(readFileSync(join(clients, '../pom.xml'), 'utf8'))[1];
  texts.push(`teavm-classlib ${version}: Apache-2.0\n\n${readFileSync(join(clients, '../LICENSE'), 'utf8').trim()}`);
}
writeFileSync(new URL('../dist/licenses.txt', import.meta.url), `${texts.join(`\n\n${'-'.repeat(72)}\n\n`)}\n`);
