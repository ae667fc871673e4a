import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useReducer, useRef } from 'preact/hooks';
import { usePieceSprite } from '../ui/pieces.js';
import { DrawingLayer } from './DrawingLayer.js';
import { SIZE, UNIT, cornerOf } from './geometry.js';
import type { Mark } from './mark.js';
import { MoveInput, type MoveRules } from './move-input.js';
import { PieceLayer } from './piece-layer.js';
import { placementOf } from './placement.js';
import { PointerInput, type PointedBoard } from './pointer-input.js';
import type { Color, Square } from './position.js';
import { Squares } from './Squares.js';
import './board.css';

export interface BoardProps extends MoveRules, PointedBoard {
  /** A description of the position, for screen readers. */
  label: string;
  /** Marks besides those of the piece that is being moved. */
  marks?: readonly Mark[];
  /** Whether a new position is drawn without an animation. */
  still?: boolean;
  /** What lies over the board. */
  children?: ComponentChildren;
}

/** A chess board on which pieces are dragged, or clicked and then their target. It has the width of its place. */
export function Board(props: BoardProps) {
  const { fen, orientation: side, label, movable, marks = [], still = false, children } = props;
  const sprite = usePieceSprite();
  const [, redraw] = useReducer<number, void>((count) => count + 1, 0);
  const svg = useRef<SVGSVGElement>(null);
  const group = useRef<SVGGElement>(null);
  const latest = useRef(props);
  latest.current = props;
  const { pieces, moves, pointer } = useMemo(() => {
    const pieces = new PieceLayer(() => group.current!);
    const moves = new MoveInput(pieces, () => latest.current, () => redraw());
    const pointer = new PointerInput(() => svg.current!, moves, () => latest.current, () => redraw());
    return { pieces, moves, pointer };
  }, []);

  // Before the browser paints, so that the board is never behind what the page says.
  useLayoutEffect(() => {
    pieces.show(placementOf(fen), { side, sprite, still });
    moves.positionChanged();
  }, [fen, side, sprite, movable]);
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.key === 'Escape') {
        moves.cancel();
      }
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [moves]);

  const coordinates = useMemo(() => drawnCoordinates(side), [side]);
  const { onPointerDown, onPointerMove, onPointerUp, onPointerCancel, onTouchStart, onWheel, onContextMenu } = pointer;
  return (
    <div class="board" data-orientation={side}>
      <svg
        ref={svg}
        viewBox={`0 0 ${SIZE} ${SIZE}`}
        role="img"
        aria-label={label}
        onPointerDown={onPointerDown}
        onPointerMove={onPointerMove}
        onPointerUp={onPointerUp}
        onPointerCancel={onPointerCancel}
        onTouchStart={onTouchStart}
        onWheel={onWheel}
        onContextMenu={onContextMenu}
      >
        <g class="board-squares">
          <Squares />
          {[...marks, ...marksOf(moves, pieces)].map((mark) => <MarkShape key={`${mark.kind}${mark.square}`} mark={mark} side={side} />)}
        </g>
        <g ref={group} />
        {coordinates}
        <DrawingLayer drawings={pointer.drawingsOf(fen)} side={side} />
      </svg>
      {children}
    </div>
  );
}

/** The marks of the piece that is being moved. */
function marksOf({ selected, targets, hovered }: MoveInput, { placement }: PieceLayer): Mark[] {
  const mark = (kind: Mark['kind'], square: Square | undefined): Mark[] => (square ? [{ kind, square }] : []);
  return [
    ...mark('selected', selected),
    ...targets.flatMap((square) => mark(placement.has(square) ? 'capture' : 'target', square)),
    ...mark('hover', hovered),
  ];
}

function MarkShape({ mark: { kind, square }, side }: { mark: Mark; side: Color }) {
  const { x, y } = cornerOf(square, side);
  const attributes = { class: `mark-${kind}`, 'data-mark': kind, 'data-on': square };
  return kind === 'target' || kind === 'capture' ? (
    <circle {...attributes} cx={x + UNIT / 2} cy={y + UNIT / 2} r={UNIT * (kind === 'target' ? 0.15 : 0.44)} />
  ) : (
    <rect {...attributes} x={x} y={y} width={UNIT} height={UNIT} />
  );
}

/** The names of files and ranks, over the pieces, in the corners of the squares at the edge. */
function drawnCoordinates(side: Color) {
  return (
    <g class="board-coordinates">
      {[0, 1, 2, 3, 4, 5, 6, 7].flatMap((i) => [
        <text key={`file ${i}`} class={i % 2 === 0 ? '' : 'on-light'} x={i * UNIT + 2} y={SIZE - 4}>
          {'abcdefgh'[side === 'white' ? i : 7 - i]}
        </text>,
        <text key={`rank ${i}`} class={`board-rank ${i % 2 === 0 ? '' : 'on-light'}`} x={SIZE - 2} y={i * UNIT + 8.5}>
          {side === 'white' ? 8 - i : i + 1}
        </text>,
      ])}
    </g>
  );
}
