/** Moves that are entered on a board: a piece is dragged, or pressed and then its target. */
import type { Point } from './geometry.js';
import type { PieceLayer } from './piece-layer.js';
import { isOf } from './placement.js';
import type { Color, Square } from './position.js';

/** The moves of a board's owner. */
export interface MoveRules {
  /** The side whose pieces can be moved; without it, the board only shows. */
  movable?: Color;
  /** The squares to which the piece on a square may go. */
  targets?: (from: Square) => readonly Square[];
  /** A move was entered to one of the targets; `chooses`, if the player held Alt to choose what a pawn becomes. */
  onMove?: (from: Square, to: Square, chooses: boolean) => void;
}

/** The pointer may move as far before a press becomes a drag, in pixels of the screen. */
const STILL_PIXELS = 4;

/** The press of an own piece. */
interface Press {
  readonly clientX: number;
  readonly clientY: number;
  /** Whether the piece was selected before. */
  readonly wasSelected: boolean;
  isDragging: boolean;
}

/** The selected piece and its targets in the drawn position, which they follow. */
export class MoveInput {
  readonly #pieces: PieceLayer;
  readonly #rules: () => MoveRules;
  readonly #onchange: () => void;
  #from: Square | undefined;
  #over: Square | undefined;
  #targets: readonly Square[] = [];
  #press: Press | undefined;

  /** @param onchange is called when the selection has changed */
  constructor(pieces: PieceLayer, rules: () => MoveRules, onchange: () => void) {
    this.#pieces = pieces;
    this.#rules = rules;
    this.#onchange = onchange;
  }

  get selected(): Square | undefined {
    return this.#from;
  }

  get targets(): readonly Square[] {
    return this.#targets;
  }

  /** The target under a dragged piece. */
  get hovered(): Square | undefined {
    return this.#press?.isDragging && this.#over && this.#targets.includes(this.#over) ? this.#over : undefined;
  }

  /** Whether a press on a square selects or moves a piece. */
  takes(square: Square | undefined): boolean {
    return square !== undefined && (this.#targets.includes(square) || this.#isOwn(square));
  }

  /** Presses a square. */
  press(square: Square | undefined, { clientX, clientY, altKey }: PointerEvent): void {
    if (square && this.#from && this.#targets.includes(square)) {
      this.#enter(square, altKey);
    } else if (square && this.#isOwn(square)) {
      this.#press = { clientX, clientY, wasSelected: this.#from === square, isDragging: false };
      this.#select(square);
    } else {
      this.cancel();
    }
  }

  /** Moves the pointer to a place, over a square. */
  move(point: Point, square: Square | undefined, { clientX, clientY }: PointerEvent): void {
    const press = this.#press;
    if (!press || !this.#from) {
      return;
    }
    press.isDragging ||= Math.hypot(clientX - press.clientX, clientY - press.clientY) > STILL_PIXELS;
    if (press.isDragging) {
      this.#pieces.carry(this.#from, point);
      if (this.#over !== square) {
        this.#over = square;
        this.#onchange();
      }
    }
  }

  /** Lifts the pointer over a square. */
  release(square: Square | undefined, { altKey }: PointerEvent): void {
    const press = this.#press;
    this.#press = undefined;
    if (!press || !this.#from) {
      return;
    }
    if (press.isDragging) {
      const isMove = square !== undefined && this.#targets.includes(square);
      this.#pieces.putDown(isMove);
      if (isMove) {
        this.#enter(square, altKey);
      } else if (square !== this.#from) {
        this.cancel();
      } else {
        this.#onchange();
      }
    } else if (press.wasSelected) {
      this.cancel();
    }
  }

  /** Selects nothing, and puts a dragged piece back. Returns whether anything was selected. */
  cancel(): boolean {
    const wasSelected = this.#from !== undefined;
    this.#pieces.putDown();
    this.#press = undefined;
    this.#from = undefined;
    this.#over = undefined;
    this.#targets = [];
    if (wasSelected) {
      this.#onchange();
    }
    return wasSelected;
  }

  /** Finds the targets again in another position. A piece that is gone is no longer selected. */
  positionChanged(): void {
    if (!this.#from) {
      return;
    }
    const wasTaken = this.#press?.isDragging && this.#pieces.carried === undefined;
    if (wasTaken || !this.#isOwn(this.#from)) {
      this.cancel();
    } else {
      this.#select(this.#from);
    }
  }

  #isOwn(square: Square): boolean {
    return isOf(this.#rules().movable, this.#pieces.placement.get(square));
  }

  #select(square: Square): void {
    this.#from = square;
    this.#targets = this.#rules().targets?.(square) ?? [];
    this.#onchange();
  }

  #enter(to: Square, chooses: boolean): void {
    const from = this.#from!;
    this.#press = undefined;
    this.#from = undefined;
    this.#over = undefined;
    this.#targets = [];
    this.#onchange();
    this.#rules().onMove?.(from, to, chooses);
  }
}
