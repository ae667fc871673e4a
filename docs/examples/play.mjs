// Two players meet on a Gambit relay and play a game, with nostr-tools as it is: all that they are
// told, they are told under subscriptions. See docs/protocol/nip100.md for what each message means.
//
//   npm ci && node play.mjs [ws://localhost:7447] [mate|draw|resign]     (Node 18 or newer)
import { randomUUID, webcrypto } from 'node:crypto';
import { fetchRelayInformation } from 'nostr-tools/nip11';
import { SimplePool, useWebSocketImplementation } from 'nostr-tools/pool';
import { finalizeEvent, generateSecretKey, getPublicKey } from 'nostr-tools/pure';
import WebSocket from 'ws';

useWebSocketImplementation(WebSocket); // Node has one of its own from version 22 on
globalThis.crypto ??= webcrypto; // and from version 20 on

/** What is played: moves in UCI, and what the side to move does after them. */
const plans = {
  mate: { moves: ['e2e4', 'e7e5', 'f1c4', 'b8c6', 'd1h5', 'g8f6', 'h5f7'] },
  draw: { moves: ['e2e4', 'e7e5', 'g1f3', 'b8c6'], then: { kind: 5002, content: 'offer' } },
  resign: { moves: ['f2f3', 'e7e5', 'g2g4'], then: { kind: 5003, content: 'resign' } },
};

const [url = 'ws://localhost:7447', ending = 'mate'] = process.argv.slice(2);
const plan = plans[ending];

// The referee's key; chess.max_clock_skew is how far clients' clocks may be from the relay's.
const { self: referee, chess } = await fetchRelayInformation(url);

class Player {
  #secret = generateSecretKey();
  #pubkey = getPublicKey(this.#secret);
  #sign = async template => finalizeEvent(template, this.#secret);
  // First thing: with NIP-42 switched on, a connection that broke is back in its game by itself.
  // A connection for each player: one moves where one has logged in, or has said `connect`.
  #pool = new SimplePool({ automaticallyAuth: () => this.#sign, enableReconnect: true });
  #game;
  #colour;
  #plies = 0;
  #finished;
  #failed;

  /** Plays a game, and returns its record. */
  async play() {
    const record = new Promise((finished, failed) => {
      this.#finished = finished;
      this.#failed = failed;
    });
    // First of all, and only what is new: otherwise the relay's answer could be missed.
    await this.#subscribe(
      { kinds: [5000, 5001, 5002, 64], authors: [referee], '#p': [this.#pubkey], limit: 0 },
      event => this.#toldByReferee(event),
    );
    // The nonce makes it another event each time; those with the same time control are paired.
    await this.#publish(5000, 'connect', [['time', '300+3'], ['nonce', randomUUID()]]);
    return record.finally(() => this.#pool.destroy());
  }

  async #toldByReferee(event) {
    if (event.kind === 64) {
      this.#finished(event);
    } else if (event.kind === 5001) {
      this.#toldByOpponent(event); // who speaks the other dialect: the referee translates
    } else if (event.content === 'gameisfound') {
      await (this.#game ? this.#resume(event) : this.#begin(event));
    } else if (event.content === 'offersent') {
      this.#publish(5002, 'accept', [['e', this.#game, '', 'root']]);
    } else if (event.content === 'gameaborted') {
      this.#failed(new Error('The game was called off.')); // and leaves no record
    } else {
      // gamecheckmate, gamedraw, opponentresigned, gamelost
      this.#say(`is told: ${event.content}, ${tag(event, 'result')}, ${tag(event, 'termination')}`);
    }
  }

  /** The colours stand in the p tags: ["p", <pubkey>, "", "white" | "black"]. */
  async #begin(found) {
    const players = found.tags.filter(([name]) => name === 'p');
    const [, opponent] = players.find(([, key]) => key !== this.#pubkey);
    this.#colour = players.find(([, key]) => key === this.#pubkey)[3];
    this.#game = found.id;
    this.#say(`has found a game: ${found.id}`);
    // Moves that were faster than this are stored, and come now; the opponent's clock may be slow.
    await this.#subscribe(
      {
        kinds: [5001],
        authors: [opponent],
        since: found.created_at - chess.max_clock_skew,
      },
      event => this.#toldByOpponent(event),
    );
    if (this.#colour === 'white') {
      await this.#move();
    }
  }

  /** After a reconnection: the game as it stands. */
  async #resume(found) {
    const moves = tag(found, 'moves')?.split(' ') ?? [];
    if (tag(found, 'e') === this.#game && moves.length > this.#plies) {
      this.#plies = moves.length; // more than this client has seen
      if (this.#plies % 2 === (this.#colour === 'white' ? 0 : 1)) {
        await this.#move();
      }
    }
  }

  async #toldByOpponent(move) {
    if ((tag(move, 'e') ?? this.#game) !== this.#game) {
      return; // of another game of the two
    }
    const ply = Number(tag(move, 'ply') ?? this.#plies + 1);
    if (ply <= this.#plies) {
      return; // seen before the connection broke
    }
    this.#plies = ply;
    await this.#move();
  }

  async #move() {
    const root = ['e', this.#game, '', 'root'];
    const uci = plan.moves[this.#plies];
    if (uci) {
      // Game and ply are not asked for, but then nobody can take the move for another one.
      this.#plies++;
      await this.#publish(5001, uci, [root, ['ply', `${this.#plies}`]]);
      this.#say(`has played ${uci}`);
    } else if (plan.then) {
      const answer = await this.#publish(plan.then.kind, plan.then.content, [root]);
      this.#say(`has said ${plan.then.content}, and is answered: ${answer}`);
    }
  }

  /** Signs and sends; returns what the relay's OK says, and fails when it is a refusal. */
  async #publish(kind, content, tags) {
    const created_at = Math.floor(Date.now() / 1000);
    const event = await this.#sign({ kind, created_at, tags, content });
    const onauth = this.#sign; // logs in after `auth-required: …`, and sends the event again
    const [answer] = await Promise.all(this.#pool.publish([url], event, { onauth }));
    return answer;
  }

  /** Resolves when the stored events are through. */
  #subscribe(filter, onevent) {
    return new Promise(oneose => this.#pool.subscribe([url], filter, { onevent, oneose }));
  }

  #say(words) {
    console.log(`${this.#colour} ${words}`);
  }
}

function tag(event, name) {
  return event.tags.find(([it]) => it === name)?.[1];
}

const [record] = await Promise.all([new Player().play(), new Player().play()]);
console.log(record.content);
