import assert from 'node:assert/strict';
import { test } from 'node:test';
import { guestSigner, InviteEndedError, isOpenedBy, RefusedError, type ReceivedInvite } from '../src/index.js';
import { Emitter } from '../src/emitter.js';
import { anotherTime, client, pair, play, until } from './support/clients.js';

const ENDGAME = '4k3/8/8/8/8/8/4P3/4K2R b K - 0 1';

/** What a listener was told last. */
class Shown extends Emitter<{ change: [] }> {
  text = '';

  show(text: string): void {
    this.text = text;
    this.emit('change');
  }
}

/** Invites, and what the lobby shows. */
export function lobby(url: () => string): void {
  test('the lobby shows how many players wait, open invites and running games', async () => {
    const visitor = await client(url());
    const shown = await visitor.lobby().ready;
    const searcher = await client(url());
    const time = anotherTime();
    const search = await searcher.search(time);
    await until(shown, () => shown.waiting.get(time) === 1);
    await search.cancel();
    await until(shown, () => !shown.waiting.has(time));
    const invite = await searcher.invite({ time, color: 'black', fen: ENDGAME });
    await until(shown, () => shown.invites.some(({ id }) => id === invite.id));
    const open = shown.invites.find(({ id }) => id === invite.id);
    assert.equal(open?.author, searcher.pubkey);
    assert.equal(open.time.text, time);
    assert.equal(open.color, 'black');
    assert.equal(open.fen, ENDGAME);
    const game = await visitor.accept(invite.id);
    await until(shown, () => shown.games.some(({ id }) => id === game.id));
    assert.equal(shown.games.find(({ id }) => id === game.id)?.fen, ENDGAME);
    await until(shown, () => !shown.invites.some(({ id }) => id === invite.id));
    await game.abort();
    await until(shown, () => !shown.games.some(({ id }) => id === game.id));
    shown.close();
  });

  test('who is here is known of the players that are asked for', async () => {
    const [one, other] = [await client(url()), await client(url())];
    const keys = [one.pubkey, other.pubkey, 'not a key', 'e'.repeat(64)];
    const seen = new Shown();
    const stop = (await client(url())).presence(keys, status => {
      seen.show(keys.map(key => status.get(key)).join());
    });
    await until(seen, () => seen.text === 'online,online,,offline');
    const { white } = await pair(one, other);
    await until(seen, () => seen.text === 'playing,playing,,offline');
    await white.abort();
    await until(seen, () => seen.text === 'online,online,,offline');
    other.close();
    await until(seen, () => seen.text === 'online,offline,,offline');
    stop();
  });

  test('who is at a game is known to players and spectators', async () => {
    const [one, other] = [await client(url()), await client(url())];
    const { white, black } = await pair(one, other);
    await play({ white, black }, 'e2e4', 'e7e5');
    const game = await (await client(url())).follow(white.id).ready;
    await until(white, () => white.presence?.watching === 1);
    await until(game, () => game.presence?.white === 'present');
    const leaver = one.currentGame === white ? one : other;
    leaver.close();
    await until(black, () => typeof black.presence?.white === 'object');
    await black.resign();
  });

  test('a friend accepts an invite by its id and secret; the lobby does not show it', async () => {
    const inviter = await client(url());
    const friend = await client(url());
    const shown = await friend.lobby().ready;
    const time = anotherTime();
    const invite = await inviter.invite({ time, color: 'white', unlisted: true });
    const listed = await inviter.invite({ time: anotherTime() });
    await until(shown, () => shown.invites.some(({ id }) => id === listed.id));
    assert(!shown.invites.some(({ id }) => id === invite.id));
    const found = await friend.findInvite(invite.id);
    assert.equal(found?.author, inviter.pubkey);
    assert.equal(found.time?.text, time);
    assert.equal(found.color, 'white');
    assert(invite.secret);
    assert(isOpenedBy(found, invite.secret));
    const game = await friend.accept(invite.id, { secret: invite.secret });
    assert.equal(game.color, 'black');
    assert.equal((await invite.game).id, game.id);
    assert.equal(await friend.findInvite(invite.id), undefined);
    await game.abort();
    await listed.withdraw();
    await assert.rejects(listed.game, InviteEndedError);
  });

  test('a stranger who finds the invite of a link cannot accept it', async () => {
    const [inviter, stranger, friend] = [await client(url()), await client(url()), await client(url())];
    const invite = await inviter.invite({ time: anotherTime(), unlisted: true });
    const [event] = await stranger.query({ kinds: [5000], authors: [inviter.pubkey] });
    assert.equal(event?.id, invite.id);
    const hash = event.tags.find(([name]) => name === 'unlisted')?.[1];
    assert.match(hash ?? '', /^[0-9a-f]{64}$/);
    for (const secret of [undefined, hash, 'guess']) {
      assert(!isOpenedBy({ secretHash: hash }, secret));
      await assert.rejects(
        stranger.accept(invite.id, { secret }),
        new RefusedError('restricted: this invite needs the secret of its link'),
      );
    }
    const game = await friend.accept(invite.id, { secret: invite.secret });
    assert.equal((await invite.game).id, game.id);
    await game.abort();
  });

  test('a direct invite reaches its player, who rejects it', async () => {
    const [inviter, invited] = [await client(url()), await client(url())];
    const received = new Promise<ReceivedInvite>(resolve => invited.on('invite', resolve));
    const rejected = new Promise(resolve => inviter.on('rejected', resolve));
    const sent = await inviter.invite({ opponent: invited.pubkey, time: '180+2', level: 3 });
    const invite = await received;
    assert.equal(invite.id, sent.id);
    assert.equal(invite.level, 3);
    await invited.reject(invite.id);
    assert.deepEqual(await rejected, { inviteId: sent.id, by: invited.pubkey });
    await assert.rejects(sent.game, /rejected/);
  });

  test('direct invites from before the start are received once connected, oldest first', async () => {
    const inviter = await client(url());
    const signer = guestSigner();
    const first = await inviter.invite({ opponent: signer.pubkey, time: '60' });
    await inviter.publish({
      kind: 5000,
      content: 'invite',
      tags: [['p', signer.pubkey]],
      created_at: Math.floor(Date.now() / 1000) + 5,
    });
    const invited = await client(url(), { signer });
    const received: ReceivedInvite[] = [];
    await new Promise<void>(resolve =>
      invited.on('invite', invite => {
        if (received.push(invite) === 2) {
          resolve();
        }
      }),
    );
    assert.equal(received[0]?.id, first.id);
  });

  test('a game from a set-up position begins with its side to move', async () => {
    const [inviter, friend] = [await client(url()), await client(url())];
    const invite = await inviter.invite({ fen: ENDGAME, color: 'white', time: '-' });
    const black = await friend.accept(invite.id);
    const white = await invite.game;
    assert.equal(black.startFen, ENDGAME);
    assert.equal(black.turn, 'black');
    assert.equal(black.clock(), undefined);
    await black.move('e8d7');
    await until(white, () => white.ply === 1);
    await white.move('e1g1');
    const late = await (await client(url())).follow(black.id).ready;
    await until(late, () => late.movesKnown);
    assert.deepEqual(late.moves, ['e8d7', 'e1g1']);
    await black.resign();
    await until(late, () => late.record !== undefined);
    assert.equal(late.record?.startFen, ENDGAME);
  });

  test('an open invite that nobody accepts expires', async () => {
    const inviter = await client(url());
    const expired = new Promise(resolve => inviter.on('inviteexpired', resolve));
    const invite = await inviter.invite({ expiresIn: 4 });
    assert.deepEqual(await expired, { inviteId: invite.id });
    await assert.rejects(invite.game, /expired/);
  });

  test('invites from before the start are found, and followed until they end', async () => {
    const signer = guestSigner();
    const invited = await client(url());
    const before = await client(url(), { signer });
    const direct = await before.invite({ opponent: invited.pubkey });
    const open = await before.invite({ expiresIn: 8, unlisted: true });
    const other = await before.invite({ time: anotherTime() });
    before.close();
    const inviter = await client(url(), { signer });
    const rejected = new Promise(resolve => inviter.on('rejected', resolve));
    const expired = new Promise(resolve => inviter.on('inviteexpired', resolve));
    const sent = await inviter.sentInvites();
    assert.deepEqual(sent.map(({ id }) => id).sort(), [direct.id, open.id, other.id].sort());
    assert.deepEqual(sent.map(it => it.unlisted), sent.map(it => (it.id === open.id ? true : undefined)));
    await invited.reject(direct.id);
    assert.deepEqual(await rejected, { inviteId: direct.id, by: invited.pubkey });
    assert.deepEqual(await expired, { inviteId: open.id });
    const found = sent.find(({ id }) => id === other.id);
    const game = await invited.accept(other.id);
    assert.equal((await found?.game)?.id, game.id);
    await game.abort();
  });
}
