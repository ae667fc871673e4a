/** What the absence of a player leads to. */
import type { Game } from 'gambit-client';
import { type Color, canMate, opponentOf, positionOf } from '../board/position.js';
import { colorName } from '../board/words.js';
import { durationInWords } from './clock-format.js';

/**
 * The consequence in words, such as "You win in 34 s".
 *
 * @param left the milliseconds in which the absent player can return
 */
export function absenceInWords(
  { color, fen, isSlow, ply }: Pick<Game, 'color' | 'fen' | 'isSlow' | 'ply'>,
  absent: Color,
  left: number,
): string {
  return isSlow ? 'away' : `${consequence()} in ${durationInWords(left)}`;

  function consequence(): string {
    const winner = opponentOf(absent);
    const position = positionOf(fen);
    if (ply < 2) {
      return 'Aborted';
    } else if (position && !canMate(position, winner)) {
      return 'Draw';
    }
    return color === winner ? 'You win' : `${colorName(winner)} wins`;
  }
}
