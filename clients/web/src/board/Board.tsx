import { Chessboard, type InputEvent } from 'cm-chessboard/src/Chessboard.js';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import './style-attributes.js';
import type { Mark } from './mark.js';
import type { Color, Square } from './position.js';
import { pieceSpriteUrl } from '../ui/pieces.js';
import { SquareMarks } from './square-marks.js';
import './board.css';

export interface BoardProps {
  fen: string;
  orientation: Color;
  /** A description of the position, for screen readers. */
  label: string;
  /** The side whose pieces can be moved; without it, the board only shows. */
  movable?: Color;
  /** The squares to which the piece on a square may go. */
  targets?: (from: Square) => readonly Square[];
  /** A move was entered to one of the targets. Returns whether it is to be shown as made. */
  onMove?: (from: Square, to: Square) => boolean;
  /** Marks besides those of the piece that is being moved. */
  marks?: readonly Mark[];
}

const MOVE_MILLIS = 180;

/** The text if it describes the eight ranks of a board, as a relay's should; otherwise an empty board. */
function placementOf(fen: string): string {
  return /^([1-8pnbrqk]{1,8}\/){7}[1-8pnbrqk]{1,8}( |$)/i.test(fen) ? fen : '8/8/8/8/8/8/8/8';
}

/** Whether the user prefers that nothing moves. */
function prefersStillness(): boolean {
  return matchMedia('(prefers-reduced-motion: reduce)').matches;
}

/** A chess board on which pieces are dragged, or clicked and then their target. */
export function Board(props: BoardProps) {
  const container = useRef<HTMLDivElement>(null);
  const latest = useRef(props);
  latest.current = props;
  const board = useRef<{ chessboard: Chessboard; input: MoveInput } | undefined>(undefined);

  useLayoutEffect(() => {
    const chessboard = new Chessboard(container.current!, {
      position: placementOf(props.fen),
      orientation: props.orientation === 'white' ? 'w' : 'b',
      assetsUrl: '',
      style: {
        cssClass: 'gambit',
        borderType: 'none',
        pieces: { file: new URL(pieceSpriteUrl, document.baseURI).href },
        animationDuration: prefersStillness() ? 0 : MOVE_MILLIS,
      },
    });
    completeDragsAtOnce(chessboard);
    const marks = new SquareMarks(chessboard);
    const input = new MoveInput(chessboard, marks, latest);
    board.current = { chessboard, input };
    return () => {
      board.current = undefined;
      input.close();
      chessboard.destroy();
    };
  }, []);

  useLayoutEffect(() => {
    board.current?.chessboard.view.svg.setAttribute('aria-label', props.label);
  }, [props.label]);
  useEffect(() => {
    void board.current?.chessboard.setPosition(placementOf(props.fen), true);
    board.current?.input.positionChanged();
  }, [props.fen]);
  useEffect(() => {
    const side = props.orientation === 'white' ? 'w' : 'b';
    if (board.current && board.current.chessboard.getOrientation() !== side) {
      void board.current.chessboard.setOrientation(side, false);
    }
  }, [props.orientation]);
  // The board takes moves as soon as it is seen.
  useLayoutEffect(() => board.current?.input.enable(props.movable), [props.movable]);
  useEffect(() => board.current?.input.redraw());

  return <div ref={container} class={`board ${props.movable ? 'board-movable' : ''}`} />;
}

/**
 * The library accepts no input until a dragged piece has been drawn on its target by its queue of
 * animations, some frames later, and loses a quick premove. Unless the queue is busy, the piece is
 * drawn at once.
 */
function completeDragsAtOnce(chessboard: Chessboard): void {
  const movePiece = chessboard.movePiece.bind(chessboard);
  chessboard.movePiece = (from, to, animated = false) => {
    if (animated || chessboard.positionAnimationsQueue.workingOnPromise) {
      return movePiece(from, to, animated);
    }
    chessboard.state.position.movePiece(from, to);
    chessboard.view.redrawPieces();
    return Promise.resolve();
  };
}

