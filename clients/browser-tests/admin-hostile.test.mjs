// The admin page among strangers: pages of other origins, their frames, and texts that would run if they could.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { after, before, test } from 'node:test';
import { generateSecretKey, getPublicKey } from 'nostr-tools';
import { Admin, call, newAdmin, User } from './admin.mjs';
import { browser, relay, startRelayAndBrowser } from './relay-and-browser.mjs';

const PAYLOADS = [
  '<img src=x onerror=ran()>',
  '"><svg onload=ran()><script>ran()</script>',
  "javascript:ran()//'; ran(); '${ran()}{{ran()}}",
  '<iframe srcdoc="<script>parent.ran()</script>"></iframe><base href=https://tracker.example/>',
  '<style>@import url(https://tracker.example/style.css)</style><link rel=stylesheet href=https://tracker.example/>',
  '\u202e<a href="javascript:ran()">\u2067\u0000ran</a>',
];

startRelayAndBrowser();

/** A page of another origin, whose body a test sets. */
let foreign;
let foreignBody = '';
const foreignUrl = () => `http://127.0.0.1:${foreign.address().port}/`;
before(async () => {
  foreign = createServer((request, response) => {
    response.setHeader('Content-Type', 'text/html; charset=utf-8');
    response.end(`<!doctype html><title>elsewhere</title>${foreignBody}`);
  });
  await new Promise(resolve => foreign.listen(0, '127.0.0.1', resolve));
});
after(() => foreign.close());

/** What a call may change, as an admin sees it. */
const state = async secret => JSON.stringify([await call(relay, secret, 'audit', 1), await call(relay, secret, 'listmembers')]);

test('a page of another origin causes no call, and gets no answer but refusals', async () => {
  const secret = await newAdmin(relay);
  const admin = await Admin.signIn(browser, relay, secret);
  await admin.views();
  const before = await state(secret);
  const page = await admin.context.newPage();
  const body = JSON.stringify({ method: 'banpubkey', params: [getPublicKey(generateSecretKey())] });
  foreignBody = `<form method=post enctype=text/plain target=answer action=${relay.url}><input name='${body.replace('}', ',"x":"')}' value='"}'></form><iframe name=answer></iframe>`;
  await page.goto(foreignUrl());
  await page.evaluate(() => document.querySelector('form').submit());
  const answers = await page.evaluate(
    async ([url, it]) => {
      const post = (headers, options) => fetch(url, { method: 'POST', body: it, headers, ...options }).then(answer => answer.status, () => 'unreadable');
      const rpc = { 'Content-Type': 'application/nostr+json+rpc' };
      return Promise.all([
        post({}, { mode: 'no-cors', credentials: 'include' }),
        post({ 'Content-Type': 'application/x-www-form-urlencoded' }, { credentials: 'include' }),
        post(rpc, { credentials: 'include' }),
        post(rpc),
        post({ ...rpc, Authorization: 'Nostr e30=' }),
        navigator.sendBeacon(url, it) && 'sent',
      ]);
    },
    [relay.url, body],
  );
  assert.ok(answers.every(it => [0, 401, 405, 'unreadable', 'sent'].includes(it)), `${answers}`);
  assert.deepEqual(await admin.context.cookies(), []);
  assert.equal(await state(secret), before);
  await page.close();
  await admin.close();
});

test('a frame of the page on another origin stays empty, also with a link, which stays unused', async () => {
  const link = await relay.adminLink();
  const context = await browser.newContext();
  const page = await context.newPage();
  for (const url of [`${relay.url}admin`, link, relay.url]) {
    foreignBody = `<iframe src="${url}"></iframe><object data="${url}"></object><embed src="${url}">`;
    await page.goto(foreignUrl());
    await page.waitForLoadState('networkidle');
    for (const frame of page.frames().slice(1)) {
      assert.ok(!frame.url().startsWith(relay.url), `${url} is shown in a frame`);
      assert.equal(await frame.locator('#app').count(), 0);
    }
  }
  await context.close();
  const secret = generateSecretKey();
  await call(relay, secret, 'claimadmin', link.split('=')[1]);
});

