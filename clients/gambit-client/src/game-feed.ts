import type { NostrEvent, VerifiedEvent } from 'nostr-tools/pure';
import { GambitError } from './errors.js';
import { Kind, rootGame, tagValue, tagValues } from './events.js';
import type { GameContext } from './game-context.js';
import type { Game } from './game.js';
import { receivedInvite } from './invites.js';
import { movesBetween, parseMessage, parseStart } from './kind30.js';
import { assembleMoves, isMoveOf } from './moves.js';
import { parseRecord } from './records.js';
import { INITIAL_FEN, parsePresence, parseResult, parseState, parseTermination, parseUci } from './states.js';
import type { GameRecord } from './types.js';

const MAX_COMMENT_CHARACTERS = 4000;
const COMMENTS = 500;
const REMATCHES = 20;
const MOVES = 5000;
const IDS_PER_QUERY = 200;
const HISTORY_ATTEMPTS = 4;
/** Milliseconds between two looks whether a request for a rematch still stands: its end has no notification. */
const REMATCH_INTERVAL = 5000;

/** Keeps one game up to date from a subscription of its own, and queries what came before it. */
export class GameFeed {
  readonly #game: Game;
  readonly #context: GameContext;
  #subscription?: { close(): void };
  #history?: Promise<void>;
  #isFound = false;
  /** Whether the subscription asks for what the players have written, too. */
  #knowsPlayers = false;
  /** Whether the relay had a current state of the game when the subscription was made or renewed. */
  #hasState = false;
  /** Whether the relay had a request for a rematch then. */
  #hasRematch = false;
  #rematchTimer?: ReturnType<typeof setTimeout>;
  #isClosed = false;

  constructor(game: Game, context: GameContext) {
    this.#game = game;
    this.#context = context;
  }

  start(): void {
    const { referee, pubkey, acquaintances } = this.#context;
    const { id, white, black, opponent, kind30, result } = this.#game;
    const authors = [referee];
    const known = [white, black, pubkey, ...acquaintances.keys].filter(key => key !== '');
    const comments = { kinds: [Kind.comment], '#E': [id], limit: COMMENTS };
    this.#subscription?.close();
    const moves = { kinds: [Kind.jester], authors: kind30?.authors ?? [], '#e': [id], limit: 0 };
    this.#knowsPlayers = white !== '' || black !== '';
    this.#hasState = false;
    this.#hasRematch = false;
    this.#subscription = this.#context.subscribe(
      [
        { ids: [id] },
        { kinds: [Kind.record], authors, '#e': [id], limit: 2 },
        { kinds: [Kind.state, Kind.presence], authors, '#d': [id] },
        ...(kind30 && this.#knowsPlayers && !result ? [moves] : []),
        ...(this.#knowsPlayers ? [{ ...comments, authors: known }, comments] : []),
        ...(opponent ? [{ kinds: [Kind.request], authors: [opponent], '#e': [id], limit: REMATCHES }] : []),
      ],
      {
        onevent: (event, stored) => {
          this.#hasState ||= stored && event.kind === Kind.state;
          this.take(event, stored);
        },
        oneose: () => this.#caughtUp(),
        onclose: reason => {
          clearTimeout(this.#rematchTimer);
          this.#game.fail(new GambitError(reason));
        },
      },
    );
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#rematchTimer);
    this.#subscription?.close();
  }

  /** Handles an event, if it is one of this game and from the author that it has to be from. */
  take(event: VerifiedEvent, stored: boolean): void {
    const game = this.#game;
    if (event.kind === Kind.comment) {
      this.#takeComment(event);
    } else if (event.kind === Kind.jester) {
      this.#takeKind30(event, stored);
    } else if (event.pubkey !== this.#context.referee) {
      this.#takeRequest(event, stored);
    } else if (event.kind === Kind.state) {
      this.#takeState(event, stored);
    } else if (event.kind === Kind.presence) {
      const presence = tagValue(event, 'd') === game.id ? parsePresence(event) : undefined;
      if (presence && !game.result) {
        game.applyPresence(presence);
      }
    } else if (event.kind === Kind.record) {
      const record = parseRecord(event);
      if (record?.gameId === game.id) {
        this.#takeRecord(record, stored);
      }
    } else if (event.kind === Kind.request) {
      this.#takeNotification(event, stored);
    }
  }

  #takeComment(event: VerifiedEvent): void {
    if (tagValues(event, 'E').includes(this.#game.id)) {
      this.#game.applyComment({
        id: event.id,
        author: event.pubkey,
        text: event.content.slice(0, MAX_COMMENT_CHARACTERS),
        at: event.created_at * 1000,
      });
    }
  }

