import assert from 'node:assert/strict';
import { after, afterEach, before, suite, test } from 'node:test';
import { DisconnectedError, guestSigner, InviteEndedError, RefusedError, type Game, type GambitClient } from '../src/index.js';
import { anotherTime, client, closeClients, pair, play, until, type Pair } from './support/clients.js';
import { Correspondent } from './support/correspondent.js';
import { Proxy } from './support/proxy.js';
import { Relay } from './support/relay.js';
import { rules } from './support/rules.js';

/** Resolves when the client has the status. */
function status(of: GambitClient, wanted: GambitClient['status']): Promise<void> {
  return new Promise(resolve => {
    const check = (): void => {
      if (of.status === wanted) {
        off();
        resolve();
      }
    };
    const off = of.on('status', check);
    check();
  });
}

suite('when the connection is lost', () => {
  /** Only White's connection passes the proxy that is cut. */
  const cut = new Proxy();
  const direct = new Proxy();
  let relay: Relay;

  before(async () => {
    await Promise.all([cut.start(), direct.start()]);
    relay = await new Relay('--url', cut.url, '--url', direct.url).start();
    cut.target = direct.target = relay.port;
  });
  afterEach(() => closeClients());
  after(async () => {
    cut.close();
    direct.close();
    await relay.stop();
  });

  /** Two players, the first one behind the proxy that is cut. */
  async function players(): Promise<Pair & { isWhite: boolean; mover: GambitClient }> {
    const mover = await client(cut.url);
    const found = await pair(mover, await client(direct.url));
    return { ...found, mover, isWhite: found.whiteClient === mover };
  }

  /** Moves until the player behind the proxy is to move. */
  async function toMove(): Promise<Pair & { mover: GambitClient; move: string }> {
    const found = await players();
    await play(found, 'e2e4', 'e7e5');
    if (found.isWhite) {
      return { ...found, move: 'g1f3' };
    }
    await play(found, 'g1f3');
    return { ...found, move: 'b8c6' };
  }

  for (const loses of ['requests', 'answers'] as const) {
    test(`a move whose ${loses === 'requests' ? 'request' : 'answer'} was lost is played once`, async () => {
      const { white, black, mover, move } = await toMove();
      const [mine, theirs] = mover.currentGame === white ? [white, black] : [black, white];
      const ply = mine.ply + 1;
      cut.loses = loses;
      const lost = cut.nextLoss();
      const moved = mine.move(move);
      await lost;
      if (loses === 'answers') {
        await until(theirs, () => theirs.ply === ply);
      }
      cut.cut();
      await moved;
      await Promise.all([mine, theirs].map(game => until(game, () => game.ply === ply)));
      await until(mine, () => mine.movesKnown);
      assert.equal(mine.moves.at(-1), move);
      assert.deepEqual(mine.moves, theirs.moves);
      assert.equal(mover.status, 'ready');
      await theirs.resign();
    });
  }

  test('moves and the end that were missed are known after the reconnection', async () => {
    const { white, black, mover, move } = await toMove();
    const [mine, theirs] = mover.currentGame === white ? [white, black] : [black, white];
    await mine.move(move);
    await until(theirs, () => theirs.ply === mine.ply);
    cut.loses = 'answers';
    const missed = theirs.color === 'white' ? 'f1c4' : 'b8c6';
    await theirs.move(missed);
    const reconnected = status(mover, 'reconnecting').then(() => status(mover, 'ready'));
    cut.cut();
    await reconnected;
    await until(mine, () => mine.moves.at(-1) === missed);
    assert.deepEqual(mine.moves, theirs.moves);
    cut.loses = 'answers';
    await theirs.resign();
    cut.cut();
    await until(mine, () => mine.record !== undefined);
    assert.equal(mine.termination, 'resignation');
  });

  test('a search continues', async () => {
    const searcher = await client(cut.url);
    const opponent = await client(direct.url);
    const time = anotherTime();
    const { game } = await searcher.search(time);
    const reconnected = status(searcher, 'reconnecting').then(() => status(searcher, 'ready'));
    cut.cut();
    await reconnected;
    await opponent.search(time);
    assert.equal((await game).opponent, opponent.pubkey);
    await (await game).abort();
  });

  test('an invite that was accepted meanwhile leads to its game', async () => {
    const inviter = await client(cut.url);
    const opponent = await client(direct.url);
    const invite = await inviter.invite({ opponent: opponent.pubkey, time: '600' });
    cut.target = 1; // nothing listens there
    const lost = status(inviter, 'reconnecting');
    cut.cut();
    await lost;
    const game = await opponent.accept(invite.id);
    cut.target = relay.port;
    assert.equal((await invite.game).id, game.id);
    assert.equal(inviter.currentGame?.id, game.id);
    await game.abort();
  });

  test('an invite that expired meanwhile is over', async () => {
    const inviter = await client(cut.url);
    const invite = await inviter.invite({ expiresIn: 4, time: anotherTime() });
    const expired = new Promise(resolve => inviter.on('inviteexpired', resolve));
    const observer = await client(direct.url);
    cut.target = 1; // nothing listens there
    const lost = status(inviter, 'reconnecting');
    cut.cut();
    await lost;
    while (await observer.findInvite(invite.id)) {
      await new Promise(resolve => setTimeout(resolve, 100)); // until the relay has it no more
    }
    cut.target = relay.port;
    assert.deepEqual(await expired, { inviteId: invite.id });
    await assert.rejects(invite.game, InviteEndedError);
    await assert.rejects(invite.withdraw(), RefusedError);
  });

  test('a game continues after the relay was killed and restarted', async () => {
    const { white, black, whiteClient, blackClient } = await players();
    await play({ white, black }, 'e2e4', 'e7e5', 'g1f3');
    const spectator = await client(direct.url);
    const followed = spectator.follow(white.id);
    await followed.ready;
    await relay.kill();
    await Promise.all([whiteClient, blackClient].map(it => status(it, 'reconnecting')));
    const moved = black.move('b8c6');
    await relay.start();
    cut.target = direct.target = relay.port;
    await moved;
    await Promise.all([white, black].map(game => until(game, () => game.ply === 4)));
    await play({ white, black }, 'f1b5', 'a7a6');
    await until(followed, () => followed.ply === 6 && followed.movesKnown);
    const moves = ['e2e4', 'e7e5', 'g1f3', 'b8c6', 'f1b5', 'a7a6'];
    assert.deepEqual([white.moves, black.moves, followed.moves], [moves, moves, moves]);
    await white.resign();
    await until(followed, () => followed.record?.result === '0-1');
  });

  test('a closed client fails its requests, and does not come back', async () => {
    const searcher = await client(cut.url);
    const { game } = await searcher.search(anotherTime());
    searcher.close();
    await assert.rejects(game, DisconnectedError);
    await assert.rejects(searcher.search(), DisconnectedError);
    assert.equal(searcher.status, 'closed');
  });

  test('a move by kind 30 is played once, and refused if another was played meanwhile', async () => {
    const opponent = new Correspondent();
    const signer = guestSigner();
    const there = await client(direct.url, { signer: guestSigner(opponent.secret) });
    const start = opponent.start('black', signer.pubkey);
    await there.publish(start);
    const [phone, computer] = [await client(cut.url, { signer, rules }), await client(direct.url, { signer, rules })];
    const [onPhone, onComputer] = await Promise.all([phone, computer].map(it => it.takeStart(start.id))) as [Game, Game];
    cut.loses = 'answers';
    const opened = onPhone.move('e2e4');
    await until(onComputer, () => onComputer.ply === 1);
    cut.cut();
    await opened;
    const [first] = await there.query({ kinds: [30], authors: [signer.pubkey] });
    await there.publish(opponent.move(start, first?.id ?? '', ['e4', 'e5']));
    await Promise.all([onPhone, onComputer].map(game => until(game, () => game.ply === 2)));
    cut.loses = 'requests';
    const lost = cut.nextLoss();
    const moved = onPhone.move('g1f3');
    await lost;
    await onComputer.move('d2d4');
    cut.cut();
    await assert.rejects(moved, (error: unknown) => {
      return error instanceof RefusedError && error.prefix === 'blocked' && /^move 2 of white has been played/.test(error.reason);
    });
    await until(onPhone, () => onPhone.ply === 3);
    await until(onPhone, () => onPhone.movesKnown);
    assert.deepEqual(onPhone.moves, ['e2e4', 'e7e5', 'd2d4']);
    await onPhone.resign();
    await until(onComputer, () => onComputer.result === '0-1');
  });
});

test('without logins, a game continues after a reconnection', async () => {
  const proxy = await new Proxy().start();
  const settings = ['nips.42=false', 'nips.4=false', 'nips.59=false', 'nips.70=false'];
  const relay = await new Relay('--url', proxy.url, ...settings.flatMap(it => ['--set', it])).start();
  proxy.target = relay.port;
  const [one, other] = [await client(proxy.url), await client(proxy.url)];
  const found = await pair(one, other);
  await play(found, 'e2e4', 'e7e5');
  proxy.cut();
  await Promise.all([one, other].map(it => status(it, 'reconnecting')));
  await play(found, 'g1f3', 'b8c6');
  assert.deepEqual(found.white.moves, ['e2e4', 'e7e5', 'g1f3', 'b8c6']);
  assert.deepEqual(found.black.moves, found.white.moves);
  closeClients();
  proxy.close();
  await relay.stop();
});
