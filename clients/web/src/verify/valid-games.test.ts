import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { npubEncode } from 'nostr-tools/nip19';
import { BLACK, RELAY_URL, START, SignedGame, WHITE } from './signed-game.testkit.js';
import { type VerifyOptions, verifyGame } from './verification.js';
import type { Report } from './findings.js';

const OPTIONS: VerifyOptions = { relayUrl: RELAY_URL, maxClockSkew: 60 };
const KNIGHTS = 'g1f3 g8f6 f3g1 f6g8';

/** Asserts that everything holds, and that these lines are among the proved or attested facts. */
function holds(game: SignedGame, ...lines: string[]): Report {
  const report = verifyGame(game.fetched(), OPTIONS);
  assert.deepEqual(report.faults, []);
  assert.equal(report.holds, true);
  for (const line of lines) {
    assert.ok([...report.proved, ...report.attested].includes(line), line);
  }
  return report;
}

test('an honest game is proved by signatures, and what nobody signed is attested', () => {
  const report = holds(SignedGame.foolsMate());
  assert.deepEqual(report.proved, [
    'Each of the 4 plies is signed by the side in turn, and legal.',
    'The moves end the game by checkmate.',
  ]);
  assert.deepEqual(report.attested, [
    'Who was paired with whom, the colours, and the time control 300+3.',
    "When the players' events arrived, and which of them were refused or taken back.",
    'The clocks.',
    'That no other relay forwarded events of White: none of 2 name the relay.',
    'That no other relay forwarded events of Black: none of 2 name the relay.',
  ]);
});

test('the report says of each side whether all, some or none of its events name the relay', () => {
  const game = SignedGame.foolsMate();
  const named = (index: number, uci: string) =>
    game.said(index % 2 ? BLACK : WHITE, 5001, uci, ['ply', `${index + 1}`], ['relay', RELAY_URL]);
  game.plies.splice(0, 3, named(0, 'f2f3'), named(1, 'e7e5'), named(2, 'g2g4'));
  const report = holds(game, 'That no other relay forwarded events of Black: 1 of 2 name the relay.');
  assert.ok(report.proved.includes('All events of White name the relay: 2.'));
});

test('every end by the position is proved, also from a set-up position', () => {
  const ends: [string, string, string][] = [
    ['deadposition', '8/8/8/8/8/8/4p3/4K2k w - - 0 1', 'e1e2'],
    ['stalemate', 'k7/8/K7/8/8/8/8/1Q6 w - - 0 1', 'b1b6'],
    ['seventyfivemoves', 'k6r/8/8/8/8/8/8/K6R w - - 149 90', 'h1g1'],
  ];
  for (const [word, fen, move] of ends) {
    holds(new SignedGame('1/2-1/2', word, move, { fen }));
  }
  holds(new SignedGame('1/2-1/2', 'fivefold', `${KNIGHTS} ${KNIGHTS} ${KNIGHTS} ${KNIGHTS}`));
});

test('a resignation signed by the loser is proved, in either dialect', () => {
  const game = new SignedGame('1-0', 'resignation', 'e2e4');
  game.ending.push(game.said(BLACK, 5003, 'resign'));
  holds(game, 'Black resigned.');
  for (const word of ['resign', 'quit']) {
    const ephemeral = new SignedGame('0-1', 'resignation', 'e2e4 e7e5');
    ephemeral.proofs.push(ephemeral.ephemeral(WHITE, word));
    holds(ephemeral, 'White resigned.');
  }
});

test('an agreed draw is proved: offer and answer, offer against offer, or an offer with the last move', () => {
  for (const answer of ['accept', 'offer']) {
    const game = new SignedGame('1/2-1/2', 'agreement', 'e2e4 e7e5');
    game.ending.push(game.said(BLACK, 5002, 'offer'), game.said(WHITE, 5002, answer));
    holds(game, 'Both players agreed to a draw.');
  }
  const withMove = new SignedGame('1/2-1/2', 'agreement', 'e2e4');
  withMove.play('e7e5', withMove.said(BLACK, 5001, 'e7e5', ['draw', 'offer']));
  withMove.ending.push(withMove.plies[1]!);
  withMove.proofs.push(withMove.ephemeral(WHITE, 'draw'));
  holds(withMove.writePgn(), 'Both players agreed to a draw.');
});

test('an offer remains valid after a move of its author', () => {
  const game = new SignedGame('1/2-1/2', 'agreement', 'e2e4 e7e5');
  game.ending.push(game.said(WHITE, 5002, 'offer'));
  game.signedAt += 600;
  game.play('d2d4');
  game.ending.push(game.said(BLACK, 5002, 'accept'));
  holds(game.writePgn(), 'Both players agreed to a draw.');
});

test('claims of the side in turn are proved', () => {
  const repetition = new SignedGame('1/2-1/2', 'threefold', `${KNIGHTS} ${KNIGHTS}`);
  repetition.ending.push(repetition.said(WHITE, 5002, 'claim'));
  holds(repetition, 'White claimed a draw by threefold repetition, and the moves allow it.');
  const fifty = new SignedGame('1/2-1/2', 'fiftymoves', 'h1g1', { fen: 'k6r/8/8/8/8/8/8/K6R w - - 99 90' });
  fifty.ending.push(fifty.said(BLACK, 5002, 'claim'));
  holds(fifty, 'Black claimed a draw by the fifty-move rule, and the moves allow it.');
});

