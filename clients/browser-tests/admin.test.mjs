// The admin page, against a relay that has no admin at first: from the first link to a banned author, and back.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { finalizeEvent, generateSecretKey, getPublicKey, nip19 } from 'nostr-tools';
import { Admin, call, newAdmin, startBunker, User } from './admin.mjs';
import { browser, relay, startRelayAndBrowser } from './relay-and-browser.mjs';

const PHONE = { viewport: { width: 360, height: 640 }, isMobile: true, hasTouch: true };
const VIEWS = ['Figures', 'Reports', 'Decisions', 'Audit log'];

startRelayAndBrowser();

/** Two users who report a note of a third. */
async function reported(content, tags) {
  const author = await User.connect(relay);
  await author.publish(0, JSON.stringify({ name: 'Mallory <b>admin</b>' }));
  const note = await author.publish(1, content, tags);
  const reporter = await User.connect(relay);
  await reporter.publish(1984, 'Always the same', [['e', note.id, 'spam'], ['p', author.pubkey]]);
  return {
    author,
    note,
    reporter,
    close() {
      author.close();
      reporter.close();
    },
  };
}

for (const [name, options, linkOf] of [
  ['on a wide screen', {}, () => relay.firstLink],
  ['on a phone', PHONE, () => relay.adminLink()],
]) {
  test(`from the first link to a banned author and back, ${name}`, async () => {
    const { author, note, reporter, close } = await reported(`Buy ${name} <img src=x onerror=alert(1)> https://images.example/a.png`);
    const link = await linkOf();
    const admin = await Admin.open(browser, relay, { path: link.slice(relay.url.length), ...options });
    const { page } = admin;
    await page.getByRole('heading', { name: 'Become the admin of this relay' }).waitFor();
    assert.equal(page.url(), `${relay.url}admin`, 'the code is in the address');
    await admin.assertGood();
    await admin.button('Make a key for me').click();
    const nsec = await page.getByLabel('Secret key').inputValue();
    assert.ok(await admin.button('Sign in').isDisabled(), 'the key need not be kept');
    await page.getByLabel('I have kept it').check();
    await admin.assertGood();
    await admin.button('Sign in').click();
    const views = await admin.views();
    for (const view of VIEWS) assert.ok(views.includes(view), `${view} is not in ${views}`);
    await admin.assertAccessible(); // with the colours of the navigation, which is another one on a phone
    const stored = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }, history.state]));
    assert.ok(!stored.includes('nsec') && !stored.includes(link.split('=')[1]), stored);

    await admin.view('Reports');
    const report = admin.report(`Buy ${name} <img src=x onerror=alert(1)>`);
    await report.getByText('Mallory <b>admin</b>').waitFor();
    await report.getByText('“Always the same”').waitFor();
    assert.equal(await report.locator('img').count(), 0);
    await admin.assertGood();

    await report.getByRole('button', { name: 'Ban author' }).click();
    await admin.notice('The author is banned.').waitFor();
    await assert.rejects(author.publish(1, 'after the ban'), /blocked/);
    await admin.button('Undo').click();
    await admin.notice('The decision is lifted.').waitFor();
    await author.publish(1, 'after the undo');

    await report.getByRole('button', { name: 'Delete event' }).click();
    await admin.notice('The event is deleted.').waitFor();
    assert.equal(await reporter.finds(note), false);
    await report.waitFor({ state: 'detached' });
    await admin.button('Undo').click();
    await admin.notice('The ban is lifted, and the event is here again.').waitFor();
    assert.equal(await reporter.finds(note), true);

    await report.getByRole('button', { name: 'Both' }).click();
    await admin.notice('The event is deleted, and its author banned.').waitFor();
    await admin.view('Decisions');
    const row = page.getByRole('row').filter({ hasText: 'Mallory' }).filter({ hasText: 'spam' });
    await row.first().waitFor();
    await admin.assertGood();
    await page.getByLabel('Author, event, kind or address').fill('30023');
    await page.getByLabel('Reason').fill('no articles here');
    await admin.button('Ban').click();
    await admin.notice('Kind 30023 is banned.').waitFor();
    await assert.rejects(reporter.publish(30023, 'An article', [['d', 'a']]), /blocked/);
    await admin.button('Lift the decision on kind 30023').click();
    await admin.button('Lift the decision on kind 30023').waitFor({ state: 'detached' });
    await reporter.publish(30023, 'An article', [['d', 'a']]);

    await admin.view('Audit log');
    await page.getByRole('row').filter({ hasText: 'disallowkind' }).filter({ hasText: 'no articles here' }).first().waitFor();
    await admin.assertGood();
    await admin.view('Figures');
    await page.getByRole('img', { name: /^Players: / }).waitFor();
    await page.getByText('The figures as a table').click();
    await admin.assertGood();

    await page.reload();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await admin.giveKey(nip19.decode(nsec).data);
    await admin.views();
    await admin.close();
    close();
  });
}

