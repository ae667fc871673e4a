import assert from 'node:assert/strict';
import { test } from 'node:test';
import { guestSigner, RefusedError, type Game } from '../src/index.js';
import { anotherTime, client, pair, play, until } from './support/clients.js';

const SCHOLARS_MATE = ['e2e4', 'e7e5', 'f1c4', 'b8c6', 'd1h5', 'g8f6', 'h5f7'];

async function ended(...games: Game[]): Promise<void> {
  await Promise.all(games.map(game => until(game, () => game.result !== undefined)));
}

/** Whole games between two clients. */
export function games(url: () => string): void {
  const players = () => Promise.all([client(url()), client(url())]);

  test('two searching players are paired and play to mate', async () => {
    const [one, other] = await players();
    const time = anotherTime();
    const { white, black } = await pair(one, other, time);
    assert.equal(white.id, black.id);
    assert.equal(black.color, 'black');
    assert.equal(white.time.text, time);
    assert.equal(one.currentGame?.id, white.id);
    await assert.rejects(one.search(time), /a game is running already/);
    await play({ white, black }, ...SCHOLARS_MATE);
    await ended(white, black);
    await Promise.all([white, black].map(game => until(game, () => game.record !== undefined)));
    for (const game of [white, black]) {
      assert.deepEqual(game.moves, SCHOLARS_MATE);
      assert.equal(game.result, '1-0');
      assert.equal(game.termination, 'checkmate');
      assert.deepEqual(game.sans, ['e4', 'e5', 'Bc4', 'Nc6', 'Qh5', 'Nf6', 'Qxf7#']);
      assert.equal(game.fen, 'r1bqkb1r/pppp1Qpp/2n2n2/4p3/2B1P3/8/PPPP1PPP/RNB1K1NR b KQkq - 0 4');
    }
    assert.equal(one.currentGame, undefined);
  });

  test('a game is drawn when the opponent accepts an offer', async () => {
    const { white, black } = await pair(...(await players()));
    await play({ white, black }, 'e2e4', 'e7e5');
    await white.move('g1f3', { offerDraw: true });
    await until(black, () => black.proposal !== undefined);
    assert.deepEqual(black.proposal, { kind: 'draw', by: 'white' });
    await black.accept();
    await ended(white, black);
    assert.equal(white.result, '1/2-1/2');
    assert.equal(white.termination, 'agreement');
  });

  test('a declined offer is withdrawn for both players', async () => {
    const { white, black } = await pair(...(await players()));
    await play({ white, black }, 'e2e4', 'e7e5');
    await black.offerDraw();
    await until(white, () => white.proposal?.by === 'black');
    await white.decline();
    await Promise.all([white, black].map(game => until(game, () => !game.proposal)));
    assert.equal(white.result, undefined);
  });

  test('a player who resigns loses', async () => {
    const { white, black } = await pair(...(await players()));
    await play({ white, black }, 'e2e4');
    await black.resign();
    await ended(white, black);
    assert.deepEqual([white.result, white.termination], ['1-0', 'resignation']);
    await assert.rejects(black.move('e7e5'), RefusedError);
  });

  test('a game without moves is aborted, and has no record', async () => {
    const { white, black } = await pair(...(await players()));
    await black.abort();
    await ended(white, black);
    assert.deepEqual([white.result, white.termination], ['*', 'aborted']);
    assert.equal(white.record, undefined);
  });

  test('the flag of a player who does not move falls', async () => {
    const { white, black } = await pair(...(await players()), '3');
    await play({ white, black }, 'e2e4', 'e7e5');
    assert.equal(white.clockRunning, 'white');
    await ended(white, black);
    assert.deepEqual([white.result, white.termination], ['0-1', 'timeout']);
    assert.equal(white.clock()?.white, 0);
  });

  test('a takeback that the opponent accepts removes the moves', async () => {
    const { white, black } = await pair(...(await players()));
    await play({ white, black }, 'e2e4', 'e7e5');
    await white.requestTakeback();
    await until(black, () => black.proposal?.kind === 'takeback');
    await black.accept();
    await Promise.all([white, black].map(game => until(game, () => game.ply === 0)));
    await play({ white, black }, 'd2d4', 'd7d5', 'c2c4');
    assert.deepEqual(white.moves, ['d2d4', 'd7d5', 'c2c4']);
    assert.deepEqual(black.moves, ['d2d4', 'd7d5', 'c2c4']);
  });

  test('a draw is claimed when a position stands for the third time', async () => {
    const { white, black } = await pair(...(await players()));
    const there = ['g1f3', 'g8f6', 'f3g1', 'f6g8'];
    await play({ white, black }, ...there, ...there);
    await white.claimDraw();
    await ended(white, black);
    assert.equal(black.termination, 'threefold');
  });

  test('a rematch swaps the colours once both players request it', async () => {
    const { white, black, whiteClient, blackClient } = await pair(...(await players()));
    await play({ white, black }, 'e2e4', 'e7e5');
    await white.resign();
    await ended(white, black);
    const requested = new Promise(resolve => whiteClient.on('rematch', resolve));
    const rematch = await black.rematch();
    await requested;
    await until(white, () => white.rematchRequest !== undefined);
    const answer = await white.rematch();
    const [second, first] = await Promise.all([answer.game, rematch.game]);
    assert.equal(first.id, second.id);
    assert.notEqual(first.id, white.id);
    assert.equal(second.color, 'black');
    assert.equal(blackClient.currentGame, first);
    await first.abort();
  });

  test('a refused move is an error with the reason of the relay, and the game continues', async () => {
    const { white, black } = await pair(...(await players()));
    await assert.rejects(black.move('e7e5'), (error: unknown) => {
      assert(error instanceof RefusedError);
      assert.equal(error.prefix, 'invalid');
      return true;
    });
    await assert.rejects(white.move('e2e5'), /illegal move e2e5 \(1 of 2\)/);
    await play({ white, black }, 'e2e4');
    await black.resign();
  });

  test('a cancelled search pairs nobody', async () => {
    const [one, other] = await players();
    const time = anotherTime();
    const search = await one.search(time);
    await assert.rejects(one.search(time), /running already/);
    await search.cancel();
    await assert.rejects(search.game, /cancelled/);
    const second = await other.search(time);
    const lobby = other.lobby();
    await lobby.ready;
    assert.equal(other.currentGame, undefined);
    await second.cancel();
  });

  test('an opponent who cancels after the pairing does not leave the player in the queue', async () => {
    const [one, other, third] = [...(await players()), await client(url())];
    const time = anotherTime();
    const search = await one.search(time);
    const { game } = await other.search(time);
    await search.game;
    await search.cancel();
    await ended(await game);
    // Requests of one connection are answered in order: afterwards the library has left the queue.
    await assert.rejects(other.reject('0'.repeat(64)), /no such invite/);
    await third.search(time);
    const { game: again } = await one.search(time);
    assert.equal((await again).opponent, third.pubkey);
    assert.equal(other.currentGame, undefined);
    await (await again).abort();
  });

  test('a request for a rematch is over when it is declined or withdrawn', async () => {
    const { white, black, blackClient } = await pair(...(await players()));
    await black.abort();
    await ended(white, black);
    const first = await white.rematch();
    await until(black, () => black.rematchRequest?.id === first.id);
    await blackClient.reject(first.id);
    assert.equal(black.rematchRequest, undefined);
    await assert.rejects(first.game, /rejected/);
    const second = await white.rematch();
    await until(black, () => black.rematchRequest?.id === second.id);
    await second.withdraw();
    await until(black, () => black.rematchRequest === undefined);
  });

  test('a search is refused while another client of the player searches', async () => {
    const signer = guestSigner();
    const [one, other] = [await client(url(), { signer }), await client(url(), { signer })];
    const search = await one.search(anotherTime());
    await assert.rejects(other.search(anotherTime()), /a search runs in another window/);
    assert.equal(other.currentSearch, undefined);
    await search.cancel();
    const next = await other.search(anotherTime());
    await next.cancel();
  });
}
