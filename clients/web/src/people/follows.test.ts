import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import type { GambitClient, VerifiedEvent } from 'gambit-client';
import { Follows, friendsOf, ListMissing, MAX_FRIENDS, withFriend } from './follows.js';

const key = (i: number) => i.toString(16).padStart(64, '0');
const ME = key(999_999);

/** A relay with the lists of one player, whose queries can fail, and which other programs write to. */
class FakeRelay {
  stored: VerifiedEvent | undefined;
  failure: Error | undefined;
  beforePublish: () => void = () => undefined;
  #onevent: ((event: VerifiedEvent) => void) | undefined;

  readonly client = {
    pubkey: ME,
    relayTime: 1_000_000,
    subscribe: (_: unknown, handlers: { onevent(event: VerifiedEvent): void; oneose?(): void }) => {
      this.#onevent = handlers.onevent;
      if (this.stored) handlers.onevent(this.stored);
      handlers.oneose?.();
      return { close: () => undefined };
    },
    query: async () => {
      if (this.failure) throw this.failure;
      return this.stored ? [this.stored] : [];
    },
    publish: async (template: VerifiedEvent) => {
      this.beforePublish();
      this.take(template);
      return '';
    },
  } as unknown as GambitClient;

  /** Stores a list unless it has a newer one, as relays do. */
  take(list: Pick<VerifiedEvent, 'tags' | 'content' | 'created_at'>): void {
    if (this.stored && list.created_at <= this.stored.created_at) return;
    this.stored = { ...list, kind: 3, pubkey: ME, id: key(list.created_at), sig: '' } as VerifiedEvent;
    this.#onevent?.(this.stored);
  }
}

test('whatever else is in a list is kept, however odd, when a player is added and removed', () => {
  const list = {
    content: '{"wss://relay":{"read":true}}',
    tags: [['p', key(1), 'wss://a', 'Ada'], [], ['p'], ['p', 'x'], ['t', 'chess'], ['p', key(1)], ['P', key(2)], ['p', key(2), '', '😀']],
  };
  const more = withFriend(list, key(3), true)!;
  assert.deepEqual(more, { content: list.content, tags: [...list.tags, ['p', key(3)]] });
  assert.deepEqual(withFriend(more, key(3), false), list);
  const less = withFriend(list, key(1), false)!;
  assert.deepEqual(less.tags, [[], ['p'], ['p', 'x'], ['t', 'chess'], ['P', key(2)], ['p', key(2), '', '😀']]);
  assert.equal(withFriend(list, key(1), true), undefined);
  assert.equal(withFriend(list, key(3), false), undefined);
  assert.deepEqual(withFriend(undefined, key(1), true), { content: '', tags: [['p', key(1)]] });
});

test('friends are keys only, each once, the last added first, and of a huge list the last 500', () => {
  const hostile = [['p', key(1)], ['p', 'npub1'], ['p', `${key(2)}0`], ['p', key(2).toUpperCase().replace('0', 'A')], ['e', key(3)], ['p', key(4)], ['p', key(1)], [], ['p']];
  assert.deepEqual(friendsOf({ content: '', tags: hostile }), [key(1), key(4)]);
  const huge = friendsOf({ content: '', tags: Array.from({ length: 100_000 }, (_, i) => ['p', key(i)]) });
  assert.deepEqual([huge.length, huge[0], huge.at(-1)], [MAX_FRIENDS, key(99_999), key(99_500)]);
  assert.deepEqual(friendsOf(undefined), []);
});

test('the newest list is fetched before each change, also one of another device and of another time', async () => {
  const relay = new FakeRelay();
  const follows = new Follows(relay.client);
  await follows.change(key(1), true, true);
  relay.stored = { ...relay.stored!, tags: [...relay.stored!.tags, ['p', key(2)]], created_at: 5_000_000, id: key(7) };
  await follows.change(key(3), true, true);
  assert.deepEqual(follows.friends, [key(3), key(2), key(1)]);
  assert.equal(relay.stored.created_at, 5_000_001);
  relay.take({ tags: [['p', key(9)]], content: '', created_at: 5_000_002 });
  assert.deepEqual(follows.friends, [key(9)]);
});

test('several changes at once are made one after the other', async () => {
  const relay = new FakeRelay();
  const follows = new Follows(relay.client);
  await Promise.all([1, 2, 3].map((i) => follows.change(key(i), true, true)));
  await follows.change(key(2), false, false);
  assert.deepEqual(follows.friends, [key(3), key(1)]);
});

test('a list that cannot be fetched is not written, and one that is missing only if it may be begun', async () => {
  const relay = new FakeRelay();
  const follows = new Follows(relay.client);
  await assert.rejects(follows.change(key(1), true, false), ListMissing);
  relay.failure = new Error('no answer');
  await assert.rejects(follows.change(key(1), true, true), /no answer/);
  assert.equal(relay.stored, undefined);
  relay.failure = undefined;
  await follows.change(key(1), true, true);
  assert.ok(follows.has(key(1)));
});

test('a change that a newer list of another device has overtaken is told as failed', async () => {
  const relay = new FakeRelay();
  const follows = new Follows(relay.client);
  relay.beforePublish = () => relay.take({ tags: [['p', key(2)]], content: '', created_at: 9_000_000 });
  await assert.rejects(follows.change(key(1), true, true), /at the same time/);
  assert.deepEqual(follows.friends, [key(2)]);
});