test('reports are decided on with the keyboard alone', async () => {
  const [first, second] = [await reported('Keyboard one'), await reported('Keyboard two')];
  const admin = await Admin.signIn(browser, relay, await newAdmin(relay));
  const { page } = admin;
  await admin.views();
  await admin.view('Reports');
  const focused = () => page.evaluate(() => document.activeElement.textContent);
  await admin.report('Keyboard one').waitFor();
  for (let tabs = 0; !(await focused()).includes('Keyboard'); tabs++) {
    assert.ok(tabs < 10, 'the first report is not reached');
    await page.keyboard.press('Tab');
  }
  const above = (await focused()).includes('Keyboard one') ? first : second;
  await page.keyboard.press('j');
  assert.ok((await focused()).includes(above === first ? 'Keyboard two' : 'Keyboard one'));
  await page.keyboard.press('k');
  await page.keyboard.press('d');
  await admin.notice('The event is deleted.').waitFor();
  await page.waitForFunction(text => document.activeElement.textContent.includes(text), above === first ? 'Keyboard two' : 'Keyboard one');
  assert.equal(await above.reporter.finds(above.note), false);
  await page.keyboard.press('u');
  await admin.notice('the event is here again').waitFor();
  assert.equal(await above.reporter.finds(above.note), true);
  await page.keyboard.press('x');
  await admin.notice('The report is dismissed.').waitFor();
  await admin.close();
  first.close();
  second.close();
});

test('images of a reported note are loaded only when somebody asks, by https and without a referrer', async () => {
  const { close } = await reported('Look https://images.example/1.png http://images.example/2.png', [['imeta', 'url https://images.example/3']]);
  const admin = await Admin.signIn(browser, relay, await newAdmin(relay));
  const { page } = admin;
  const asked = [];
  await page.route('https://images.example/**', async route => {
    asked.push([route.request().url(), await route.request().headerValue('referer')]);
    await route.fulfill({ contentType: 'image/svg+xml', body: '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>' });
  });
  await admin.views();
  await admin.view('Reports');
  const report = admin.report('Look https://images.example/1.png');
  await report.getByRole('button', { name: 'Show 2 images' }).waitFor();
  assert.deepEqual(asked, []);
  await report.getByRole('button', { name: 'Show 2 images' }).click();
  await report.locator('img').nth(1).scrollIntoViewIfNeeded();
  await page.waitForFunction(() => [...document.querySelectorAll('.report img')].every(image => image.naturalWidth > 0));
  assert.deepEqual(asked.sort(), [['https://images.example/1.png', null], ['https://images.example/3', null]]);
  admin.complaints = admin.complaints.filter(it => !it.includes('images.example'));
  await admin.close();
  close();
});

test('a link works once, and a key without rights sees its public key and nothing else', async () => {
  const link = await relay.adminLink();
  await call(relay, generateSecretKey(), 'claimadmin', link.split('=')[1]);
  const stranger = generateSecretKey();
  const visitor = await Admin.open(browser, relay, { path: link.slice(relay.url.length) });
  await visitor.giveKey(stranger);
  await visitor.page.getByText('gambit admin link').waitFor();
  visitor.complaints = visitor.complaints.filter(it => !/status of 40[13]/.test(it));
  await visitor.button('Sign in without a link').click();
  await visitor.page.getByRole('heading', { name: 'Sign in' }).waitFor();
  await visitor.giveKey(stranger);
  await visitor.page.getByRole('heading', { name: 'This key has no rights here' }).waitFor();
  await visitor.page.getByText(nip19.npubEncode(getPublicKey(stranger))).waitFor();
  assert.equal(await visitor.page.getByRole('navigation').count(), 0);
  await visitor.assertGood();
  visitor.complaints = visitor.complaints.filter(it => !/status of 40[13]/.test(it));
  await visitor.close();
});

