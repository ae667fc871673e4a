/**
 * A client against a relay that drops, repeats, delays and refuses messages in any order, and restarts. A seed decides
 * every step. Whenever the user looks, the client must show nothing that is not so; once the faults are over, it must
 * show what is so, and have settled every command.
 *
 *     SEED=42 node --test dist-test/test/model.test.js      one history again
 *     HISTORIES=5000 …                                      that many from a random seed on; by default the first 40
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GambitClient, guestSigner, type Game, type Search } from '../src/index.js';
import { HandClock, settled } from './support/hand-clock.js';
import { fenAfter, SimulatedRelay, uci } from './support/simulated-relay.js';

const STEPS = 150;
const REFUSALS = ['rate-limited: slow down', 'error: could not store', 'auth-required: log in', 'auth-required: log in'];
const CLOSINGS = ['rate-limited: slow down', 'error: the relay is busy', 'auth-required: log in'];

/** The user, who acts by what the client shows, and remembers what it has promised. */
class User {
  readonly client: GambitClient;
  readonly relay: SimulatedRelay;
  readonly pending = new Set<string>();
  readonly shownInvites: string[] = [];
  readonly games = new Set<Game>();
  readonly followed = new Set<Game>();
  search: Search | undefined;
  /** The plies at which a move was accepted, as the client has said. */
  readonly accepted: { game: Game; id: string; uci: string }[] = [];
  readonly sent = new Map<string, 'pending' | 'over' | Game>();
  #serial = 0;

  constructor(client: GambitClient, relay: SimulatedRelay) {
    this.client = client;
    this.relay = relay;
    client.on('invite', ({ id }) => this.shownInvites.push(id));
    client.on('game', game => {
      this.games.add(game);
      game.on('change', () => this.#look(game));
    });
  }

  /** Any of the running games. */
  #game(condition: (game: Game) => boolean = () => true): Game | undefined {
    const games = this.client.games.filter(condition);
    return games[Math.floor(Math.random() * games.length)];
  }

  /** What a game shows at any time must have been so. */
  #look(game: Game): void {
    const truth = this.relay.games.find(({ id }) => id === game.id);
    assert(truth, 'a game that the relay has begun');
    if (game.white) {
      assert.equal(game.rated?.white.rating, truth.rated ? 1523 : undefined);
    }
    if (game.result) {
      assert.equal(game.result, truth.result, 'an ending that the game does not have is shown');
    }
    if (game.movesKnown && !game.record) {
      assert.equal(game.moves.length, game.ply, 'the moves are those of the position');
      assert.equal(game.fen, fenAfter(game.ply));
    }
  }

  /** A command must end; `expected` are the only errors. */
  #command(name: string, promise: Promise<unknown>): void {
    const key = `${name} ${++this.#serial}`;
    this.pending.add(key);
    promise
      .catch((error: unknown) => {
        if (!(error instanceof Error) || !/Error$/.test(error.name) || error.name === 'TypeError') {
          throw error;
        }
      })
      .finally(() => this.pending.delete(key))
      .catch((error: unknown) => this.failures.push(error));
  }
  readonly failures: unknown[] = [];

  move(): void {
    const game = this.#game(({ turn, color }) => turn === color);
    if (game) {
      const text = uci(game.ply, 2 + ++this.#serial);
      this.#command(
        'move',
        game.move(text).then(() => this.accepted.push({ game, id: game.id, uci: text })),
      );
    }
  }

  resign(): void {
    const game = this.#game();
    if (game) {
      this.#command('resign', game.resign());
    }
  }

  follow(): void {
    const game = [...this.games].at(-1);
    if (game) {
      this.followed.add(this.client.follow(game.id));
    }
  }

  startSearch(): void {
    if (!this.client.currentGame && !this.client.currentSearch) {
      this.#command(
        'search',
        this.client.search('300', { rated: Math.random() < 0.5 }).then(search => {
          this.search = search;
          search.game.catch(() => undefined).finally(() => this.search === search && (this.search = undefined));
        }),
      );
    }
  }

  cancelSearch(): void {
    if (this.search) {
      this.#command('cancel', this.search.cancel());
    }
  }

  invite(time: string): void {
    const invited = this.client.invite({ opponent: this.relay.opponent, time, expiresIn: 86_400 }).then(({ id, game }) => {
      this.sent.set(id, 'pending');
      void game.then(
        led => this.sent.set(id, led),
        () => this.sent.set(id, 'over'),
      );
    });
    this.#command('invite', invited);
  }

  answer(accepts: boolean): void {
    const id = this.shownInvites.at(-1);
    if (id) {
      this.#command('answer', accepts ? this.client.accept(id) : this.client.reject(id));
    }
  }
}

