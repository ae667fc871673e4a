import assert from 'node:assert/strict';
import { test } from 'node:test';
import { WebSocket } from 'ws';
import type { VerifiedEvent } from '../src/index.js';
import { fetchRelayInfo } from '../src/relay-info.js';
import { client } from './support/clients.js';
import { FakeRelay } from './support/fake-relay.js';

/** A hostile relay that forwards what its visitors sign to a genuine relay, over a connection of its own. */
export function middle(url: () => string): void {
  test('what a hostile relay forwards is refused by the relay that its visitor did not open', async () => {
    const { referee } = await fetchRelayInfo(url(), 10_000);
    const genuine = new WebSocket(url());
    const answers = new Map<string, (answer: unknown[]) => void>();
    let hasChallenge: (challenge: string) => void;
    const challenge = new Promise<string>(resolve => (hasChallenge = resolve));
    genuine.on('message', data => {
      const [verb, id, ...answer] = JSON.parse(String(data)) as [string, string, ...unknown[]];
      if (verb === 'AUTH') {
        hasChallenge(id);
      } else if (verb === 'OK') {
        answers.get(id)?.(answer);
      }
    });
    const forward = (verb: 'EVENT' | 'AUTH', event: VerifiedEvent): Promise<unknown[]> =>
      new Promise(resolve => {
        answers.set(event.id, resolve);
        genuine.send(JSON.stringify([verb, event]));
      });
    const hostile = await new FakeRelay({ name: 'Gambit', url: url(), relay_url: url() }).start();
    const forwarded: Promise<unknown[]>[] = [];
    hostile.onMessage = ([verb, event]) => {
      if (verb === 'AUTH' || verb === 'EVENT') {
        forwarded.push(forward(verb, event as VerifiedEvent));
        return [['OK', (event as VerifiedEvent).id, true, '']];
      }
      return undefined;
    };
    const victim = await client(hostile.url);
    hostile.sendText(JSON.stringify(['AUTH', await challenge]));
    const search = await victim.search('300');
    search.game.catch(() => undefined);
    await search.cancel();
    for (const [kind, content] of [[5000, 'invite'], [5001, 'e2e4'], [5002, 'offer'], [5003, 'resign']] as const) {
      await victim.publish({ kind, content, tags: [['relay', url()]] });
    }
    await victim.publish({ kind: 20300, content: '', tags: [['p', referee]] });
    const refusals = (await Promise.all(forwarded)).map(answer => answer.join(' '));
    genuine.close();
    hostile.stop();
    assert.equal(refusals.length, 8);
    for (const refusal of refusals) {
      assert.match(refusal, /^false (invalid: .*\banother (URL|relay)\b|auth-required: send connect first)/);
    }
  });
}