test('a moderator sees the views of their roles only', async () => {
  const secret = await newAdmin(relay);
  const moderator = generateSecretKey();
  await call(relay, secret, 'createrole', 'moderator', 'Moderator', '', '', '', ['reports', 'banevent', 'lift']);
  await call(relay, secret, 'assignrole', getPublicKey(moderator), 'moderator');
  const { close } = await reported('For a moderator');
  const visitor = await Admin.signIn(browser, relay, moderator);
  assert.deepEqual(await visitor.views(), ['Reports']);
  const report = visitor.report('For a moderator');
  await report.getByRole('button', { name: 'Delete event' }).waitFor();
  assert.equal(await report.getByRole('button', { name: 'Ban author' }).count(), 0);
  await visitor.page.goto(`${relay.url}admin#/audit`);
  await visitor.page.getByRole('heading', { name: 'There is nothing here' }).waitFor();
  await visitor.close();
  close();
});

test('an extension signs once; after the session has ended it is asked for another one', async () => {
  const secret = await newAdmin(relay);
  const visitor = await Admin.open(browser, relay);
  const { context, page } = visitor;
  let signed = 0;
  await context.exposeFunction('signWithExtension', template => {
    signed++;
    return finalizeEvent(template, secret);
  });
  await context.addInitScript(pubkey => {
    globalThis.nostr = { getPublicKey: async () => pubkey, signEvent: template => globalThis.signWithExtension(template) };
  }, getPublicKey(secret));
  await page.goto(`${relay.url}admin`);
  await visitor.button('Sign in').click();
  await visitor.views();
  await visitor.view('Decisions');
  await visitor.view('Audit log');
  assert.equal(signed, 1);
  // A key has ten sessions: further ones end the oldest, or another one of the same second.
  for (let i = 0; signed < 2; i++) {
    assert.ok(i < 100, 'the session has not ended');
    await call(relay, secret, 'opensession', getPublicKey(generateSecretKey()));
    await visitor.view(['Decisions', 'Audit log'][i % 2]);
  }
  assert.equal(await page.getByRole('alert').count(), 0);
  assert.equal(signed, 2);
  await page.reload();
  await visitor.views();
  assert.equal(signed, 3);
  await visitor.button('Sign out').click();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  await page.reload();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  await visitor.button('Sign in').waitFor();
  assert.equal(signed, 3);
  visitor.complaints = visitor.complaints.filter(it => !/status of 40[13]/.test(it));
  await visitor.close();
});

test('a remote signer signs (NIP-46), also after the page was loaded again', async () => {
  const secret = generateSecretKey();
  const bunker = await startBunker(relay, secret);
  const visitor = await Admin.open(browser, relay, { path: (await relay.adminLink()).slice(relay.url.length) });
  const { page } = visitor;
  await page.getByRole('radio', { name: 'Remote signer' }).check();
  await page.getByLabel('Address of the remote signer').fill(bunker.url);
  await visitor.button('Sign in').click();
  await visitor.views();
  assert.equal((await call(relay, secret, 'whoami')).admin, true);
  await page.reload();
  await visitor.views();
  await visitor.close();
  bunker.close();
});

test('the player of this browser signs, whose key the page does not take away', async () => {
  const secret = await newAdmin(relay);
  const visitor = await Admin.open(browser, relay, { path: 'admin' });
  await visitor.page.evaluate(nsec => localStorage.setItem('gambit.key', nsec), nip19.nsecEncode(secret));
  await visitor.page.reload();
  await visitor.page.getByRole('radio', { name: 'My player' }).check();
  await visitor.button('Sign in').click();
  await visitor.views();
  await visitor.button('Sign out').click();
  await visitor.page.getByRole('heading', { name: 'Sign in' }).waitFor();
  assert.equal(await visitor.page.evaluate(() => localStorage.getItem('gambit.key')), nip19.nsecEncode(secret));
  await visitor.close();
});