test('the page that has opened the admin page gets no hold of it', async () => {
  const context = await browser.newContext();
  const page = await context.newPage();
  foreignBody = '<button>open</button>';
  await page.goto(foreignUrl());
  const [opened] = await Promise.all([
    page.waitForEvent('popup'),
    page.evaluate(url => document.querySelector('button').addEventListener('click', () => (globalThis.handle = open(url))), `${relay.url}admin`).then(() => page.click('button')),
  ]);
  await opened.getByRole('heading', { name: 'Sign in' }).waitFor();
  const seen = await page.evaluate(() => {
    try {
      return `${globalThis.handle.document.title}`;
    } catch (error) {
      return error.name;
    }
  });
  assert.notEqual(seen, await opened.title());
  assert.equal(await opened.evaluate(() => globalThis.opener), null, 'the admin page can be led elsewhere by who has opened it');
  await context.close();
});

let filled;
/** Fills every list of the admin page with texts of strangers and moderators; returns the key of an admin. */
async function fill() {
  const secret = await newAdmin(relay);
  const key = () => getPublicKey(generateSecretKey());
  const users = [];
  for (const [i, payload] of PAYLOADS.entries()) {
    const line = payload.replaceAll('\u0000', '');
    const [author, reporter] = [await User.connect(relay), await User.connect(relay)];
    users.push(author, reporter);
    await author.publish(0, JSON.stringify({ name: payload, display_name: payload, about: payload, picture: 'https://tracker.example/picture.png' }));
    const note = await author.publish(1, `${payload} https://tracker.example/note.png`, [['imeta', 'url https://tracker.example/imeta.png']]);
    await reporter.publish(0, JSON.stringify({ name: payload }));
    await reporter.publish(1984, payload, [['e', note.id, 'spam'], ['p', author.pubkey, payload]]);
    await call(relay, secret, 'banpubkey', key(), line);
    await call(relay, secret, 'banevent', key(), line);
    await call(relay, secret, 'addmember', author.pubkey, line);
    await call(relay, secret, 'createinvite', 1, 1, line);
    await call(relay, secret, 'createrole', `${i}${line}`.slice(0, 64), line, line, '', '', []);
    await call(relay, secret, 'assignrole', author.pubkey, `${i}${line}`.slice(0, 64));
    await call(relay, secret, 'changerelayname', line);
    await call(relay, secret, 'changerelaydescription', line);
  }
  after(() => users.forEach(it => it.close()));
  return secret;
}

/** Answers for the relay what its log might have, of a plugin for example; the relay itself writes no texts of clients. */
const hostileLog = page =>
  page.route('**/', (route, request) => {
    if (!(request.postData() ?? '').includes('"listwarnings"')) return route.fallback();
    const result = PAYLOADS.map(it => ({ at: Math.floor(Date.now() / 1000), level: 'WARN', logger: it, message: it }));
    return route.fulfill({ contentType: 'application/nostr+json+rpc', body: JSON.stringify({ result }) });
  });

for (const [name, options] of Object.entries({ 'on a wide screen': {}, 'on a phone': { viewport: { width: 360, height: 640 }, isMobile: true, hasTouch: true } })) {
  test(`names, reports, reasons, notes, texts and lines of the log are nothing but text, ${name}`, async () => {
    const secret = await (filled ??= fill());
    const ran = [];
    const admin = await Admin.open(browser, relay, { path: 'admin', ...options });
    const { context, page } = admin;
    await context.exposeFunction('ran', () => ran.push(page.url()));
    await hostileLog(page);
    await page.reload();
    await admin.giveKey(secret);
    for (const view of await admin.views()) {
      await admin.view(view);
      await page.waitForLoadState('networkidle');
      await page.locator('main details').evaluateAll(all => all.forEach(it => (it.open = true)));
      const live = await page.evaluate(() => [...document.querySelectorAll('[onerror], [onload], iframe, base, object, [src="x"], a[href^="javascript:" i], script:not([src]), main style')].map(it => it.outerHTML));
      assert.deepEqual(live, [], view);
      const images = await page.locator('main img').evaluateAll(all => all.map(it => it.src).filter(src => !src.startsWith(location.origin) && !src.startsWith('data:')));
      assert.deepEqual(images, [], `${view} loads images that nobody has asked for`);
      await admin.assertFits();
      if (page.viewportSize().width > 1_000) await admin.assertAccessibleButColours(); // other tests check the rest of each view
    }
    await admin.view('Warnings');
    await page.getByText('<img src=x onerror=ran()>').first().waitFor();
    assert.deepEqual(ran, []);
    await admin.close();
  });
}

