import type { NostrEvent } from 'nostr-tools/pure';
import { afterRestart, betterClocks, clocksAt, runningClock, type ClockReading } from './clock.js';
import { Nip100Commands, type Commands } from './commands.js';
import { deferred } from './deferred.js';
import { Emitter } from './emitter.js';
import { DisconnectedError, GambitError } from './errors.js';
import { Kind, levels, players, secondAfter, tag, tagValue } from './events.js';
import type { GameContext } from './game-context.js';
import type { SentInvite } from './invites.js';
import { isFor, type Start } from './kind30.js';
import { Kind30Game } from './kind30-game.js';
import { parseRatedStart } from './rated-tags.js';
import type { GameState } from './states.js';
import { INITIAL_FEN, parseClock, parseFen, parseUci } from './states.js';
import { parseTimeControl, UNTIMED, type TimeControl } from './time-control.js';
import type {
  ClockTimes,
  Color,
  Comment,
  Dialect,
  GamePresence,
  GameRecord,
  PlayerLevels,
  Proposal,
  RatedStart,
  ReceivedInvite,
  Result,
} from './types.js';

const MAX_COMMENTS = 500;
/** Milliseconds to wait for the state after the answer to a move: it may come after a reconnection. */
const STATE_TIMEOUT = 30_000;
/** How many times a move is signed that became too old before the relay was reached. */
const MAX_SIGNATURES = 5;

export interface GameEvents {
  /** After every update of any field. Several updates of one moment are one event. */
  change: [];
  /** Once, when `result` is set. */
  ended: [];
  comment: [Comment];
  /** The opponent requests a rematch; `rematch()` accepts. */
  rematch: [ReceivedInvite];
}

/**
 * A game that this client plays or follows. The fields are the newest known state and change only from
 * within the library. The commands are those of the game's dialect; each resolves when the relay has accepted it,
 * and fails with a `RefusedError` otherwise. A command that the connection's loss left unanswered is sent again
 * unchanged, so it has its effect once. Games by kind 30 have moves, draw offers, resignations and claims of
 * abandonment only: other commands fail.
 */
export class Game extends Emitter<GameEvents> {
  /** The id of the game: that of the relay's `gameisfound`, or of the start by kind 30. */
  readonly id: string;
  /** Resolves when the state is known; fails if the relay does not know the game. */
  readonly ready: Promise<this>;
  dialect: Dialect = 'nip100';
  /** Whether the game came to this relay by an import or from another relay. */
  elsewhere = false;
  /** Whether it is a start by kind 30 that waits for its second player, who need not be known. */
  isOpen = false;
  /** The players' public keys; empty until `ready`, one also in a game that is open to all. */
  white = '';
  black = '';
  /** The level of the relay's own player, if it plays. */
  levels: PlayerLevels = {};
  /** This client's colour; absent for a spectator, and in a game that is played elsewhere. */
  color?: Color;
  time: TimeControl = UNTIMED;
  /** Of a rated game; whether it counts, its `record` says. */
  rated?: RatedStart;
  /** Whether it is a slow game, which runs beside a live one; `false` until the time control is known. */
  isSlow = false;
  startFen = INITIAL_FEN;
  /**
   * The position. Of a game that was over before this client followed it, the first one: the library has no
   * rules of chess, so play `moves` or `sans` from `startFen`.
   */
  fen = INITIAL_FEN;
  /** The number of moves played, also from a set-up position. */
  ply = 0;
  /** Epoch milliseconds of the relay, in whole seconds, of the last change; 0 before the first state. */
  changedAt = 0;
  /** The side to move. */
  turn: Color = 'white';
  /** All moves in UCI; empty while `movesKnown` is false. */
  moves: readonly string[] = [];
  /** Whether `moves` is complete. It may never become so if a player has deleted events. */
  movesKnown = false;
  /** The last move in UCI and in SAN. */
  lastMove?: string;
  lastSan?: string;
  /** All moves in SAN; of finished games with a record only. */
  sans?: readonly string[];
  proposal?: Proposal;
  presence?: GamePresence;
  /** Set when the game is over. */
  result?: Result;
  termination?: string;
  /** Set soon after the end, unless the game was aborted. */
  record?: GameRecord;
  /**
   * At most 500 comments, oldest first; beyond that, strangers lose theirs before players and acquaintances, and
   * those who write most their oldest ones. While the game runs, the players have each other's, and spectators theirs.
   */
  comments: readonly Comment[] = [];
  /** The opponent's pending request for a rematch. */
  rematchRequest?: ReceivedInvite;

