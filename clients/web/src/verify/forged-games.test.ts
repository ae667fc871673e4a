import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import type { NostrEvent } from './events.js';
import { BLACK, RELAY, RELAY_URL, START, STRANGER, SignedGame, WHITE } from './signed-game.testkit.js';
import { type FetchedGame, type VerifyOptions, verifyGame } from './verification.js';

const OPTIONS: VerifyOptions = { relayUrl: RELAY_URL, maxClockSkew: 60 };

/** Asserts that the game is rejected for these reasons, or parts of them. */
function rejected(game: SignedGame | FetchedGame, ...reasons: string[]): void {
  const report = verifyGame(game instanceof SignedGame ? game.fetched() : game, OPTIONS);
  assert.equal(report.holds, false);
  for (const reason of reasons) {
    assert.ok(
      report.faults.some((fault) => fault.includes(reason)),
      `${reason}\n  is not in\n${report.faults.join('\n')}`,
    );
  }
}

/** What a relay serves that has replaced one event. */
function replacing(game: SignedGame, old: NostrEvent, other: NostrEvent): FetchedGame {
  const fetched = game.fetched();
  const swap = (event: NostrEvent): NostrEvent => (event.id === old.id ? other : event);
  return {
    ...fetched,
    announcement: swap(fetched.announcement!),
    records: fetched.records.map(swap),
    events: new Map([...fetched.events].map(([id, event]) => [id, swap(event)])),
  };
}

function withBrokenSignature(event: NostrEvent): NostrEvent {
  const last = event.sig.endsWith('0') ? '1' : '0';
  return { ...event, sig: event.sig.slice(0, -1) + last };
}

test('an altered PGN is rejected with the difference', () => {
  const alterations: [string, string, string][] = [
    ['1. f3', '1. f4', 'The PGN has f4 where 1. f3 was signed'],
    ['1... e5', '1... e6', 'The PGN has e6 where 1... e5 was signed'],
    [' 2... Qh4# {[%clk 0:05:00]}', '', 'The PGN has nothing where 2... Qh4# was signed'],
    ['"0-1"', '"*"', 'the tag Result is "*", and the moves end with 0-1'],
    [' 0-1\n', ' 1-0\n', 'the tag Result is "0-1", and the moves end with 1-0'],
    [' 0-1\n', ' 3. Kf2 0-1\n', 'ply 5 comes after the end of the game'],
    ['1. f3', '1. f3#', 'ply 1 is not a legal move in SAN'],
    ['2. g4', '3. g4', 'ply 3 has the wrong number'],
    [' 0-1\n', ' 0-1 0-1\n', 'text after the result'],
    ['[Event', '[FEN "8/8/8/8/8/8/4p3/4K2k w - - 0 1"][Event', "The record's content is not a game"],
    ['[Event', '[FEN "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBN1 w Qkq - 0 1"][Event', 'The PGN begins'],
    ['300+3', '-', 'The PGN says TimeControl "-"'],
    ['{[%clk 0:05:00]} 1', '{[%clk 0:09:59]} 1', "The PGN's clock shows 599 s after ply 1"],
    ['0:05:00]} 0-1', '1:05:03]} 0-1', "The PGN's clock shows 3903 s after ply 4"],
    ['[White "npub1', '[White "npub2', 'The PGN says White'],
    ['[Round "-"]\n', '[Round "-"]\n[Round "-"]\n', 'duplicate tag'],
    ['300+3', '600+3', 'The PGN says TimeControl "600+3"'],
    ['2027.01.15', '2027.01.16', 'The PGN says Date'],
    ['0:05:00]} 0-1', '0:05:00] 0-1', "The record's content is not a game in PGN"],
  ];
  for (const [from, to, reason] of alterations) {
    const game = SignedGame.foolsMate();
    assert.ok(game.pgn.includes(from), from);
    game.pgn = game.pgn.replace(from, to);
    rejected(game, reason);
  }
});

test('swapped moves are rejected, with and without ply numbers', () => {
  const game = SignedGame.foolsMate();
  [game.plies[0], game.plies[2]] = [game.plies[2]!, game.plies[0]!];
  rejected(game, `Move 1. (White): the event ${game.plies[0].id} is not signed as ply 1`);
  const silent = new SignedGame('0-1', 'checkmate');
  for (const uci of ['f2f3', 'e7e5', 'g2g4', 'd8h4']) {
    silent.play(uci, silent.said(silent.turn, 5001, uci));
  }
  silent.writePgn();
  [silent.plies[0], silent.plies[2]] = [silent.plies[2]!, silent.plies[0]!];
  rejected(silent, 'The PGN has f3 where 1. g4 was signed');
  const sides = SignedGame.foolsMate();
  [sides.plies[0], sides.plies[1]] = [sides.plies[1]!, sides.plies[0]!];
  rejected(sides, `is signed by ${BLACK.pubkey}, not by ${WHITE.pubkey}`);
});

