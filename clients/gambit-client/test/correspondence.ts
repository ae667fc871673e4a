import assert from 'node:assert/strict';
import { test } from 'node:test';
import { guestSigner, RefusedError, type Game, type GambitClient, type ReceivedStart, type VerifiedEvent } from '../src/index.js';
import { hashOfPlayer } from '../src/kind30.js';
import { client, play, until } from './support/clients.js';
import { Correspondent } from './support/correspondent.js';
import { rules } from './support/rules.js';

interface Seats {
  start: string;
  white: Game;
  black: Game;
  blackClient: GambitClient;
}

/** Games by kind 30: both players by this library, or against a program of the other clients' kind. */
export function correspondence(url: () => string): void {
  const player = (): Promise<GambitClient> => client(url(), { rules });

  /** A game whose White has started it, after these moves. */
  async function begin(...moves: string[]): Promise<Seats> {
    const signer = guestSigner();
    const author = await client(url(), { rules, signer });
    const blackClient = await player();
    const { tags, content } = new Correspondent().start('white');
    const event = await signer.signEvent({ kind: 30, content, tags, created_at: Math.floor(Date.now() / 1000) });
    const lobby = await blackClient.lobby().ready;
    await author.publish(event);
    await until(lobby, () => lobby.starts.some(({ id }) => id === event.id));
    assert.deepEqual(
      lobby.starts.find(({ id }) => id === event.id),
      { id: event.id, author: author.pubkey, color: 'white' },
    );
    lobby.close();
    const white = await author.follow(event.id).ready;
    const black = await blackClient.takeStart(event.id);
    assert.deepEqual([white.isOpen, white.color, black.color, black.white], [true, 'white', 'black', author.pubkey]);
    await play({ white, black }, ...moves);
    return { start: event.id, white, black, blackClient };
  }

  const ended = (...games: Game[]) => Promise.all(games.map(game => until(game, () => game.record !== undefined)));

  test('an open start is taken, and both players play to mate', async () => {
    const { start, white, black, blackClient } = await begin('f2f3', 'e7e5', 'g2g4', 'd8h4');
    await ended(white, black);
    for (const game of [white, black]) {
      assert.deepEqual([game.id, game.dialect, game.elsewhere, game.isSlow, game.isOpen], [start, 'jester', false, true, false]);
      assert.deepEqual([game.result, game.termination], ['0-1', 'checkmate']);
      assert.deepEqual(game.moves, ['f2f3', 'e7e5', 'g2g4', 'd8h4']);
      assert.deepEqual(game.sans, ['f3', 'e5', 'g4', 'Qh4#']);
    }
    assert.equal(blackClient.currentGame, undefined);
    await assert.rejects(white.resign(), RefusedError);
    const late = await (await player()).follow(start).ready;
    await until(late, () => late.movesKnown);
    assert.deepEqual([late.moves, late.dialect, late.record?.dialect], [white.moves, 'jester', 'jester']);
  });

  test('a running game is found again with its moves, goes on beside a search, and is watched', async () => {
    const signer = guestSigner();
    const one = await client(url(), { rules, signer });
    const opponent = new Correspondent();
    const start = opponent.start('black', one.pubkey);
    const challenged = new Promise<readonly ReceivedStart[]>(resolve => one.on('challengesbykind30', resolve));
    const plain = await client(url(), { signer: guestSigner(opponent.secret) });
    await plain.publish(start);
    assert.deepEqual((await challenged).map(({ id }) => id), [start.id]);
    const search = await one.search('777');
    const game = await one.takeStart(start.id);
    await game.move('e2e4');
    await until(game, () => !game.isOpen);
    assert.deepEqual([one.games, one.currentGame, one.currentSearch], [[game], undefined, search]);
    assert.deepEqual(one.challengesByKind30, []);
    const [first] = await plain.query({ kinds: [30], authors: [one.pubkey], '#e': [start.id] });
    assert.deepEqual(first?.tags, [['e', start.id], ['e', start.id], ['p', opponent.pubkey]]);
    const { fen, ...content } = JSON.parse(first.content) as Record<string, unknown>;
    assert.match(String(fen), /^rnbqkbnr\/pppppppp\/8\/8\/4P3\/8\/PPPP1PPP\/RNBQKBNR b KQkq /);
    assert.deepEqual(content, { version: '0', kind: 1, move: 'e4', history: ['e4'] });
    one.close();

    const answer = opponent.move(start, first.id, ['e4', 'c5']);
    await plain.publish(answer);
    const again = await client(url(), { rules, signer });
    const [found] = again.games as [Game];
    assert.equal(found.id, start.id);
    await until(found, () => found.movesKnown);
    assert.deepEqual([found.moves, found.turn, found.lastSan], [['e2e4', 'c7c5'], 'white', 'c5']);
    const spectator = await (await client(url())).follow(start.id).ready;
    await until(spectator, () => spectator.movesKnown);
    await found.move('g1f3');
    await until(spectator, () => spectator.moves.length === 3);
    assert.deepEqual([spectator.moves, spectator.color, spectator.dialect], [['e2e4', 'c7c5', 'g1f3'], undefined, 'jester']);
    assert.deepEqual(again.challengesByKind30, []);
    await found.resign();
    await until(spectator, () => spectator.record !== undefined);
    assert.deepEqual([spectator.result, spectator.termination], ['0-1', 'resignation']);
  });

  test('a first move that was played before the start was taken is there to be answered', async () => {
    const opponent = new Correspondent();
    const plain = await client(url(), { signer: guestSigner(opponent.secret) });
    const start = opponent.start('white');
    await plain.publish(start);
    await plain.publish(opponent.move(start, start.id, ['d4']));
    const game = await (await player()).takeStart(start.id);
    assert.deepEqual([game.ply, game.turn, game.moves, game.lastSan], [1, 'black', ['d2d4'], 'd4']);
    await game.move('g8f6');
    await until(game, () => !game.isOpen);
    assert.deepEqual([game.ply, game.moves], [2, ['d2d4', 'g8f6']]);
  });

  test('a draw is offered and agreed, with a move or without', async () => {
    const { white, black } = await begin('e2e4', 'e7e5');
    await black.offerDraw();
    await until(white, () => white.proposal?.by === 'black');
    await white.move('g1f3', { offerDraw: true });
    await until(black, () => black.proposal?.by === 'white');
    await assert.rejects(white.accept(), /has not offered a draw/);
    await black.accept();
    await ended(white, black);
    assert.deepEqual([white.result, black.termination, white.record?.ending.length], ['1/2-1/2', 'agreement', 2]);
  });

  test('the answers of the referee are errors with its reason, and the fields stay as they are', async () => {
    const { start, white, black } = await begin('e2e4', 'e7e5');
    const refused = (command: Promise<void>, prefix: string, reason: RegExp) =>
      assert.rejects(command, (error: unknown) => {
        assert(error instanceof RefusedError);
        assert.equal(error.prefix, prefix);
        assert.match(error.reason, reason);
        return true;
      });
    await refused(white.claimAbandoned(), 'invalid', /the opponent has 24 hours for a move/);
    await assert.rejects(white.move('e4e6'), /e4e6 is not legal after 2 plies/);
    for (const command of [() => white.abort(), () => white.requestTakeback(), () => white.decline(), () => white.rematch()]) {
      await assert.rejects(command(), /kind 30/);
    }
    const stranger = await (await player()).follow(start).ready;
    await assert.rejects(stranger.resign(), /not a game of this player/);
    await assert.rejects((await player()).takeStart(start), /not open/);
    assert.deepEqual([white.ply, white.lastMove, white.result], [2, 'e7e5', undefined]);
    const both = await Promise.allSettled([white.move('g1f3'), white.move('d2d4')]);
    assert.deepEqual(both.map(({ status }) => status).sort(), ['fulfilled', 'rejected']);
    const lost = both.find(it => it.status === 'rejected') as PromiseRejectedResult;
    await refused(Promise.reject(lost.reason as Error), 'blocked', /^move 2 of white has been played: [0-9a-f]{64}$/);
    await until(black, () => black.ply === 3);
    assert.equal(black.lastMove, white.lastMove);
    await black.resign();
    await ended(white, black);
    await refused(black.offerDraw(), 'invalid', /this game is over: 1-0, resignation/);
  });

  test('moves need the rules of chess, and a start of others needs its player', async () => {
    const [plain, other] = [await client(url()), await player()];
    const author = new Correspondent();
    const start = author.start('black');
    const challenge = author.start('black', plain.pubkey);
    const publisher = await client(url(), { signer: guestSigner(author.secret) });
    for (const event of [start, challenge]) {
      await publisher.publish(event);
    }
    await assert.rejects(other.takeStart(challenge.id), /not open to this player/);
    const game = await plain.takeStart(start.id);
    await assert.rejects(game.move('e2e4'), /rules/);
    assert.equal(game.ply, 0);
    const lobby = await other.lobby().ready;
    await until(lobby, () => lobby.starts.some(({ id }) => id === start.id));
    assert(!lobby.starts.some(({ id }) => id === challenge.id));
  });

  test('challenges in both forms are there for a new client until they are answered', async () => {
    const signer = guestSigner();
    const one = await client(url(), { rules, signer });
    const author = new Correspondent();
    const publisher = await client(url(), { signer: guestSigner(author.secret) });
    const hashed = author.event({ version: '0', kind: 0, history: [], nonce: 'x' }, ['e', hashOfPlayer(one.pubkey)]);
    const challenges = [hashed, author.start('black', one.pubkey), author.start('black', one.pubkey)];
    for (const event of challenges) {
      await publisher.publish(event);
    }
    const listed = (of: GambitClient): string[] => of.challengesByKind30.map(({ id }) => id).sort();
    const all = challenges.map(({ id }) => id).sort();
    await until({ on: (_, listener) => one.on('challengesbykind30', listener) }, () => listed(one).length === 3);
    assert.deepEqual(listed(one), all);
    const [, running, over] = challenges as [VerifiedEvent, VerifiedEvent, VerifiedEvent];
    await (await one.takeStart(running.id)).move('e2e4');
    const declined = await one.takeStart(over.id);
    await declined.resign();
    await until(declined, () => declined.record !== undefined);
    assert.deepEqual([declined.result, declined.isOpen], ['0-1', false]);
    await until({ on: (_, listener) => one.on('challengesbykind30', listener) }, () => listed(one).length === 1);
    one.close();
    const again = await client(url(), { rules, signer });
    await until({ on: (_, listener) => again.on('challengesbykind30', listener) }, () => listed(again).length > 0);
    assert.deepEqual(again.challengesByKind30, [
      { id: hashed.id, author: author.pubkey, color: 'white', at: hashed.created_at * 1000 },
    ]);
    const game = await again.takeStart(hashed.id);
    assert.deepEqual([game.color, game.isOpen], ['black', true]);
  });
}
