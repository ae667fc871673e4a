import { WebSocket } from 'ws';
import { GambitClient, guestSigner, type ClientOptions, type Game } from '../../src/index.js';

const clients: GambitClient[] = [];

/** A connected client with a new key; `closeClients` closes it. */
export async function client(url: string, options: Partial<ClientOptions> = {}): Promise<GambitClient> {
  const made = new GambitClient(url, {
    signer: guestSigner(),
    webSocket: WebSocket,
    backoff: { first: 50, max: 500 },
    ...options,
  });
  clients.push(made);
  await made.connect();
  return made;
}

/** Closes all clients that were made. */
export function closeClients(): void {
  for (const made of clients.splice(0)) {
    made.close();
  }
}

let games = 0;

/** A time control that no other test uses, so that only two players of one test are paired. */
export function anotherTime(): string {
  return `${900 + ++games}+1`;
}

/** Two players by colour, each with its own view of their game. */
export interface Pair {
  white: Game;
  black: Game;
  whiteClient: GambitClient;
  blackClient: GambitClient;
}

/** Pairs two clients by a search. */
export async function pair(one: GambitClient, other: GambitClient, time = anotherTime()): Promise<Pair> {
  const searches = [await one.search(time), await other.search(time)] as const;
  const [first, second] = await Promise.all([searches[0].game, searches[1].game]);
  return first.color === 'white'
    ? { white: first, black: second, whiteClient: one, blackClient: other }
    : { white: second, black: first, whiteClient: other, blackClient: one };
}

/** Resolves when the condition holds after an update of the game. */
export function until(
  game: { on(type: 'change', listener: () => void): () => void },
  condition: () => boolean,
): Promise<void> {
  return new Promise(resolve => {
    const check = (): void => {
      if (condition()) {
        off();
        resolve();
      }
    };
    const off = game.on('change', check);
    check();
  });
}

/** Plays moves in turn, from the game's present ply on. */
export async function play({ white, black }: { white: Game; black: Game }, ...moves: string[]): Promise<void> {
  for (const move of moves) {
    const game = white.turn === 'white' ? white : black;
    const ply = game.ply + 1;
    await game.move(move);
    await Promise.all([until(white, () => white.ply === ply), until(black, () => black.ply === ply)]);
  }
}