  #takeKind30(event: VerifiedEvent, stored: boolean): void {
    const start = event.id === this.#game.id ? parseStart(event) : undefined;
    if (start) {
      this.#isFound = true;
      this.#game.applyStart(start);
    } else if (!stored) {
      this.#game.kind30?.take(event);
    }
  }

  /** A request for a rematch by the opponent. */
  #takeRequest(event: VerifiedEvent, stored: boolean): void {
    const invite = event.kind === Kind.request ? receivedInvite(event) : undefined;
    if (invite?.kind === 'rematch' && invite.rematchOf === this.#game.id) {
      if (event.pubkey === this.#game.opponent) {
        this.#hasRematch ||= stored;
        this.#game.applyRematch(invite);
        this.#checkRematchLater(invite.id);
      }
    }
  }

  /** The opponent may withdraw the request. */
  #checkRematchLater(id: string): void {
    clearTimeout(this.#rematchTimer);
    this.#rematchTimer = setTimeout(() => void this.#checkRematch(id).catch(() => undefined), REMATCH_INTERVAL);
  }

  async #checkRematch(id: string): Promise<void> {
    const game = this.#game;
    const isStanding = (): boolean => game.rematchRequest?.id === id && !this.#isClosed;
    if (!isStanding()) {
      return;
    }
    const [stored] = await this.#context.query({ ids: [id] });
    if (isStanding() && stored) {
      this.#checkRematchLater(id);
    } else if (isStanding()) {
      game.applyRematch(undefined);
    }
  }

  #takeNotification(event: VerifiedEvent, stored: boolean): void {
    const game = this.#game;
    if (event.id === game.id) {
      if (event.content === 'gameisfound') {
        this.#isFound = true;
        game.applyFound(event);
      }
    } else if (rootGame(event) === game.id) {
      const result = parseResult(tagValue(event, 'result'));
      if (event.content === 'gameisfound') {
        game.applyResumed(event);
      } else if (result) {
        this.#end(stored, () => game.applyEnd(result, parseTermination(tagValue(event, 'termination'))));
      }
    }
  }

  #takeState(event: VerifiedEvent, stored: boolean): void {
    const state = parseState(event);
    if (state?.gameId !== this.#game.id) {
      return;
    }
    const { isOpen } = this.#game;
    this.#end(stored, () => this.#game.applyState(state, stored));
    if (isOpen && !this.#game.result) {
      this.start(); // knowing both players
    }
    if (!stored) {
      this.#queryHistory();
    }
  }

  #takeRecord(record: GameRecord, stored: boolean): void {
    const game = this.#game;
    const isNew = game.record === undefined;
    this.#end(stored, () => game.applyRecord(record));
    if (isNew && (!game.movesKnown || game.moves.length !== record.plies.length)) {
      game.forgetMoves();
      void this.#queryPlies(record);
    }
  }

  /**
   * Applies what may end the game. Then it subscribes again, since the comments of others were withheld from players,
   * and the players' from others; a spectator only if the game ran when the subscription was made.
   */
  #end(stored: boolean, apply: () => void): void {
    const { result } = this.#game;
    apply();
    if (this.#game.result && !result && (this.#game.color || !stored) && this.#subscription) {
      this.start();
    }
  }

  /** All that is stored has been received. */
  #caughtUp(): void {
    const game = this.#game;
    if (!this.#isFound && !game.record && !this.#hasState) {
      game.fail(new GambitError('the relay does not know this game'));
      return;
    }
    const { kind30 } = game;
    if (kind30?.start && !this.#hasState) {
      game.applyOpen(kind30.start);
    }
    if (!this.#knowsPlayers && (game.white || game.black)) {
      this.start();
      return;
    }
    if (!kind30 && !this.#hasState && !game.record && !game.result) {
      game.applyEnd('*', 'aborted'); // neither running nor recorded
    }
    this.#hasState = false; // until the subscription is renewed
    if (!this.#hasRematch) {
      game.applyRematch(undefined);
    }
    this.#hasRematch = false;
    this.#queryHistory();
    if (game.isOpen) {
      const first = kind30?.query() ?? Promise.resolve();
      void first.catch(() => undefined).finally(() => game.becomeReady());
    } else {
      game.becomeReady();
    }
  }

  /** Queries the moves of a running game, unless they are known, until they end in its current state. */
  #queryHistory(): void {
    if (this.#game.movesKnown || this.#game.result) {
      return;
    }
    this.#history ??= this.#assemble()
      .catch(() => undefined)
      .finally(() => {
        this.#history = undefined;
      });
  }

  async #assemble(): Promise<void> {
    const game = this.#game;
    for (let attempt = 0; attempt < HISTORY_ATTEMPTS && !game.movesKnown && !game.record; attempt++) {
      const { referee, maxClockSkew } = this.#context;
      if (game.kind30) {
        const { ply } = game;
        await game.kind30.query();
        const isKnown = game.applyHistory(game.kind30.moves ?? []);
        if (isKnown || game.ply === ply) {
          return;
        }
        continue; // a move was played meanwhile
      }
      const events = await this.#context.query(
        { kinds: [Kind.move], authors: [referee, game.white, game.black], '#e': [game.id], limit: MOVES },
        {
          kinds: [Kind.move],
          authors: [game.white, game.black],
          since: Math.max(0, game.foundAt - maxClockSkew),
          limit: MOVES,
        },
      );
      const [first, second] =
        game.startFen.split(' ')[1] === 'b' ? [game.black, game.white] : [game.white, game.black];
      const isOdd = (event: NostrEvent): boolean => Number(tagValue(event, 'ply')) % 2 === 1;
      // The relay signs the moves of players in the other dialect.
      const mover = (event: NostrEvent): string =>
        event.pubkey !== referee ? event.pubkey : isOdd(event) ? first : second;
      const authors = [referee, game.white, game.black];
      const candidates = events.filter(
        event => authors.includes(event.pubkey) && isMoveOf(event, game.id),
      );
      const moves = assembleMoves(candidates, first, mover, game.ply, game.lastMove);
      if (game.movesKnown || (moves && game.applyHistory(moves))) {
        return;
      }
    }
  }

  /** Queries the moves of a finished game: its record names their events. */
  async #queryPlies({ plies }: GameRecord): Promise<void> {
    const moves = new Map<string, string>();
    try {
      for (let from = 0; from < plies.length; from += IDS_PER_QUERY) {
        const ids = plies.slice(from, from + IDS_PER_QUERY);
        for (const event of await this.#context.query({ ids })) {
          const fen = parseMessage(event, this.#game.id)?.fen;
          const move = event.kind === Kind.move ? parseUci(event.content) : fen;
          if (move) {
            moves.set(event.id, move);
          }
        }
      }
    } catch {
      return; // the record has the moves in SAN
    }
    const found = plies.map(id => moves.get(id));
    const inOrder = this.#game.kind30 ? (movesBetween([INITIAL_FEN, ...found]) ?? [undefined]) : found;
    if (inOrder.every(move => move !== undefined)) {
      this.#game.applyRecordedMoves(inOrder);
    }
  }
}