test('a moderator’s page makes no call that their roles lack, whatever view the address names', async () => {
  const secret = await newAdmin(relay);
  const moderator = generateSecretKey();
  await call(relay, secret, 'createrole', 'reader', 'Reader', '', '', '', ['decisions']);
  await call(relay, secret, 'assignrole', getPublicKey(moderator), 'reader');
  const visitor = await Admin.signIn(browser, relay, moderator);
  const { page } = visitor;
  assert.deepEqual(await visitor.views(), ['Decisions']);
  const called = new Set();
  page.on('request', request => request.method() === 'POST' && called.add(JSON.parse(request.postData()).method));
  const first = page.waitForRequest(request => request.method() === 'POST');
  for (const id of ['figures', 'reports', 'members', 'invites', 'roles', 'connections', 'settings', 'texts', 'backups', 'warnings', 'audit', '../admin', 'decisions']) {
    await page.evaluate(it => (location.hash = `#/${it}`), id);
    if (id !== 'decisions' && id !== '../admin') await page.getByRole('heading', { name: 'There is nothing here' }).waitFor();
  }
  await page.getByRole('heading', { level: 1, name: 'Decisions' }).waitFor();
  await first;
  await page.waitForLoadState('networkidle');
  assert.deepEqual([...called], ['decisions']);
  assert.equal(await page.getByRole('button', { name: /^(Ban|Allow|Lift)/, exact: false }).count(), 0);
  await visitor.close();
});

test('the code of a link and the keys are in no address, history, referrer or storage', async () => {
  const link = await relay.adminLink();
  const code = link.split('=')[1];
  const admin = await Admin.open(browser, relay, { path: 'admin' });
  const { context, page } = admin;
  const sent = [];
  context.on('request', request => sent.push(request));
  await page.goto(link);
  await page.waitForURL(url => !url.hash.includes(code));
  await page.reload(); // what a browser that restores its tabs does: the code was in memory only
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  await page.goto('about:blank');
  await page.goto(link);
  const secret = generateSecretKey();
  await admin.giveKey(secret);
  await admin.views();
  await admin.view('Members');
  const hex = Buffer.from(secret).toString('hex');
  const stored = await page.evaluate(async () => {
    const databases = (await indexedDB.databases?.()) ?? [];
    const cached = await Promise.all((await caches.keys()).map(async name => (await (await caches.open(name)).keys()).map(it => it.url)));
    return JSON.stringify([{ ...localStorage }, { ...sessionStorage }, databases, cached, document.cookie, history.state, location.href, document.referrer, name]);
  });
  for (const entry of [stored, page.url()]) {
    assert.ok(!entry.includes(code) && !entry.includes(hex) && !/nsec1|[0-9a-f]{64}/.test(entry), entry);
  }
  for (const request of sent) {
    const { referer = '', authorization = '' } = await request.allHeaders();
    const login = Buffer.from(authorization.slice(6), 'base64').toString();
    assert.ok(!`${request.url().split('#')[0]} ${referer} ${login}`.includes(code), request.url());
    assert.ok(!(request.postData() ?? '').includes(hex) && !login.includes(hex), 'the secret key is sent');
    if ((request.postData() ?? '').includes(code)) assert.equal(JSON.parse(request.postData()).method, 'claimadmin');
  }
  await page.goBack();
  await page.goForward();
  assert.ok(!page.url().includes(code), page.url());
  await admin.close();
});
