// Clients that know no referee play by kind 30 at a relay: what they see afterwards is what the relay's record says.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { Chess } from 'chess.js';
import { Relay as Connection } from 'nostr-tools/relay';
import { Amethyst, Jesterui } from './jester-clients.mjs';
import { Relay } from './relay.mjs';
import { relay, startRelayAndBrowser } from './relay-and-browser.mjs';

const MATE = 'e4 e5 Nf3 Nc6 Bc4 d6 Nc3 Bg4 h3 Bh5 Nxe5 Bxd1 Bxf7+ Ke7 Nd5#';
const BLACK_MATES = 'f3 e5 g4 Qh4#';
const STALEMATE = 'e3 a5 Qh5 Ra6 Qxa5 h5 h4 Rah6 Qxc7 f6 Qxd7+ Kf7 Qxb7 Qd3 Qxb8 Qh7 Qxc8 Kg6 Qe6';
/** En passant, castling, a promotion with capture. */
const RARE_MOVES = 'e4 h6 e5 f5 exf6 h5 fxg7 h4 gxh8=N h3 Nf3 hxg2 Bxg2 Nc6 O-O d5 d4 Be6 Nc3 Qd7 Re1 O-O-O';

startRelayAndBrowser();

const clients = [];
after(() => clients.forEach(client => client.close()));

async function open(Client, ...relays) {
  const client = await Client.open(...(relays.length ? relays : [relay]).map(it => it.socket));
  clients.push(client);
  return client;
}

/** Both open a game that one of them has started, as the other finds it. */
async function begin(challenger, other, options, { isListed = true } = {}) {
  const { id } = await challenger.challenge(options);
  if (isListed) {
    await other.until(() => other.starts().some(it => it.id === id));
  }
  await Promise.all([challenger.follow(id), other.follow(id)]);
  return { id, challenger, other };
}

/** Plays moves in turn, and waits until both have seen the last one. */
async function play({ id, challenger, other }, moves, whiteIs = challenger) {
  const black = whiteIs === challenger ? other : challenger;
  let last;
  for (const [ply, san] of moves.split(' ').entries()) {
    last = await (ply % 2 === 0 ? whiteIs : black).move(id, san);
  }
  for (const player of [challenger, other]) {
    await player.until(() => player.game(id).plies.at(-1) === last.id);
  }
}

/** The relay's record of a game, once there is one. */
async function recordOf(id, at = relay) {
  const connection = await Connection.connect(at.socket);
  const record = await new Promise(onevent => connection.subscribe([{ kinds: [64], '#e': [id] }], { onevent }));
  connection.close();
  return record;
}

/** Waits until a player has what the record says of moves and players, also of their events unless they were repeated. */
async function sees(player, record, isRepeated = false) {
  const tags = name => record.tags.filter(tag => tag[0] === name);
  const [root] = tags('e');
  const [plies] = tags('plies');
  const game = await player.until(() => {
    const it = player.game(root[1]);
    return it.plies.length === plies.length - 1 ? it : undefined;
  });
  const pgn = new Chess();
  pgn.loadPgn(record.content);
  assert.deepEqual(game.history, pgn.history());
  if (!isRepeated) {
    assert.deepEqual(game.plies, plies.slice(1));
  }
  assert.deepEqual([game.white, game.black], tags('p').map(tag => tag[1]));
}

/** Fails unless both have seen the whole game as the relay recorded it, and no relay has refused anything. */
async function assertRecorded({ id, challenger, other }, { result, termination, isSeen = () => true, isRepeated = false }) {
  const record = await recordOf(id);
  const tag = name => record.tags.find(it => it[0] === name)?.slice(1);
  assert.deepEqual([tag('result'), tag('termination')], [[result], [termination]]);
  assert.deepEqual(tag('dialect'), ['jester']);
  for (const player of [challenger, other]) {
    await sees(player, record, isRepeated);
    if (isSeen(player)) {
      await player.until(() => player.game(id).result === result);
    }
    assert.deepEqual(player.refusals, []);
  }
  return record;
}

test('an open start of jesterui, taken by Amethyst: to mate', async () => {
  const game = await begin(await open(Jesterui), await open(Amethyst));
  await play(game, MATE);
  await assertRecorded(game, { result: '1-0', termination: 'checkmate' });
});

test('a challenge of jesterui, by the hash of the other key: to stalemate', async () => {
  const other = await open(Jesterui);
  const stranger = await open(Amethyst);
  const game = await begin(await open(Jesterui), other, { opponent: other.pubkey });
  await play(game, STALEMATE);
  await assertRecorded(game, { result: '1/2-1/2', termination: 'stalemate' });
  assert.deepEqual(stranger.starts().filter(it => it.id === game.id), []);
});

test('an open start of Amethyst, taken by jesterui, with all the rare moves: Amethyst resigns', async () => {
  const game = await begin(await open(Amethyst), await open(Jesterui));
  await play(game, RARE_MOVES);
  await game.challenger.resign(game.id);
  const isSeen = player => player instanceof Amethyst; // jesterui knows no resignation
  await assertRecorded(game, { result: '0-1', termination: 'resignation', isSeen });
});

test('Amethyst starts as Black; who takes it has White', async () => {
  const game = await begin(await open(Amethyst), await open(Amethyst), { color: 'black' });
  await play(game, BLACK_MATES, game.other);
  await assertRecorded(game, { result: '0-1', termination: 'checkmate' });
});

test('Amethyst challenges one player by p: who plays jesterui, by a link', async () => {
  const other = await open(Jesterui);
  const game = await begin(await open(Amethyst), other, { opponent: other.pubkey });
  await play(game, BLACK_MATES);
  await assertRecorded(game, { result: '0-1', termination: 'checkmate' });
});

