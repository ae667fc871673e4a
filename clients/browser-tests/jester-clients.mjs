// Two programs that play chess by kind 30, each with the rules of a client that people have, as read in its source:
// jesterui of December 2023 and Amethyst 1.14.0 (quartz). They know nothing of a referee. What they make of a game
// depends on the events alone, not on the order of arrival.
import { createHash } from 'node:crypto';
import { Chess, DEFAULT_POSITION } from 'chess.js';
import { finalizeEvent, generateSecretKey, getPublicKey } from 'nostr-tools/pure';
import { Relay, useWebSocketImplementation } from 'nostr-tools/relay';
import WebSocket from 'ws';

useWebSocketImplementation(WebSocket);

const KIND = 30;
const START = 0;
const MOVE = 1;

const sha256 = text => createHash('sha256').update(text).digest('hex');

/** What open starts have in `e`. */
export const START_HASH = sha256(DEFAULT_POSITION);

const references = event => event.tags.filter(tag => tag[0] === 'e').map(tag => tag[1]);
const others = event => event.tags.find(tag => tag[0] === 'p')?.[1];

/** A position as both clients write it: with the en passant square after every double step. */
function fenAfter(move) {
  const fields = move.after.split(' ');
  fields[3] = move.isBigPawn() ? `${move.from[0]}${move.color === 'w' ? 3 : 6}` : '-';
  return fields.join(' ');
}

/** Plays a move in SAN; undefined if it is illegal. */
function tryMove(chess, san) {
  try {
    return chess.move(san);
  } catch {
    return undefined;
  }
}

function contentOf(event) {
  try {
    return JSON.parse(event.content);
  } catch {
    return undefined;
  }
}

/** What both do: they publish to relays, keep what these deliver, and wait for what they need. */
class JesterClient {
  /** The answers of relays that did not accept an event. */
  refusals = [];
  #key = generateSecretKey();
  #relays = [];
  #events = new Map();
  #waiting = new Set();

  /** Connects to relays and asks for what the lobby of the client shows. */
  static async open(...urls) {
    const client = new this();
    for (const url of urls) {
      const relay = await Relay.connect(url);
      relay.publishTimeout = 60_000;
      client.#relays.push(relay);
    }
    await client.#subscribe(client.lobbyFilters().map(filter => ({ ...filter, limit: 100 })));
    return client;
  }