/** Asserts that nothing is called wrong, and that an event is called missing. */
function missing(fetched: FetchedGame, line: string): void {
  const report = verifyGame(fetched, OPTIONS);
  assert.deepEqual(report.faults, []);
  assert.equal(report.holds, false);
  assert.ok(report.missing[0]?.startsWith(line), `${report.missing[0]}`);
}

test('a missing move is no forgery, but nothing proves it', () => {
  const game = SignedGame.foolsMate();
  const fetched = game.fetched();
  const events = new Map(fetched.events);
  events.delete(game.plies[2]!.id);
  missing({ ...fetched, events }, `Ply 3: the event ${game.plies[2]!.id} is missing`);
});

test('a move that is used twice, foreign, illegal, malformed or after the end is rejected', () => {
  const twice = SignedGame.foolsMate();
  twice.plies.push(twice.plies[0]!);
  rejected(twice, `Ply 5: the event ${twice.plies[0]!.id} is used twice`);
  const foreign = SignedGame.foolsMate();
  foreign.plies[0] = foreign.said(STRANGER, 5001, 'f2f3');
  rejected(foreign, `is signed by ${STRANGER.pubkey}`);
  const illegal = SignedGame.foolsMate();
  illegal.plies[3] = illegal.said(BLACK, 5001, 'd8h5');
  rejected(illegal, 'Move 2... (Black): d8h5 is not legal');
  const malformed = SignedGame.foolsMate();
  malformed.plies[0] = malformed.said(WHITE, 5001, 'castle');
  rejected(malformed, 'is not a move');
  const late = SignedGame.foolsMate();
  late.plies.push(late.said(WHITE, 5001, 'e1f2'));
  rejected(late, 'Move 3. (White): the game was already over, by checkmate');
});

test('events with a broken signature or altered content are rejected', () => {
  const game = SignedGame.foolsMate();
  const move = game.plies[0]!;
  rejected(
    replacing(game, move, withBrokenSignature(move)),
    `the event ${move.id} is not signed by the key that it names`,
  );
  rejected(
    replacing(game, move, { ...move, content: 'f2f4' }),
    `the event ${move.id} has an id that is not its hash`,
  );
  const record = game.record();
  rejected(replacing(game, record, withBrokenSignature(record)), 'The record: the event');
  rejected(
    replacing(game, game.announcement, withBrokenSignature(game.announcement)),
    'The announcement: the event',
  );
});

test('a result that contradicts the termination is rejected', () => {
  const lies: [string, string][] = [
    ['checkmate', '1-0'],
    ['checkmate', '1/2-1/2'],
    ['checkmate', '*'],
    ['illegalmoves', '1-0'],
    ['timeout', '1-0'],
    ['abandoned', '1/2-1/2'],
    ['agreement', '0-1'],
    ['resignation', '1/2-1/2'],
    ['aborted', '*'],
  ];
  for (const [word, result] of lies) {
    const moves = word === 'checkmate' ? 'f2f3 e7e5 g2g4 d8h4' : 'e2e4 e7e5';
    rejected(
      new SignedGame(result, word, moves),
      `The result ${result} contradicts the termination ${word}`,
    );
  }
});

test('a termination that the moves contradict is rejected', () => {
  for (const word of ['stalemate', 'resignation', 'timeout', 'abandoned', 'threefold']) {
    const game = SignedGame.foolsMate();
    game.termination = word;
    rejected(game.writePgn(), `The moves end the game by checkmate, not by ${word}`);
  }
  for (const word of ['checkmate', 'stalemate', 'deadposition', 'fivefold', 'seventyfivemoves']) {
    rejected(new SignedGame('1/2-1/2', word, 'e2e4'), `The moves do not end the game by ${word}`);
  }
});

test('claims that the moves do not allow, or of the other side, are rejected', () => {
  for (const [word, rule] of [['threefold', 'threefold repetition'], ['fiftymoves', 'the fifty-move rule']] as const) {
    const lie = new SignedGame('1/2-1/2', word, 'e2e4');
    lie.ending.push(lie.said(BLACK, 5002, 'claim'));
    rejected(lie, `The moves do not allow a draw claim by ${rule}`);
  }
  const other = new SignedGame('1/2-1/2', 'fiftymoves', 'h1g1', { fen: 'k6r/8/8/8/8/8/8/K6R w - - 99 90' });
  other.ending.push(other.said(WHITE, 5002, 'claim'));
  rejected(other, 'No event signed by Black claims the draw');
});