async function play(seed: number): Promise<void> {
  const clock = new HandClock(seed);
  const fetchBefore = globalThis.fetch;
  const me = guestSigner(new Uint8Array(32).fill(3));
  const relay = new SimulatedRelay(clock, me.pubkey, seed % 4); // of four relays, one has no slow games
  const headers = { get: () => new Date(clock.now).toUTCString() };
  const text = (): Promise<string> => Promise.resolve(JSON.stringify(relay.document));
  globalThis.fetch = () => Promise.resolve({ ok: true, headers, text } as unknown as Response);
  const client = new GambitClient('ws://simulated', {
    signer: me,
    webSocket: relay.webSocket,
    now: () => clock.now,
    connectTimeout: Infinity,
  });
  const user = new User(client, relay);
  const connected = client.connect();
  const chance = (weight: number): boolean => clock.random() < weight;
  const time = (): string => choose(['300', '1/86400', '-']);
  const choose = <T>(values: readonly T[]): T => values[Math.floor(clock.random() * values.length)] as T;
  const pass = (): void => relay.pass(chance(0.5) ? 'in' : 'out');
  const steps: (() => unknown)[] = [
    ...Array.from({ length: 12 }, () => () => Array.from({ length: 12 }, pass)),
    ...Array.from({ length: 4 }, () => () => clock.advance(choose([20, 500, 3000, 15_000]))),
    () => relay.cut(),
    () => relay.restart(),
    () => relay.repeat(),
    () => relay.refusals.push(choose(REFUSALS)),
    () => relay.closings.push(choose(CLOSINGS)),
    () => (relay.isReachable = chance(0.7)),
    () => (relay.tellsCauser = chance(0.5)),
    ...[() => relay.move(), () => relay.move(), () => relay.move()],
    ...[() => relay.pair(), () => relay.pair()],
    () => chance(0.3) && relay.resign(),
    () => chance(0.3) && relay.takeBack(),
    () => relay.received.size < 3 && relay.invite(time()),
    () => relay.withdraw(),
    () => relay.answerInvite(chance(0.5)),
    () => chance(0.3) && relay.expireInvite(),
    ...[() => user.move(), () => user.move(), () => user.move()],
    () => chance(0.3) && user.resign(),
    () => chance(0.3) && user.follow(),
    ...[() => user.startSearch(), () => user.startSearch()],
    () => chance(0.3) && user.cancelSearch(),
    () => user.sent.size < 20 && chance(0.5) && user.invite(time()),
    () => client.status === 'ready' && user.answer(chance(0.6)),
  ];
  /** Everything arrives, until nothing more happens. */
  const deliver = async (): Promise<void> => {
    for (let quiet = 0; quiet < 3; ) {
      quiet = relay.isIdle ? quiet + 1 : 0;
      relay.pass('in');
      relay.pass('out');
      await settled();
    }
  };
  try {
    await settled();
    for (let i = 0; i < STEPS; i++) {
      await choose(steps)();
      await settled();
    }
    relay.isReachable = true;
    relay.refusals.length = relay.closings.length = 0;
    for (let i = 0; i < 150; i++) {
      await deliver();
      await clock.advance(1000);
    }
    await deliver();
    for (const game of relay.games) {
      relay.comment(game);
    }
    await deliver();
    await connected;
    await settled();
    check(user);
  } finally {
    client.close();
    await settled();
    globalThis.fetch = fetchBefore;
    clock.uninstall();
  }
}

/** What the user must see when all messages have arrived. */
function check(user: User): void {
  const { client, relay } = user;
  assert.deepEqual(user.failures, []);
  assert.equal(client.status, 'ready');
  assert.deepEqual([...user.pending], [], 'commands that have not ended');
  assert.deepEqual(client.games.map(({ id }) => id).sort(), relay.running.map(({ id }) => id).sort(), 'the running games');
  assert.equal(client.currentGame?.id, relay.live?.id, 'the live game');
  assert.equal(client.currentSearch !== undefined, relay.isSearching, 'whether the player searches');
  for (const game of user.games) {
    const truth = relay.games.find(({ id }) => id === game.id);
    const moves = truth?.moves.map(({ content }) => content);
    assert.deepEqual([game.result, game.termination], [truth?.result, truth?.termination], 'the ending');
    if (!truth?.result) {
      assert.equal(game.time.text, truth?.time);
      assert.equal(game.fen, fenAfter(moves?.length ?? 0), 'the position');
      assert.equal(game.color, truth?.isWhite ? 'white' : 'black');
    }
    if (truth?.result !== '*' && (!truth?.result || user.followed.has(game))) {
      assert.deepEqual(game.moves, moves, 'the moves');
    }
    if (user.followed.has(game)) {
      assert.equal(game.comments.length, 1, 'a followed game is kept up to date');
    }
  }
  for (const id of relay.received.keys()) {
    assert.equal(user.shownInvites.filter(it => it === id).length, 1, 'a pending invite is shown once');
  }
  for (const [id, state] of user.sent) {
    assert.equal(state === 'pending', relay.sent.has(id), 'whether an own invite is pending');
    const led = relay.led.get(id);
    if (typeof state === 'object' && led) {
      assert.equal(state.time.text, led.time, 'an own invite has led to a game of its time control');
    }
  }
  const played = relay.games.flatMap(({ moves }) => moves.map(({ id }) => id));
  assert.equal(new Set(played).size, played.length, 'each move is played once');
}

test('whatever happens to its connection, a client shows what is so', async () => {
  const first = Number(process.env.SEED ?? (process.env.HISTORIES ? Math.floor(Math.random() * 1e9) : 0));
  const histories = process.env.SEED ? 1 : Number(process.env.HISTORIES ?? 20);
  for (let seed = first; seed < first + histories; seed++) {
    try {
      await play(seed);
    } catch (error) {
      throw new Error(`SEED=${seed}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
    }
  }
});
