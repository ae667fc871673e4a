import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { matchFilters, type Filter } from 'nostr-tools/filter';
import { finalizeEvent, generateSecretKey, getPublicKey } from 'nostr-tools/pure';
import WebSocket from 'ws';
import { GambitClient, guestSigner, leaderboards, playerRatings, ratingHistory } from '../src/index.js';
import type { RelayInfo, VerifiedEvent } from '../src/index.js';
import { parseRecord } from '../src/records.js';
import { FakeRelay } from './support/fake-relay.js';

const secret = generateSecretKey();
const referee = getPublicKey(secret);
const [ada, bea, cyd] = [1, 2, 3].map(it => getPublicKey(new Uint8Array(32).fill(it))) as [string, string, string];
const DAY = 86_400;

/** The record of a rated game that White has won. */
function record(seq: number, at: number, white: string, black: string, category = 'blitz', ...more: string[][]): VerifiedEvent {
  const tags = [
    ['e', seq.toString(16).padStart(64, '0'), '', 'root'],
    ['p', white, '', 'white'],
    ['p', black, '', 'black'],
    ['result', '1-0'],
    ['termination', 'resignation'],
    ['rated', category],
    ['seq', `${seq}`],
    ['prev', 'a'.repeat(64)],
    ['rating', 'white', '1500.00', `${1500 + seq}.31`, '290.31', '0.089999'],
    ['rating', 'black', '1500.00', '1337.69', '100.00', '0.090000'],
    ['t', `rated-${category}`],
  ];
  const kept = tags.filter(([name]) => !more.some(([other]) => other === name));
  return finalizeEvent({ kind: 64, content: '', tags: [...kept, ...more], created_at: at }, secret);
}

/** A client that reads from these events, newest first, at `now` in seconds. */
function reader(events: readonly VerifiedEvent[], now: number) {
  const query = (...filters: Filter[]): Promise<VerifiedEvent[]> => {
    const of = (filter: Filter) =>
      events.filter(it => matchFilters([filter], it)).sort((a, b) => b.created_at - a.created_at).slice(0, filter.limit);
    return Promise.resolve([...new Set(filters.flatMap(of))]);
  };
  const client = { info: { referee } as RelayInfo, relayTime: now * 1000, query, pages: 0 };
  const records: GambitClient['records'] = async ({ player, category, limit, until } = {}) => {
    client.pages++;
    const filter = { kinds: [64], '#p': [player ?? ''], '#t': [`rated-${category}`], limit: limit ?? 50 };
    return (await query({ ...filter, ...(until !== undefined && { until }) })).flatMap(it => parseRecord(it) ?? []);
  };
  return Object.assign(client, { records });
}

suite('ratings', () => {
  test('in a record are read, and only whole', () => {
    const rated = parseRecord(record(7, 1, ada, bea))?.rated;
    assert.deepEqual(rated, {
      category: 'blitz',
      seq: 7,
      previous: 'a'.repeat(64),
      white: { before: 1500, after: 1507.31, deviation: 290.31, volatility: 0.089999 },
      black: { before: 1500, after: 1337.69, deviation: 100, volatility: 0.09 },
    });
    for (const wrong of [['seq', '0'], ['prev', ''], ['rated', 'chess960'], ['rating', 'white', '1500', '1', '2', '3']]) {
      assert.equal(parseRecord(record(7, 1, ada, bea, 'blitz', wrong))?.rated, undefined, wrong.join());
    }
  });

  test('of a player are those after the last game of each category, with the deviation grown since', async () => {
    const events = [
      record(1, 100, ada, bea),
      record(3, 200, ada, bea), // of one second
      record(2, 200, bea, ada),
      record(4, 300, cyd, ada, 'rapid'),
      record(5, 400, cyd, bea, 'rapid'),
    ];
    const atOnce = await playerRatings(reader(events, 300), ada);
    assert.deepEqual(
      atOnce.map(({ category, rating, deviation }) => [category, rating, deviation]),
      [['blitz', 1503, 290], ['rapid', 1338, 100]],
    );
    const [, later] = await playerRatings(reader(events, 300 + 200 * DAY), ada);
    assert.equal(later?.deviation, 143);
    assert.deepEqual(await playerRatings(reader(events, 300), 'f'.repeat(64)), []);
  });

  test('of the past come in pages, in the order of the chain, up to a bound', async () => {
    const games = Array.from({ length: 250 }, (_, i) => record(i + 1, 1000 + Math.floor(i / 3), ada, bea));
    const client = reader([...games, record(300, 5000, ada, bea, 'rapid')], 9000);
    const all = await ratingHistory(client, ada, 'blitz', 1000);
    assert.deepEqual(all.map(({ rated }) => rated?.seq), games.map((_, i) => 250 - i));
    assert.equal(client.pages, 3);
    assert.equal((await ratingHistory(client, bea, 'blitz', 30)).length, 30);
    assert.deepEqual(await ratingHistory(client, cyd, 'blitz'), []);
  });

  test('of the leaders are read, without what is malformed', async () => {
    const rows = [['rating', ada, '1801', '60', '40'], ['rating', bea, 'high', '60', '40'], ['rating', 'x', '1', '1', '1']];
    const event = finalizeEvent({ kind: 20307, content: '', tags: [['d', 'blitz'], ...rows], created_at: 1 }, secret);
    const found = await leaderboards(reader([event], 10));
    assert.deepEqual([...found], [['blitz', [{ pubkey: ada, rating: 1801, deviation: 60, games: 40 }]]]);
  });
});

suite('a rated game', () => {
  const RATED = [['rated', 'blitz'], ['rating', 'white', '1523', '87'], ['rating', 'black', '1500', '500']];

  test('is asked for where the relay has rated games, and has ratings from its start', async () => {
    const relay = await new FakeRelay({}, { rated: true }).start();
    const client = new GambitClient(relay.url, { signer: guestSigner(), webSocket: WebSocket });
    await client.connect();
    const search = await client.search('300', { rated: true });
    await client.invite({ rated: true, opponent: bea });
    const sent = relay.requests.flatMap(([verb, event]) => (verb === 'EVENT' ? [event as VerifiedEvent] : []));
    assert.deepEqual(
      sent.map(({ content, tags }) => [content, tags.find(([name]) => name === 'rated')?.[1]]),
      [['connect', 'true'], ['invite', 'true']],
    );
    const tags = [['p', client.pubkey, '', 'white'], ['p', bea, '', 'black'], ['time', '300'], ...RATED];
    relay.publish(relay.event({ kind: 5000, content: 'gameisfound', tags }));
    const game = await search.game;
    assert.equal(search.rated, true);
    assert.deepEqual(game.rated, {
      category: 'blitz',
      white: { rating: 1523, deviation: 87 },
      black: { rating: 1500, deviation: 500 },
    });
    client.close();
    relay.stop();
  });

  test('is not asked for where the relay has none', async () => {
    const relay = await new FakeRelay().start();
    const client = new GambitClient(relay.url, { signer: guestSigner(), webSocket: WebSocket });
    await client.connect();
    await assert.rejects(client.search('300', { rated: true }), /no rated games/);
    await assert.rejects(client.invite({ rated: true }), /no rated games/);
    assert.equal(client.currentSearch, undefined);
    assert.equal(relay.requests.some(([verb]) => verb === 'EVENT'), false);
    client.close();
    relay.stop();
  });
});
