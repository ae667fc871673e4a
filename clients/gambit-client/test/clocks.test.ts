import assert from 'node:assert/strict';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { after, before, suite, test } from 'node:test';
import type { ClockTimes, Game, GambitClient, Lobby } from '../src/index.js';
import { client, closeClients, pair, play, until } from './support/clients.js';
import { Proxy } from './support/proxy.js';
import { Relay } from './support/relay.js';

/** Milliseconds by which the clocks of the computers are wrong. */
const SKEWS = [0, 20_000, -20_000, 300_000, -300_000];
const TENTH = 100;
/** Milliseconds for measurements, which take about two seconds. */
const PATIENCE = 30_000;

interface Viewer {
  readonly name: string;
  readonly client: GambitClient;
  clock(): ClockTimes | undefined;
}

/**
 * The relay and the tests run on one computer, so `Date.now()` is the relay's clock, and a client is given
 * another one.
 */
suite('on computers whose clocks are wrong', () => {
  const proxy = new Proxy();
  const delay = monitorEventLoopDelay({ resolution: 5 });
  let relay: Relay;

  before(async () => {
    await proxy.start();
    relay = await new Relay('--url', proxy.url).start();
    proxy.target = relay.port;
  });
  after(async () => {
    closeClients();
    delay.disable();
    proxy.close();
    await relay.stop();
  });

  const skewed = (skew: number): Promise<GambitClient> =>
    client(proxy.url, { now: () => Date.now() + skew });

  /** Both clocks as the relay has them, from the state that it sends, and when its clock has begun to run. */
  async function clocksOfRelay(reader: GambitClient, id: string): Promise<() => ClockTimes> {
    const authors = [reader.info.referee];
    const events = await reader.query({ kinds: [20302, 20306], authors, '#d': [id] });
    const values = (kind: number, name: string): string[] =>
      events.find(event => event.kind === kind)?.tags.find(([key]) => key === name) ?? [];
    const [, white, black, began] = values(20302, 'clock').map(Number);
    const turn = values(20302, 'turn')[1];
    const resumed = Number(values(20306, 'resumed')[1] ?? 0);
    assert(white !== undefined && black !== undefined && began !== undefined);
    const bonus = resumed > began ? 15_000 : 0;
    const since = Math.max(began, resumed);
    const left = (color: string, times: number): number =>
      times + bonus - (turn === color ? Date.now() - since : 0);
    return () => ({ white: left('white', white), black: left('black', black) });
  }

  /** Waits until every client has measured the difference, then compares all clocks at one moment. */
  async function agree(reader: GambitClient, id: string, viewers: readonly Viewer[]): Promise<void> {
    reader.follow(id);
    const clocks = await clocksOfRelay(reader, id);
    delay.enable();
    delay.reset();
    const differences = (): string[] => {
      // The reader's clock is right: what it measures is how late events arrive on a busy machine.
      const late = Math.abs(reader.clockDifference ?? 0);
      const allowed = TENTH + Math.min(late, 400) + delay.max / 1e6;
      const correct = clocks();
      return viewers.flatMap(viewer => {
        const shown = viewer.clock();
        const wrong = (['white', 'black'] as const).filter(
          color => !(Math.abs((shown?.[color] ?? NaN) - correct[color]) <= allowed),
        );
        return wrong.map(color => `${viewer.name}: ${shown?.[color]}, not ${correct[color]}`);
      });
    };
    const deadline = Date.now() + PATIENCE;
    while (differences().length > 0 && Date.now() < deadline) {
      await new Promise(resolve => setTimeout(resolve, 20));
    }
    assert.deepEqual(differences(), []);
    delay.disable();
  }

  const ofGame = (name: string, of: GambitClient, game: Game): Viewer => ({
    name,
    client: of,
    clock: () => game.clock(),
  });
  const ofLobby = (name: string, of: GambitClient, lobby: Lobby, id: string): Viewer => ({
    name,
    client: of,
    clock: () => lobby.games.find(game => game.id === id)?.clock(),
  });

  test('all see the same clocks to a tenth of a second, also after a restart of the relay', async () => {
    const reader = await skewed(0);
    const [fast, slow] = [await skewed(300_000), await skewed(-300_000)];
    const { white, black } = await pair(fast, slow);
    await play({ white, black }, 'e2e4', 'e7e5', 'g1f3');
    const players = fast.currentGame === white ? [white, black] : [black, white];
    const viewers = [fast, slow].map((of, i) => ofGame(`player ${i}`, of, players[i] as Game));
    const lobbies: Lobby[] = [];
    for (const skew of SKEWS) {
      const spectator = await skewed(skew);
      const game = await spectator.follow(white.id).ready;
      viewers.push(ofGame(`spectator ${skew}`, spectator, game));
    }
    await agree(reader, white.id, viewers);
    // Nothing is published for those who only look at the lobby: they ask for the time.
    for (const skew of SKEWS) {
      const visitor = await skewed(skew);
      const lobby = await visitor.lobby().ready;
      lobbies.push(lobby);
      viewers.push(ofLobby(`lobby ${skew}`, visitor, lobby, white.id));
    }
    await agree(reader, white.id, viewers);

    await relay.kill();
    await relay.start();
    proxy.target = relay.port;
    await until(white, () => white.presence?.resumedAt !== undefined);
    await agree(reader, white.id, viewers);

    // A page that is opened now has the restart from the game's presence only.
    const late = await skewed(-20_000);
    viewers.push(ofGame('late spectator', late, await late.follow(white.id).ready));
    await agree(reader, white.id, viewers);

    await play({ white, black }, 'b8c6', 'f1b5');
    for (const lobby of lobbies) {
      await until(lobby, () => lobby.games.some(({ id, ply }) => id === white.id && ply === 5));
    }
    await agree(reader, white.id, viewers);
    await black.resign();
  });

  test('the clock of a correspondence game runs in the lobby from the start', async () => {
    const reader = await skewed(0);
    const [one, other] = [await skewed(20_000), await skewed(-20_000)];
    const invite = await one.invite({ opponent: other.pubkey, time: '1/86400' });
    const game = await other.accept(invite.id);
    const viewers = [ofGame('player', other, game)];
    for (const skew of SKEWS) {
      const visitor = await skewed(skew);
      viewers.push(ofLobby(`lobby ${skew}`, visitor, await visitor.lobby().ready, game.id));
    }
    await agree(reader, game.id, viewers);
    await game.abort();
  });
});
