// Plays client scenarios against the relay whose URL is the first argument, with each library alone
// and with each pair of libraries, and prints the results in TAP. The second argument is the number
// of events to page through. An admin of the relay has the SHA-256 of "admin" as secret key.
//
// A library is a module with a name and
//   connect(url, { signsIn })   a client with a new key, which authenticates when asked to, or not
//   information(url)            the NIP-11 document, where the library reads it
//   manage(url, secret, method, ...params)  calls a method of NIP-86 with the library's login (NIP-98),
//                               where it has one, and returns the answer
//
// and a client has a pubkey and
//   publish(template)           signs and sends, and returns the event once the relay has taken it
//   delete(event)               requests the deletion of its event
//   query(filter)               the stored events
//   watch(filter, onEvent)      passes stored and new events to onEvent; resolves after the stored ones,
//                               and rejects with the reason when the relay sends CLOSED
//   count(filter)               { count, estimate }, the latter from the HLL where the library can
//   sync(filter, known)         { have, need }: the ids that only the client or only the relay has (NIP-77),
//                               where the library can compare; known are events
//   whisper(pubkey, text)       sends a private message (NIP-17), and returns { id } of its wrap
//   open(wrap)                  { sender, text } of a gift wrap
//   close()
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import * as ndk from './ndk.mjs';
import * as nostrTools from './nostr-tools.mjs';
import * as rustNostr from './rust-nostr.mjs';

const libraries = [nostrTools, ndk, rustNostr];
const url = process.argv[2];
const now = seconds();
const scenarios = [];

function scenario(sentence, play) {
  scenarios.push({ sentence, play });
}

/** A queue of received items. */
class Inbox {
  #arrivals = new EventEmitter();
  #waiting = [];

  put = event => {
    this.#waiting.push(event);
    this.#arrivals.emit('event');
  };

