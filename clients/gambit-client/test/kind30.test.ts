import assert from 'node:assert/strict';
import { afterEach, beforeEach, suite, test } from 'node:test';
import { Chess } from 'chess.js';
import { assembleChain, fenAfter, hashOfPlayer, isFor, movesBetween, parseMessage, parseStart } from '../src/kind30.js';
import { parseLobby } from '../src/states.js';
import { guestSigner, InviteEndedError, type Game, type GambitClient, type VerifiedEvent } from '../src/index.js';
import { client, closeClients, until } from './support/clients.js';
import { Correspondent } from './support/correspondent.js';
import { FakeRelay } from './support/fake-relay.js';
import { rules } from './support/rules.js';

const [white, black, stranger] = [new Correspondent(), new Correspondent(), new Correspondent()];
const start = white.start('white');
const SANS = ['e4', 'e5', 'Nf3', 'Nc6'];

/** Events of a game from its start, each with the one before as its head. */
function play(sans: readonly string[], first = start.id): VerifiedEvent[] {
  const events: VerifiedEvent[] = [];
  sans.forEach((_, i) => {
    const head = events.at(-1)?.id ?? first;
    events.push((i % 2 === 0 ? white : black).move(start, head, sans.slice(0, i + 1)));
  });
  return events;
}

function chainOf(events: readonly VerifiedEvent[], sans: readonly string[]): string[] | undefined {
  const chess = new Chess();
  sans.forEach(san => chess.move(san));
  const messages = events.flatMap(event => parseMessage(event, start.id) ?? []);
  const game = { id: start.id, white: white.pubkey, black: black.pubkey, ply: sans.length, fen: chess.fen() };
  return assembleChain(messages, game)?.map(({ id }) => id);
}

suite('starts by kind 30', () => {
  test('have the colour of their author, and a challenged player in either form', () => {
    const { id, pubkey } = start;
    assert.deepEqual(parseStart(start), { id, author: pubkey, color: 'white' });
    const challenge = black.start('black', white.pubkey);
    assert.deepEqual([parseStart(challenge)?.color, parseStart(challenge)?.opponent], ['black', white.pubkey]);
    const hashed = black.event({ version: '0', kind: 0, history: [], nonce: 'x' }, ['e', hashOfPlayer(white.pubkey)]);
    for (const event of [challenge, hashed]) {
      const parsed = parseStart(event);
      assert(parsed);
      assert.deepEqual([white, black, stranger].map(it => isFor(parsed, it.pubkey)), [true, false, false]);
    }
  });

  test('are events of kind 30 with a version and an empty history', () => {
    const reference = ['e', start.tags[0]?.[1] ?? ''];
    for (const content of ['', 'null', '[]', '{"kind":0', { kind: 0, history: [] }, { version: '0', kind: 0 }]) {
      assert.equal(parseStart(white.event(content, reference)), undefined);
    }
    assert.equal(parseStart(white.event({ version: '0', kind: 0, history: ['e4'] }, reference)), undefined);
    assert.equal(parseStart(white.event({ version: '0', kind: 0, history: [] })), undefined);
    assert.equal(parseStart(white.event({ version: '0', kind: 0, history: [], x: 'x'.repeat(131_072) }, reference)), undefined);
  });

  test('are read from the lobby without what is malformed', () => {
    const tags = [
      ['start', start.id, white.pubkey, 'white', 'jester'],
      ['start', 'x', white.pubkey, 'white', 'jester'],
      ['start', start.id, white.pubkey, 'green', 'jester'],
    ];
    const { starts } = parseLobby(white.event('', ...tags));
    assert.deepEqual(starts, [{ id: start.id, author: white.pubkey, color: 'white' }]);
  });
});

