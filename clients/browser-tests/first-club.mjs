// The browser of docs/benchmarks/first-club: waits for a line with the URL of a relay and its first link, opens the link
// and plays a game of two visitors. Arguments: the relay's name and address, NAME=ADDRESS, and the hash of the public key
// of the authority that signs its certificate, which this browser trusts besides its own.
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { pair, play } from './player.mjs';
import { launch } from './visitor.mjs';

const [name, address] = process.argv[2].split('=');
const browser = await launch({
  more: [`--host-resolver-rules=MAP ${name} ${address}`, `--ignore-certificate-errors-spki-list=${process.argv[3]}`],
});
console.log('ready');
const [line] = await once(createInterface(process.stdin), 'line');
const [url, link] = line.split(' ');
const begin = performance.now();
const report = what => console.log(`+${((performance.now() - begin) / 1000).toFixed(2)} s: ${what}`);

const context = await browser.newContext();
const page = await context.newPage();
for (let tries = 0; ; tries++) {
  try {
    await page.goto(url);
    break;
  } catch (e) {
    // Until its first certificate, the relay has one that the browser does not trust.
    if (tries === 1_200 || !/ERR_CERT|ERR_CONNECTION|ERR_SSL/.test(e.message)) throw e;
    await new Promise(again => setTimeout(again, 100));
  }
}
report('https');
await page.goto(link);
await page.getByRole('button', { name: 'Make a key for me' }).click();
await page.getByRole('checkbox').check();
await page.getByRole('button', { name: 'Sign in' }).click();
await page.getByRole('button', { name: 'Sign out' }).waitFor();
report('the first link has made an admin');
await context.close();

const game = await pair(browser, { url });
report('two visitors are in a game');
await play(game, ['f2f3', 'e7e5', 'g2g4', 'd8h4']);
console.log(await game.black.result());
await game.white.close();
await game.black.close();
report('the game is over');
await browser.close();
process.exit();