  async next() {
    if (this.isEmpty) {
      await once(this.#arrivals, 'event');
    }
    return this.#waiting.shift();
  }

  get isEmpty() {
    return this.#waiting.length === 0;
  }
}

function seconds() {
  return Math.floor(Date.now() / 1000);
}

function note(content, created_at = now, tags = []) {
  return { kind: 1, created_at, tags, content };
}

/** The event without the fields that libraries add. */
function plain(events) {
  return JSON.parse(JSON.stringify(events));
}

function idsOf(events) {
  return events.map(event => event.id);
}

for (const library of libraries.filter(({ information }) => information)) {
  scenario(`${library.name} reads what the relay says of itself`, async () => {
    const document = await library.information(url);
    assert.deepEqual(
      [1, 9, 11, 17, 42, 45, 59, 70].filter(nip => !document.supported_nips.includes(nip)),
      [],
      'NIPs that are missing',
    );
    assert.equal(document.limitation.auth_required, false);
    assert.ok(document.limitation.max_limit >= document.limitation.default_limit);
  });
}

for (const library of libraries.filter(({ manage }) => manage)) {
  scenario(`${library.name}: an admin bans an author, whom the relay refuses at once`, async connect => {
    const admin = createHash('sha256').update('admin').digest();
    const alice = await connect(library);
    await alice.publish(note('not banned'));
    const ban = await library.manage(url, admin, 'banpubkey', alice.pubkey, 'spam');
    assert.deepEqual(ban, { result: true });
    await assert.rejects(alice.publish(note('banned')), /blocked/);
    const { result } = await library.manage(url, admin, 'listbannedpubkeys');
    assert.deepEqual(result, [{ pubkey: alice.pubkey, reason: 'spam' }]);
    const stranger = createHash('sha256').update('stranger').digest();
    const refused = await library.manage(url, stranger, 'unbanpubkey', alice.pubkey);
    assert.match(refused.error, /no rights here/);
  });
}

for (const author of libraries) {
  for (const reader of libraries) {
    const together =
      author === reader ? `two of ${author.name}` : `${author.name} and ${reader.name}`;

    scenario(`${together}: what one publishes, the other sees, stored and live`, async connect => {
      const alice = await connect(author);
      const bob = await connect(reader);
      const inbox = new Inbox();
      const stored = await alice.publish(note('stored ♞ "\\\n', now - 1, [['t', 'x', '']]));
      await bob.watch({ authors: [alice.pubkey] }, inbox.put);
      const live = await alice.publish(note('live', now));
      const seen = [await inbox.next(), await inbox.next()];
      assert.deepEqual(plain(seen), plain([stored, live]));
      const found = await bob.query({ authors: [alice.pubkey] });
      assert.deepEqual(plain(found), plain([live, stored]));
    });

    scenario(`${together}: what one deletes, the other does not find`, async connect => {
      const alice = await connect(author);
      const bob = await connect(reader);
      const [kept, deleted] = [await alice.publish(note('kept')), await alice.publish(note('no'))];
      const request = await alice.delete(deleted);
      const filter = { authors: [alice.pubkey], kinds: [1] };
      assert.deepEqual(idsOf(await bob.query(filter)), [kept.id]);
      assert.deepEqual(idsOf(await bob.query({ ...filter, kinds: [5] })), [request.id]);
    });

    scenario(`${together}: what one replaces, the other finds replaced`, async connect => {
      const alice = await connect(author);
      const bob = await connect(reader);
      const kept = [];
      for (const [kind, tags] of [[10_002, []], [30_023, [['d', 'a']]], [30_023, [['d', 'b']]]]) {
        await alice.publish({ kind, tags, created_at: now - 1, content: 'first' });
        kept.push(await alice.publish({ kind, tags, created_at: now, content: 'second' }));
      }
      const found = await bob.query({ authors: [alice.pubkey], kinds: [10_002, 30_023] });
      assert.deepEqual(idsOf(found).sort(), idsOf(kept).sort());
    });

    scenario(`${together}: one reads the private messages of the other`, async connect => {
      const alice = await connect(author, { signsIn: true });
      const bob = await connect(reader, { signsIn: true });
      const inbox = new Inbox();
      const wraps = { kinds: [1059], '#p': [bob.pubkey] };
      const stored = await alice.whisper(bob.pubkey, 'stored');
      await bob.watch(wraps, inbox.put);
      const sender = alice.pubkey;
      assert.deepEqual(await bob.open(await inbox.next()), { sender, text: 'stored' });
      await alice.whisper(bob.pubkey, 'live');
      assert.deepEqual(await bob.open(await inbox.next()), { sender, text: 'live' });
      assert.equal((await bob.query(wraps)).length, 2);
      assert.deepEqual(idsOf(await bob.query({ ids: [stored.id] })), [stored.id]);
    });

    scenario(`${together}: nobody else reads the private messages`, async connect => {
      const alice = await connect(author);
      const bob = await connect(reader, { signsIn: true });
      const stranger = await connect(reader, { signsIn: true });
      const anonymous = await connect(reader);
      const wrap = await alice.whisper(bob.pubkey, 'secret');
      const wraps = { kinds: [1059], '#p': [bob.pubkey] };
      assert.equal((await bob.query(wraps)).length, 1);
      const inbox = new Inbox();
      await assert.rejects(stranger.watch(wraps, inbox.put), /restricted: /);
      await assert.rejects(anonymous.watch(wraps, inbox.put), /auth-required: /);
      assert.ok(inbox.isEmpty);
      for (const other of [stranger, anonymous]) {
        assert.deepEqual(await other.query({ ids: [wrap.id] }), []);
      }
      assert.deepEqual(await stranger.query({ kinds: [1059] }), []);
    });
  }
}

for (const library of libraries) {
  scenario(`${library.name} searches the notes of an author (NIP-50)`, async connect => {
    const alice = await connect(library);
    await alice.publish(note('The queen takes the rook'));
    const found = await alice.publish(note('The knight takes the bishop'));
    const reader = await connect(library);
    const search = { authors: [alice.pubkey], search: 'knight bishop' };
    let hits = [];
    while (hits.length === 0) { // a search may be refused while the index is behind
      hits = idsOf(await reader.query(search));
    }
    assert.deepEqual(hits, [found.id]);
  });

  scenario(`${library.name} publishes a protected event only authenticated`, async connect => {
    const alice = await connect(library, { signsIn: true });
    const anonymous = await connect(library);
    const event = await alice.publish(note('mine', now, [['-']]));
    assert.deepEqual(idsOf(await anonymous.query({ ids: [event.id] })), [event.id]);
    await assert.rejects(anonymous.publish(note('mine', now, [['-']])));
    assert.deepEqual(await alice.query({ authors: [anonymous.pubkey] }), []);
  });

  scenario(`${library.name} counts what all of them have published`, async connect => {
    const { id } = await (await connect(library)).publish(note('a note'));
    for (const author of libraries) {
      const client = await connect(author);
      await client.publish({ kind: 7, created_at: now, tags: [['e', id]], content: '+' });
    }
    const { count, estimate } = await (await connect(library)).count({ kinds: [7], '#e': [id] });
    assert.equal(count, libraries.length);
    assert.ok(Math.abs((estimate ?? count) - count) <= 1, `${estimate}`);
  });
}

scenario('nostr-tools comes back by itself to a game whose connection broke', async connect => {
  const alice = await connect(nostrTools, { signsIn: true });
  const bob = await connect(nostrTools);
  const inbox = new Inbox();
  const chess = (kind, content, ...tags) => ({ kind, content, tags, created_at: seconds() });
  await alice.watch({ kinds: [5000], '#p': [alice.pubkey], limit: 0 }, inbox.put);
  const invite = await alice.publish(
    chess(5000, 'invite', ['p', bob.pubkey], ['color', 'white'], ['time', '300']),
  );
  await bob.publish(chess(5000, 'accept', ['e', invite.id]));
  const found = await inbox.next();
  await alice.loseConnection();
  const resumed = await inbox.next();
  assert.equal(resumed.content, 'gameisfound');
  assert.deepEqual(resumed.tags[0], ['e', found.id, '', 'root']);
  await alice.publish(chess(5001, 'e2e4', ['e', found.id, '', 'root'], ['ply', '1']));
});

const MANY = Number(process.argv[3] ?? 10_000);
const A_SECOND = 4;
const PAGE = 500;
let many;

/** Events of one author, some in each second, so that pages end within one. */
async function publishMany(connect) {
  const client = await connect(rustNostr);
  const templates = Array.from({ length: MANY }, (_, i) =>
    note(`number ${i}`, now - Math.floor(i / A_SECOND)),
  );
  const ids = [];
  const publisher = async () => {
    for (let next = templates.pop(); next; next = templates.pop()) {
      ids.push((await client.publish(next)).id);
    }
  };
  await Promise.all(Array.from({ length: 100 }, publisher));
  return { author: client.pubkey, ids };
}

scenario('nostr-tools learns which events only it has, and which only the relay (NIP-77)', async connect => {
  many ??= await publishMany(connect);
  const client = await connect(nostrTools);
  const stored = await client.query({ authors: [many.author], limit: 5_000 });
  const known = stored.filter((_, i) => i % 50 !== 7);
  const unpublished = { created_at: now - 3, id: 'ab'.repeat(32) };
  const { have, need } = await client.sync({ authors: [many.author] }, [...known, unpublished]);
  const knownIds = new Set(idsOf(known));
  assert.deepEqual(need.sort(), many.ids.filter(id => !knownIds.has(id)).sort());
  assert.deepEqual(have, [unpublished.id]);
});

for (const library of libraries) {
  scenario(`${library.name} finds each of ${MANY} events once, paging back`, async connect => {
    many ??= await publishMany(connect);
    const client = await connect(library);
    const found = new Map();
    let until = now;
    for (;;) {
      const page = await client.query({ authors: [many.author], until, limit: PAGE });
      const again = page.filter(event => found.has(event.id));
      assert.ok(again.every(event => event.created_at === until), 'twice');
      if (again.length === page.length) {
        break;
      }
      page.forEach(event => found.set(event.id, event));
      until = Math.min(...page.map(event => event.created_at));
    }
    assert.deepEqual([...found.keys()].sort(), many.ids.sort());
  });
}

/** An error as a comment of TAP. */
function told(error) {
  return `${error.stack ?? error}`.replace(/^/gm, '# ');
}

async function within(seconds, promise) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`not within ${seconds} s`)), seconds * 1000);
  });
  await Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

for (const [i, { sentence, play }] of scenarios.entries()) {
  const clients = [];
  const connect = async (library, { signsIn = false } = {}) => {
    const client = await library.connect(url, { signsIn });
    clients.push(client);
    return client;
  };
  try {
    await within(300, play(connect));
    console.log(`ok ${i + 1} - ${sentence}`);
  } catch (error) {
    console.log(`not ok ${i + 1} - ${sentence}\n${told(error)}`);
  }
  await Promise.all(clients.map(client => client.close()));
}
console.log(`1..${scenarios.length}`);
process.exit();