  /** @internal The time of the relay's `gameisfound` in seconds; 0 until it is known. */
  foundAt = 0;
  /** @internal Its moves, if it is one by kind 30. */
  kind30?: Kind30Game;
  readonly #context: GameContext;
  #commands: Commands;
  readonly #ready = deferred<this>();
  #state?: GameState;
  /** As the last state has it. */
  #clock?: ClockReading | undefined;
  /** As the relay has stated it when it resumed the game in this state. */
  #resumedClock?: ClockReading | undefined;
  #sentMove?: { uci: string; ply: number; at: number };
  #changeIsDue = false;
  #endIsDue = false;

  /** @internal Games are made by the client. */
  constructor(id: string, context: GameContext) {
    super();
    this.id = id;
    this.ready = this.#ready.promise;
    this.#context = context;
    this.#commands = new Nip100Commands(id, context);
  }

  /**
   * Milliseconds left for each side now: the running clock is counted down, corrected by the measured
   * difference between this computer's clock and the relay's. `undefined` in an untimed game.
   */
  clock(): ClockTimes | undefined {
    const now = this.#context.now();
    const difference = this.#context.difference.milliseconds;
    const at = (reading: ClockReading | undefined): ClockTimes | undefined =>
      reading && clocksAt(reading, this.clockRunning, now, difference);
    const ofState = this.#clock && afterRestart(this.#clock, this.presence?.resumedAt);
    const resumed = at(this.#resumedClock);
    return resumed && (difference === undefined || ofState?.relayTime === undefined)
      ? resumed
      : betterClocks(at(ofState), resumed);
  }

  /** The side whose clock is running: none before a side's second move, nor after the end. */
  get clockRunning(): Color | undefined {
    return this.result === undefined ? runningClock(this.time, this.ply, this.turn) : undefined;
  }

  /**
   * Plays a move, such as `e2e4` or `e7e8q`. Resolves when the relay has accepted it and the fields show it.
   * A move that became too old while the relay was not reached is signed anew, if the game still waits for it.
   */
  async move(uci: string, options: { offerDraw?: boolean } = {}): Promise<void> {
    const ply = this.ply + 1;
    const onSigned = (): void => {
      this.#sentMove = { uci, ply, at: this.#context.now() };
    };
    for (let signatures = 1; ; signatures++) {
      try {
        await this.#commands.move(uci, ply, options.offerDraw ?? false, onSigned);
        break;
      } catch (error) {
        if (!(error instanceof DisconnectedError) || signatures === MAX_SIGNATURES) {
          throw error;
        }
        await this.#context.whenReady();
        if (this.ply === ply && this.lastMove === uci) {
          break; // its answer was lost
        } else if (this.ply !== ply - 1 || this.result) {
          throw error;
        }
      }
    }
    await this.#shows(ply);
  }

  /** Resolves when the state of a ply was received, which follows the answer to the move, or should have been. */
  async #shows(ply: number): Promise<void> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isLate = false;
    const late = new Promise<void>(resolve => {
      timer = setTimeout(() => {
        isLate = true;
        this.#changed(); // so that `until` ends
        resolve();
      }, STATE_TIMEOUT);
    });
    await Promise.race([this.until(() => this.ply >= ply || isLate || this.result), late]);
    clearTimeout(timer);
  }

  /**
   * Resolves when a condition holds, now or after an update: `until(() => game.turn === game.color)`. It does
   * not by itself end with the game.
   */
  until(condition: () => unknown): Promise<void> {
    return new Promise(resolve => {
      const check = (): void => {
        if (condition()) {
          off();
          resolve();
        }
      };
      const off = this.on('change', check);
      check();
    });
  }

  offerDraw(): Promise<void> {
    return this.#commands.propose('offer');
  }

  /** Accepts the opponent's proposal: a draw offer or a takeback request. */
  accept(): Promise<void> {
    return this.#commands.propose('accept');
  }

  /** Declines the opponent's proposal. */
  decline(): Promise<void> {
    return this.#commands.propose('decline');
  }

