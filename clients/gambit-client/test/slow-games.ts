import assert from 'node:assert/strict';
import { test } from 'node:test';
import { guestSigner, RefusedError } from '../src/index.js';
import { anotherTime, client, until } from './support/clients.js';

/** Several games of one player. */
export function slowGames(url: () => string): void {
  test('slow games run beside a search and a live game, and all are there for a new client', async () => {
    const signer = guestSigner();
    const [player, friend, stranger] = [await client(url(), { signer }), await client(url()), await client(url())];
    assert(player.info.chess.slow_games > 0);
    let changes = 0;
    player.on('games', () => changes++);
    const time = anotherTime();
    const search = await player.search(time);
    const invites = await Promise.all(['1/86400', '-'].map(slow => friend.invite({ opponent: player.pubkey, time: slow, color: 'black' })));
    const accepted = await Promise.all(invites.map(({ id }) => player.accept(id)));
    assert.deepEqual(accepted.map(({ time: { text } }) => text), ['1/86400', '-']);
    assert.deepEqual(await Promise.all(invites.map(async ({ game }) => (await game).id)), accepted.map(({ id }) => id));
    assert.equal(player.currentGame, undefined);
    assert.equal(player.currentSearch, search);

    await stranger.search(time);
    const live = await search.game;
    assert.equal(player.currentGame, live);
    assert.deepEqual(new Set(player.games), new Set([...accepted, live]));
    await assert.rejects(player.search('1/86400'), /a game is running already/);
    const more = await player.invite({ opponent: friend.pubkey, time: '1/3600', color: 'white' });
    const third = await friend.accept(more.id);
    await assert.rejects(friend.invite({ opponent: player.pubkey, time: '300' }).then(({ id }) => player.accept(id)), RefusedError);
    for (const game of [...accepted, await more.game]) {
      await game.move('e2e4');
    }
    await until(third, () => third.ply === 1);
    const before = changes;
    await third.move('e7e5');
    await until(await more.game, () => player.games.find(({ id }) => id === third.id)?.ply === 2);
    assert(changes > before);
    await live.resign();
    await until(live, () => live.result !== undefined);
    assert.equal(player.currentGame, undefined);
    player.close();

    const again = await client(url(), { signer });
    const positions = again.games.map(game => [game.id, game.ply]).sort();
    assert.deepEqual(positions, [...accepted.map(({ id }) => [id, 1]), [third.id, 2]].sort());
    await assert.rejects(again.search('1/86400'), /invite/);
    await again.games.find(({ id }) => id === third.id)?.resign();
    await until(third, () => third.result === '0-1');
    assert.equal(again.games.length, 2);
  });
}