test('ends without a signed event are attested by the relay', () => {
  const fen = 'k7/8/8/8/8/8/8/K6R w - - 0 1';
  const ends: [string, string, string, string?][] = [
    ['timeout', '0-1', 'That White ran out of time.'],
    ['illegalmoves', '0-1', 'That White played two illegal moves.'],
    ['abandoned', '1-0', 'That Black left the game.'],
    ['timeout', '1/2-1/2', 'That White ran out of time.', fen],
    ['abandoned', '1/2-1/2', 'That one of the players left the game.', fen],
  ];
  for (const [word, result, line, position] of ends) {
    const moves = position ? 'h1g1 a8a7' : 'e2e4 e7e5';
    const report = holds(new SignedGame(result, word, moves, { fen: position }), line);
    assert.equal(report.proved.length, 1);
  }
});

test('a first move of correspondence can be too late', () => {
  const correspondence = new SignedGame('1-0', 'timeout', 'e2e4', { time: '1/3600' });
  correspondence.endedAt = START + 3600;
  holds(correspondence, 'That Black ran out of time.');
});

test('moves of the ephemeral dialect are proved by the events that the relay translated', () => {
  const game = new SignedGame('1-0', 'resignation', '', { fen: 'r3k3/6P1/8/8/8/8/8/4K2R w Kq - 0 1' });
  game.relay('e1g1', game.ephemeral(WHITE, 'O-O'));
  game.relay('e8c8', game.ephemeral(BLACK, '0-0-0'));
  game.relay('f1d1', game.ephemeral(WHITE, 'Rf1-d1'));
  game.relay('c8b7', game.ephemeral(BLACK, 'c8b7'));
  game.relay('g7g8q', game.ephemeral(WHITE, 'g7-g8=Q'));
  game.play('b7c6');
  game.ending.push(game.said(BLACK, 5003, 'resign'));
  const report = holds(game.writePgn(), 'Each of the 6 plies is signed by the side in turn, and legal.');
  assert.ok(report.attested.some((line) => line.startsWith('The order of the moves')));
});

test('what events do not say is attested: game, ply, and a URL that only the PGN has', () => {
  const game = new SignedGame('0-1', 'checkmate');
  for (const uci of ['f2f3', 'e7e5', 'g2g4', 'd8h4']) {
    game.play(uci, game.turn.sign(game.signedAt, 5001, [], uci));
  }
  holds(
    game.writePgn(),
    "That 4 of the players' events were meant for this game: they do not name it.",
    'The order of the moves, where another one would be legal: 4 of them do not say which ply they are.',
  );
  const elsewhere = new SignedGame('1-0', 'resignation', 'e2e4');
  elsewhere.ending.push(elsewhere.said(BLACK, 5003, 'resign', ['relay', RELAY_URL]));
  const report = verifyGame(elsewhere.fetched(), { ...OPTIONS, relayUrl: 'ws://127.0.0.1:7447/' });
  assert.deepEqual(report.faults, []);
  assert.ok(report.attested.some((line) => line.includes("the PGN's Site")));
});

test('the loopback names of a machine are equivalent', () => {
  for (const url of ['ws://localhost:7447', 'ws://127.0.0.1:7447/', 'ws://[::1]:7447']) {
    const game = SignedGame.foolsMate();
    game.plies[0] = game.said(WHITE, 5001, 'f2f3', ['ply', '1'], ['relay', url]);
    const report = verifyGame(game.fetched(), { ...OPTIONS, relayUrl: 'ws://localhost:7447/' });
    assert.deepEqual(report.faults, [], url);
  }
});

test('clocks of players within the skew are accepted, and a larger skew where it is known', () => {
  for (const seconds of [-60, 960]) {
    const game = new SignedGame('1-0', 'resignation', 'e2e4');
    game.signedAt = START + seconds;
    game.ending.push(game.said(BLACK, 5003, 'resign'));
    holds(game);
  }
  const slow = new SignedGame('1-0', 'resignation', 'e2e4');
  slow.signedAt = START - 300;
  slow.ending.push(slow.said(BLACK, 5003, 'resign'));
  slow.plies[0] = slow.said(WHITE, 5001, 'e2e4', ['ply', '1']);
  assert.equal(verifyGame(slow.fetched(), { ...OPTIONS, maxClockSkew: 300 }).holds, true);
  assert.equal(verifyGame(slow.fetched(), { ...OPTIONS, maxClockSkew: 299 }).holds, false);
});

test('a PGN in another format is accepted', () => {
  const game = SignedGame.foolsMate();
  game.pgn = [
    '%% In import format',
    `[Result "0-1"][Black "${npubEncode(BLACK.pubkey)}"]`,
    `[White "${npubEncode(WHITE.pubkey)}"]`,
    '[Site "wss://gambit.example"] [Date "????.??.??"] [Round "?"]',
    '[Opening "Barnes"][TimeControl "300+3"][Termination "Normal"]',
    'f3 {[%clk 0:05:00] bad} 1...e5 $1 (1... d5 (1... d6)) 2 g4?? ; worse',
    '2... Qh4 0-1',
  ].join('\r\n');
  holds(game);
});
