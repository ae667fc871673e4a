import { matchFilters, type Filter } from 'nostr-tools/filter';
import { finalizeEvent, getPublicKey } from 'nostr-tools/pure';
import type { VerifiedEvent, WebSocketLike } from '../../src/index.js';
import { rootGame, tagValue } from '../../src/events.js';
import type { HandClock } from './hand-clock.js';

/** A game as it really is. */
export interface TrueGame {
  readonly id: string;
  readonly isWhite: boolean;
  readonly time: string;
  readonly rated: boolean;
  moves: VerifiedEvent[];
  result?: string;
  termination?: string;
}

/** One connection of the client: messages wait in both directions until a step of the test lets them pass. */
class Link {
  readonly toRelay: unknown[][] = [];
  readonly toClient: unknown[][] = [];
  readonly subscriptions = new Map<string, Filter[]>();
  readonly connects = new Set<string>();
  isOpen = false;
  isBound = false;

  constructor(readonly socket: WebSocketLike) {}
}

/**
 * A relay without sockets, and the referee of games without rules: each move of the side to move is legal. It has
 * one player and one opponent, who does what the test says. Messages and faults happen when the test says so.
 */
export class SimulatedRelay {
  readonly #clock: HandClock;
  readonly #secret = new Uint8Array(32).fill(1);
  readonly #opponent = new Uint8Array(32).fill(2);
  readonly #player: string;
  readonly #answers = new Map<string, [boolean, string]>();
  #stored: VerifiedEvent[] = [];
  #link: Link | undefined;
  #serial = 0;
  /** Refuses the next events with these texts, and the next subscriptions with these reasons. */
  readonly refusals: string[] = [];
  readonly closings: string[] = [];
  isReachable = true;
  /** Whether the player's own connection is told of an ending that the player has caused. */
  tellsCauser = true;
  isSearching = false;
  /** Whether the search is for a rated game. */
  wantsRated = false;
  /** The slow games that the player may have beside a live one. */
  readonly slowGames: number;
  readonly games: TrueGame[] = [];
  /** The games to which invites and acceptances have led. */
  readonly led = new Map<string, TrueGame>();
  /** Pending invites by their ids. */
  readonly received = new Map<string, VerifiedEvent>();
  readonly sent = new Map<string, VerifiedEvent>();
  readonly relayPubkey = getPublicKey(this.#secret);
  readonly opponent = getPublicKey(this.#opponent);
  readonly webSocket: new (url: string) => WebSocketLike;

  constructor(clock: HandClock, player: string, slowGames: number) {
    this.#clock = clock;
    this.slowGames = slowGames;
    this.#player = player;
    const connect = (socket: WebSocketLike): void => {
      this.#link = new Link(socket);
    };
    const send = (socket: WebSocketLike, data: string): void => {
      if (this.#link?.socket === socket) {
        this.#link.toRelay.push(JSON.parse(data) as unknown[]);
      }
    };
    const close = (socket: WebSocketLike): void => {
      if (this.#link?.socket === socket) {
        this.#forget();
      }
    };
    this.webSocket = class implements WebSocketLike {
      onopen = null;
      onmessage = null;
      onclose = null;
      onerror = null;
      constructor() {
        connect(this);
      }
      send(data: string): void {
        send(this, data);
      }
      close(): void {
        close(this);
      }
    };
  }

  get document(): object {
    const limits = { rated: true, first_move_limit: 30, abandon_grace: 60, max_clock_skew: 60 };
    const chess = { default_time: '300', ...limits, ...(this.slowGames > 0 && { slow_games: this.slowGames }) };
    return { self: this.relayPubkey, supported_nips: [1, 11, 42], chess };
  }

  get isIdle(): boolean {
    return !this.#link || (this.#link.isOpen && this.#link.toRelay.length + this.#link.toClient.length === 0);
  }

  /** Lets one message pass, or a connection begin. */
  pass(direction: 'in' | 'out'): void {
    const link = this.#link;
    if (!link) {
      return;
    }
    if (!link.isOpen) {
      if (!this.isReachable) {
        return this.cut();
      }
      link.isOpen = true;
      link.toClient.push(['AUTH', `challenge ${++this.#serial}`]);
      call(link.socket.onopen, {});
    } else if (direction === 'in') {
      const message = link.toRelay.shift();
      if (message) {
        this.#handle(link, message);
      }
    } else {
      const message = link.toClient.shift();
      if (message) {
        call(link.socket.onmessage, { data: JSON.stringify(message) });
      }
    }
  }

  /** Sends the next message to the client twice. */
  repeat(): void {
    const [next] = this.#link?.toClient ?? [];
    if (next) {
      this.#link?.toClient.unshift(next);
    }
  }

  cut(): void {
    const link = this.#link;
    this.#forget();
    if (link) {
      call(link.socket.onclose, {});
    }
  }

  restart(): void {
    this.isSearching = false;
    this.cut();
  }

  #forget(): void {
    this.#link = undefined;
    this.isSearching = false; // a searcher leaves the queue with the last connection
  }

  // what the opponent does

  pair(): void {
    if (this.isSearching && !this.live) {
      this.#begin('300', [...(this.#link?.connects ?? [])], this.wantsRated);
    }
  }

  move(): void {
    const game = this.#any(this.running.filter(isOpponentToMove));
    if (game) {
      const tags = [['e', game.id, '', 'root'], ['ply', `${game.moves.length + 1}`]];
      this.#played(game, this.#sign(5001, uci(game.moves.length, this.#serial), tags, this.#opponent));
    }
  }

  resign(): void {
    const game = this.#any(this.running);
    if (game) {
      this.#end(game, 'resignation', game.isWhite ? '1-0' : '0-1');
    }
  }

  /** Both have agreed to take moves back. */
  takeBack(): void {
    const game = this.#any(this.running);
    if (game && game.moves.length > 0) {
      game.moves = game.moves.slice(0, -1);
      this.#publish(this.#resume(game));
      this.#publish(this.#state(game));
    }
  }

  invite(time: string): void {
    const event = this.#sign(5000, 'invite', [['p', this.#player], ['time', time]], this.#opponent);
    this.received.set(event.id, event);
    this.#store(event);
    this.#publish(event);
  }

  withdraw(): void {
    this.#remove([...this.received.keys()][0]);
  }

  answerInvite(accepts: boolean): void {
    const [id, event] = this.#any([...this.sent]) ?? [];
    const time = (event && tagValue(event, 'time')) ?? '';
    if (id && !(accepts && this.#isFull(time))) {
      this.#remove(id);
      if (accepts) {
        this.#begin(time, [id]);
      } else {
        this.#publish(this.#sign(5000, 'reject', [['e', id], ['p', this.#player]], this.#opponent));
      }
    }
  }

  expireInvite(): void {
    const [id] = this.sent.keys();
    if (id) {
      this.#remove(id);
      this.#publish(this.#sign(5000, 'inviteexpired', [['e', id], ['p', this.#player]]));
    }
  }

  comment(game: TrueGame): void {
    const event = this.#sign(1111, 'well played', [['E', game.id]], this.#opponent);
    this.#store(event);
    this.#publish(event);
  }

  // what the player asks for

  #handle(link: Link, [verb, first, ...rest]: unknown[]): void {
    if (verb === 'REQ') {
      const id = first as string;
      const closing = this.closings.shift();
      if (closing && !(closing.startsWith('auth-required:') && link.isBound)) {
        link.toClient.push(['CLOSED', id, closing]);
        return;
      }
      link.subscriptions.set(id, rest as Filter[]);
      for (const event of this.#query(rest as Filter[])) {
        link.toClient.push(['EVENT', id, event]);
      }
      link.toClient.push(['EOSE', id]);
    } else if (verb === 'CLOSE') {
      link.subscriptions.delete(first as string);
    } else if (verb === 'AUTH') {
      link.isBound = true;
      link.toClient.push(['OK', (first as VerifiedEvent).id, true, '']);
      this.running.forEach(game => this.#publish(this.#resume(game)));
    } else if (verb === 'EVENT') {
      this.#submit(link, first as VerifiedEvent);
    }
  }

  #submit(link: Link, event: VerifiedEvent): void {
    const before = this.#answers.get(event.id);
    const after: (() => void)[] = [];
    const refusal = before ? undefined : this.refusals.shift();
    let answer: [boolean, string];
    if (before) {
      answer = before[0] ? [true, 'duplicate: already handled'] : before;
    } else if (refusal) {
      answer = [false, refusal];
    } else if (event.kind !== 5000 && !link.isBound) {
      answer = [false, 'auth-required: send connect first'];
    } else {
      answer = this.#decide(link, event, after);
      this.#answers.set(event.id, answer);
    }
    link.toClient.push(['OK', event.id, ...answer]);
    if (answer[1].startsWith('auth-required:')) {
      link.toClient.push(['AUTH', `challenge ${++this.#serial}`]);
    }
    after.forEach(run => run());
  }

  #decide(link: Link, event: VerifiedEvent, after: (() => void)[]): [boolean, string] {
    const game = this.running.find(({ id }) => id === rootGame(event));
    if (Math.abs(event.created_at - this.#clock.now / 1000) > 61) {
      return [false, "invalid: created_at is more than 60 s from the relay's clock"];
    }
    if (event.kind === 5001) {
      const ply = (game?.moves.length ?? 0) + 1;
      if (!game) {
        return [false, 'invalid: no game in progress'];
      } else if (tagValue(event, 'ply') !== `${ply}`) {
        return [false, 'invalid: stale: not the next ply'];
      } else if (isOpponentToMove(game)) {
        return [false, 'invalid: not your turn'];
      }
      after.push(() => this.#played(game, event));
      return [true, ''];
    }
    if (event.kind === 5003) {
      if (!game) {
        return [false, 'invalid: no game in progress'];
      }
      after.push(() => this.#end(game, 'resignation', game.isWhite ? '0-1' : '1-0', this.tellsCauser));
      return [true, 'resigned'];
    }
    const named = tagValue(event, 'e') ?? '';
    const { live } = this;
    switch (event.content) {
      case 'connect':
        link.isBound = true;
        link.connects.add(event.id);
        if (live) {
          after.push(() => {
            this.#publish(this.#resume(live));
            link.toClient.push(['OK', event.id, true, live.isWhite ? 'white' : 'black']);
          });
        } else if (this.isSearching) {
          return [true, 'duplicate: already searching'];
        }
        this.isSearching = !live;
        this.wantsRated = tagValue(event, 'rated') === 'true';
        return [true, ''];
      case 'cancelsearch':
        this.isSearching = false;
        if (live && live.moves.length < (live.isWhite ? 1 : 2)) {
          after.push(() => this.#end(live, 'aborted', '*', true));
        }
        return [true, ''];
      case 'invite':
        if (this.#isFull(tagValue(event, 'time') ?? '')) {
          return [false, 'invalid: a game is in progress'];
        }
        this.sent.set(event.id, event);
        this.#store(event);
        return [true, ''];
      case 'accept': {
        const invite = this.received.get(named);
        const time = invite && tagValue(invite, 'time');
        if (time === undefined || this.#isFull(time)) {
          return [false, time === undefined ? 'invalid: no such invite' : 'invalid: a game is in progress'];
        }
        after.push(() => {
          this.#remove(named);
          this.#begin(time, [event.id]);
        });
        return [true, ''];
      }
      case 'reject':
        if (!this.received.has(named) && !this.sent.has(named)) {
          return [false, 'invalid: no such invite'];
        }
        this.#remove(named);
        return [true, ''];
      default:
        return [false, 'invalid: unknown request'];
    }
  }

  // the games

  get running(): TrueGame[] {
    return this.games.filter(({ result }) => !result);
  }

  /** The running game beside which no live game can begin. */
  get live(): TrueGame | undefined {
    return this.running.find(({ time }) => !(this.slowGames > 0 && isSlow(time)));
  }

  /** Whether no game with this time control can begin. */
  #isFull(time: string): boolean {
    const slow = this.running.length - (this.live ? 1 : 0);
    return this.slowGames > 0 && isSlow(time) ? slow >= this.slowGames : this.live !== undefined;
  }

  #any<T>(values: readonly T[]): T | undefined {
    return values[Math.floor(this.#clock.random() * values.length)];
  }

  #begin(time: string, answered: string[], rated = false): void {
    const isWhite = this.#clock.random() < 0.5;
    const found = this.#sign(5000, 'gameisfound', [...this.#players(isWhite), ['time', time], ['n', `${++this.#serial}`], ...ratings(rated)]);
    const game = { id: found.id, isWhite, time, rated, moves: [] };
    this.games.push(game);
    this.isSearching &&= !this.live;
    this.#store(found);
    this.#publish(found);
    this.#publish(this.#state(game));
    for (const id of answered) {
      this.led.set(id, game);
      this.#link?.toClient.push(['OK', id, true, isWhite ? 'white' : 'black']);
    }
    if (game === this.live) {
      this.#link?.connects.clear();
    }
  }

  #played(game: TrueGame, event: VerifiedEvent): void {
    game.moves = [...game.moves, event];
    this.#store(event);
    this.#publish(event);
    this.#publish(this.#state(game));
  }

  #end(game: TrueGame, termination: string, result: string, isTold = true): void {
    Object.assign(game, { result, termination });
    const tags = [['e', game.id, '', 'root'], ...this.#players(game.isWhite), ['result', result], ['termination', termination]];
    if (isTold) {
      this.#publish(this.#sign(5000, termination === 'aborted' ? 'gameaborted' : 'gamelost', tags));
    }
    this.#publish(this.#state(game));
    if (result !== '*') {
      const plies = ['plies', ...game.moves.map(({ id }) => id)];
      const record = this.#sign(64, `[TimeControl "${game.time}"]\n\n${'Nf3 '.repeat(game.moves.length)}${result}\n`, [...tags, plies]);
      this.#store(record);
      this.#publish(record);
    }
  }

  #players(isWhite: boolean): string[][] {
    const [white, black] = isWhite ? [this.#player, this.opponent] : [this.opponent, this.#player];
    return [['p', white, '', 'white'], ['p', black, '', 'black']];
  }

  #state(game: TrueGame): VerifiedEvent {
    const last = game.moves.at(-1)?.content;
    return this.#sign(20302, fenAfter(game.moves.length), [
      ['d', game.id],
      ...this.#players(game.isWhite),
      ['ply', `${game.moves.length}`],
      ['turn', game.moves.length % 2 === 0 ? 'white' : 'black'],
      ...(last ? [['move', last]] : []),
      ...ratings(game.rated),
      ...(game.result ? [['result', game.result], ['termination', game.termination ?? '']] : []),
    ]);
  }

  #resume(game: TrueGame): VerifiedEvent {
    return this.#sign(5000, 'gameisfound', [
      ['e', game.id, '', 'root'],
      ...this.#players(game.isWhite),
      ['time', game.time],
      ['fen', fenAfter(game.moves.length)],
      ['moves', game.moves.map(({ content }) => content).join(' ')],
      ...ratings(game.rated),
    ]);
  }

  // events

  #sign(kind: number, content: string, tags: string[][], secret = this.#secret): VerifiedEvent {
    this.#serial++;
    return finalizeEvent({ kind, content, tags, created_at: Math.floor(this.#clock.now / 1000) }, secret);
  }

  #store(event: VerifiedEvent): void {
    this.#stored.push(event);
  }

  #remove(id: string | undefined): void {
    this.received.delete(id ?? '');
    this.sent.delete(id ?? '');
    this.#stored = this.#stored.filter(event => event.id !== id);
  }

  #query(filters: Filter[]): VerifiedEvent[] {
    const current = this.running.map(game => this.#state(game));
    const found = filters.flatMap(filter =>
      [...this.#stored, ...current]
        .filter(event => matchFilters([filter], event))
        .reverse()
        .slice(0, filter.limit),
    );
    return [...new Set(found)];
  }

  #publish(event: VerifiedEvent): void {
    const link = this.#link;
    for (const [id, filters] of link?.subscriptions ?? []) {
      if (matchFilters(filters, event)) {
        link?.toClient.push(['EVENT', id, event]);
      }
    }
  }
}

/** The tags of a rated game at its start. */
function ratings(rated: boolean): string[][] {
  return rated ? [['rated', 'blitz'], ['rating', 'white', '1523', '87'], ['rating', 'black', '1500', '500']] : [];
}

function isOpponentToMove({ moves, isWhite }: TrueGame): boolean {
  return (moves.length % 2 === 1) === isWhite;
}

function isSlow(time: string): boolean {
  return time === '-' || time.startsWith('1/');
}

function call(handler: unknown, event: unknown): void {
  (handler as ((event: unknown) => void) | null)?.(event);
}

/** A position of its own for each number of plies. */
export function fenAfter(plies: number): string {
  return `rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR ${plies % 2 === 0 ? 'w' : 'b'} KQkq - 0 ${1 + plies}`;
}

/** A text in the form of a move. */
export function uci(ply: number, salt: number): string {
  return `${'abcdefgh'[ply % 8]}${1 + (salt % 4)}${'abcdefgh'[(ply + salt) % 8]}${5 + (salt % 4)}`;
}