suite('moves by kind 30', () => {
  test('form a chain from the start to a position, in whatever order they are found', () => {
    const events = play(SANS);
    const ids = events.map(({ id }) => id);
    assert.deepEqual(chainOf(events.toReversed(), SANS), ids);
    assert.deepEqual(chainOf(events, SANS.slice(0, 3)), ids.slice(0, 3));
    assert.deepEqual(chainOf(events, []), []);
    assert.equal(chainOf(events.slice(1), SANS), undefined);
    assert.equal(chainOf(events, ['e4', 'e5', 'Nf3', 'Nf6']), undefined);
  });

  test('of a fork, of others or without the one before are not in it', () => {
    const events = play(SANS);
    const fork = play(['e4', 'e5', 'Nf3', 'Nf6']);
    const head = events[2]?.id ?? '';
    const forged = [
      stranger.move(start, head, SANS),
      white.move(start, head, SANS),
      black.move(start, 'f'.repeat(64), SANS, { nonce: 1 }),
      black.move(start, start.id, SANS),
    ];
    assert.deepEqual(chainOf([...forged, ...fork, ...events], SANS), events.map(({ id }) => id));
  });

  test('may follow a draw offer', () => {
    const draw = { result: '1/2-1/2', termination: 'draw_agreement' };
    const [first, second] = play(SANS.slice(0, 2)) as [VerifiedEvent, VerifiedEvent];
    const offer = white.move(start, second.id, SANS.slice(0, 2), draw);
    const again = white.move(start, offer.id, SANS.slice(0, 2), { ...draw, nonce: 2 });
    const third = white.move(start, again.id, SANS.slice(0, 3));
    const events = [third, again, offer, second, first];
    assert.deepEqual(chainOf(events, SANS.slice(0, 3)), [first.id, second.id, third.id]);
    assert.deepEqual(chainOf(events, SANS.slice(0, 2)), [first.id, second.id]);
    const early = white.event({ version: '0', kind: 1, history: [], ...draw }, ['e', start.id], ['e', start.id]);
    const opening = white.move(start, early.id, ['e4']);
    assert.deepEqual(chainOf([early, opening], ['e4']), [opening.id]);
  });

  test('with other tags, a wrong history or too much of it are none', () => {
    const move = (content: unknown, ...heads: string[]): unknown =>
      parseMessage(white.event(content, ...[start.id, ...heads].map(id => ['e', id])), start.id);
    const content = { version: '0', kind: 1, history: ['e4'], move: 'e4', fen: 'x' };
    assert(move(content, start.id));
    assert.equal(move(content), undefined);
    assert.equal(move(content, 'x'), undefined);
    assert.equal(move(content, start.id, start.id), undefined);
    for (const history of [undefined, 'e4', [1], [['e4']], ['x'.repeat(41)], Array<string>(2001).fill('e4')]) {
      assert.equal(move({ ...content, history }, start.id), undefined);
    }
    assert.equal(move({ ...content, comment: 'x'.repeat(131_072) }, start.id), undefined);
    assert.equal(parseMessage(play(['e4'])[0] as VerifiedEvent, 'f'.repeat(64)), undefined);
  });

  test('are written in UCI from the positions between which they lead, whatever they are', () => {
    const games = [
      'e4 d5 exd5 c5 dxc6 Nf6 cxb7 Bd7 bxa8=N g6 d4 Bg7 Nf3 O-O Bf4 Qb6 Qd2 Rc8 Nc3 Na6 O-O-O',
      'a4 h5 a5 b5 axb6 h4 bxc7 h3 cxb8=Q hxg2 Rxa7 gxh1=R Rxa8 Rxg1',
    ];
    for (const game of games) {
      const chess = new Chess();
      game.split(' ').forEach(san => chess.move(san));
      const played = chess.history({ verbose: true });
      const fens = [played[0]?.before, ...played.map(({ after }) => after)];
      assert.deepEqual(movesBetween(fens), played.map(({ lan }) => lan));
    }
  });

  test('state the square for en passant after every double step, as the other clients do', () => {
    const chess = new Chess();
    const fields = 'e4 Nf6 Nf3 Rg8 e5 d5 exd6 c5'.split(' ').map(san => {
      const move = chess.move(san);
      return fenAfter(move.lan, { san, fen: move.after }).split(' ')[3];
    });
    assert.deepEqual(fields, ['e3', '-', '-', '-', '-', 'd6', '-', 'c6']);
    const rook = new Chess('4k3/8/8/8/8/8/4R3/4K3 w - - 0 1').move('Re4');
    assert.match(fenAfter('e2e4', { san: rook.san, fen: rook.after }), / b - - 1 1$/);
  });

  test('between positions that no move connects are unknown', () => {
    const { before, after } = new Chess().move('e4');
    for (const fens of [[before, before], [before, undefined], [before, '8/8 w - - 0 1'], [after, before], [before, '']]) {
      assert.equal(movesBetween(fens), undefined);
    }
  });
});

