import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { finalizeEvent, generateSecretKey, getPublicKey } from 'nostr-tools/pure';
import { Acquaintances } from '../src/acquaintances.js';
import { Backoff } from '../src/backoff.js';
import { afterRestart, betterClocks, ClockDifference, clocksAt, runningClock } from '../src/clock.js';
import { assembleMoves, isMoveOf } from '../src/moves.js';
import { parseRecord } from '../src/records.js';
import { parseRelayInfo } from '../src/relay-info.js';
import { relayName } from '../src/relay-name.js';
import { parseLobby, parsePresence } from '../src/states.js';
import { categoryOf, parseTimeControl, RefusedError, UNTIMED } from '../src/index.js';

const [whiteKey, blackKey] = [generateSecretKey(), generateSecretKey()];
const [white, black] = [getPublicKey(whiteKey), getPublicKey(blackKey)];
const GAME = 'a'.repeat(64);

test('the 201st acquaintance takes the place of the first, and a search keeps the newest opponents', async () => {
  const key = (number: number): string => number.toString(16).padStart(64, '0');
  const acquaintances = new Acquaintances(key(0));
  for (let i = 1; i <= 201; i++) {
    acquaintances.add(key(i));
  }
  assert.deepEqual([acquaintances.has(key(1)), acquaintances.has(key(2)), acquaintances.has(key(201))], [false, true, true]);
  const secret = generateSecretKey();
  const event = (kind: number, ...numbers: number[]) =>
    finalizeEvent({ kind, content: '', created_at: 1, tags: numbers.map(it => ['p', key(it)]) }, secret);
  const follows = event(3, ...Array.from({ length: 300 }, (_, i) => 1000 + i));
  const other = new Acquaintances(key(0));
  other.add(key(1));
  await other.find(() => Promise.resolve([event(64, 0, 2), follows]), getPublicKey(secret));
  assert.deepEqual([other.has(key(1)), other.has(key(2)), other.keys.length], [true, true, 200]);
  other.add(key(3));
  assert.deepEqual([other.has(key(1)), other.has(key(2)), other.has(key(3))], [true, true, true]);
});

suite('time controls', () => {
  test('have a shortest form', () => {
    assert.equal(parseTimeControl('300+0')?.text, '300');
    assert.equal(parseTimeControl('0300+03')?.text, '300+3');
    assert.equal(parseTimeControl('1/600')?.kind, 'move');
    assert.equal(parseTimeControl('1/3600')?.correspondence, true);
    assert.deepEqual(['-', '1/3600', '60+3600', '1/3599', '10800+180'].map(it => parseTimeControl(it)?.slow), [true, true, true, false, false]);
    assert.deepEqual(parseTimeControl('-'), UNTIMED);
  });

  test('fall into categories by the time of forty moves', () => {
    const times = ['179', '139+1', '140+1', '1/11', '480', '1499', '1500', '60+3600', '1/3600', '-'];
    assert.deepEqual(
      times.map(it => categoryOf(parseTimeControl(it) ?? UNTIMED)),
      ['bullet', 'bullet', 'blitz', 'blitz', 'rapid', 'rapid', 'classical', 'correspondence', 'correspondence', undefined],
    );
  });

  test('that are none are recognized', () => {
    for (const text of ['', '0', '300+', '5:00', '2592001', '1/0', '-5', '2/600', '300+3+3']) {
      assert.equal(parseTimeControl(text), undefined, text);
    }
  });
});

