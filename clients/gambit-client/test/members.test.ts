import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { guestSigner, RefusedError, type GambitClient } from '../src/index.js';
import { Admin } from './support/admin.js';
import { client, closeClients, pair, play } from './support/clients.js';
import { Relay } from './support/relay.js';

/** Resolves when the client's membership is what it should be. */
function member(of: GambitClient, isMember: boolean): Promise<void> {
  return new Promise(resolve => {
    const check = (): void => {
      if (of.isMember === isMember) {
        off();
        resolve();
      }
    };
    const off = of.on('membership', check);
    check();
  });
}

suite('at a relay for members', () => {
  const admin = new Admin();
  const settings = ['--set', `management.admins=${admin.npub}`, '--set', 'members.write=true'];
  const relay = new Relay(...settings);
  const closed = new Relay(...settings, '--set', 'members.read=true');
  before(() => Promise.all([relay.start(), closed.start()]));
  after(async () => {
    closeClients();
    await Promise.all([relay.stop(), closed.stop()]);
  });

  test('a stranger watches, joins by a code, and plays; a removed member does not', async () => {
    const [one, other] = [await client(relay.url), await client(relay.url)];
    assert.equal(one.info.for_members, true);
    assert.equal(one.isMember, false);
    assert.equal(one.isShutOut, false);
    await one.records();
    await assert.rejects(one.search('300+3'), new RefusedError('restricted: only members may write here'));
    await assert.rejects(one.join('nonsense'), new RefusedError('restricted: this invite code is invalid'));
    const code = await admin.invite(relay.url, 2);
    await Promise.all([one.join(code), other.join(code)]);
    assert.equal(one.isMember, true);
    assert.match(await one.join(code), /^duplicate:/);
    const third = await client(relay.url);
    await assert.rejects(third.join(code), new RefusedError('restricted: this invite code was used up'));
    const game = await pair(one, other);
    await play(game, 'e2e4', 'e7e5');
    await game.white.resign();
    await admin.call(relay.url, 'removemember', one.pubkey);
    await member(one, false);
    await assert.rejects(one.search('300+3'), new RefusedError('restricted: only members may write here'));
    await admin.call(relay.url, 'addmember', third.pubkey);
    await member(third, true);
  });

  test('a membership is known again to a new client, until the member leaves', async () => {
    const signer = guestSigner();
    const first = await client(relay.url, { signer });
    await first.join(await admin.invite(relay.url));
    first.close();
    const again = await client(relay.url, { signer });
    assert.equal(again.isMember, true);
    await again.leave();
    assert.equal(again.isMember, false);
    assert.equal((await client(relay.url, { signer })).isMember, false);
  });

  test('who may not even read joins, and then sees and plays without another client', async () => {
    const [one, other] = [await client(closed.url), await client(closed.url)];
    assert.equal(one.isShutOut, true);
    await assert.rejects(one.records(), new RefusedError('restricted: only members may read here'));
    await assert.rejects(one.lobby().ready);
    const code = await admin.invite(closed.url, 2);
    await Promise.all([one.join(code), other.join(code)]);
    assert.equal(one.isShutOut, false);
    assert.equal(one.isMember, true);
    await one.lobby().ready;
    const game = await pair(one, other);
    await play(game, 'e2e4', 'e7e5');
    await game.white.resign();
  });
});