suite('games by kind 30 at a relay where others write what they want', () => {
  let relay: FakeRelay;
  let player: GambitClient;
  beforeEach(async () => {
    relay = await new FakeRelay({}, { slow_games: 0 }).start();
    player = await client(relay.url, { rules, signer: guestSigner(white.secret) });
  });
  afterEach(() => {
    closeClients();
    relay.stop();
  });

  /** The referee's state of a game after some moves. */
  function state(sans: readonly string[], id = start.id): VerifiedEvent {
    const chess = new Chess();
    sans.forEach(san => chess.move(san));
    const last = chess.history({ verbose: true }).at(-1);
    const tags = [
      ['d', id],
      ...[white, black].map(it => ['p', it.pubkey]),
      ['ply', `${sans.length}`],
      ['turn', chess.turn() === 'w' ? 'white' : 'black'],
      ['move', last?.lan ?? ''],
      ['san', last?.san ?? ''],
      ['dialect', 'jester'],
    ];
    return relay.event({ kind: 20302, content: chess.fen(), tags });
  }

  /** What the player has sent of kind 30. */
  const sent = (): { content: string; tags: string[][] }[] =>
    relay.requests.flatMap(([verb, event]) =>
      verb === 'EVENT' ? [event as { kind: number; content: string; tags: string[][] }].filter(it => it.kind === 30) : [],
    );

  async function running(sans: readonly string[], ...more: VerifiedEvent[]): Promise<Game> {
    const begun = new Promise<Game>(resolve => player.on('game', resolve));
    relay.stored = [start, ...more, state(sans)];
    relay.publish(state(sans));
    return begun;
  }

  test('450 events of the opponent do not hide the moves', async () => {
    const moves = play(SANS);
    const head = moves.at(-1)?.id ?? '';
    const events = Array.from({ length: 450 }, (_, i) => {
      const content = [{ version: '0', kind: 2, text: `${i}` }, { version: '0', kind: 1, history: SANS, nonce: i }, `${i}`][i % 3];
      return black.event(content, ['e', start.id], ['e', i % 2 === 0 ? head : 'f'.repeat(64)], ['n', `${i}`]);
    });
    const game = await running(SANS, ...events, ...moves);
    await until(game, () => game.movesKnown);
    assert.deepEqual(game.moves, ['e2e4', 'e7e5', 'g1f3', 'b8c6']);
    relay.publish(state([...SANS, 'Bb5']));
    await game.move('f1b5');
    assert.deepEqual(sent()[0]?.tags, [['e', start.id], ['e', head], ['p', black.pubkey]]);
    assert.deepEqual((JSON.parse(sent()[0]?.content ?? '') as { history: string[] }).history, [...SANS, 'Bb5']);
  });

  test('a move is not signed for another position than that in which it was chosen', async () => {
    const game = await running(SANS);
    const later = [...SANS, 'Bb5', 'a6'];
    relay.stored = [start, ...play(later)];
    const moved = game.move('f1b5');
    relay.publish(state(later));
    await assert.rejects(moved, /another move has been played/);
    assert.deepEqual([game.ply, sent()], [6, []]);
  });

  test('messages of strangers, and such that the referee has not accepted, change no field', async () => {
    const moves = play(SANS);
    const game = await running(SANS, ...moves);
    await until(game, () => game.movesKnown);
    const head = moves.at(-1)?.id ?? '';
    const before = [game.fen, game.ply, game.moves, game.result, game.proposal];
    for (const author of [stranger, white, black]) {
      relay.publish(author.move(start, head, [...SANS, 'Bb5']));
      relay.publish(author.move(start, head, SANS, { result: '0-1', termination: 'resignation', nonce: 1 }));
      relay.publish(author.event({ version: '0', kind: 1, history: Array(3000).fill('e4') }, ['e', start.id], ['e', head]));
      relay.publish(author.event('x'.repeat(200_000), ['e', start.id], ['e', head]));
      relay.publish(author.start('black'));
    }
    await player.query({ ids: [] });
    assert.deepEqual([game.fen, game.ply, game.moves, game.result, game.proposal], before);
    assert.equal(player.status, 'ready');
  });

  test('a first move in a game without a state is that of its White, as the relay has it', async () => {
    const mine = await client(relay.url, { rules });
    const forged = [
      stranger.move(start, start.id, ['d4']),
      white.event({ version: '0', kind: 1, history: ['c4'], move: 'c4', fen: '<b>' }, ['e', start.id], ['e', start.id]),
      white.move(start, 'f'.repeat(64), ['a4']),
    ];
    relay.stored = [start, ...forged];
    const game = await mine.takeStart(start.id);
    assert.deepEqual([game.isOpen, game.ply, game.moves, game.color], [true, 0, [], 'black']);
    relay.publish(white.move(start, start.id, ['e4']));
    await mine.query({ ids: [] });
    assert.deepEqual([game.ply, game.moves, game.white, game.black], [1, ['e2e4'], white.pubkey, mine.pubkey]);
  });

  test('they are no live games and answer no invite, and at most 40 are opened by themselves', async () => {
    const invite = await player.invite({ opponent: black.pubkey });
    invite.game.catch(() => undefined);
    const ids = Array.from({ length: 50 }, (_, i) => `${i}`.padStart(64, 'a'));
    for (const id of ids) {
      relay.publish(state(['e4'], id));
    }
    relay.publish(state(['e4', 'e5'], ids[0]));
    await until(player.follow(ids[0] ?? ''), () => player.games[0]?.ply === 2);
    assert.equal(player.games.length, 40);
    assert(player.games.every(({ isSlow, dialect }) => isSlow && dialect === 'jester'));
    assert.equal(player.currentGame, undefined);
    await assert.rejects(invite.game, InviteEndedError); // as the relay does not have it
  });

  test('those of other relays are told apart', async () => {
    const { kind, content, tags } = state(SANS);
    const there = relay.event({ kind, content, tags: [...tags.slice(0, -1), ['dialect', 'jester', 'elsewhere']] });
    relay.stored = [start, ...play(SANS), there];
    const game = await player.follow(start.id).ready;
    const lobby = await player.lobby().ready;
    assert.deepEqual([game, lobby.games[0]].map(it => [it?.dialect, it?.elsewhere]), Array(2).fill(['jester', true]));
  });

  test('comments name the start', async () => {
    const game = await running(SANS, ...play(SANS));
    await game.comment('well played');
    const [comment] = relay.requests.flatMap(([verb, event]) => (verb === 'EVENT' ? [event as VerifiedEvent] : []));
    const root = [start.id, '', white.pubkey];
    assert.deepEqual(comment?.tags, [
      ['E', ...root], ['K', '30'], ['P', white.pubkey],
      ['e', ...root], ['k', '30'], ['p', white.pubkey],
    ]);
  });
});
