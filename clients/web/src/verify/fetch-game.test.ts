import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import type { Filter } from 'gambit-client';
import type { NostrEvent } from './events.js';
import { FetchError, type Query, fetchGame } from './fetch-game.js';
import { RELAY, START, STRANGER, SignedGame } from './signed-game.testkit.js';
import { verifyGame } from './verification.js';

/** A relay that answers with the matching events, at most `limit` at once. */
function relayWith(events: readonly unknown[], limit = 500): Query {
  return async (filter: Filter) =>
    (events as NostrEvent[])
      .filter(
        (event) =>
          (filter.ids?.includes(event.id) ?? true) &&
          (filter.kinds?.includes(event.kind) ?? true) &&
          (filter.authors?.includes(event.pubkey) ?? true) &&
          (filter['#e']?.every((id) => event.tags.some((tag) => tag[0] === 'e' && tag[1] === id)) ?? true),
      )
      .slice(0, limit);
}

const eventsOf = (game: SignedGame): NostrEvent[] => [
  game.announcement,
  game.record(),
  ...game.plies,
  ...game.ending,
];

test('all events of a game are fetched, also from a relay that answers with few at once', async () => {
  const game = SignedGame.foolsMate();
  for (const limit of [500, 1]) {
    const fetched = await fetchGame(game.id, relayWith(eventsOf(game), limit));
    assert.equal(fetched.events.size, 4);
    assert.equal(verifyGame(fetched, { relayUrl: 'wss://x', maxClockSkew: 60 }).holds, true);
  }
});

test('a deleted move comes from the copy of the referee, not from one of a stranger', async () => {
  const game = SignedGame.foolsMate();
  const gone = game.plies[2]!;
  const left = eventsOf(game).filter((event) => event !== gone);
  const copyOf = (by: typeof RELAY) => by.sign(START, 16, [['e', gone.id]], JSON.stringify(gone));
  const forged = await fetchGame(game.id, relayWith([...left, copyOf(STRANGER)]));
  assert.equal(forged.events.has(gone.id), false);
  const fetched = await fetchGame(game.id, relayWith([...left, copyOf(RELAY)]));
  assert.equal(verifyGame(fetched, { relayUrl: 'wss://x', maxClockSkew: 60 }).holds, true);
});

test("records of strangers, and events that were not asked for, are left out", async () => {
  const game = SignedGame.foolsMate();
  const forged = STRANGER.sign(START + 900, 64, game.recordTags(), game.pgn);
  const fetched = await fetchGame(game.id, relayWith([...eventsOf(game), forged]));
  assert.deepEqual(
    fetched.records.map((record) => record.pubkey),
    [RELAY.pubkey],
  );
  const lying: Query = async (filter) => (filter.ids?.length === 1 ? [game.plies[0]] : []);
  assert.equal((await fetchGame(game.id, lying)).announcement, undefined);
});

test('a game that the relay does not have is fetched as nothing', async () => {
  const fetched = await fetchGame('0'.repeat(64), relayWith([]));
  assert.equal(fetched.announcement, undefined);
  assert.equal(fetched.records.length, 0);
});

test('what does not have the form of an event is left out', async () => {
  const game = SignedGame.foolsMate();
  const malformed = [null, 'x', {}, { ...game.announcement, tags: [[]] }, { ...game.announcement, created_at: 1e13 }];
  for (const value of malformed) {
    const fetched = await fetchGame(game.id, async () => [value]);
    assert.equal(fetched.announcement, undefined);
  }
});

test('a relay that sends more than was asked for, or a record that names too much, is refused', async () => {
  const game = SignedGame.foolsMate();
  const flood: Query = async () => Array<NostrEvent>(5).fill(game.announcement);
  await assert.rejects(fetchGame(game.id, flood), FetchError);
  const tags = game.recordTags();
  const plies = tags.find((tag) => tag[0] === 'plies')!;
  for (let i = 0; i < 18_001; i++) {
    plies.push(i.toString(16).padStart(64, '0'));
  }
  await assert.rejects(
    fetchGame(game.id, relayWith([game.announcement, game.record(tags)])),
    /names 18,005 events; no game is that long/,
  );
});
