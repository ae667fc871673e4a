// The browser notifies of what happens while nobody looks at the page.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { GambitClient, guestSigner } from 'gambit-client';
import { nip19 } from 'nostr-tools';
import WebSocket from 'ws';
import { pair, play, Player } from './player.mjs';
import { browser, relay, startRelayAndBrowser } from './relay-and-browser.mjs';
import { launch } from './visitor.mjs';

const strangers = [];
after(() => strangers.forEach(client => client.close()));
startRelayAndBrowser();

async function stranger() {
  const client = new GambitClient(relay.socket, { signer: guestSigner(), webSocket: WebSocket });
  strangers.push(client);
  await client.connect();
  return client;
}

/** Records the notifications, which a browser without windows does not show, and hides the page when a test says so. */
function watched() {
  globalThis.shown = [];
  const Real = globalThis.Notification;
  globalThis.Notification = class {
    constructor(title, options = {}) {
      this.title = title;
      if (globalThis.Notification.permission === 'granted') globalThis.shown.push({ title, ...options, self: this, isClosed: false });
    }
    close() {
      globalThis.shown.find(one => one.self === this).isClosed = true;
      this.onclose?.();
    }
    static get permission() {
      return globalThis.isPermitted ? 'granted' : Real.permission;
    }
    static requestPermission() {
      globalThis.wasAsked = true;
      return globalThis.isPermitted ? Promise.resolve('granted') : Real.requestPermission();
    }
  };
  let isHidden = false;
  Object.defineProperty(document, 'visibilityState', { get: () => (isHidden ? 'hidden' : 'visible') });
  globalThis.hide = hidden => {
    isHidden = hidden;
    document.dispatchEvent(new Event('visibilitychange'));
  };
  localStorage['gambit.settings'] ??= JSON.stringify({ talk: true });
}

const hide = ({ page }, hidden = true) => page.evaluate(it => globalThis.hide(it), hidden);
const titles = page => page.evaluate(() => globalThis.shown.map(({ title }) => title));

/** Waits for a notification, and returns it. */
async function notified({ page }, title) {
  await page.waitForFunction(it => globalThis.shown.some(one => one.title === it), title);
  return page.evaluate(it => {
    const { body, tag, isClosed } = globalThis.shown.findLast(one => one.title === it);
    return { body, tag, isClosed };
  }, title);
}

/** Switches notifications on, as a user does. */
async function switchOn(player) {
  assert.equal(await player.page.evaluate(() => globalThis.wasAsked), undefined, 'not asked at load');
  await player.goTo('me');
  await player.page.getByRole('switch', { name: 'Notifications' }).click();
  await player.page.waitForFunction(() => globalThis.wasAsked);
}

/** The headless shell permits none, and the whole browser takes twice the CPU: only the last test asks it. */
const permitted = { init: `globalThis.isPermitted = true; (${watched})()` };

test('a move, words and the end of a game notify while the page is hidden, once each, and one click opens the game', async () => {
  const game = await pair(browser, relay, { white: { init: watched }, black: permitted });
  const { white, black, id } = game;
  await switchOn(black);
  await black.page.getByRole('switch', { name: 'Notifications', checked: true }).waitFor();
  await black.assertAccessible();
  await hide(black);
  await play({ white, black }, ['e2e4']);
  assert.equal((await notified(black, 'Your move')).tag, id);
  await hide(black, false);
  await black.page.waitForFunction(() => globalThis.shown.every(one => one.isClosed));
  await black.page.evaluate(it => (location.hash = `#/game/${it}`), id);
  await play({ white: black, black: white }, ['e7e5', 'g1f3']);
  await black.seen('2. Nf3');
  assert.deepEqual(await titles(black.page), ['Your move'], 'nothing while the page is seen');
  await black.goTo('help');
  await hide(black);
  await white.page.getByLabel('Your words to your opponent').fill('Good luck');
  await white.button('Send').click();
  await black.page.waitForFunction(() => globalThis.shown.at(-1).title.endsWith(' says:'));
  assert.equal(await black.page.evaluate(() => globalThis.shown.at(-1).body), 'Good luck');
  await black.page.evaluate(() => globalThis.shown.at(-1).self.onclick());
  await black.page.waitForURL(new RegExp(`#/game/${id}$`));
  await white.button('Resign').click();
  await white.button('Resign the game').click();
  assert.deepEqual(await notified(black, 'You won'), { body: 'Your opponent resigned.', tag: id, isClosed: false });
  assert.equal((await titles(black.page)).length, 3);
  await white.close();
  await black.close();
});

test('an invite and the beginning of a game notify, from one of two windows, and from none while one is seen', async () => {
  const host = await Player.open(browser, relay, permitted);
  await switchOn(host);
  await hide(host);
  const second = await host.context.newPage();
  await second.goto(`${relay.url}#/me`);
  await second.getByRole('switch', { name: 'Notifications', checked: true }).waitFor();
  const opponent = nip19.decode(await second.locator('.me-npub').textContent()).data;
  await hide({ page: second });
  await stranger().then(client => client.invite({ opponent, time: '600' }));
  await host.page.waitForFunction(() => globalThis.shown.some(one => one.title.endsWith(' invites you')));
  await hide({ page: second }, false);
  await host.page.waitForFunction(() => globalThis.shown.every(one => one.isClosed));
  await stranger().then(client => client.invite({ opponent, time: '600' }));
  await second.getByText('1 more after this one', { exact: false }).waitFor(); // it is seen: no notification
  assert.equal((await titles(host.page)).length, 1);
  await hide({ page: second });
  await second.getByRole('button', { name: 'Accept' }).evaluate(it => it.click());
  await host.page.waitForFunction(() => globalThis.shown.some(one => one.title.startsWith('Your game begins.')));
  assert.deepEqual(await titles(second), []);
  await host.close();
});

test('the browser is asked; a refusal, and a browser that leaves notifications to service workers, are told', async () => {
  const whole = await launch({ isWhole: true });
  try {
    const allowing = await Player.open(whole, relay, { init: watched, permissions: ['notifications'] });
    await switchOn(allowing);
    await allowing.page.getByRole('switch', { name: 'Notifications', checked: true }).waitFor();
    await allowing.close();
    const refusing = await Player.open(whole, relay, { init: watched });
    await switchOn(refusing);
    await refusing.page.getByText('The browser does not allow notifications of this page.', { exact: false }).waitFor();
    assert.equal(await refusing.page.getByRole('switch', { name: 'Notifications' }).isChecked(), false);
    await refusing.close();
  } finally {
    await whole.close();
  }
  const phone = await Player.open(browser, relay, {
    init: () => {
      globalThis.Notification = class {
        static permission = 'default';
        constructor() {
          throw new TypeError('Illegal constructor');
        }
      };
    },
  });
  await phone.goTo('me');
  await phone.page.getByRole('switch', { name: 'Notifications' }).click();
  await phone.page.getByText('This browser shows notifications only of pages', { exact: false }).waitFor();
  await phone.close();
});