suite('clocks', () => {
  test('run from the second move of each side', () => {
    const blitz = parseTimeControl('300') ?? UNTIMED;
    assert.equal(runningClock(blitz, 0, 'white'), undefined);
    assert.equal(runningClock(blitz, 1, 'black'), undefined);
    assert.equal(runningClock(blitz, 2, 'white'), 'white');
    assert.equal(runningClock(UNTIMED, 2, 'white'), undefined);
    assert.equal(runningClock(parseTimeControl('1/86400') ?? UNTIMED, 0, 'white'), 'white');
  });

  test("count down from the relay's time, corrected by the measured difference", () => {
    const times = { white: 10_000, black: 20_000 };
    const reading = { times, localTime: 5_500, relayTime: 1_000 };
    assert.deepEqual(clocksAt(reading, 'white', 7_000, 4_000), { white: 8_000, black: 20_000 });
    assert.deepEqual(clocksAt(reading, 'white', 7_000, undefined), { white: 8_500, black: 20_000 });
    assert.deepEqual(clocksAt(reading, 'black', 90_000, 4_000), { white: 10_000, black: 0 });
    assert.deepEqual(clocksAt(reading, undefined, 90_000, 4_000), times);
  });

  test('stand still while the relay is not running, and both sides get 15 s', () => {
    const reading = { times: { white: 1_000, black: 2_000 }, localTime: 500, relayTime: 500 };
    const resumed = afterRestart(reading, 60_500);
    assert.deepEqual(clocksAt(resumed, 'white', 61_500, 0), { white: 15_000, black: 17_000 });
    assert.deepEqual(clocksAt(resumed, 'black', 361_500, 300_000), { white: 16_000, black: 16_000 });
    assert.deepEqual(clocksAt(resumed, 'black', 61_500, undefined), { white: 16_000, black: 16_000 });
    assert.equal(afterRestart(reading, 400), reading);
    assert.equal(afterRestart(reading, undefined), reading);
  });

  test('of a resumed game follow from its state, unless the message that resumes it contradicts them', () => {
    const ofState = { white: 15_000, black: 16_000 };
    const late = { white: 15_170, black: 16_000 };
    const afterTwoRestarts = { white: 30_000, black: 31_000 };
    assert.equal(betterClocks(ofState, late), ofState);
    assert.equal(betterClocks(ofState, afterTwoRestarts), afterTwoRestarts);
    assert.equal(betterClocks(undefined, late), late);
    assert.equal(betterClocks(ofState, undefined), ofState);
    assert.equal(betterClocks(undefined, undefined), undefined);
  });
});

suite('the difference between the clocks of two computers', () => {
  test('is between the bounds of what was sent and received', () => {
    const difference = new ClockDifference();
    assert.equal(difference.milliseconds, undefined);
    difference.received(1_000, 1_400);
    assert.equal(difference.milliseconds, 400);
    difference.received(2_000, 2_300);
    difference.received(3_000, 3_900);
    assert.equal(difference.milliseconds, 300);
    difference.sent(4_000, 4_200);
    assert.equal(difference.milliseconds, 250);
  });

  test('is not moved by an event that was sent again long after it was signed', () => {
    const difference = new ClockDifference();
    difference.received(1_000, 1_010);
    difference.sent(21_000, 1_100);
    assert.equal(difference.milliseconds, 10);
    difference.received(21_000, 21_010);
    assert.equal(difference.milliseconds, 10);
  });

  test('follows a clock that is set back at once, and one that is set forward after 20 measurements', () => {
    const difference = new ClockDifference();
    difference.received(1_000, 1_010);
    difference.sent(2_000, 1_990);
    difference.received(3_000, -57_000);
    assert.equal(difference.milliseconds, -60_000);
    for (let i = 1; i <= 20; i++) {
      difference.received(3_000 + i * 1_000, 33_000 + i * 1_000);
    }
    assert.equal(difference.milliseconds, 30_000);
  });

  test('follows a clock that is set forward at the next own move, or by more than five minutes at once', () => {
    const difference = new ClockDifference();
    difference.received(1_000, 1_010);
    difference.sent(2_000, 22_000);
    assert.equal(difference.milliseconds, 20_000);
    difference.received(3_000, 23_020);
    assert.equal(difference.milliseconds, 20_010);
    difference.received(4_000, 400_000);
    assert.equal(difference.milliseconds, 396_000);
  });

  test('is known to half a second from the whole seconds of an answer, until there is something better', () => {
    const difference = new ClockDifference();
    difference.answered(10_000, 10_300, 10_320); // the relay's time was between 10,000 and 10,999
    const known = difference.milliseconds ?? NaN;
    assert(Math.abs(known) <= 510, `${known}`);
    difference.answered(11_000, 10_995, 11_005);
    assert.deepEqual(difference.secondsOnly, { lowest: -700, highest: 5 });
    difference.answered(100_000, 400_300, 400_310); // this computer's clock was set forward
    assert.deepEqual(difference.secondsOnly, { lowest: 299_300, highest: 300_310 });
    difference.received(101_000, 401_002);
    assert.equal(difference.milliseconds, 300_002);
    assert.equal(difference.secondsOnly, undefined);
  });
});

