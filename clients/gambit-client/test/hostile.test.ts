import assert from 'node:assert/strict';
import { afterEach, beforeEach, suite, test } from 'node:test';
import { finalizeEvent, generateSecretKey, getPublicKey } from 'nostr-tools/pure';
import { WebSocket } from 'ws';
import {
  DisconnectedError,
  GambitClient,
  guestSigner,
  RefusedError,
  TimeoutError,
  type Filter,
  type Game,
  type ReceivedInvite,
  type VerifiedEvent,
} from '../src/index.js';
import { client, closeClients, until } from './support/clients.js';
import { FakeRelay } from './support/fake-relay.js';

const FEN = 'rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1';
const INITIAL_FEN = 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1';
const opponent = guestSigner().pubkey;

suite('a hostile relay, or a hostile player', () => {
  let relay: FakeRelay;
  let player: GambitClient;
  beforeEach(async () => {
    relay = await new FakeRelay().start();
    player = await client(relay.url);
  });
  afterEach(() => {
    closeClients();
    relay.stop();
  });

  const players = (): string[][] => [
    ['p', player.pubkey],
    ['p', opponent],
  ];

  /** Lets a game of the player begin. */
  async function begin(): Promise<Game> {
    const begun = new Promise<Game>(resolve => player.on('game', resolve));
    const tags = [...players(), ['time', '300'], ['n', `${relay.requests.length}`]];
    const found = relay.event({ kind: 5000, content: 'gameisfound', tags });
    const first = [['d', found.id], ['ply', '0'], ['turn', 'white'], ...players()];
    relay.stored = [relay.event({ kind: 20302, content: INITIAL_FEN, tags: first })];
    relay.publish(found);
    const game = await begun;
    await player.query({ ids: [] }); // the relay has the subscription of the game
    return game;
  }

  const state = (game: { id: string }, ...more: string[][]) => ({
    kind: 20302,
    content: FEN,
    tags: [['d', game.id], ...players(), ['ply', '1'], ['turn', 'black'], ['move', 'e2e4'], ...more],
  });

  test('messages that are no messages are ignored', async () => {
    const game = await begin();
    for (const text of ['', 'no JSON', '{}', '[]', '[null]', '["EVENT"]', '["EVENT","s1"]', '["OK"]']) {
      relay.sendText(text);
    }
    for (const event of [null, 1, 'x', [], {}, { id: 'x' }, { ...relay.event(state(game)), tags: [1] }]) {
      relay.publish(event);
    }
    relay.publish(relay.event(state(game)));
    await until(game, () => game.ply === 1);
    assert.equal(player.status, 'ready');
  });

  test('events with another id, signature or author have no effect', async () => {
    const game = await begin();
    const genuine = relay.event({ ...state(game), content: FEN.replace(' 0 1', ' 0 2') });
    relay.publish({ ...genuine, content: FEN });
    relay.publish({ ...genuine, sig: genuine.sig.replace(/^./, it => (it === '0' ? '1' : '0')) });
    const stranger = generateSecretKey();
    relay.publish(finalizeEvent({ ...state(game), created_at: genuine.created_at }, stranger));
    const ending = [['e', game.id, '', 'root'], ...players(), ['result', '0-1']];
    relay.publish(
      finalizeEvent({ kind: 5000, content: 'gamelost', tags: ending, created_at: 1 }, stranger),
    );
    relay.publish(relay.event(state(game)));
    await until(game, () => game.ply > 0);
    assert.equal(game.fen, FEN);
    assert.equal(game.result, undefined);
  });

  test('states with malformed values have no effect', async () => {
    const game = await begin();
    const { tags } = state(game);
    for (const content of ['', '<b>', 'x'.repeat(100_000)]) {
      relay.publish(relay.event({ ...state(game), content }));
    }
    for (const ply of ['', '-1', '1e9', '99999999999999999999']) {
      const malformed = tags.map(tag => (tag[0] === 'ply' ? ['ply', ply] : tag));
      relay.publish(relay.event({ ...state(game), tags: malformed }));
    }
    relay.publish(relay.event(state(game, ['san', '<script>'], ['clock', '-5', 'x'])));
    await until(game, () => game.ply === 1);
    assert.equal(game.lastSan, undefined);
    assert.equal(game.clock(), undefined);
  });

  test('a move that became too old while offline is signed anew', async () => {
    let ahead = 0;
    player = await client(relay.url, { now: () => Date.now() + ahead });
    const game = await begin();
    const sent: { id: string; created_at: number; tags: string[][] }[] = [];
    relay.onMessage = ([verb, event]) => {
      const move = event as (typeof sent)[number] & { kind: number };
      if (verb !== 'EVENT' || move.kind !== 5001 || sent.push(move) > 1) {
        return undefined;
      }
      ahead = 60_000;
      relay.cut();
      return [];
    };
    const moved = game.move('e2e4');
    await new Promise<void>(resolve => {
      const off = player.on('status', status => {
        if (status === 'ready') {
          off();
          resolve();
        }
      });
    });
    relay.publish(relay.event(state(game)));
    await moved;
    assert.equal(sent.length, 2);
    assert.notEqual(sent[0]?.id, sent[1]?.id);
    assert((sent[1]?.created_at ?? 0) >= (sent[0]?.created_at ?? 0) + 60);
    assert.deepEqual(sent[0]?.tags, sent[1]?.tags);
  });

  test('a search whose pairing could not be stored fails', async () => {
    const search = await player.search('300');
    const connect = relay.requests.find(([verb]) => verb === 'EVENT')?.[1] as { id: string };
    relay.sendText(JSON.stringify(['OK', connect.id, false, 'error: could not store the game']));
    await assert.rejects(search.game, RefusedError);
    assert.equal(player.currentSearch, undefined);
  });

  test('a game that ended while its subscription was made has the result of its record', async () => {
    const tags = [...players(), ['time', '300']];
    const found = relay.event({ kind: 5000, content: 'gameisfound', tags });
    relay.stored = [found];
    const game = await player.follow(found.id).ready;
    assert.equal(game.result, '*');
    const ending = [['e', game.id, '', 'root'], ...players(), ['result', '1-0'], ['termination', 'resignation']];
    relay.publish(relay.event({ kind: 64, content: '[TimeControl "300"]\n\n1-0\n', tags: ending }));
    await until(game, () => game.record !== undefined);
    assert.deepEqual([game.result, game.termination], ['1-0', 'resignation']);
  });

  /** A comment, as the relay sends it. */
  const say = (game: Game, text: string, at: number, author: Uint8Array): void =>
    relay.publish(finalizeEvent({ kind: 1111, content: text, tags: [['E', game.id]], created_at: at }, author));

  /** Comments as a game gets them, once their signatures, which take most of the time, were verified. */
  function flood(game: Game, first: number, last: number, authorOf: (i: number) => string): void {
    for (let i = first; i <= last; i++) {
      game.applyComment({ id: `flood ${i}`, author: authorOf(i), text: `${i}`, at: i * 1000 });
    }
  }

  test('a comment list is bounded, and comments of one stranger push away none of others', async () => {
    const game = await begin();
    const flooder = generateSecretKey();
    const pubkey = getPublicKey(flooder);
    say(game, 'well played', 0, generateSecretKey());
    await until(game, () => game.comments.length === 1);
    flood(game, 1, 519, () => pubkey);
    say(game, '520', 520, flooder);
    await until(game, () => game.comments.at(-1)?.text === '520');
    assert.equal(game.comments.length, 500);
    assert.equal(game.comments[0]?.text, 'well played');
    assert.equal(game.comments[1]?.text, '22');
  });

  test('comments of 520 strangers push away none of a player', async () => {
    const ofPlayer = generateSecretKey();
    const signer = guestSigner(ofPlayer);
    player = await client(relay.url, { signer });
    const game = await begin();
    say(game, 'hello', 0, ofPlayer);
    say(game, 'good luck', 1, ofPlayer);
    await until(game, () => game.comments.length === 2);
    flood(game, 2, 520, i => `${i}`);
    say(game, '521', 521, generateSecretKey());
    await until(game, () => game.comments.at(-1)?.text === '521');
    assert.equal(game.comments.length, 500);
    assert.deepEqual(game.comments.slice(0, 3).map(({ text }) => text), ['hello', 'good luck', '24']);
  });

  test('every query of moves, records, states and requests names their authors', async () => {
    const game = await begin();
    await player.publish({ kind: 5000, content: 'invite', tags: [] });
    await player.invite({ opponent });
    await player.record(game.id);
    await player.records({ player: opponent });
    const spectator = await client(relay.url);
    const found = relay.event({ kind: 5000, content: 'gameisfound', tags: [...players(), ['time', '300']] });
    const { tags, ...current } = state(found);
    relay.stored = [found, relay.event({ ...current, tags: [['ply', '5'], ...tags] })];
    const followed = await spectator.follow(found.id).ready;
    assert.equal(followed.ply, 5);
    spectator.lobby();
    await spectator.query({ ids: [] });
    const filters = relay.requests.filter(([verb]) => verb === 'REQ').flatMap(([, , ...each]) => each as Filter[]);
    // Invites and challenges to this player, and comments, are for everybody to write; they are also asked for by author.
    const open = filters.filter(it => !it.authors && !it.ids).map(it => JSON.stringify(it.kinds));
    assert.deepEqual([...new Set(open)].sort(), ['[1111]', '[30]', '[5000]']);
    assert(filters.some(({ kinds, authors }) => kinds?.[0] === 1111 && authors?.includes(opponent)));
    assert(filters.some(({ kinds }) => kinds?.[0] === 5001));
    assert(filters.every(({ kinds, authors, '#e': e }) => kinds?.[0] !== 5000 || authors || !e));
  });

  test('an invite of an acquaintance is found although strangers have sent more than the relay lists', async () => {
    const friend = generateSecretKey();
    const invite = (secret: Uint8Array, at: number, ...tags: string[][]): VerifiedEvent =>
      finalizeEvent({ kind: 5000, content: 'invite', tags, created_at: at }, secret);
    const now = Math.floor(Date.now() / 1000);
    const me = guestSigner();
    const follows = await me.signEvent({ kind: 3, content: '', tags: [['p', getPublicKey(friend)]], created_at: now });
    const toMe = ['p', me.pubkey];
    const strangers = Array.from({ length: 30 }, () => generateSecretKey());
    const flood = Array.from({ length: 300 }, (_, i) => invite(strangers[i % 30] as Uint8Array, now, toMe, ['n', `${i}`]));
    const wanted = [invite(friend, now - 60, toMe), invite(friend, now - 60, ['expiration', `${now + 600}`])];
    relay.stored = [follows, ...flood, ...wanted];
    const received: ReceivedInvite[] = [];
    const tags = flood.slice(0, 100).map(it => ['invite', it.id, it.pubkey, '300', 'random', `${now + 600}`]);
    relay.stored.push(relay.event({ kind: 20305, content: '', tags: [['d', 'lobby'], ...tags] }));
    const invited = new GambitClient(relay.url, { signer: me, webSocket: WebSocket });
    const all = new Promise<void>(resolve =>
      invited.on('invite', it => received.push(it) > 200 && resolve()),
    );
    await invited.connect();
    await all;
    assert.equal(received[0]?.id, wanted[0]?.id);
    assert.equal(received[0]?.isFromAcquaintance, true);
    const lobby = await invited.lobby().ready;
    await until(lobby, () => lobby.invites[0]?.id === wanted[1]?.id);
    const authors = lobby.invites.slice(1, 31).map(({ author }) => author);
    assert.equal(new Set(authors).size, 30);
    assert(lobby.invites.length <= 1 + 3 * 30);
    invited.close();
  });

  test('a listener that throws does not keep others from an event', async () => {
    const game = await begin();
    const error = console.error;
    const logged: unknown[] = [];
    console.error = (value: unknown) => logged.push(value);
    game.on('change', () => {
      throw new Error('a bug of the application');
    });
    relay.publish(relay.event(state(game)));
    await until(game, () => game.ply === 1);
    console.error = error;
    assert.equal(logged.length, 1);
  });

  test('an event is signed once, and sent again unchanged after a login', async () => {
    let refused = 0;
    relay.onMessage = ([verb, event]) => {
      const { id } = (event ?? {}) as { id?: string };
      if (verb === 'EVENT' && refused++ === 0) {
        return [
          ['OK', id, false, 'auth-required: log in'],
          ['AUTH', 'challenge'],
        ];
      }
      return verb === 'AUTH' ? [['OK', id, true, '']] : undefined;
    };
    await player.publish({ kind: 1, content: 'hello', tags: [] });
    const sent = relay.requests.filter(([verb]) => verb === 'EVENT' || verb === 'AUTH');
    assert.deepEqual(
      sent.map(([verb]) => verb),
      ['EVENT', 'AUTH', 'EVENT'],
    );
    assert.deepEqual(sent[0], sent[2]);
    const login = sent[1]?.[1] as { kind: number; tags: string[][] };
    assert.equal(login.kind, 22242);
    assert.deepEqual(login.tags.find(([name]) => name === 'challenge')?.[1], 'challenge');
  });

  test('an event that is refused until a login, and refused again after it, fails', async () => {
    relay.onMessage = ([verb, event]) => {
      const { id } = (event ?? {}) as { id?: string };
      const refusal = [['OK', id, false, 'auth-required: log in'], ['AUTH', `challenge ${relay.requests.length}`]];
      return verb === 'EVENT' ? refusal : verb === 'AUTH' ? [['OK', id, true, '']] : undefined;
    };
    await assert.rejects(player.publish({ kind: 1, content: 'hello', tags: [] }), RefusedError);
    assert.equal(relay.requests.filter(([verb]) => verb === 'EVENT').length, 2);
  });

  test('an event that was refused until a login is sent after a reconnection, and may be refused so again', async () => {
    let refusals = 0;
    let isCut = false;
    player.on('notice', () => void player.query({ ids: [] }));
    relay.onMessage = ([verb, event]) => {
      const { id } = (event ?? {}) as { id?: string };
      if (verb === 'EVENT' && ++refusals === 1) {
        relay.cut(); // before the challenge that belongs to the refusal
        return [];
      } else if (verb === 'EVENT' && refusals <= 3) {
        isCut = refusals === 2;
        return [['OK', id, false, 'auth-required: log in'], isCut ? ['NOTICE', 'refused'] : ['AUTH', 'challenge']];
      } else if (verb === 'REQ' && isCut) {
        isCut = false;
        relay.cut(); // the query follows the refusal, which has arrived
        return [];
      }
      return verb === 'AUTH' ? [['OK', id, true, '']] : undefined;
    };
    await player.publish({ kind: 1, content: 'hello', tags: [] });
    assert.equal(refusals, 4);
  });

  test('a followed game stays open when four later games of the player are over', async () => {
    const first = await begin();
    player.follow(first.id);
    const end = async (game: Game): Promise<void> => {
      relay.publish(relay.event(state(game, ['result', '1-0'], ['termination', 'resignation'])));
      await until(game, () => game.result !== undefined);
    };
    await end(first);
    for (let i = 0; i < 4; i++) {
      await end(await begin());
    }
    relay.publish(finalizeEvent({ kind: 1111, content: 'well played', tags: [['E', first.id]], created_at: 1 }, generateSecretKey()));
    await player.query({ ids: [] });
    assert.equal(first.comments.length, 1);
    assert.equal(player.follow(first.id), first);
  });

  test('a client whose own subscriptions are refused for good fails with the reason of the relay', async () => {
    relay.onMessage = ([verb, id]) => (verb === 'REQ' ? [['CLOSED', id, 'restricted: not for you']] : undefined);
    await assert.rejects(client(relay.url), (error: unknown) => {
      return error instanceof RefusedError && error.prefix === 'restricted';
    });
    const reason = new Promise(resolve => player.on('notice', resolve));
    relay.cut();
    assert.equal(await reason, 'restricted: not for you');
    assert.equal(player.status, 'closed');
  });

  test('subscriptions that a failed login has closed are renewed with a new login', async () => {
    let logins = 0;
    relay.onMessage = ([verb, id]) => {
      if (verb === 'AUTH') {
        return [['OK', (id as { id: string }).id, ++logins > 1, 'error: try again']];
      }
      const refusal = [['AUTH', `challenge ${logins}`], ['CLOSED', id, 'auth-required: log in']];
      return verb === 'REQ' && logins < 2 ? refusal : undefined;
    };
    player = await client(relay.url);
    assert.equal(logins, 2);
    await begin();
  });

  test('an acceptance whose game began and ended while the client was away fails', async () => {
    let sent = 0;
    relay.onMessage = ([verb, event]) => {
      if (verb !== 'EVENT') {
        return undefined;
      } else if (++sent === 1) {
        relay.cut();
        return [];
      }
      return [['OK', (event as { id: string }).id, true, 'duplicate: already handled']];
    };
    await assert.rejects(player.accept('0'.repeat(64)), /the game is over/);
    assert.equal(sent, 2);
  });

  test('an invite of an acquaintance is found behind 400 of strangers that arrived before', async () => {
    const [friend, stranger, me] = [generateSecretKey(), generateSecretKey(), guestSigner()];
    const now = Math.floor(Date.now() / 1000);
    const invite = (secret: Uint8Array, serial: number): VerifiedEvent =>
      finalizeEvent({ kind: 5000, content: 'invite', tags: [['p', me.pubkey], ['n', `${serial}`]], created_at: now }, secret);
    const wanted = invite(friend, 0);
    const flood = Array.from({ length: 401 }, (_, i) => invite(stranger, i));
    relay.stored = [
      await me.signEvent({ kind: 3, content: '', tags: [['p', getPublicKey(friend)]], created_at: now }),
      wanted,
    ];
    const received: string[] = [];
    const invited = new GambitClient(relay.url, { signer: me, webSocket: WebSocket });
    relay.onMessage = ([verb, id, filter]) => {
      const { kinds, '#p': p, authors } = (filter ?? {}) as Filter;
      const isOpen = verb === 'REQ' && kinds?.[0] === 5000 && p?.[0] === me.pubkey && !authors;
      return isOpen ? [...[...flood, wanted].map(it => ['EVENT', id, it]), ['EOSE', id]] : undefined;
    };
    const found = new Promise<void>(resolve => {
      invited.on('invite', it => received.push(it.id) && it.id === wanted.id && resolve());
    });
    await invited.connect();
    await found;
    assert.equal(received[0], wanted.id);
    invited.close();
  });

  test('invites that were pending are shown although the relay answers no query of acquaintances', async () => {
    const me = guestSigner();
    const created_at = Math.floor(Date.now() / 1000);
    const tags = [['p', me.pubkey]];
    relay.stored = [finalizeEvent({ kind: 5000, content: 'invite', tags, created_at }, generateSecretKey())];
    relay.onMessage = ([verb, , filter]) =>
      verb === 'REQ' && (filter as Filter).kinds?.[0] === 64 ? [] : undefined;
    const invited = new GambitClient(relay.url, { signer: me, webSocket: WebSocket, answerTimeout: 200 });
    const shown = new Promise(resolve => invited.on('invite', resolve));
    await invited.connect();
    await shown;
    invited.close();
  });

  test('a refused query fails with the reason of the relay', async () => {
    relay.onMessage = ([verb, id]) =>
      verb === 'REQ' ? [['CLOSED', id, 'restricted: not for you']] : undefined;
    await assert.rejects(player.query({ kinds: [4] }), (error: unknown) => {
      return error instanceof RefusedError && error.prefix === 'restricted';
    });
  });

  test('a profile that could not be queried is queried again, and until then is the one before', async () => {
    let ahead = 0;
    const secret = generateSecretKey();
    const profile = (name: string) =>
      finalizeEvent({ kind: 0, content: JSON.stringify({ name }), tags: [], created_at: 1 }, secret);
    const first = profile('Ada');
    const reader = await client(relay.url, { now: () => Date.now() + ahead });
    relay.onMessage = ([verb, id]) => (verb === 'REQ' ? [['CLOSED', id, 'restricted: no']] : undefined);
    assert.equal((await reader.profile(first.pubkey)).name, undefined);
    relay.onMessage = () => undefined;
    relay.stored = [first];
    assert.equal((await reader.profile(first.pubkey)).name, 'Ada');
    ahead = 3_600_000;
    relay.onMessage = ([verb, id]) => (verb === 'REQ' ? [['CLOSED', id, 'restricted: no']] : undefined);
    assert.equal((await reader.profile(first.pubkey)).name, 'Ada');
    relay.onMessage = () => undefined;
    relay.stored = [profile('Bea')];
    assert.equal((await reader.profile(first.pubkey)).name, 'Bea');
  });

  test('a connection without an answer is replaced', async () => {
    const impatient = await client(relay.url, { answerTimeout: 200 });
    let isSilent = true;
    relay.onMessage = ([verb]) => (verb === 'EVENT' && isSilent ? [] : undefined);
    const lost = new Promise(resolve => impatient.on('status', resolve));
    const published = impatient.publish({ kind: 1, content: 'hello', tags: [] });
    assert.equal(await lost, 'reconnecting');
    isSilent = false;
    assert.equal(await published, '');
  });

  test('a client that is closed while it connects opens no connection', async () => {
    const closed = new GambitClient(relay.url, { signer: guestSigner(), webSocket: WebSocket });
    const connected = closed.connect();
    closed.close();
    await assert.rejects(connected, DisconnectedError);
    await player.query({ ids: [] });
    assert.equal(relay.connections, 1, 'that of the other player');
    assert.equal(closed.status, 'closed');
  });

  test('a relay that never answers fails the connection in time', async () => {
    relay.onMessage = () => [];
    await assert.rejects(client(relay.url, { connectTimeout: 300 }), TimeoutError);
  });
});
