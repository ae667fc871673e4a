// The admin page: settings changed with a look before and an undo, texts, roles, connections, backups, warnings.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nip19 } from 'nostr-tools';
import { Admin, call, newAdmin, User } from './admin.mjs';
import { browser, relay, startRelayAndBrowser } from './relay-and-browser.mjs';

const PHONE = { viewport: { width: 360, height: 640 }, isMobile: true, hasTouch: true };
const KINDS = { 'on a wide screen': {}, 'on a phone': PHONE };
const MAX_LIMIT = 'limits.max_limit';

startRelayAndBrowser();

/** The value of a setting, as the relay says. */
async function valueOf(secret, key) {
  return (await call(relay, secret, 'listsettings')).find(it => it.key === key).value;
}

for (const [name, options] of Object.entries(KINDS)) {
  test(`a setting is changed after a look at the difference, and taken back; a fault is shown beside it, ${name}`, async () => {
    const secret = await newAdmin(relay);
    const admin = await Admin.signIn(browser, relay, secret, options);
    const { page } = admin;
    await admin.view('Settings');
    await admin.assertGood();
    const before = await valueOf(secret, MAX_LIMIT);
    await page.getByRole('searchbox').fill(MAX_LIMIT);
    const field = page.getByRole('textbox', { name: MAX_LIMIT, exact: true });
    await field.fill('many');
    await admin.button('Check').click();
    await page.getByRole('alert').filter({ hasText: MAX_LIMIT }).first().waitFor();
    await admin.assertGood();
    assert.equal(await field.getAttribute('aria-invalid'), 'true');
    await field.fill('4321');
    await admin.button('Check').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText(before).waitFor();
    await dialog.getByText('4321').waitFor();
    await admin.assertGood();
    assert.equal(await valueOf(secret, MAX_LIMIT), before);
    await dialog.getByRole('button', { name: 'Apply' }).click();
    await admin.notice(`${MAX_LIMIT} is changed.`).waitFor();
    assert.equal(await valueOf(secret, MAX_LIMIT), '4321');
    await admin.button('Undo').click();
    await admin.notice('The former settings are in force again.').waitFor();
    assert.equal(await valueOf(secret, MAX_LIMIT), before);

    await field.fill('1234');
    await admin.button('Check').click();
    await dialog.getByRole('button', { name: 'Apply' }).click();
    await page.getByRole('button', { name: `Take back the change of ${MAX_LIMIT}` }).click();
    await admin.button('Check').click();
    await dialog.getByRole('button', { name: 'Apply' }).click();
    await page.getByRole('button', { name: `Take back the change of ${MAX_LIMIT}` }).waitFor({ state: 'detached' });
    assert.equal(await valueOf(secret, MAX_LIMIT), before);
    await admin.close();
  });

  test(`a client is disconnected and its address banned, a backup is made, a text is changed, ${name}`, async () => {
    const secret = await newAdmin(relay);
    const admin = await Admin.signIn(browser, relay, secret, options);
    const { page } = admin;
    const client = await User.connect(relay);
    const isClosed = new Promise(resolve => (client.connection.onclose = resolve));
    await admin.view('Connections');
    await page.getByRole('button', { name: /^Disconnect / }).first().waitFor();
    await admin.assertGood();
    for (const { id } of await call(relay, secret, 'listconnections')) {
      await page.getByRole('button', { name: new RegExp(`^Disconnect .*connection ${id}$`) }).click();
      await admin.notice(/is disconnected/).first().waitFor();
    }
    await isClosed;

    await admin.view('Backups');
    await page.getByText(/^No backup was made here yet|^The last backup/).waitFor();
    await admin.button('Start a backup').click();
    await page.getByText(/^The last backup is of/).waitFor();
    await admin.assertGood();

    await admin.view('Texts');
    await page.getByLabel('Name', { exact: true }).fill('Chess <i>among</i> friends');
    await page.getByRole('button', { name: 'Save the name' }).click();
    await admin.notice('The name is changed.').waitFor();
    const { name: shown } = await (await fetch(relay.url, { headers: { Accept: 'application/nostr+json' } })).json();
    assert.equal(shown, 'Chess <i>among</i> friends');
    await page.getByLabel('Icon (address of an image)').fill('https://images.example/icon.png');
    await page.getByRole('button', { name: 'Show the image' }).waitFor();
    await admin.assertGood();
    await admin.button('Undo').click();
    await admin.notice('The former text is back.').waitFor();

    await admin.view('Warnings');
    await admin.assertGood();
    await admin.close();
  });

  test(`a role is made of words, and whoever gets it sees its views only, ${name}`, async () => {
    const secret = await newAdmin(relay);
    const admin = await Admin.signIn(browser, relay, secret, options);
    const { page } = admin;
    const moderator = await User.connect(relay);
    moderator.close();
    await admin.view('Roles');
    await admin.button('Create a role').click();
    const dialog = page.getByRole('dialog');
    const role = `Host ${name} <b>`;
    await dialog.getByRole('textbox', { name: 'Name' }).fill(role);
    await dialog.getByRole('textbox', { name: 'Description' }).fill('Lets people in');
    await dialog.getByRole('group', { name: 'Let in' }).getByLabel('all of this').check();
    await dialog.getByLabel('read the decisions').check();
    await admin.assertGood();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    const card = page.getByRole('region', { name: role });
    await card.getByText('Let in:').waitFor();
    await card.getByLabel(`Give the role ${role} to (npub)`).fill(moderator.npub);
    await card.getByRole('button', { name: 'Give' }).click();
    await card.getByRole('listitem').filter({ has: page.locator(`[title="${moderator.npub}"]`) }).first().waitFor();
    await admin.assertGood();

    const host = await Admin.signIn(browser, relay, moderator.secret, options);
    assert.deepEqual(await host.views(), ['Decisions', 'Members', 'Invites']);
    await host.view('Members');
    await host.page.getByText(role).first().waitFor();
    await host.assertGood();
    await card.getByRole('button', { name: /^Take away the role/ }).click();
    await admin.notice(/no longer has the role/).waitFor();
    await host.close();
    await admin.close();
  });
}

test('a setting that is a secret is not shown', async () => {
  const secret = await newAdmin(relay);
  const secrets = (await call(relay, secret, 'listsettings')).filter(it => it.secret);
  assert.ok(secrets.length > 0);
  assert.ok(secrets.every(it => it.value === undefined));
  const nsec = nip19.nsecEncode(secret);
  const admin = await Admin.signIn(browser, relay, secret);
  await admin.view('Settings');
  assert.ok(!(await admin.page.content()).includes(nsec));
  await admin.close();
});
