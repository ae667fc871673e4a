/**
 * Many clients play on one relay: `npm run load -- [url] [seconds] [clients]`. Without a URL, or with `-`, the
 * launch script named by GAMBIT is started. Prints a summary; the exit status is 1 if anything has failed.
 */
import { WebSocket } from 'ws';
import { GambitClient, guestSigner, type Game } from '../src/index.js';
import { until } from './support/clients.js';
import { Relay } from './support/relay.js';

const MAX_CLIENTS = 1000;
const MAX_SECONDS = 3600;
const TIME = '300+2';
/** Knights go out and home twice: then the position stands for the third time. */
const SHUFFLE = ['g1f3', 'g8f6', 'f3g1', 'f6g8'];
const MOVES = [...SHUFFLE, ...SHUFFLE];
/** Mean milliseconds before a move: 200 players make about 130 moves a second. */
const THINKING = 1500;
const PATIENCE = 30_000;
/** Milliseconds for which a player searches after the deadline: the last one may find nobody. */
const LONGEST_SEARCH = 5_000;

const [urlArgument = '-', secondsArgument = '60', clientsArgument = '200'] = process.argv.slice(2);
const seconds = Math.min(Number(secondsArgument), MAX_SECONDS);
const count = Math.min(Number(clientsArgument), MAX_CLIENTS);

const errors = new Map<string, number>();
const latencies: number[] = [];
let gamesFinished = 0;

function failed(error: unknown): void {
  const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  errors.set(text, (errors.get(text) ?? 0) + 1);
}

const pause = (milliseconds: number): Promise<void> =>
  new Promise(resolve => setTimeout(resolve, milliseconds));

async function within<T>(what: string, request: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${what} took more than ${PATIENCE} ms`)), PATIENCE);
  });
  try {
    return await Promise.race([request, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Plays a game to its end: White claims the draw. */
async function play(game: Game): Promise<void> {
  for (;;) {
    await within('a turn', until(game, () => game.turn === game.color || game.result !== undefined));
    if (game.result) {
      break;
    }
    const move = MOVES[game.ply];
    await pause(Math.random() * 2 * THINKING);
    if (move) {
      const start = performance.now();
      await within('a move', game.move(move));
      latencies.push(performance.now() - start);
    } else {
      await within('a claim', game.claimDraw());
      await within('the end', until(game, () => game.result !== undefined));
    }
  }
  if (game.termination !== 'threefold') {
    failed(`ended by ${game.termination}, ${game.result}`);
  }
  if (game.color === 'white') {
    gamesFinished++;
  }
}

async function playUntil(deadline: number, player: GambitClient): Promise<void> {
  try {
    while (Date.now() < deadline) {
      const search = await within('a search', player.search(TIME));
      let cancelled: Promise<void> | undefined;
      const leave = setTimeout(
        () => {
          cancelled = search.cancel();
        },
        Math.max(LONGEST_SEARCH, deadline - Date.now()),
      );
      const game = await search.game.catch(() => undefined); // fails when it is cancelled
      clearTimeout(leave);
      await cancelled;
      if (game) {
        await play(game);
      }
    }
  } catch (error) {
    failed(error);
  }
}

const relay = urlArgument === '-' ? await new Relay().start() : undefined;
const url = relay?.url ?? urlArgument;
const clients = Array.from(
  { length: count },
  () => new GambitClient(url, { signer: guestSigner(), webSocket: WebSocket }),
);
try {
  for (const player of clients) {
    player.on('notice', failed);
    player.on('status', status => {
      if (status === 'reconnecting') {
        failed('a connection was lost');
      }
    });
  }
  await Promise.all(clients.map(player => player.connect()));
  const deadline = Date.now() + seconds * 1000;
  await Promise.all(clients.map(player => playUntil(deadline, player)));
} catch (error) {
  failed(error);
}
for (const player of clients) {
  player.close();
}
await relay?.stop();

latencies.sort((a, b) => a - b);
const percentile = (share: number): string =>
  `${(latencies[Math.floor(latencies.length * share)] ?? 0).toFixed(1)} ms`;
console.log(
  `${count} clients, ${seconds} s: ${gamesFinished} games, ${latencies.length} moves, ` +
    `answered within ${percentile(0.5)} (median), ${percentile(0.99)} (99 %)`,
);
for (const [text, times] of errors) {
  console.log(`${times} times: ${text}`);
}
process.exitCode = errors.size > 0 || gamesFinished === 0 ? 1 : 0;
