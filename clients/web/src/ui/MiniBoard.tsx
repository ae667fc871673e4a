import type { Color } from 'gambit-client';
import { useMemo } from 'preact/hooks';
import { piecesOf, place, placeOf } from './fen.js';
import { pieceSpriteUrl } from './pieces.js';
import './mini-board.css';

/** A square is as many units wide as a piece of the sprite. */
const UNIT = 40;

const DARK_SQUARES = Array.from({ length: 32 }, (_, index) => {
  const row = Math.floor(index / 4);
  return `M${((index % 4) * 2 + ((row + 1) % 2)) * UNIT} ${row * UNIT}h${UNIT}v${UNIT}h-${UNIT}z`;
}).join('');

/**
 * A small board that is only looked at: one SVG, far cheaper than a board that can be played on.
 * It is hidden from screen readers, which get the players and the last move from the text beside it.
 */
export function MiniBoard({ fen, lastMove, side = 'white' }: {
  fen: string;
  /** The last move in UCI, which is marked. */
  lastMove?: string;
  /** The side at the lower edge. */
  side?: Color;
}) {
  // Lists of boards are rendered every second for their clocks; the position is compared only.
  return useMemo(() => drawing(fen, lastMove, side), [fen, lastMove, side]);
}

function drawing(fen: string, lastMove: string | undefined, side: Color) {
  const marked = lastMove ? [lastMove.slice(0, 2), lastMove.slice(2, 4)] : [];
  return (
    <svg class="mini-board" viewBox={`0 0 ${8 * UNIT} ${8 * UNIT}`} aria-hidden="true">
      <rect class="mini-board-light" width={8 * UNIT} height={8 * UNIT} />
      <path class="mini-board-dark" d={DARK_SQUARES} />
      {marked.map((square) => {
        const at = placeOf(square, side);
        const dark = at !== undefined && (at.x + at.y) % 2 === 1;
        return at && (
          <rect
            key={square}
            class={dark ? 'mini-board-last-dark' : 'mini-board-last-light'}
            x={at.x * UNIT} y={at.y * UNIT} width={UNIT} height={UNIT}
          />
        );
      })}
      {piecesOf(fen).map(({ piece, file, rank }) => {
        const at = place(file, rank, side);
        return <use key={`${file}${rank}`} href={`${pieceSpriteUrl}#${piece}`} x={at.x * UNIT} y={at.y * UNIT} />;
      })}
    </svg>
  );
}