test('an open start that two take is of the first; a challenge is of nobody else', async () => {
  const [first, second] = [await open(Amethyst), await open(Amethyst)];
  const game = await begin(await open(Jesterui), first);
  await second.follow(game.id);
  await game.challenger.move(game.id, 'e4');
  await second.until(() => second.game(game.id).history.length === 1);
  await first.until(() => first.game(game.id).history.length === 1);
  await Promise.all([first.play(game.id, 'e5'), second.play(game.id, 'c5')]);
  const [taker, late] = first.refusals.length === 0 ? [first, second] : [second, first];
  assert.deepEqual([taker.refusals, late.refusals], [[], ['restricted: you do not play this game']]);
  await play({ ...game, other: taker }, 'Nf3 Nc6');

  const challenge = await begin(await open(Amethyst), taker, { opponent: taker.pubkey });
  const stranger = await open(Jesterui); // which lists it, since it does not know p
  await stranger.until(() => stranger.starts().some(it => it.id === challenge.id));
  await stranger.follow(challenge.id);
  await challenge.challenger.move(challenge.id, 'e4');
  await stranger.move(challenge.id, 'e5');
  assert.deepEqual(stranger.refusals, ['restricted: this challenge is for another player']);
  await taker.move(challenge.id, 'e5');
  assert.deepEqual(taker.refusals, []);
});

test('a challenged player resigns instead of a first move', async () => {
  const other = await open(Amethyst);
  const game = await begin(await open(Amethyst), other, { opponent: other.pubkey });
  await other.resign(game.id);
  await assertRecorded(game, { result: '1-0', termination: 'resignation' });
});

test('an offer and the answer to it end a game', async () => {
  const game = await begin(await open(Amethyst), await open(Amethyst));
  await play(game, 'e4 e5');
  const offer = await game.challenger.draw(game.id);
  await game.other.until(() => game.other.messagesOf(game.id).some(it => it.event.id === offer.id));
  const answer = await game.other.draw(game.id);
  const record = await assertRecorded(game, { result: '1/2-1/2', termination: 'agreement' });
  const endings = record.tags.filter(tag => tag[0] === 'ending').map(tag => tag[1]);
  assert.deepEqual(endings.sort(), [offer.id, answer.id].sort());
});

test('a move that Amethyst signs again, since no relay has answered, is no fork, whichever of them the next one follows', async () => {
  const game = await begin(await open(Amethyst), await open(Amethyst));
  for (const [ply, san] of BLACK_MATES.split(' ').entries()) {
    const player = ply % 2 === 0 ? game.challenger : game.other;
    const opponent = ply % 2 === 0 ? game.other : game.challenger;
    const again = await player.repeat(await player.move(game.id, san));
    await opponent.until(() => opponent.eventsOf(game.id).some(it => it.id === again.id));
  }
  await assertRecorded(game, { result: '0-1', termination: 'checkmate', isRepeated: true });
});

test('several games at once, of the same two players', async () => {
  const [one, two] = [await open(Amethyst), await open(Jesterui)];
  const games = [];
  for (const challenger of [one, two, one, two]) {
    games.push(await begin(challenger, challenger === one ? two : one));
  }
  await Promise.all(games.map(game => play(game, MATE)));
  for (const game of games) {
    await assertRecorded(game, { result: '1-0', termination: 'checkmate' });
  }
});

test('the house player takes a challenge by p, as both colours', async () => {
  const headers = { accept: 'application/nostr+json' };
  const { house } = (await (await fetch(relay.url, { headers })).json()).chess;
  for (const color of ['white', 'black']) {
    const player = await open(Amethyst);
    const { id } = await player.challenge({ opponent: house.pubkey, color });
    await player.follow(id);
    for (let move = 1; move <= 4; move++) {
      await player.until(() => player.turn(player.game(id)) === player.pubkey);
      const { chess, history } = player.game(id);
      assert.equal(history.length, 2 * move - (color === 'white' ? 2 : 1)); // it forgets what it does not follow
      await player.play(id, chess.moves().find(san => /^[a-h]\d$/.test(san)) ?? chess.moves()[0]);
    }
    await player.until(() => player.turn(player.game(id)) === player.pubkey);
    await player.resign(id);
    await sees(player, await recordOf(id));
    assert.deepEqual(player.refusals, []);
  }
});

test('events of a game that was played at another relay arrive lost, repeated and in any order', async () => {
  const elsewhere = await Relay.start();
  try {
    const game = await begin(await open(Jesterui, elsewhere), await open(Amethyst, elsewhere));
    await play(game, STALEMATE);
    const events = game.challenger.eventsOf(game.id);
    assert.equal(events.length, STALEMATE.split(' ').length + 1);

    // Sorted by a piece of the id, they are in no order; each comes twice. Three are lost.
    const disordered = [...events, ...events].sort((a, b) => a.id.localeCompare(b.id) || 0);
    const lost = [events[0], ...game.challenger.game(game.id).plies.slice(5, 7).map(id => events.find(it => it.id === id))];
    const connection = await Connection.connect(relay.socket);
    for (const event of disordered.filter(it => !lost.includes(it))) {
      await connection.publish(event); // is rejected by a refusal
    }
    const records = [];
    await new Promise(oneose =>
      connection.subscribe([{ kinds: [64], '#e': [game.id] }], { oneose, onevent: it => records.push(it) }),
    );
    assert.deepEqual(records, []);
    for (const event of lost.reverse()) {
      await connection.publish(event);
    }
    connection.close();

    const watcher = await open(Amethyst);
    await watcher.follow(game.id);
    await sees(watcher, await recordOf(game.id));
    await assertRecorded(game, { result: '1/2-1/2', termination: 'stalemate' });
  } finally {
    await elsewhere.close();
  }
});