test('a resignation that the loser did not sign is rejected', () => {
  const lie = new SignedGame('1-0', 'resignation', 'e2e4');
  rejected(lie, 'No event signed by Black resigns');
  lie.ending.push(lie.said(WHITE, 5003, 'resign'));
  rejected(lie, 'No event signed by Black resigns');
});

test('an agreement without an offer, of one player, or before the first move is rejected', () => {
  const lie = new SignedGame('1/2-1/2', 'agreement', 'e2e4 e7e5');
  lie.ending.push(lie.said(BLACK, 5002, 'accept'));
  rejected(lie, 'No event signed by White agrees to a draw');
  lie.ending.push(lie.said(WHITE, 5002, 'accept'));
  rejected(lie, 'No event signed by a player who had moved offers a draw');
  const early = new SignedGame('1/2-1/2', 'agreement', 'e2e4');
  early.ending.push(early.said(BLACK, 5002, 'offer'), early.said(WHITE, 5002, 'accept'));
  rejected(early, 'No event signed by a player who had moved offers a draw');
  const earlier = new SignedGame('1/2-1/2', 'agreement');
  earlier.play('e2e4', earlier.said(WHITE, 5001, 'e2e4', ['draw', 'offer']));
  earlier.play('e7e5');
  earlier.ending.push(earlier.plies[0]!, earlier.said(BLACK, 5002, 'accept'));
  rejected(earlier.writePgn(), `the event ${earlier.plies[0]!.id} does not end a game`);
});

test('a foreign or repeated event of the ending is rejected, a missing one is no forgery', () => {
  const lie = new SignedGame('1-0', 'resignation', 'e2e4');
  const resignation = lie.said(BLACK, 5003, 'resign');
  lie.ending.push(resignation);
  const fetched = lie.fetched();
  const events = new Map(fetched.events);
  events.delete(resignation.id);
  missing({ ...fetched, events }, `The ending: the event ${resignation.id} is missing`);
  lie.ending.push(resignation);
  rejected(lie, `The ending: the event ${resignation.id} is used twice`);
  lie.ending[1] = lie.said(STRANGER, 5003, 'resign');
  rejected(lie, `is signed by ${STRANGER.pubkey}`);
});

test('a termination that is impossible after so few plies or with the time control is rejected', () => {
  const lies: [string, string, string][] = [
    ['300+3', 'timeout', 'e2e4'],
    ['300+3', 'abandoned', 'e2e4'],
    ['300+3', 'agreement', ''],
    ['-', 'timeout', 'e2e4 e7e5'],
    ['-', 'abandoned', 'e2e4 e7e5'],
    ['1/3600', 'abandoned', 'e2e4 e7e5'],
    ['300+3600', 'abandoned', 'e2e4 e7e5'],
  ];
  for (const [time, word, moves] of lies) {
    rejected(
      new SignedGame(word === 'agreement' ? '1/2-1/2' : '1-0', word, moves, { time }),
      `After so few plies, or with this time control, a game cannot end by ${word}`,
    );
  }
});

test('a loss on time before it has passed is rejected', () => {
  const timeout = new SignedGame('0-1', 'timeout', 'e2e4 e7e5');
  timeout.endedAt = START + 299;
  rejected(timeout, 'White had 300 s, and the record was signed 299 s after');
  const perMove = new SignedGame('0-1', 'timeout', 'e2e4 e7e5', { time: '1/600' });
  perMove.endedAt = START + 599;
  rejected(perMove, 'White had 600 s, and the record was signed 599 s after');
});

test('events signed outside of the game, or before the move that they follow, are rejected', () => {
  for (const [at, when] of [[START - 61, 'before the game began'], [START + 961, 'after the game had ended']] as const) {
    const lie = new SignedGame('1-0', 'timeout');
    lie.signedAt = at;
    lie.play('e2e4');
    rejected(lie.writePgn(), 'Move 1. (White): the event', when);
  }
  const late = new SignedGame('0-1', 'checkmate', 'f2f3 e7e5');
  late.signedAt += 600;
  late.play('g2g4');
  late.signedAt -= 121;
  late.play('d8h4');
  rejected(late.writePgn(), 'before the move that it follows');
});

test('jobs, and events for another game, relay or referee are rejected', () => {
  for (const tag of ['i', 'param', 'output', 'bid', 'relays', 'encrypted', 'j']) {
    const job = SignedGame.foolsMate();
    job.plies[0] = job.said(WHITE, 5001, 'f2f3', [tag, 'x']);
    rejected(job, 'has a tag of a NIP-90 job');
  }
  const game = SignedGame.foolsMate();
  game.plies[0] = WHITE.sign(game.signedAt, 5001, [['e', '0'.repeat(64), '', 'root']], 'f2f3');
  rejected(game, 'was signed for another game');
  game.plies[0] = game.said(WHITE, 5001, 'f2f3', ['relay', 'wss://other.example']);
  rejected(game, 'was signed for another relay');
  const proof = WHITE.sign(START + 60, 20303, [['p', STRANGER.pubkey]], 'e2e4');
  rejected(relayed(JSON.stringify(proof)), 'was signed for another referee');
});

