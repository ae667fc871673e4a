// A relay for members: an invite made on the admin page, strangers who join with it on the players' page, and who is refused.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Admin, call, newAdmin } from './admin.mjs';
import { Player, play } from './player.mjs';
import { browser, relay, startRelayAndBrowser } from './relay-and-browser.mjs';
import { Relay } from './relay.mjs';

const PHONE = { viewport: { width: 360, height: 640 }, isMobile: true, hasTouch: true };

startRelayAndBrowser({ 'members.write': true });

const joinCard = ({ page }) => page.getByRole('region', { name: 'Join this relay' });
const waysToPlay = player => player.card('Play a friend');

function toLobby({ page }) {
  return page.evaluate(() => (location.hash = '#/'));
}

/** Presses the one button of an invite's link. */
async function join(player) {
  await joinCard(player).getByRole('button', { name: 'Join this relay' }).click();
}

/** Opens the page by the link of an invite. */
function openLink(at, link, options) {
  return Player.open(browser, at, { path: link.slice(at.url.length), ...options });
}

for (const [name, options] of Object.entries({ 'on a wide screen': {}, 'on a phone': PHONE })) {
  test(`with an invite of the admin page two visitors join and play; who is removed is a stranger again, ${name}`, async () => {
    const secret = await newAdmin(relay);
    const admin = await Admin.signIn(browser, relay, secret, options);
    await admin.view('Invites');
    await admin.page.getByLabel('How many can join with it').fill('2');
    await admin.page.getByLabel('Note, for the admins').fill(`Friday <b>club</b> ${name}`);
    await admin.button('Create the link').click();
    await admin.page.getByRole('heading', { name: 'The link is ready' }).waitFor();
    const link = await admin.page.getByLabel('Link', { exact: true }).inputValue();
    await admin.page.getByRole('cell', { name: '2 of 2' }).waitFor();
    await admin.assertGood();

    const first = await Player.open(browser, relay, options);
    await joinCard(first).waitFor();
    assert.equal(await waysToPlay(first).count(), 0);
    await first.assertAccessible();
    await first.page.getByLabel('Invite code').fill('Nonsense');
    await join(first);
    await first.page.getByText('This invite code is invalid. Look whether it is complete.').waitFor();
    await first.page.goto(link);
    await first.page.getByRole('heading', { name: 'This relay is for members' }).waitFor();
    assert.equal(new URL(first.page.url()).hash, '#/join', 'the code is in the address');
    await first.page.getByText('Keep a copy of your key').waitFor();
    await first.assertAccessible();
    await join(first);
    await first.page.getByText('You are a member of this relay now.').waitFor();
    await waysToPlay(first).waitFor();

    const second = await openLink(relay, link, options);
    await join(second);
    await waysToPlay(second).waitFor();
    await second.accept(await first.inviteByLink());
    await Promise.all([first.game(), second.game()]);
    await play({ white: first, black: second }, ['e2e4', 'e7e5']);
    await first.seen('1… e5');

    const third = await openLink(relay, link, options);
    await join(third);
    await third.page.getByText('This invite code was used up. Ask for a new one.').waitFor();

    await first.goTo('me');
    const npub = await first.page.locator('.me-npub').textContent();
    await admin.view('Members');
    const row = admin.page.getByRole('row').filter({ has: admin.page.locator(`[title="${npub}"]`) });
    await admin.assertGood();
    await row.getByRole('button', { name: /^Remove / }).click();
    await first.page.getByText('You are no longer a member of this relay.').waitFor();
    await toLobby(first);
    await joinCard(first).waitFor();
    await admin.button('Undo').click();
    await waysToPlay(first).waitFor();

    await second.goTo('me');
    await second.button('Leave this relay').click();
    await second.assertAccessible();
    await second.page.getByRole('dialog').getByRole('button', { name: 'Leave this relay' }).click();
    await second.page.getByText('You are no longer a member of this relay.').waitFor();
    await toLobby(second);
    await joinCard(second).waitFor();
    for (const visitor of [admin, first, second, third]) await visitor.close();
  });
}

test('where only members read, every page of the relay says so to strangers; who joins sees it without a reload', async () => {
  const closed = await Relay.start({ 'members.write': true, 'members.read': true });
  try {
    const secret = await newAdmin(closed);
    const { code } = await call(closed, secret, 'createinvite', 1, 1, '');
    const stranger = await Player.open(browser, closed);
    for (const page of ['', 'watch', 'players', `game/${'0'.repeat(64)}`]) {
      await stranger.page.evaluate(it => (location.hash = `#/${it}`), page);
      await stranger.page.getByRole('heading', { name: 'This relay is for members' }).waitFor();
    }
    await toLobby(stranger);
    await stranger.assertAccessible();
    await stranger.page.getByLabel('Invite code').fill(code);
    await join(stranger);
    await waysToPlay(stranger).waitFor();
    await stranger.page.getByText('No game is running at the moment.').waitFor();
    await stranger.playTheComputer(1);
    await stranger.turn();
    await stranger.type('e4');
    await stranger.seen(/^1… /);
    await stranger.close();
  } finally {
    await closed.close();
  }
});
