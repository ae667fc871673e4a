/** The state of a game page, without the components that show it. */
import type { Game } from 'gambit-client';
import { Listeners } from '../app/store.js';
import { Line, type Ply, movesOfSans } from '../board/line.js';
import { type Mark, marksOf } from '../board/mark.js';
import { castlingTarget, withSteps } from '../board/placement.js';
import {
  type Color,
  type PieceSymbol,
  type Square,
  type Step,
  halfmoveClock,
  legalTargets,
  needsPromotion,
  parseUci,
  playUci,
  positionOf,
  turnOf,
  uciOf,
} from '../board/position.js';
import { isPromotingPremove, premoveTargets, resolvePremove } from '../board/premove.js';
import { t } from '../language/t.js';
import { type NavigationStep, type View, navigate, shownPly, viewAt } from './navigation.js';
import { parseTypedMove } from './typed-move.js';

/** The part of the library's game that a game page follows. */
export type GameSource = Pick<
  Game,
  'startFen' | 'fen' | 'ply' | 'turn' | 'moves' | 'movesKnown' | 'lastMove' | 'color' | 'result' | 'record' | 'on' | 'move'
>;

/** A pawn move for which the player has to choose a piece. */
export interface OpenPromotion {
  readonly from: Square;
  readonly to: Square;
  readonly color: Color;
}

/** The player's choices about entering moves. */
export interface EntryChoices {
  /** Whether a pawn becomes a queen without a question. */
  readonly alwaysQueen: boolean;
  /** Whether a premove is added to those before, instead of replacing them. */
  readonly severalPremoves: boolean;
}

const MAX_PREMOVES = 16;

/** A move that was sent and is not in the game yet. */
interface SentMove {
  readonly uci: string;
  /** The number of plies before it. */
  readonly ply: number;
  readonly fen: string;
  readonly wasPremove: boolean;
}

/** A change of the moves, for announcements and sounds. */
export type GameNews =
  | { readonly kind: 'move'; readonly ply: Ply; readonly isOwn: boolean }
  | { readonly kind: 'takenback' };

/**
 * The state of one game page: the moves with their positions, the position that is shown, the move
 * that was sent and not confirmed, and the premoves. It follows the library's game until closed.
 */
export class GameState {
  readonly game: GameSource;
  readonly #listeners = new Listeners();
  readonly #newsListeners = new Set<(news: GameNews) => void>();
  readonly #unsubscribe: () => void;
  readonly #onfailure: (error: unknown) => void;
  readonly #choices: () => EntryChoices;
  #line: Line;
  #view: View = 'live';
  #sent: SentMove | undefined;
  #premoves: readonly Step[] = [];
  #promotion: OpenPromotion | undefined;

  /** @param onfailure is called with the reason why a move was not accepted */
  constructor(
    game: GameSource,
    onfailure: (error: unknown) => void,
    choices: () => EntryChoices = () => ({ alwaysQueen: false, severalPremoves: false }),
  ) {
    this.game = game;
    this.#onfailure = onfailure;
    this.#choices = choices;
    this.#line = lineOf(game, undefined);
    this.#unsubscribe = game.on('change', () => this.#update());
  }

  close(): void {
    this.#unsubscribe();
  }

  readonly subscribe = (listener: () => void): (() => void) => this.#listeners.add(listener);

  /** Adds a listener for moves and takebacks; returns the function that removes it. */
  onNews(listener: (news: GameNews) => void): () => void {
    this.#newsListeners.add(listener);
    return () => void this.#newsListeners.delete(listener);
  }

  /** The known moves; none if the relay has not shown them. */
  get plies(): readonly Ply[] {
    return this.#line.plies;
  }

  get startFen(): string {
    return this.#line.startFen;
  }