  /** Claims a draw by threefold repetition or the fifty-move rule, in turn. */
  claimDraw(): Promise<void> {
    return this.#commands.propose('claim');
  }

  requestTakeback(): Promise<void> {
    return this.#commands.propose('takeback');
  }

  resign(): Promise<void> {
    return this.#commands.resign();
  }

  /** Ends the game without a result, before the player's second move. */
  abort(): Promise<void> {
    return this.#commands.abort();
  }

  /** Claims a game by kind 30 whose opponent has not moved for 24 hours. */
  claimAbandoned(): Promise<void> {
    return this.#commands.claimAbandoned();
  }

  /** Requests a rematch with swapped colours, or accepts the opponent's request. */
  async rematch(): Promise<SentInvite> {
    if (this.kind30) {
      throw new GambitError('games of kind 30 have no rematch');
    }
    return this.#context.rematch(this);
  }

  /** Publishes a comment (NIP-22). While a game of NIP-100 runs, one by a player is for the opponent only. */
  async comment(text: string): Promise<void> {
    const { kind, author } = this.#commands.root;
    const event = [this.id, '', author];
    const tags = [
      ['E', ...event],
      ['K', `${kind}`],
      ['P', author],
      ['e', ...event],
      ['k', `${kind}`],
      ['p', author],
    ];
    // An answer within the same second is of a later one, so that all see it below what it answers.
    const last = (this.comments.at(-1)?.at ?? 0) / 1000;
    await this.#context.publish(Kind.comment, text, tags, { createdAt: secondAfter(last, this.#context.relayTime()) });
  }

  /** Stops following the game. The player's own running games stay up to date. */
  close(): void {
    this.#context.closeGame(this);
  }

  /** @internal The relay's first event of the game. */
  applyFound(event: NostrEvent): void {
    const keys = players(event);
    if (this.foundAt !== 0 || !keys) {
      return;
    }
    this.foundAt = event.created_at;
    this.#applyPlayers(keys, levels(event));
    this.#applyTime(event);
    this.startFen = parseFen(tagValue(event, 'fen')) ?? INITIAL_FEN;
    if (!this.#state && this.moves.length === 0 && !this.result) {
      this.#applyPosition(this.startFen);
      this.movesKnown = true;
      this.#clock ??= this.#initialClock();
    }
    this.#changed();
  }

  /** @internal The first event of a game by kind 30. */
  applyStart(start: Start): void {
    this.applyDialect('jester', this.elsewhere);
    if (this.kind30) {
      this.kind30.start = start;
    }
  }

  /** @internal */
  applyDialect(dialect: Dialect, elsewhere: boolean): void {
    this.dialect = dialect;
    this.elsewhere = elsewhere;
    if (dialect === 'jester' && !this.kind30) {
      this.kind30 = new Kind30Game(this, this.#context);
      this.#commands = this.kind30;
      this.isSlow = true;
    }
  }

  /** @internal It has neither a state nor a record: one seat is free, or its player has not moved yet. */
  applyOpen({ author, color, opponent }: Start): void {
    if (this.isOpen || this.#state || this.result) {
      return;
    }
    this.isOpen = true;
    this.movesKnown = true;
    this.#applySeats(author, color, opponent ?? '');
  }

  #applySeats(author: string, color: Color, other: string): void {
    this.#applyPlayers(color === 'white' ? [author, other] : [other, author], {});
    this.#changed();
  }

  /** @internal This client's player takes the second seat, which is the player's with the first move there. */
  takeSeat(): void {
    const start = this.kind30?.start;
    const { pubkey } = this.#context;
    if (!start || !this.isOpen || !isFor(start, pubkey)) {
      throw new GambitError('this game is not open to this player');
    }
    this.#applySeats(start.author, start.color, pubkey);
  }

  /** @internal The first move of a game that is still open. */
  applyFirstMove(uci: string, san: string | undefined, fen: string): void {
    this.#applyPosition(fen);
    this.ply = 1;
    this.moves = [uci];
    this.lastMove = uci;
    this.lastSan = san;
    this.#changed();
  }

