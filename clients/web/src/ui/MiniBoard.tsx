import type { Color } from 'gambit-client';
import { useMemo } from 'preact/hooks';
import { SIZE, UNIT } from '../board/geometry.js';
import { Squares } from '../board/Squares.js';
import { piecesOf, place, placeOf } from './fen.js';
import { usePieceSprite } from './pieces.js';
import '../board/themes.css';
import './mini-board.css';

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
  const sprite = usePieceSprite();
  return useMemo(() => drawing(sprite, fen, lastMove, side), [sprite, fen, lastMove, side]);
}

function drawing(sprite: string, fen: string, lastMove: string | undefined, side: Color) {
  const marked = lastMove ? [lastMove.slice(0, 2), lastMove.slice(2, 4)] : [];
  return (
    <svg class="mini-board" viewBox={`0 0 ${SIZE} ${SIZE}`} aria-hidden="true">
      <Squares />
      {marked.map((square) => {
        const at = placeOf(square, side);
        return at && <rect key={square} class="mark-last" x={at.x * UNIT} y={at.y * UNIT} width={UNIT} height={UNIT} />;
      })}
      {piecesOf(fen).map(({ piece, file, rank }) => {
        const at = place(file, rank, side);
        return <use key={`${file}${rank}`} href={`${sprite}#${piece}`} x={at.x * UNIT} y={at.y * UNIT} />;
      })}
    </svg>
  );
}
