// Two players are paired on a Gambit relay and play a game, with the library clients/gambit-client.
//
//   (cd ../../clients && npm ci && npm run build -w gambit-client)     (Node 20 or newer)
//   npm ci && node play.mjs [ws://localhost:7447] [mate|draw|resign]
import { GambitClient, guestSigner } from 'gambit-client';
import { WebSocket } from 'ws'; // built into Node from version 22 on

/** The moves in UCI; after them, the side to move offers a draw or resigns. */
const plans = {
  mate: ['e2e4', 'e7e5', 'f1c4', 'b8c6', 'd1h5', 'g8f6', 'h5f7'],
  draw: ['e2e4', 'e7e5', 'g1f3', 'b8c6'],
  resign: ['f2f3', 'e7e5', 'g2g4'],
};

const [url = 'ws://localhost:7447', ending = 'mate'] = process.argv.slice(2);

async function play() {
  const client = new GambitClient(url, { signer: guestSigner(), webSocket: WebSocket });
  await client.connect();
  const search = await client.search('300+3');
  const game = await search.game;
  console.log(`${game.color} has found a game: ${game.id}`);
  for (const [ply, move] of plans[ending].entries()) {
    await game.until(() => game.ply >= ply); // the opponent may have replied already
    if (game.ply === ply && game.turn === game.color) await game.move(move);
  }
  await game.until(() => game.ply === plans[ending].length);
  if (ending !== 'mate' && game.turn === game.color) {
    await (ending === 'draw' ? game.offerDraw() : game.resign());
  } else if (ending === 'draw') {
    await game.until(() => game.proposal);
    await game.accept();
  }
  await game.until(() => game.record);
  client.close();
  return game.record.pgn;
}

const [pgn] = await Promise.all([play(), play()]);
console.log(pgn);