  #applyTime(event: NostrEvent): void {
    this.time = parseTimeControl(tagValue(event, 'time') ?? '') ?? UNTIMED;
    this.isSlow = this.time.slow;
    this.rated ??= parseRatedStart(event);
  }

  /** At the start each side has its time; an increment is added after a move. */
  #initialClock(): ClockReading | undefined {
    const milliseconds = this.time.seconds * 1000;
    return this.time.kind === 'untimed'
      ? undefined
      : {
          times: { white: milliseconds, black: milliseconds },
          localTime: this.#context.now(),
        };
  }

  #applyPlayers([white, black]: [string, string], stated: PlayerLevels): void {
    this.levels = stated;
    this.white = white;
    this.black = black;
    const { pubkey } = this.#context;
    const color = white === pubkey ? 'white' : black === pubkey ? 'black' : undefined;
    this.color = this.elsewhere ? undefined : color;
  }

  #applyPosition(fen: string): void {
    this.fen = fen;
    this.turn = fen.split(' ')[1] === 'b' ? 'black' : 'white';
  }

  /** @internal The whole current game, which the relay sends to its players. */
  applyResumed(event: NostrEvent): void {
    const keys = players(event);
    const fen = parseFen(tagValue(event, 'fen'));
    const moves = (tagValue(event, 'moves') ?? '').split(' ').filter(text => text !== '');
    if (!keys || !fen || moves.some(move => !parseUci(move)) || this.result) {
      return;
    }
    this.#applyPlayers(keys, levels(event));
    this.#applyTime(event);
    this.#applyPosition(fen);
    if (moves.length !== this.ply || moves.at(-1) !== this.lastMove) {
      this.lastSan = undefined;
      this.proposal = undefined;
      this.#clock = undefined;
    }
    this.ply = moves.length;
    this.lastMove = moves.at(-1);
    this.moves = moves;
    this.movesKnown = true;
    const times = parseClock(tag(event, 'clock'));
    this.#resumedClock = times && { times, localTime: this.#context.now() };
    this.#changed();
  }

  /** @internal @param stored whether it is the current state of a new subscription, and not a change */
  applyState(state: GameState, stored: boolean): void {
    const last = this.#state;
    if (state.id === last?.id || (stored && last && state.createdAt < last.createdAt) || this.result) {
      return;
    }
    this.#state = state;
    this.isOpen = false;
    this.applyDialect(state.dialect, state.elsewhere);
    if (!stored || state.ply !== this.ply) {
      this.#resumedClock = undefined;
    }
    this.#applyPlayers([state.white, state.black], state.levels);
    this.rated ??= state.rated;
    this.#applyMoves(state, stored);
    this.fen = state.fen;
    this.turn = state.turn;
    this.ply = state.ply;
    this.changedAt = state.createdAt * 1000;
    this.lastMove = state.move;
    this.lastSan = state.san;
    this.proposal = state.proposal;
    this.#applyClock(state, stored);
    if (state.result) {
      this.applyEnd(state.result, state.termination ?? 'unknown');
    }
    this.#changed();
  }

  /** The moves after a state: one more, or fewer after a takeback; otherwise they have to be queried. */
  #applyMoves(state: GameState, stored: boolean): void {
    if (state.ply === 0) {
      this.moves = [];
      this.movesKnown = true;
    } else if (!this.movesKnown) {
      return;
    } else if (!stored && state.move && state.ply === this.moves.length + 1) {
      this.moves = [...this.moves, state.move];
    } else if (
      state.ply <= this.moves.length &&
      this.moves[state.ply - 1] === state.move &&
      !(stored && state.ply < this.moves.length)
    ) {
      this.moves = this.moves.slice(0, state.ply);
    } else {
      this.forgetMoves();
    }
  }

  #applyClock(state: GameState, stored: boolean): void {
    const now = this.#context.now();
    const { difference } = this.#context;
    if (!state.clock) {
      this.#clock = undefined;
      return;
    }
    if (stored) {
      this.#context.measureDifference();
    } else if (
      state.began !== undefined &&
      state.move === this.#sentMove?.uci &&
      state.ply === this.#sentMove?.ply
    ) {
      difference.sent(state.began, this.#sentMove.at);
      this.#sentMove = undefined;
    }
    const localTime = stored
      ? Math.min(now, (state.began ?? state.createdAt * 1000) + (difference.milliseconds ?? 0))
      : now;
    this.#clock = { times: state.clock, relayTime: state.began, localTime };
  }

  /** @internal */
  forgetMoves(): void {
    this.moves = [];
    this.movesKnown = false;
  }

  /** @internal The moves, queried; they count only if they end in the current state. */
  applyHistory(moves: readonly string[]): boolean {
    if (moves.length !== this.ply || (moves.at(-1) ?? undefined) !== this.lastMove) {
      return false;
    }
    this.moves = moves;
    this.movesKnown = true;
    this.#changed();
    return true;
  }

  /** @internal */
  applyPresence(presence: GamePresence): void {
    this.presence = presence;
    this.#changed();
  }

  /** @internal */
  applyEnd(result: Result, termination: string): void {
    if (this.result) {
      return;
    }
    const times = this.clock();
    this.#clock = times && { times, localTime: this.#context.now() };
    this.#resumedClock = undefined;
    this.result = result;
    this.termination = termination;
    this.proposal = undefined;
    this.presence = undefined;
    this.#endIsDue = true;
    this.#changed();
  }

  /** @internal */
  applyRecord(record: GameRecord): void {
    if (this.record) {
      return;
    }
    this.record = record;
    this.isOpen = false;
    this.applyDialect(record.dialect, record.elsewhere);
    this.sans = record.sans;
    this.#applyPlayers([record.white, record.black], record.levels);
    this.time = record.time;
    this.isSlow = record.time.slow;
    this.startFen = record.startFen;
    if (this.ply !== record.plies.length) {
      this.#applyPosition(record.startFen);
      this.ply = record.plies.length;
      this.turn = this.#turnAfter(this.ply);
      this.lastMove = undefined;
    }
    this.lastSan = record.sans.at(-1);
    this.applyEnd(record.result, record.termination);
    // The end may have been derived from the absence of a state, before the record was there.
    this.result = record.result;
    this.termination = record.termination;
    this.#changed();
  }

  #turnAfter(plies: number): Color {
    const blackBegins = this.startFen.split(' ')[1] === 'b';
    return (plies % 2 === 1) === blackBegins ? 'white' : 'black';
  }

  /** @internal The moves of a finished game. */
  applyRecordedMoves(moves: readonly string[]): void {
    this.moves = moves;
    this.movesKnown = true;
    this.lastMove = moves.at(-1);
    this.#changed();
  }

  /** Strangers cannot push the comments of players and acquaintances away, and one author not those of others. */
  #withoutOne(comments: readonly Comment[]): Comment[] {
    const { pubkey, acquaintances } = this.#context;
    const known = [this.white, this.black, pubkey];
    const ofStrangers = comments.filter(({ author }) => !known.includes(author) && !acquaintances.has(author));
    const droppable = ofStrangers.length > 0 ? ofStrangers : comments;
    const counts = new Map<string, number>();
    for (const { author } of droppable) {
      counts.set(author, (counts.get(author) ?? 0) + 1);
    }
    const most = Math.max(...counts.values());
    const dropped = droppable.find(({ author }) => counts.get(author) === most);
    return comments.filter(comment => comment !== dropped);
  }

  /** @internal */
  applyComment(comment: Comment): void {
    if (this.comments.some(({ id }) => id === comment.id)) {
      return;
    }
    const all = [...this.comments, comment].sort((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1));
    this.comments = all.length > MAX_COMMENTS ? this.#withoutOne(all) : all;
    if (this.comments.includes(comment)) {
      this.emit('comment', comment);
      this.#changed();
    }
  }

  /** @internal */
  applyRematch(request: ReceivedInvite | undefined): void {
    if (request?.id === this.rematchRequest?.id) {
      return;
    }
    this.rematchRequest = request;
    if (request) {
      this.emit('rematch', request);
    }
    this.#changed();
  }

  /** @internal */
  becomeReady(): void {
    this.#ready.resolve(this);
  }

  /** @internal */
  fail(error: Error): void {
    this.#ready.reject(error);
  }

  /** The opponent's public key, for a player. */
  get opponent(): string | undefined {
    return this.color && (this.color === 'white' ? this.black : this.white);
  }

  #changed(): void {
    if (this.#changeIsDue) {
      return;
    }
    this.#changeIsDue = true;
    queueMicrotask(() => {
      this.#changeIsDue = false;
      this.emit('change');
      if (this.#endIsDue) {
        this.#endIsDue = false;
        this.emit('ended');
      }
    });
  }
}
