/** What a pointer does on a board: left moves pieces, right draws, a swipe steps through the moves. */
import { type Drawing, Drawings, drawingColor } from './drawings.js';
import { type Point, SIZE, squareUnder } from './geometry.js';
import type { MoveInput } from './move-input.js';
import type { Color, Square } from './position.js';
import { type ReviewStep, WheelSteps, swipeStep } from './review-input.js';

/** The board that is pointed at. */
export interface PointedBoard {
  fen: string;
  orientation: Color;
  /** A press beside every piece and target, or of the right button: what was entered before is to be cancelled. */
  onCancel?: () => boolean;
  /** The mouse wheel was turned over the board, or the board swiped. */
  onStep?: (step: ReviewStep) => void;
}

const RIGHT = 2;

/** The pointer's handlers of one board. Only one pointer at a time is heeded. */
export class PointerInput {
  readonly #svg: () => SVGSVGElement;
  readonly #moves: MoveInput;
  readonly #board: () => PointedBoard;
  readonly #onchange: () => void;
  readonly #drawings = new Drawings();
  readonly #wheel = new WheelSteps();
  #pointer: number | undefined;
  /** Whether the press is about a move: a touch then scrolls nothing, and is no click of what appears under it. */
  #isMove = false;
  #drawing: Drawing | undefined;
  /** The right button has cancelled something: a press without a movement draws no circle. */
  #hasCancelled = false;
  #swipe: Point | undefined;

  /** @param onchange is called when drawings have changed */
  constructor(svg: () => SVGSVGElement, moves: MoveInput, board: () => PointedBoard, onchange: () => void) {
    this.#svg = svg;
    this.#moves = moves;
    this.#board = board;
    this.#onchange = onchange;
  }

  /** The drawings of a position, with the one that is being drawn. */
  drawingsOf(fen: string): readonly Drawing[] {
    const drawn = this.#drawings.of(fen);
    return this.#drawing && !this.#isCancelling ? [...drawn, this.#drawing] : drawn;
  }

  readonly onPointerDown = (event: PointerEvent): void => {
    if (this.#pointer !== undefined && this.#pointer !== event.pointerId) {
      return;
    }
    const square = this.#squareOf(event);
    this.#pointer = event.pointerId;
    this.#svg().setPointerCapture(event.pointerId);
    if (event.button === RIGHT && square) {
      const wasSelected = this.#moves.cancel();
      this.#hasCancelled = (this.#board().onCancel?.() ?? false) || wasSelected;
      this.#drawing = { from: square, to: square, color: drawingColor(event) };
      this.#onchange();
    } else if (event.button === 0) {
      this.#pressLeft(square, event);
    }
  };

  #pressLeft(square: Square | undefined, event: PointerEvent): void {
    const { fen, onCancel } = this.#board();
    if (this.#drawings.clear(fen)) {
      this.#onchange();
    }
    this.#isMove = this.#moves.takes(square);
    if (!this.#isMove) {
      if (event.pointerType === 'touch') {
        this.#swipe = { x: event.clientX, y: event.clientY };
      } else {
        onCancel?.();
      }
    }
    this.#moves.press(square, event);
  }

  readonly onPointerMove = (event: PointerEvent): void => {
    const square = this.#squareOf(event);
    if (this.#pointer === undefined) {
      this.#svg().style.cursor = this.#moves.takes(square) ? 'pointer' : '';
    }
    if (event.pointerId !== this.#pointer) {
      return;
    }
    if (this.#drawing) {
      if (square && square !== this.#drawing.to) {
        this.#drawing = { ...this.#drawing, to: square };
        this.#onchange();
      }
    } else if (event.buttons & 2) {
      this.#moves.cancel(); // the right button was pressed during a drag
    } else {
      this.#moves.move(this.#pointOf(event), square, event);
    }
  };

  readonly onPointerUp = (event: PointerEvent): void => {
    if (event.pointerId !== this.#pointer) {
      return;
    }
    this.#pointer = undefined;
    const { fen, onCancel, onStep } = this.#board();
    if (this.#drawing) {
      if (!this.#isCancelling) {
        this.#drawings.toggle(fen, this.#drawing);
      }
      this.#drawing = undefined;
      this.#onchange();
    } else if (this.#swipe) {
      const step = swipeStep(event.clientX - this.#swipe.x, event.clientY - this.#swipe.y);
      this.#swipe = undefined;
      if (step) {
        onStep?.(step);
      } else {
        onCancel?.();
      }
    } else {
      this.#moves.release(this.#squareOf(event), event);
    }
  };

  /** The browser scrolls instead, or the pointer is gone. */
  readonly onPointerCancel = (event: PointerEvent): void => {
    if (event.pointerId === this.#pointer) {
      this.#pointer = undefined;
      this.#drawing = undefined;
      this.#swipe = undefined;
      this.#moves.cancel();
      this.#onchange();
    }
  };

  /** Comes after the press. */
  readonly onTouchStart = (event: TouchEvent): void => {
    if (this.#isMove && event.cancelable) {
      event.preventDefault();
    }
  };

  readonly onWheel = (event: WheelEvent): void => {
    const { onStep } = this.#board();
    if (onStep && !event.ctrlKey) {
      event.preventDefault();
      const step = this.#wheel.of(event);
      if (step) {
        onStep(step);
      }
    }
  };

  readonly onContextMenu = (event: Event): void => event.preventDefault();

  get #isCancelling(): boolean {
    return this.#hasCancelled && this.#drawing?.from === this.#drawing?.to;
  }

  #squareOf(event: { clientX: number; clientY: number }): Square | undefined {
    return squareUnder(this.#pointOf(event), this.#board().orientation);
  }

  #pointOf({ clientX, clientY }: { clientX: number; clientY: number }): Point {
    const { left, top, width } = this.#svg().getBoundingClientRect();
    const scale = SIZE / width;
    return { x: (clientX - left) * scale, y: (clientY - top) * scale };
  }
}
