import { Emitter } from './emitter.js';
import { GambitError } from './errors.js';
import type { SentInvite } from './client.js';
import type { TimeControl } from './time-control.js';
import type {
  ClockTimes,
  Color,
  Comment,
  GamePresence,
  GameRecord,
  Proposal,
  ReceivedInvite,
  Result,
} from './types.js';

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
 * within the library. The commands are those of NIP-100; each resolves when the relay has accepted it, and
 * fails with a `RefusedError` otherwise. A command that the connection's loss left unanswered is sent again
 * unchanged, so it has its effect once.
 */
export class Game extends Emitter<GameEvents> {
  /** The id of the game: that of the relay's `gameisfound`. */
  readonly id: string;
  /** Resolves when the state is known; fails if the relay does not know the game. */
  readonly ready: Promise<this>;
  /** The players' public keys; empty until `ready`. */
  white = '';
  black = '';
  /** This client's colour; absent for a spectator. */
  color?: Color;
  time: TimeControl;
  startFen: string;
  fen: string;
  /** The number of moves played, also from a set-up position. */
  ply = 0;
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
  /** The newest 500 comments, oldest first. Players see those of spectators after the game. */
  comments: readonly Comment[] = [];
  /** The opponent's pending request for a rematch. */
  rematchRequest?: ReceivedInvite;

  /** Games are made by {@link GambitClient}. */
  protected constructor() {
    super();
    throw new GambitError('not implemented');
  }

  /**
   * Milliseconds left for each side now: the running clock is counted down, corrected by the measured
   * difference between this computer's clock and the relay's. `undefined` in an untimed game.
   */
  clock(): ClockTimes | undefined {
    throw new GambitError('not implemented');
  }

  /** The side whose clock is running: none before a side's first move, nor after the end. */
  get clockRunning(): Color | undefined {
    throw new GambitError('not implemented');
  }

  /**
   * Plays a move, such as `e2e4` or `e7e8q`. Resolves when the relay has accepted it. The fields are updated
   * by the relay's next state, which follows.
   */
  move(_uci: string, _options: { offerDraw?: boolean } = {}): Promise<void> {
    throw new GambitError('not implemented');
  }

  offerDraw(): Promise<void> {
    throw new GambitError('not implemented');
  }

  /** Accepts the opponent's proposal: a draw offer or a takeback request. */
  accept(): Promise<void> {
    throw new GambitError('not implemented');
  }

  /** Declines the opponent's proposal. */
  decline(): Promise<void> {
    throw new GambitError('not implemented');
  }

  /** Claims a draw by threefold repetition or the fifty-move rule, in turn. */
  claimDraw(): Promise<void> {
    throw new GambitError('not implemented');
  }

  requestTakeback(): Promise<void> {
    throw new GambitError('not implemented');
  }

  resign(): Promise<void> {
    throw new GambitError('not implemented');
  }

  /** Ends the game without a result, before the player's second move. */
  abort(): Promise<void> {
    throw new GambitError('not implemented');
  }

  /** Requests a rematch with swapped colours, or accepts the opponent's request. */
  rematch(): Promise<SentInvite> {
    throw new GambitError('not implemented');
  }

  /** Publishes a comment (NIP-22). */
  comment(_text: string): Promise<void> {
    throw new GambitError('not implemented');
  }

  /** Stops following the game. The player's own running game stays up to date. */
  close(): void {
    throw new GambitError('not implemented');
  }
}
