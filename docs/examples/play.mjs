// Two players are paired on a Gambit relay and play a game, with unmodified nostr-tools: they receive
// everything under subscriptions. docs/protocol/nip100.md explains each message.
//
//   npm ci && node play.mjs [ws://localhost:7447] [mate|draw|resign]     (Node 18 or newer)
import { randomUUID, webcrypto } from 'node:crypto';
import { fetchRelayInformation } from 'nostr-tools/nip11';
import { SimplePool, useWebSocketImplementation } from 'nostr-tools/pool';
import { finalizeEvent, generateSecretKey, getPublicKey } from 'nostr-tools/pure';
import WebSocket from 'ws';

useWebSocketImplementation(WebSocket); // built into Node from version 22 on
globalThis.crypto ??= webcrypto; // built in from version 20 on

/** The games: moves in UCI, and the request of the side to move after them. */
const plans = {
  mate: { moves: ['e2e4', 'e7e5', 'f1c4', 'b8c6', 'd1h5', 'g8f6', 'h5f7'] },
  draw: { moves: ['e2e4', 'e7e5', 'g1f3', 'b8c6'], then: { kind: 5002, content: 'offer' } },
  resign: { moves: ['f2f3', 'e7e5', 'g2g4'], then: { kind: 5003, content: 'resign' } },
};

const [url = 'ws://localhost:7447', ending = 'mate'] = process.argv.slice(2);
const plan = plans[ending];

// The referee's key; chess.max_clock_skew is the allowed difference between a client's clock and the relay's.
const { self: referee, chess } = await fetchRelayInformation(url);

class Player {
  #secret = generateSecretKey();
  #pubkey = getPublicKey(this.#secret);
  #sign = async template => finalizeEvent(template, this.#secret);
  // With NIP-42 switched on, a reconnected client is back in its game without a request.
  // A connection for each player: moves are accepted where the player has logged in or sent `connect`.
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
    // Subscribe first, and to new events only: otherwise the relay's answer could be missed.
    await this.#subscribe(
      { kinds: [5000, 5001, 5002, 64], authors: [referee], '#p': [this.#pubkey], limit: 0 },
      event => this.#toldByReferee(event),
    );
    // The nonce makes each event different; players with the same time control are paired.
    await this.#publish(5000, 'connect', [['time', '300+3'], ['nonce', randomUUID()]]);
    return record.finally(() => this.#pool.destroy());
  }

  async #toldByReferee(event) {
    if (event.kind === 64) {
      this.#finished(event);
    } else if (event.kind === 5001) {
      this.#toldByOpponent(event); // the opponent uses the other dialect: the referee translates
    } else if (event.content === 'gameisfound') {
      await (this.#game ? this.#resume(event) : this.#begin(event));
    } else if (event.content === 'offersent') {
      this.#publish(5002, 'accept', [['e', this.#game, '', 'root']]);
    } else if (event.content === 'gameaborted') {
      this.#failed(new Error('The game was called off.')); // there is no record
    } else {
      // gamecheckmate, gamedraw, opponentresigned, gamelost
      this.#say(`is told: ${event.content}, ${tag(event, 'result')}, ${tag(event, 'termination')}`);
    }
  }

  /** The colours are in the p tags: ["p", <pubkey>, "", "white" | "black"]. */
  async #begin(found) {
    const players = found.tags.filter(([name]) => name === 'p');
    const [, opponent] = players.find(([, key]) => key !== this.#pubkey);
    this.#colour = players.find(([, key]) => key === this.#pubkey)[3];
    this.#game = found.id;
    this.#say(`has found a game: ${found.id}`);
    // Moves sent before this subscription are stored, and arrive now; the opponent's clock may be slow.
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

  /** The current game, after a reconnection. */
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
      return; // another game of these players
    }
    const ply = Number(tag(move, 'ply') ?? this.#plies + 1);
    if (ply <= this.#plies) {
      return; // received before the reconnection
    }
    this.#plies = ply;
    await this.#move();
  }

  async #move() {
    const root = ['e', this.#game, '', 'root'];
    const uci = plan.moves[this.#plies];
    if (uci) {
      // The tags for game and ply are optional; they prevent the use of the move in another place.
      this.#plies++;
      await this.#publish(5001, uci, [root, ['ply', `${this.#plies}`]]);
      this.#say(`has played ${uci}`);
    } else if (plan.then) {
      const answer = await this.#publish(plan.then.kind, plan.then.content, [root]);
      this.#say(`has said ${plan.then.content}, and is answered: ${answer}`);
    }
  }

  /** Signs and sends; returns the text of the relay's OK, and fails if it is a refusal. */
  async #publish(kind, content, tags) {
    const created_at = Math.floor(Date.now() / 1000);
    const event = await this.#sign({ kind, created_at, tags, content });
    const onauth = this.#sign; // logs in after `auth-required: …`, and sends the event again
    const [answer] = await Promise.all(this.#pool.publish([url], event, { onauth }));
    return answer;
  }

  /** Resolves after the stored events. */
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