  get pubkey() {
    return getPublicKey(this.#key);
  }

  close() {
    this.#relays.forEach(relay => relay.close());
  }

  /** Reads a game and what follows. */
  async follow(id) {
    await this.#subscribe([
      { kinds: [KIND], ids: [id] },
      { kinds: [KIND], '#e': [id], limit: 500 },
    ]);
  }

  #subscribe(filters) {
    return Promise.all(
      this.#relays.map(
        relay =>
          new Promise(oneose => relay.subscribe(filters, { oneose, onevent: event => this.#keep(event) })),
      ),
    );
  }

  #keep(event) {
    this.#events.set(event.id, event);
    this.#waiting.forEach(check => check());
  }

  /** Waits until a function of what has arrived returns something, and returns it. */
  until(condition) {
    return new Promise((resolve, reject) => {
      const check = () => {
        try {
          const value = condition();
          if (value) {
            this.#waiting.delete(check);
            resolve(value);
          }
        } catch (error) {
          this.#waiting.delete(check);
          reject(error);
        }
      };
      this.#waiting.add(check);
      check();
    });
  }

  /** Signs an event and sends it to every relay; the client keeps it, whatever they answer. */
  async publish(content, tags, created_at = Math.floor(Date.now() / 1000)) {
    const event = finalizeEvent({ kind: KIND, created_at, content: JSON.stringify(content), tags }, this.#key);
    const answers = await Promise.allSettled(this.#relays.map(relay => relay.publish(event)));
    this.refusals.push(...answers.filter(it => it.status === 'rejected').map(it => `${it.reason.message}`));
    this.#keep(event);
    return event;
  }

  /** The starts of others in the client's lobby. */
  starts() {
    return this.startEvents().filter(it => it.pubkey !== this.pubkey);
  }

  startEvents() {
    return this.#all().filter(it => contentOf(it)?.kind === START && contentOf(it).history?.length === 0);
  }

  startOf(id) {
    return this.startEvents().find(it => it.id === id);
  }

  /** The messages of a game after its start, by id. */
  messagesOf(id) {
    return this.#all()
      .filter(it => contentOf(it)?.kind === MOVE && references(it).length === 2 && references(it)[0] === id)
      .map(event => ({ event, content: contentOf(event) }));
  }

  /** The events of a game as the client has them. */
  eventsOf(id) {
    return [this.startOf(id), ...this.messagesOf(id).map(it => it.event)];
  }

  #all() {
    return [...this.#events.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
  }

  /** Waits for the own turn in a game, and plays. */
  async move(id, san) {
    await this.until(() => this.turn(this.game(id)) === this.pubkey);
    return this.play(id, san);
  }

  turn(game) {
    return game.chess.turn() === 'w' ? game.white : game.black;
  }
}

/** jesterui: the author of the start has White; from each event it goes to the oldest that follows by its rules. */
export class Jesterui extends JesterClient {
  lobbyFilters() {
    return [START_HASH, this.#hash(this.pubkey)].map(hash => ({ kinds: [KIND], '#e': [hash] }));
  }

  #hash(opponent) {
    return sha256(sha256(opponent) + START_HASH);
  }

  /** Starts a game, for anybody or for one player. */
  challenge({ opponent } = {}) {
    const nonce = Math.random().toString(16).slice(2, 10);
    return this.publish({ version: '0', kind: START, history: [], nonce }, [
      ['e', opponent ? this.#hash(opponent) : START_HASH],
    ]);
  }

  game(id) {
    const messages = this.messagesOf(id);
    const chess = new Chess();
    const moves = [];
    let head = this.startOf(id);
    for (;;) {
      const children = messages.filter(it => references(it.event)[1] === head.id);
      const next = children.sort((a, b) => a.event.created_at - b.event.created_at)[0];
      const history = next?.content.history ?? [];
      const isSuccessor =
        history.length > 0 &&
        history.at(-1) === next.content.move &&
        JSON.stringify(history.slice(0, -1)) === JSON.stringify(moves.map(it => it.san));
      const move = isSuccessor && tryMove(chess, next.content.move);
      if (!move || fenAfter(move) !== next.content.fen) break;
      head = next.event;
      moves.push({ san: next.content.move, id: head.id });
    }
    const black = messages.find(it => it.content.history.length === 2)?.event.pubkey;
    return {
      chess,
      head,
      white: this.startOf(id).pubkey,
      black,
      history: moves.map(it => it.san),
      plies: moves.map(it => it.id),
      result: chess.isCheckmate() ? (chess.turn() === 'w' ? '0-1' : '1-0') : chess.isGameOver() ? '1/2-1/2' : undefined,
    };
  }

  /** Who is to move; the second seat is anybody's until its first move. */
  turn(game) {
    return super.turn(game) ?? (game.white === this.pubkey ? undefined : this.pubkey);
  }

  play(id, san) {
    const { chess, head, history } = this.game(id);
    const move = chess.move(san);
    return this.publish(
      { version: '0', kind: MOVE, fen: fenAfter(move), move: move.san, history: [...history, move.san] },
      [
        ['e', id],
        ['e', head.id],
      ],
    );
  }
}

/** Amethyst: colours by `playerColor`; the longest history is the game; every result ends it. */
export class Amethyst extends JesterClient {
  lobbyFilters() {
    return [
      { kinds: [KIND], '#e': [START_HASH] },
      { kinds: [KIND], '#p': [this.pubkey] },
    ];
  }

  challenge({ opponent, color = 'white' } = {}) {
    const nonce = Math.random().toString(36).slice(2, 10);
    return this.publish(
      { version: '0', kind: START, fen: DEFAULT_POSITION, history: [], nonce, playerColor: color },
      [['e', START_HASH], ...this.#tagOf(opponent)],
    );
  }

  #tagOf(opponent) {
    return opponent ? [['p', opponent]] : [];
  }

  game(id) {
    const start = this.startOf(id);
    const messages = this.messagesOf(id);
    // Of equally long ones the first; an end is seen when it arrives, whatever its id is.
    const latest = messages.reduce((best, it) => (it.content.history.length > (best?.content.history.length ?? -1) ? it : best), undefined);
    const end = messages.find(it => it.content.result !== undefined);
    const chess = new Chess();
    const history = [];
    let fen = DEFAULT_POSITION;
    for (const san of latest?.content.history ?? []) {
      const text = san.replace(/[!?]+$/, '').replaceAll('0', 'O');
      const move = tryMove(chess, text);
      if (!move) break;
      history.push(text);
      fen = fenAfter(move);
    }
    if (latest && fen !== latest.content.fen) {
      // It believes the position, and forgets the moves before.
      chess.load(latest.content.fen);
      history.length = 0;
    }
    const opponent = others(start) ?? messages.find(it => it.event.pubkey !== start.pubkey)?.event.pubkey;
    const isWhite = contentOf(start).playerColor !== 'black';
    return {
      chess,
      fen,
      head: latest?.event ?? start,
      white: isWhite ? start.pubkey : opponent,
      black: isWhite ? opponent : start.pubkey,
      history,
      plies: this.#pliesTo(latest?.event, messages),
      result:
        end?.content.result ??
        (chess.isCheckmate() ? (chess.turn() === 'w' ? '0-1' : '1-0') : chess.isStalemate() ? '1/2-1/2' : undefined),
    };
  }

  /** The moves from the first to an event, by their heads. */
  #pliesTo(event, messages) {
    const plies = [];
    for (let it = messages.find(one => one.event === event); it; ) {
      if (it.content.move !== undefined) plies.unshift(it.event.id);
      it = messages.find(one => one.event.id === references(it.event)[1]);
    }
    return plies;
  }

  /** Who is to move; the other seat of an open start is its reader's, who has pressed "accept". */
  turn(game) {
    return super.turn(game) ?? ([game.white, game.black].includes(this.pubkey) ? undefined : this.pubkey);
  }

  async play(id, san) {
    const { chess, head, history } = this.game(id);
    const move = chess.move(san);
    return this.#send(id, head, { fen: fenAfter(move), move: move.san, history: [...history, move.san] });
  }

  /** Signs a move again, as after some seconds without an answer. */
  repeat({ content, tags, created_at }) {
    return this.publish(JSON.parse(content), tags, created_at + 1);
  }

  resign(id) {
    const game = this.game(id);
    const result = game.white === this.pubkey ? '0-1' : '1-0';
    return this.#end(id, game, { result, termination: 'resignation' });
  }

  /** Offers a draw, or accepts one, as the library writes it; no button of the app does. */
  draw(id) {
    return this.#end(id, this.game(id), { result: '1/2-1/2', termination: 'draw_agreement' });
  }

  #end(id, { fen, head, history }, end) {
    return this.#send(id, head, { fen, history, ...end });
  }

  #send(id, head, content) {
    const { white, black } = this.game(id);
    const opponent = [white, black, this.startOf(id).pubkey].find(it => it && it !== this.pubkey);
    return this.publish({ version: '0', kind: MOVE, ...content }, [
      ['e', id],
      ['e', head.id],
      ...this.#tagOf(opponent),
    ]);
  }
}
