import { DARK_SQUARES, SIZE } from './geometry.js';

/** The squares of a board, of any size. */
export function Squares() {
  return (
    <>
      <rect class="board-light" width={SIZE} height={SIZE} />
      <path class="board-dark" d={DARK_SQUARES} />
    </>
  );
}
