// Measures the engine in Chromium: positions a second, and games against Stockfish with a limited rating, from a jar with
// the page. Not a test:
//
//     node engine-strength.mjs [games with each colour] [milliseconds for a move] [ratings]
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { Chess } from 'chess.js';
import { Relay } from './relay.mjs';
import { ownEngine, UciWorker } from './uci.mjs';
import { launch } from './visitor.mjs';

const [games = '10', millis = '500', ...ratings] = process.argv.slice(2);
const STOCKFISH_NODES = 15_000; // as LevelMatches
const MAX_PLIES = 300;
const MIDDLEGAME = 'r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1';

function stockfish(rating) {
  const child = spawn('/usr/games/stockfish', { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  child.stdin.write(`setoption name UCI_LimitStrength value true\nsetoption name UCI_Elo value ${rating}\n`);
  return {
    async move(position) {
      child.stdin.write(`${position}\ngo nodes ${STOCKFISH_NODES}\n`);
      for (;;) {
        const { value: line } = await lines.next();
        if (line.startsWith('bestmove ')) return line.split(' ')[1];
      }
    },
    end: () => child.kill(),
  };
}

/** 1 if the engine wins, 0.5 for a draw, 0 if it loses. */
async function play(engine, opponent, color) {
  const chess = new Chess();
  const moves = [];
  await engine.ask('readyok', 'ucinewgame', 'isready');
  while (!chess.isGameOver() && moves.length < MAX_PLIES) {
    const position = `position startpos${moves.length > 0 ? ` moves ${moves.join(' ')}` : ''}`;
    const move =
      chess.turn() === color
        ? (await engine.ask('bestmove', position, `go movetime ${millis}`)).at(-1).split(' ')[1]
        : await opponent.move(position);
    moves.push(move);
    chess.move(move);
  }
  return chess.isCheckmate() ? Number(chess.turn() !== color) : 0.5;
}

/** The rating with the difference for a share of the points, as LevelMatches computes it. */
function ratingOf(opponent, share, count) {
  const bounded = Math.max(0.5 / count, Math.min(1 - 0.5 / count, share));
  return Math.round(opponent + 400 * Math.log10(bounded / (1 - bounded)));
}

const relay = await Relay.start();
const browser = await launch({ optimizes: true });
const page = await browser.newPage();
await page.goto(relay.url);
const engine = await UciWorker.start(page, await ownEngine());

for (const position of ['position startpos', `position fen ${MIDDLEGAME}`]) {
  await engine.ask('bestmove', position, 'go movetime 3000'); // V8 compiles what is used often once more
  const line = (await engine.ask('bestmove', 'ucinewgame', position, 'go movetime 10000')).at(-2);
  console.log(`${position}: ${/nps \d+/.exec(line)[0]}, depth ${/depth (\d+)/.exec(line)[1]}`);
}
console.log('| opponent | won, drawn, lost | rating |\n|---|---|---|');
for (const rating of ratings.map(Number)) {
  const opponent = stockfish(rating);
  const results = [];
  for (let game = 0; game < 2 * Number(games); game++) {
    results.push(await play(engine, opponent, game % 2 === 0 ? 'w' : 'b'));
  }
  opponent.end();
  const count = results.length;
  const share = results.reduce((sum, result) => sum + result) / count;
  const variance = results.reduce((sum, result) => sum + (result - share) ** 2, 0) / count;
  const margin = 1.96 * Math.sqrt(Math.max(variance, 0.25 / count) / count);
  const [low, middle, high] = [share - margin, share, share + margin].map((it) => ratingOf(rating, it, count));
  console.log(`| ${rating} | ${[1, 0.5, 0].map((it) => results.filter((result) => result === it).length).join(', ')} | ${middle} (${low} to ${high}) |`);
}
await browser.close();
await relay.close();
