// The switch of reminders, whose choice the relay keeps, and the page that stops them by the link in a reminder.
import assert from 'node:assert/strict';
import { EventEmitter, on } from 'node:events';
import { test } from 'node:test';
import { GambitClient, guestSigner } from 'gambit-client';
import { nip19 } from 'nostr-tools';
import WebSocket from 'ws';
import { Player } from './player.mjs';
import { browser, relay, startRelayAndBrowser } from './relay-and-browser.mjs';

startRelayAndBrowser();

test('reminders are switched on, with this relay in the list for private messages, and off', async () => {
  const client = new GambitClient(relay.socket, { signer: guestSigner(), webSocket: WebSocket });
  await client.connect();
  const player = await Player.open(browser, relay, { path: '#/me' });
  const author = nip19.decode(await player.page.locator('.me-npub').textContent()).data;
  const stored = kind => client.query({ kinds: [kind], authors: [author] });
  const filter = { kinds: [30078], authors: [author], '#d': ['gambit-reminders'], '#p': [client.info.referee] };
  const contents = new EventEmitter();
  const choices = on(contents, 'choice');
  client.subscribe([filter], { onevent: ({ content }) => contents.emit('choice', content) });
  const reminders = player.page.getByRole('switch', { name: 'Reminders of slow games' });
  const add = player.button('Add this relay to the list');

  await reminders.check();
  await add.waitFor();
  await player.assertAccessible();
  assert.deepEqual((await choices.next()).value, ['on']);

  await add.click();
  await add.waitFor({ state: 'detached' });
  const [list] = await stored(10050);
  assert.deepEqual(list.tags.map(([name, url]) => [name, new URL(url).href]), [['relay', new URL(relay.socket).href]]);

  await player.page.reload();
  await player.page.getByText('Connected', { exact: true }).waitFor({ state: 'attached' });
  await player.page.locator('[role=switch]:checked + label', { hasText: 'Reminders of slow games' }).waitFor();
  await reminders.uncheck();
  assert.deepEqual((await choices.next()).value, ['off']);
  assert.equal((await stored(30078)).length, 1);
  await player.close();
  client.close();
});

test('the page of the link in a reminder says in a sentence why a wrong one is refused', async () => {
  const visitor = await Player.open(browser, relay, { path: `#/reminders/off/${'a'.repeat(96)}` });
  await visitor.page.getByText(/^The reminders could not be switched off: No such token/).waitFor();
  await visitor.assertAccessible();
  await visitor.page.getByRole('link', { name: 'You can switch them on again in your settings.' }).click();
  await visitor.page.getByRole('switch', { name: 'Reminders of slow games' }).waitFor();
  await visitor.close();
});