  /** The number of plies before the shown position. */
  get shownPly(): number {
    return shownPly(this.#view, this.plies.length);
  }

  get isLive(): boolean {
    return this.#view === 'live';
  }

  get isRunning(): boolean {
    return this.game.result === undefined;
  }

  /** Whether the player is to move, and has not sent a move. */
  get isOwnTurn(): boolean {
    return this.isRunning && this.game.color === this.game.turn && this.#sent === undefined;
  }

  get sentMove(): string | undefined {
    return this.#sent?.uci;
  }

  /** The moves that are played when the opponent has moved: one each time. */
  get premoves(): readonly Step[] {
    return this.#premoves;
  }

  get promotion(): OpenPromotion | undefined {
    return this.#promotion;
  }

  /** The game's position, with the move that was sent; of a finished game, the one after its moves. */
  get liveFen(): string {
    return this.#sent?.fen ?? (this.isRunning ? this.game.fen : this.#line.fen);
  }

  /** The position on the board. */
  get shownFen(): string {
    if (!this.isLive) {
      return this.#line.fenAt(this.shownPly);
    }
    return this.#promotion && this.#premoves.length === 0
      ? withSteps(this.liveFen, [this.#promotion])
      : this.#premovedFen;
  }

  /** The position after the premoves if there can be several; a single one is only marked. */
  get #premovedFen(): string {
    return this.#choices().severalPremoves ? withSteps(this.liveFen, this.#premoves) : this.liveFen;
  }

  /** Whether premoves wait or one was played: the player has seen the moves before, so that none is animated. */
  get isPremoving(): boolean {
    return this.#premoves.length > 0 || this.#sent?.wasPremove === true;
  }

  /** The side whose pieces the player can move now. */
  get movable(): Color | undefined {
    return this.isRunning && this.isLive && !this.#promotion ? this.game.color : undefined;
  }

  /** Whether the player can claim a draw: a repetition or fifty moves, in turn. */
  get canClaimDraw(): boolean {
    return (
      this.isOwnTurn &&
      this.game.movesKnown &&
      this.#line.outcome === undefined &&
      (this.#line.occurrences >= 3 || halfmoveClock(this.#line.position) >= 100)
    );
  }

  /** Whether the player can still abort: before the player's second move. */
  get canAbort(): boolean {
    const { color, ply, startFen } = this.game;
    const first = turnOf(startFen);
    const own = color === first ? Math.ceil(ply / 2) : Math.floor(ply / 2);
    return this.isRunning && color !== undefined && own < 2 && !(this.#sent && own === 1);
  }

  /** Whether the player has made a move, so that there is something to take back. */
  get hasMoved(): boolean {
    const { color, ply, startFen } = this.game;
    return color !== undefined && ply > (color === turnOf(startFen) ? 0 : 1);
  }

  /** Marks of the shown position. */
  get marks(): readonly Mark[] {
    return this.isLive
      ? marksOf(this.#premoves.length === 0 ? this.shownFen : this.liveFen, this.#lastStep(), this.#premoves)
      : marksOf(this.shownFen, this.#lastStep(), []);
  }

  #lastStep(): Step | undefined {
    if (this.isLive) {
      const uci = this.#sent?.uci ?? this.game.lastMove ?? this.plies.at(-1)?.uci;
      return uci === undefined || (!this.#sent && this.game.ply === 0) ? undefined : parseUci(uci);
    }
    return this.plies[this.shownPly - 1];
  }

  /** The squares to which a piece may be moved, now or as a premove. */
  targets(from: Square): readonly Square[] {
    const { color } = this.game;
    if (!this.movable || !color) {
      return [];
    } else if (!this.isOwnTurn) {
      return premoveTargets(this.#premovedFen, color, from);
    }
    return legalTargets(this.liveFen, from);
  }

  /**
   * Enters a move or a premove. A king that is moved onto its own rook castles.
   *
   * @param chooses whether the player wants to choose what a pawn becomes, also if it is always a queen
   */
  enter(from: Square, target: Square, chooses = false): void {
    if (!this.targets(from).includes(target)) {
      return;
    }
    const isQueen = this.#choices().alwaysQueen && !chooses;
    const to = castlingTarget(this.#premovedFen, from, target);
    const position = positionOf(this.liveFen);
    if (!this.isOwnTurn) {
      this.#enterPremove({ from, to }, isQueen);
    } else if (position && needsPromotion(position, from, to)) {
      if (isQueen) {
        this.#send(uciOf({ from, to, promotion: 'q' }));
      } else {
        this.#promotion = { from, to, color: this.game.turn };
        this.#changed();
      }
    } else {
      this.#send(uciOf({ from, to }));
    }
  }

  /**
   * Enters a move that was typed. Returns why it is not possible; undefined if it was entered, or the
   * piece of a promotion has to be chosen.
   */
  enterTyped(text: string): string | undefined {
    if (!this.isRunning) {
      return t('The game is over.');
    }
    this.show('last');
    if (!this.isOwnTurn) {
      const step = parseUci(text.trim().toLowerCase());
      if (!step || !this.targets(step.from).includes(step.to)) {
        return t('It is not your turn. To move in advance, type the two squares, such as e2e4.');
      }
      this.#enterPremove({ ...step, to: castlingTarget(this.#premovedFen, step.from, step.to) }, false);
      return undefined;
    }
    const typed = parseTypedMove(this.liveFen, text);
    if (typed.kind === 'move') {
      this.#send(typed.uci);
      return undefined;
    } else if (typed.kind === 'promotion') {
      this.enter(typed.from, typed.to);
      return undefined;
    }
    return typed.message;
  }

  /** Ends the choice of a piece; without a piece, the move is not made. */
  choosePromotion(piece: PieceSymbol | undefined): void {
    const open = this.#promotion;
    this.#promotion = undefined;
    const premove = this.#premoves.at(-1);
    if (open && premove) {
      const earlier = this.#premoves.slice(0, -1);
      this.#premoves = piece ? [...earlier, { ...premove, promotion: piece }] : earlier;
    } else if (open && piece) {
      this.#send(uciOf({ from: open.from, to: open.to, promotion: piece }));
    }
    this.#changed();
    this.#playPremove();
  }

  /** Returns whether there were any. */
  cancelPremoves(): boolean {
    if (this.#premoves.length === 0) {
      return false;
    }
    this.#dropPremoves();
    this.#changed();
    return true;
  }

  #dropPremoves(): void {
    if (this.#premoves.length > 0) {
      this.#premoves = [];
      this.#promotion = undefined;
    }
  }

  /** Shows the position after a number of plies. */
  showPly(ply: number): void {
    this.#look(viewAt(ply, this.plies.length));
  }

  /** Shows another position of the game. */
  show(step: NavigationStep): void {
    this.#look(navigate(this.#view, step, this.plies.length));
  }

  #look(view: View): void {
    this.#view = view;
    if (!this.isLive && this.#promotion) {
      this.choosePromotion(undefined);
    }
    this.#changed();
  }

  #enterPremove(step: Step, isQueen: boolean): void {
    const before = this.#choices().severalPremoves ? this.#premoves : [];
    if (before.length >= MAX_PREMOVES) {
      return;
    }
    const promotes = !step.promotion && isPromotingPremove(this.#premovedFen, step);
    if (promotes && !isQueen && this.game.color) {
      this.#promotion = { from: step.from, to: step.to, color: this.game.color };
    }
    this.#premoves = [...before, promotes && isQueen ? { ...step, promotion: 'q' } : step];
    this.#changed();
  }

  /** Sends a legal move, and shows it at once. Returns whether it is legal. */
  #send(uci: string, wasPremove = false): boolean {
    const position = positionOf(this.liveFen);
    if (!position || !playUci(position, uci)) {
      return false;
    }
    const sent = { uci, ply: this.game.ply, fen: position.fen(), wasPremove };
    this.#sent = sent;
    this.#changed();
    this.game.move(uci).catch((error: unknown) => {
      if (this.#sent === sent) {
        this.#sent = undefined;
        this.#dropPremoves();
        this.#changed();
      }
      this.#onfailure(error);
    });
    return true;
  }

  /** Plays the first premove. If it is not legal now, those after it are not played either. */
  #playPremove(): void {
    const [first, ...rest] = this.#premoves;
    if (!first || !this.isOwnTurn || this.#promotion) {
      return;
    }
    const uci = resolvePremove(this.game.fen, first);
    this.#premoves = uci === undefined ? [] : rest;
    if (uci === undefined || !this.#send(uci, true)) {
      this.#changed();
    }
  }

  /** Follows a change of the game. */
  #update(): void {
    const before = this.plies.length;
    const sent = this.#sent;
    if (sent && (this.game.ply !== sent.ply || !this.isRunning)) {
      this.#sent = undefined;
    }
    if (!this.isRunning) {
      this.#premoves = [];
      this.#promotion = undefined;
    }
    const previous = this.#line;
    this.#line = lineOf(this.game, previous);
    const now = this.plies.length;
    if (this.#view !== 'live') {
      this.#view = viewAt(this.#view, now);
    }
    if (now < before) {
      // Premoves were meant for the position that has been taken back.
      this.#premoves = [];
      this.#promotion = undefined;
    }
    if (previous === this.#line) {
      this.#publishNews(before, now);
    }
    if (this.#promotion && this.#premoves.length === 0 && !this.isOwnTurn) {
      this.#promotion = undefined;
    }
    this.#playPremove();
    this.#changed();
  }

  #publishNews(before: number, now: number): void {
    const last = this.plies.at(-1);
    const news: GameNews | undefined =
      now > before && last
        ? { kind: 'move', ply: last, isOwn: last.color === this.game.color }
        : now < before
          ? { kind: 'takenback' }
          : undefined;
    if (news) {
      this.#newsListeners.forEach((listener) => listener(news));
    }
  }

  #changed(): void {
    this.#listeners.notify();
  }
}

/**
 * The line of a game's known moves, which is the given one if only its last moves differ. Moves whose
 * events are missing are read from the record. If no moves are known, the line is empty and begins
 * with the current position.
 */
export function lineOf(game: GameSource, line: Line | undefined): Line {
  const moves = game.movesKnown || game.ply === 0 ? game.moves : recordedMoves(game);
  const start = moves ? game.startFen : game.fen;
  const updated = line?.startFen === start ? line : Line.from(start);
  if (!updated) {
    return line ?? Line.initial();
  }
  updated.update(moves ?? []);
  return updated;
}

function recordedMoves({ record }: GameSource): readonly string[] | undefined {
  return record && movesOfSans(record.startFen, record.sans);
}
