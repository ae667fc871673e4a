/** What the absence of a player leads to. */
import type { Game } from 'gambit-client';
import { type Color, canMate, opponentOf, positionOf } from '../board/position.js';
import { t } from '../language/t.js';
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
  const winner = opponentOf(absent);
  const position = positionOf(fen);
  const time = durationInWords(left);
  if (isSlow) {
    return t('away');
  } else if (ply < 2) {
    return t('Aborted in {time}', { time });
  } else if (position && !canMate(position, winner)) {
    return t('Draw in {time}', { time });
  }
  return t('{who, select, you {You win} white {White wins} other {Black wins}} in {time}', {
    who: color === winner ? 'you' : winner,
    time,
  });
}