test('a translated move that differs from its proof is rejected', () => {
  const honest = new SignedGame('1-0', 'timeout');
  rejected(
    relayed(honest.ephemeral(WHITE, 'e2e3')),
    'Move 1. (White): the relay says e2e4, the player e2e3',
  );
  rejected(relayed(''), 'Move 1. (White): the proof is not an event of kind 20303');
  rejected(
    relayed(JSON.stringify(honest.said(WHITE, 5001, 'e2e4'))),
    'the proof is not an event of kind 20303',
  );
  rejected(
    relayed(honest.ephemeral(WHITE, 'e2e4').replace('"e2e4"', '"e2e3"')),
    'has an id that is not its hash',
  );
  const stranger = STRANGER.sign(START + 60, 20303, [['p', RELAY.pubkey]], 'e2e4');
  rejected(relayed(JSON.stringify(stranger)), `is signed by ${STRANGER.pubkey}`);
});

test('a proof that is used for two moves is rejected', () => {
  const lie = new SignedGame('0-1', 'timeout', '', { fen: 'k7/8/8/8/8/8/8/4K2R w - - 0 1' });
  const proof = lie.ephemeral(WHITE, 'e1e2');
  lie.relay('e1e2', proof);
  lie.play('a8a7');
  lie.play('e2e1');
  lie.play('a7a8');
  lie.relay('e1e2', proof);
  rejected(lie.writePgn(), 'Move 3. (White): the event', 'is used twice');
});

test('a loss by illegal moves in the ephemeral dialect is rejected', () => {
  const lie = new SignedGame('0-1', 'illegalmoves');
  lie.relay('e2e4', lie.ephemeral(WHITE, 'e2e4'));
  lie.play('e7e5');
  rejected(lie.writePgn(), 'In the dialect of White, illegal moves lose no game');
});

test('a record with repeated, missing or contradictory tags, or of another game, is rejected', () => {
  const game = SignedGame.foolsMate();
  const withTags = (tags: string[][]): FetchedGame => ({ ...game.fetched(), records: [game.record(tags)] });
  for (const name of ['result', 'termination', 'plies']) {
    rejected(
      withTags([...game.recordTags(), [name, 'x']]),
      `The record has more than one tag ${name}`,
    );
  }
  rejected(withTags([...game.recordTags(), ['alt', 'White has won']]), 'The record\'s alt says "White has won"');
  for (const name of ['result', 'termination']) {
    rejected(
      withTags(game.recordTags().filter((tag) => tag[0] !== name)),
      'The record does not say how the game ended',
    );
  }
  const other = ['e', '0'.repeat(64), '', 'root'];
  rejected(withTags([other, ...game.recordTags()]), 'is about another game');
  rejected(withTags([...game.recordTags(), other]), 'is about another game');
  for (const white of [['p', STRANGER.pubkey, '', 'white'], ['p', WHITE.pubkey, '', 'white', '3']]) {
    const tags = game.recordTags();
    tags[1] = white;
    rejected(withTags(tags), 'is about another game');
  }
});

test('no record, two records and an unknown or malformed announcement are rejected', () => {
  const game = SignedGame.foolsMate();
  const fetched = game.fetched();
  rejected({ ...fetched, records: [] }, 'The relay has no record of the game');
  rejected(
    { ...fetched, records: [game.record(), RELAY.sign(START + 901, 64, game.recordTags(), game.pgn)] },
    'The relay has more than one record of the game',
  );
  rejected({ ...fetched, announcement: undefined }, 'The relay has no event with that id');
  const move = game.plies[0]!;
  rejected(
    { ...fetched, game: move.id, announcement: move },
    'The event with that id does not announce a game',
  );
});

test('of thousands of faults, twenty are listed and the others are counted', () => {
  const game = SignedGame.foolsMate();
  const tags = game.recordTags();
  const plies = tags.find((tag) => tag[0] === 'plies')!;
  for (let i = 0; i < 100; i++) {
    plies.push(game.plies[0]!.id);
  }
  const report = verifyGame({ ...game.fetched(), records: [game.record(tags)] }, OPTIONS);
  assert.equal(report.faults.length, 20);
  assert.equal(report.furtherFaults, 80);
});

function relayed(proof: string): SignedGame {
  const lie = new SignedGame('1-0', 'timeout');
  lie.relay('e2e4', proof);
  return lie.writePgn();
}
