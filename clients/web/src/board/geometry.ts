/** The board as a drawing: eight squares of 40 units, as wide as a piece of the sprites. */
import { place } from '../ui/fen.js';
import { squareAt } from './placement.js';
import type { Color, Square } from './position.js';

/** The width of a square. */
export const UNIT = 40;

/** The width of the board. */
export const SIZE = 8 * UNIT;

/** The dark squares as one path. */
export const DARK_SQUARES = Array.from({ length: 32 }, (_, index) => {
  const row = Math.floor(index / 4);
  return `M${((index % 4) * 2 + ((row + 1) % 2)) * UNIT} ${row * UNIT}h${UNIT}v${UNIT}h-${UNIT}z`;
}).join('');

/** A place in the drawing. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

/** The upper left corner of a square. */
export function cornerOf(square: Square, side: Color): Point {
  const { x, y } = place(square.charCodeAt(0) - 97, Number(square[1]) - 1, side);
  return { x: x * UNIT, y: y * UNIT };
}

/** The square that covers a place; undefined beside the board. */
export function squareUnder({ x, y }: Point, side: Color): Square | undefined {
  const column = Math.floor(x / UNIT);
  const row = Math.floor(y / UNIT);
  return side === 'white' ? squareAt(column, 7 - row) : squareAt(7 - column, row);
}