suite('moves', () => {
  const move = (content: string, created_at: number, ...tags: string[][]) =>
    finalizeEvent({ kind: 5001, content, created_at, tags }, created_at % 2 === 1 ? whiteKey : blackKey);
  const ply = (n: number): string[] => ['ply', `${n}`];
  const assemble = (events: ReturnType<typeof move>[], plies: number, last?: string) =>
    assembleMoves(events, white, event => event.pubkey, plies, last);

  test('are ordered by their ply, whatever the clocks of the players', () => {
    const events = [move('e7e5', 2, ply(2)), move('e2e4', 1001, ply(1)), move('g1f3', 1003, ply(3))];
    assert.deepEqual(assemble(events, 3, 'g1f3'), ['e2e4', 'e7e5', 'g1f3']);
  });

  test('that were taken back are replaced by later ones', () => {
    const events = [move('e2e4', 1, ply(1)), move('e7e5', 2, ply(2)), move('d2d4', 3, ply(1))];
    assert.deepEqual(assemble(events, 1, 'd2d4'), ['d2d4']);
    assert.deepEqual(assemble([...events, move('d7d5', 4, ply(2))], 2, 'd7d5'), ['d2d4', 'd7d5']);
  });

  test('of one second at the same ply are told apart only by the last move', () => {
    const events = [move('e2e4', 1, ply(1)), move('d2d4', 1, ply(1))];
    assert.deepEqual(assemble(events, 1, 'd2d4'), ['d2d4']);
    assert.deepEqual(assemble(events, 1, 'c2c4'), undefined);
    assert.deepEqual(assemble([...events, move('d7d5', 2, ply(2))], 2, 'd7d5'), undefined);
  });

  test('without a ply follow the one before them', () => {
    const events = [move('e2e4', 1), move('e7e5', 2), move('g1f3', 3), move('b8c6', 4)];
    assert.deepEqual(assemble(events, 4, 'b8c6'), ['e2e4', 'e7e5', 'g1f3', 'b8c6']);
  });

  test('are unknown if one is missing', () => {
    assert.equal(assemble([move('e7e5', 2, ply(2))], 2, 'e7e5'), undefined);
    assert.equal(assemble([], 1_000_000_000, 'e2e4'), undefined);
    assert.deepEqual(assemble([], 0), []);
  });

  test('of another game, and jobs of the same kind, are none', () => {
    assert(isMoveOf(move('e2e4', 1), GAME));
    assert(isMoveOf(move('e7e8Q', 1, ['e', GAME, '', 'root']), GAME));
    assert(!isMoveOf(move('e2e4', 1, ['e', 'b'.repeat(64), '', 'root']), GAME));
    assert(!isMoveOf(move('e2e4', 1, ['i', 'text']), GAME));
    assert(!isMoveOf(move('resign', 1), GAME));
  });
});

