import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { INITIAL_RATING, parseTimeControl, ratingAfter, type GameRecord, type Rating } from 'gambit-client';
import { INITIAL_FEN } from '../board/position.js';
import type { NostrEvent } from '../verify/events.js';
import { checkRatings, withRatings, type FormerRecords } from './rating-check.js';

const AT = 1_800_000_000;
const NONE: FormerRecords = { white: undefined, black: undefined };
const RATED = { tags: [['rated', 'blitz'], ['rating', 'white', '1500', '500'], ['rating', 'black', '1499', '90']] } as unknown as NostrEvent;
const CASUAL = { ...RATED, tags: RATED.tags.slice(1) };

const change = (before: Rating, after: Rating) => ({
  before: before.rating / 100,
  after: after.rating / 100,
  deviation: after.deviation / 100,
  volatility: after.volatility / 1_000_000,
});

/** The record of a blitz game that White has won, with these ratings before it. */
function record(seq: number, at: number, whites = INITIAL_RATING, blacks = INITIAL_RATING): GameRecord {
  const [white, black] = [change(whites, ratingAfter(whites, blacks, 2, at)), change(blacks, ratingAfter(blacks, whites, 0, at))];
  const tags = [['rated', 'blitz'], ['seq', `${seq}`], ['prev', ''], ['rating', 'white'], ['rating', 'black'], ['t', 'rated-blitz']];
  return {
    ...{ white: 'ada', black: 'bea', at: at * 1000, result: '1-0', time: parseTimeControl('300'), startFen: INITIAL_FEN },
    ...{ plies: ['', ''], pgn: '[BlackElo "1499"]\n[WhiteElo "1500"]\n', event: { tags } },
    rated: { category: 'blitz', seq, previous: '', white, black },
  } as unknown as GameRecord;
}

/** The first game of both, and one a month later. */
function twoGames(): [GameRecord, GameRecord] {
  const first = record(1, AT);
  const [whites, blacks] = [ratingAfter(INITIAL_RATING, INITIAL_RATING, 2, AT), ratingAfter(INITIAL_RATING, INITIAL_RATING, 0, AT)];
  return [first, record(9, AT + 30 * 86_400, whites, blacks)];
}

test('the ratings of a first game, and of one a month after it, are recomputed', () => {
  const [first, second] = twoGames();
  assert.deepEqual(checkRatings(first, RATED, NONE), {
    recomputed: ['White’s rating: from 1500.00 to 1741.48.', 'Black’s rating: from 1500.00 to 1258.52.'],
    attested: ['Which rated games the players had before this one.'],
    missing: [],
    faults: [],
  });
  const report = checkRatings(second, RATED, { white: first, black: first });
  assert.deepEqual(report.faults, []);
  assert.match(report.recomputed[0]!, /^White’s rating: from 1741\.48 to /);
});

test('another result, rating, deviation or volatility than the arithmetic gives is found', () => {
  const forged: ((game: GameRecord) => GameRecord)[] = [
    (game) => ({ ...game, result: '1/2-1/2' }),
    ...(['after', 'deviation', 'volatility'] as const).map((name) => (game: GameRecord) => {
      const black = { ...game.rated!.black, [name]: game.rated!.black[name] + (name === 'volatility' ? 0.000001 : 0.01) };
      return { ...game, rated: { ...game.rated!, black } };
    }),
  ];
  for (const forge of forged) {
    const { faults, recomputed } = checkRatings(forge(record(1, AT)), RATED, NONE);
    assert.ok(faults.length > 0 && recomputed.length === 0);
  }
});

test('a rating before that is not the one after the last record is a fault, and without that record missing', () => {
  const [first, second] = twoGames();
  const other = { ...first, rated: { ...first.rated!, white: { ...first.rated!.white, after: 1600 } } };
  assert.deepEqual(checkRatings(second, RATED, { white: other, black: first }).faults, [
    'The record says White had 1741.48, the record before it 1600.00',
  ]);
  const { missing, faults } = checkRatings(second, RATED, { white: first, black: undefined });
  assert.deepEqual([missing, faults], [['The record of Black’s last rated game before this one'], []]);
});

test('what no rated game may be is a fault', () => {
  const game = record(1, AT);
  const faultOf = (changed: Partial<GameRecord>) => checkRatings({ ...game, ...changed }, RATED, NONE).faults;
  assert.deepEqual(faultOf({}), []);
  assert.deepEqual(checkRatings(game, CASUAL, NONE).faults, ['The record is rated as blitz, the game was announced as casual']);
  assert.deepEqual(faultOf({ time: parseTimeControl('600')! }), ['The time control 600 is not blitz']);
  assert.equal(faultOf({ startFen: '4k3/8/8/8/8/8/4P3/4K2R w K - 0 1' }).length, 1);
  assert.equal(faultOf({ plies: [''] }).length, 1);
  assert.equal(faultOf({ pgn: '[WhiteElo "2800"]' }).length, 1);
  assert.equal(faultOf({ event: { ...game.event, tags: [...game.event.tags, ['seq', '2']] } }).length, 1);
});

test('a rated game that does not count is attested, and malformed ratings are a fault', () => {
  const { rated, ...uncounted } = record(1, AT);
  const malformed = checkRatings({ ...uncounted }, RATED, undefined);
  assert.equal(malformed.faults.length, 1);
  const plain = { ...uncounted, event: { ...uncounted.event, tags: [] } };
  assert.deepEqual(checkRatings(plain, RATED, undefined).attested, ['That this game does not count for the ratings.']);
});

test('a game with a wrong rating does not hold', () => {
  const report = { proved: [], attested: [], missing: [], faults: [], furtherFaults: 0, holds: true };
  const ratings = { recomputed: [], attested: [], missing: [], faults: ['wrong'] };
  assert.equal(withRatings(report, ratings).holds, false);
  assert.equal(withRatings(report, { ...ratings, faults: [] }).holds, true);
});