/** The input of moves on one board, with the marks that go with it. */
class MoveInput {
  readonly #chessboard: Chessboard;
  readonly #marks: SquareMarks;
  readonly #props: { current: BoardProps };
  #from: Square | undefined;
  #over: Square | undefined;
  #targets: readonly Square[] = [];
  /** A move was entered by a click on an own piece, as premoves are; that click must not select the piece. */
  #ignoreStart = false;

  constructor(chessboard: Chessboard, marks: SquareMarks, props: { current: BoardProps }) {
    this.#chessboard = chessboard;
    this.#marks = marks;
    this.#props = props;
    document.addEventListener('keydown', this.#onKey);
  }

  close(): void {
    document.removeEventListener('keydown', this.#onKey);
  }

  readonly #onKey = (event: KeyboardEvent): void => {
    if (event.key === 'Escape') {
      this.#chessboard.cancelMoveInput();
    }
  };

  enable(color: Color | undefined): void {
    if (this.#from) {
      this.#chessboard.cancelMoveInput();
    }
    this.#chessboard.disableMoveInput();
    if (color) {
      this.#chessboard.enableMoveInput((event) => this.#onInput(event), color === 'white' ? 'w' : 'b');
    }
  }

  /** Finds the targets of the piece in hand again. */
  positionChanged(): void {
    if (this.#from) {
      this.#targets = this.#props.current.targets?.(this.#from) ?? [];
      this.redraw();
    }
  }

  redraw(): void {
    const own: Mark[] = [];
    if (this.#from) {
      own.push({ kind: 'selected', square: this.#from });
      const occupied = occupiedSquares(this.#props.current.fen);
      own.push(...this.#targets.map((square): Mark => ({ kind: occupied.has(square) ? 'capture' : 'target', square })));
    }
    if (this.#over && this.#targets.includes(this.#over)) {
      own.push({ kind: 'hover', square: this.#over });
    }
    this.#marks.set([...(this.#props.current.marks ?? []), ...own]);
  }

  #onInput(event: InputEvent): boolean | void {
    const from = event.squareFrom as Square;
    const to = (event.squareTo ?? undefined) as Square | undefined;
    switch (event.type) {
      case 'moveInputStarted':
        return this.#start(from);
      case 'movingOverSquare':
        this.#over = to;
        this.redraw();
        return;
      case 'validateMoveInput':
        return to !== undefined && this.#finish(from, to);
      default:
        this.#clear();
    }
  }

  #start(from: Square): boolean {
    if (this.#ignoreStart) {
      return false;
    }
    this.#targets = this.#props.current.targets?.(from) ?? [];
    this.#from = from;
    this.redraw();
    return true;
  }

  /**
   * Enters a move. Returns whether the library is to put the piece on its target: after a drag only.
   * After a click the new position animates the move, because the library accepts no further input
   * until its own animation has ended.
   */
  #finish(from: Square, to: Square): boolean {
    const isTarget = this.#targets.includes(to);
    const isDragged = this.#chessboard.view.visualMoveInput.draggablePiece != null;
    const isShown = isTarget && (this.#props.current.onMove?.(from, to) ?? false) && isDragged;
    this.#ignoreStart = isTarget && !isShown;
    queueMicrotask(() => {
      this.#ignoreStart = false;
    });
    this.#clear();
    return isShown;
  }

  #clear(): void {
    this.#from = undefined;
    this.#over = undefined;
    this.#targets = [];
    this.redraw();
  }
}

function occupiedSquares(fen: string): ReadonlySet<string> {
  const squares = new Set<string>();
  (fen.split(' ')[0] ?? '').split('/').forEach((rank, i) => {
    let file = 0;
    for (const char of rank) {
      if (/\d/.test(char)) {
        file += Number(char);
      } else {
        squares.add(`${String.fromCharCode(97 + file++)}${8 - i}`);
      }
    }
  });
  return squares;
}