suite('events of the relay', () => {
  const event = (kind: number, tags: string[][], content = '') =>
    finalizeEvent({ kind, tags, content, created_at: 1_700_000_000 }, whiteKey);

  test('of the lobby are read without what is malformed', () => {
    const invite = ['invite', GAME, white, '300+3', 'random', '1700000060'];
    const lobby = parseLobby(
      event(20305, [
        ['d', 'lobby'],
        ['waiting', '300+3', '2'],
        ['waiting', 'soon', '2'],
        ['waiting', '60', '-2'],
        invite,
        ['invite', 'x', white, '300', 'white', '1700000060'],
        ['waiting', '300+3', '5', 'rated'],
        [...invite, '', 'rated', '-12', '87'],
        ['playing', '12'],
      ]),
    );
    assert.deepEqual([...lobby.waiting], [['300+3', 2]]);
    assert.equal(lobby.playing, 12);
    assert.deepEqual([...lobby.waitingRated], [['300+3', 5]]);
    assert.equal(lobby.invites.length, 2);
    assert.equal(lobby.invites[0]?.rated, undefined);
    assert.deepEqual(lobby.invites[1]?.strength, { rating: -12, deviation: 87 });
    assert.equal(lobby.invites[0]?.expiresAt, 1_700_000_060_000);
  });

  test('about who is at a game are read', () => {
    const tags = [
      ['d', GAME],
      ['white', 'present'],
      ['black', 'away', '1700000000'],
      ['watching', '3'],
      ['resumed', '1700000000123'],
    ];
    assert.deepEqual(parsePresence(event(20306, tags)), {
      white: 'present',
      black: { awaySince: 1_700_000_000_000 },
      watching: 3,
      resumedAt: 1_700_000_000_123,
    });
    assert.equal(parsePresence(event(20306, [['white', 'here']])), undefined);
  });

  test('with a record are read with moves and clocks', () => {
    const pgn = '[TimeControl "60+1"]\n\n1. e4 {[%clk 59652:19:24]} 1... e5 {[%clk 0:00:59.5]} 2.\nNf3 1-0\n';
    const tags = [
      ['e', GAME, '', 'root'],
      ['p', white, '', 'white'],
      ['p', black, '', 'black'],
      ['result', '1-0'],
      ['termination', 'resignation'],
      ['plies', GAME, 'no id'],
    ];
    const record = parseRecord(event(64, tags, pgn));
    assert.deepEqual(record?.sans, ['e4', 'e5', 'Nf3']);
    assert.deepEqual(record.clocks, [214_748_364_000, 59_500, undefined]);
    assert.deepEqual(record.plies, [GAME]);
    assert.equal(record.time.text, '60+1');
    assert.equal(parseRecord(event(64, tags.slice(1), pgn)), undefined);
  });

  test('that inform about the relay need a key and chess', () => {
    const document = { self: white, chess: { default_time: '300' }, supported_nips: [1, 'x'] };
    const info = parseRelayInfo('ws://localhost', document);
    assert.equal(info.chess.default_time, '300');
    assert.equal(info.chess.max_clock_skew, 60);
    assert.equal(info.chess.slow_games, 0);
    assert.equal(info.chess.rated, false);
    assert.deepEqual(info.supported_nips, [1]);
    assert.equal(info.max_subscriptions, 200);
    const limited = { ...document, limitation: { max_subscriptions: 20 } };
    assert.equal(parseRelayInfo('ws://localhost', limited).max_subscriptions, 20);
    assert.throws(() => parseRelayInfo('ws://localhost', { self: white }), /does not referee chess/);
    assert.throws(() => parseRelayInfo('ws://localhost', null), /does not referee chess/);
  });
});

test('a relay is named by its URL, without what is not for everybody to read', () => {
  assert.equal(relayName('WSS://me:secret@Relay.Example:443/play//?token=1#x'), 'wss://relay.example/play');
  assert.equal(relayName('ws://[::1]:7447/'), 'ws://[::1]:7447');
  for (const url of ['localhost:7447', 'https://relay.example', '', 'wss://']) {
    assert.throws(() => relayName(url), /begins with ws/, url);
  }
});

test('delays between attempts grow up to a bound, with jitter', () => {
  const backoff = new Backoff(100, 1000);
  const delays = Array.from({ length: 10 }, () => backoff.next());
  assert(delays.every(delay => delay >= 50 && delay <= 1000));
  assert((delays[0] ?? 0) <= 100 && (delays[9] ?? 0) >= 500);
  backoff.reset();
  assert(backoff.next() <= 100);
});

test('a refusal has a prefix and a reason', () => {
  const error = new RefusedError('rate-limited: slow down, wait 3 s');
  assert.deepEqual([error.prefix, error.reason], ['rate-limited', 'slow down, wait 3 s']);
  assert.equal(new RefusedError('no prefix').reason, 'no prefix');
});
