import assert from 'node:assert/strict';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { test } from 'node:test';
import { client, pair, play, until, type Pair } from './support/clients.js';

const NO_GAME = '0'.repeat(64);

/** Following games, comments and records. */
export function spectators(url: () => string): void {
  const players = async (): Promise<Pair> => pair(await client(url()), await client(url()));

  test('a spectator who comes in the middle of a game has all its moves, and sees the end', async () => {
    const { white, black } = await players();
    await play({ white, black }, 'e2e4', 'e7e5', 'g1f3');
    await black.requestTakeback();
    await until(white, () => white.proposal !== undefined);
    await white.accept();
    await until(black, () => black.ply === 1);
    await until(white, () => white.ply === 1);
    await play({ white, black }, 'c7c5', 'b1c3');
    const spectator = await client(url());
    const game = spectator.follow(white.id);
    assert.equal(spectator.follow(white.id), game);
    assert.equal(await game.ready, game);
    await until(game, () => game.movesKnown);
    assert.deepEqual(game.moves, ['e2e4', 'c7c5', 'b1c3']);
    assert.deepEqual([game.white, game.black], [white.white, white.black]);
    assert.equal(game.color, undefined);
    assert.equal(game.time.text, white.time.text);
    assert.equal(game.lastSan, 'Nc3');
    await play({ white, black }, 'b8c6');
    await until(game, () => game.moves.length === 4);
    await black.resign();
    await until(game, () => game.record !== undefined);
    assert.equal(game.result, '1-0');
    assert.deepEqual(game.sans, ['e4', 'c5', 'Nc3', 'Nc6']);
    game.close();
  });

  test("a spectator's clocks agree with the players'", async () => {
    const { white, black } = await players();
    await play({ white, black }, 'e2e4', 'e7e5', 'g1f3');
    const spectator = await client(url());
    const game = await spectator.follow(white.id).ready;
    const delay = monitorEventLoopDelay({ resolution: 5 });
    delay.enable();
    await play({ white, black }, 'b8c6', 'f1b5');
    await until(game, () => game.ply === 5);
    delay.disable();
    const [mine, theirs] = [game.clock(), black.clock()];
    assert(mine && theirs);
    // On a busy machine, events arrive late at both.
    const allowed = 400 + delay.max / 1e6;
    assert(Math.abs(mine.black - theirs.black) < allowed, `${mine.black} and ${theirs.black}`);
    assert.equal(mine.white, theirs.white);
    await black.resign();
  });

  test('a finished game has its moves, result and record', async () => {
    const { white, black } = await players();
    await play({ white, black }, 'f2f3', 'e7e5', 'g2g4', 'd8h4');
    const late = await client(url());
    const game = await late.follow(white.id).ready;
    await until(game, () => game.movesKnown);
    assert.deepEqual(game.moves, ['f2f3', 'e7e5', 'g2g4', 'd8h4']);
    assert.deepEqual([game.result, game.termination], ['0-1', 'checkmate']);
    assert.equal(game.ply, 4);
    assert.equal(game.clockRunning, undefined);
    const record = await late.record(white.id);
    assert.equal(record?.gameId, white.id);
    assert.equal(record.plies.length, 4);
    assert.deepEqual(record.sans, ['f3', 'e5', 'g4', 'Qh4#']);
    assert.equal(record.clocks.length, 4);
    assert(record.clocks.every(clock => clock !== undefined && clock > 0));
    assert.match(record.pgn, /^\[Event "Casual game"\]/);
    const records = await late.records({ player: white.white });
    assert.deepEqual(
      records.map(({ id }) => id),
      [record.id],
    );
  });

  test('a game that was aborted is over', async () => {
    const { white, black } = await players();
    await white.abort();
    await until(black, () => black.result !== undefined);
    const game = await (await client(url())).follow(white.id).ready;
    assert.deepEqual([game.result, game.termination], ['*', 'aborted']);
  });

  test('a game that the relay does not know fails', async () => {
    const spectator = await client(url());
    await assert.rejects(spectator.follow(NO_GAME).ready, /does not know this game/);
    assert.throws(() => spectator.follow('no id'), /64 hexadecimal digits/);
  });

  test('players and spectators see the comments of the others after the game only', async () => {
    const { white, black } = await players();
    await play({ white, black }, 'e2e4', 'e7e5');
    const [one, other] = [await client(url()), await client(url())];
    const [author, reader] = [await one.follow(white.id).ready, await other.follow(white.id).ready];
    await author.comment('White is better');
    await until(reader, () => reader.comments.length === 1);
    await white.comment('good luck');
    await until(black, () => black.comments.length === 1);
    assert.deepEqual(
      black.comments.map(({ text }) => text),
      ['good luck'],
    );
    await black.comment('you, too');
    await until(white, () => white.comments.length === 2);
    assert.deepEqual(
      white.comments.map(({ text }) => text),
      ['good luck', 'you, too'],
      'in one second',
    );
    assert.equal(white.comments.some(({ author }) => author === one.pubkey), false);
    await reader.comment('Black is slow');
    await until(author, () => author.comments.length === 2);
    for (const spectator of [author, reader]) {
      assert.deepEqual(spectator.comments.map(({ text }) => text).sort(), ['Black is slow', 'White is better']);
    }
    await black.resign();
    const all = ['Black is slow', 'White is better', 'good luck', 'you, too'];
    for (const game of [white, black, author, reader]) {
      await until(game, () => game.comments.length === 4);
      assert.deepEqual(game.comments.map(({ text }) => text).sort(), all);
    }
    const comment = white.comments.find(({ author }) => author === one.pubkey);
    assert.equal(comment?.text, 'White is better');
  });
}
