import type { Color, Result } from 'gambit-client';
import { leftToRight } from '../language/format.js';
import { t } from '../language/t.js';

/** Which side has won, if any has. */
export function winnerOf(result: Result | undefined): Color | undefined {
  return result === '1-0' ? 'white' : result === '0-1' ? 'black' : undefined;
}

/** How a game ended, as a sentence without its full stop: "White won by checkmate". */
export function outcomeInWords(result: Result, termination: string | undefined): string {
  const winner = winnerOf(result);
  if (winner) return winInWords(winner, termination);
  return result === '*' ? t('Aborted, without a result') : drawInWords(termination);
}

function winInWords(winner: Color, termination: string | undefined): string {
  switch (termination) {
    case 'checkmate':
      return t('{winner, select, white {White won by checkmate} other {Black won by checkmate}}', { winner });
    case 'resignation':
      return t('{winner, select, white {White won as Black resigned} other {Black won as White resigned}}', { winner });
    case 'timeout':
      return t('{winner, select, white {White won as Black ran out of time} other {Black won as White ran out of time}}', { winner });
    case 'abandoned':
      return t('{winner, select, white {White won as Black left} other {Black won as White left}}', { winner });
    case 'illegalmoves':
      return t('{winner, select, white {White won as Black played two illegal moves} other {Black won as White played two illegal moves}}', { winner });
    default:
      return t('{winner, select, white {White won} other {Black won}}', { winner });
  }
}

function drawInWords(termination: string | undefined): string {
  switch (termination) {
    case 'stalemate':
      return t('Draw by stalemate');
    case 'deadposition':
      return t('Draw as neither side can mate');
    case 'threefold':
      return t('Draw by threefold repetition');
    case 'fivefold':
      return t('Draw by fivefold repetition');
    case 'fiftymoves':
      return t('Draw by the fifty-move rule');
    case 'seventyfivemoves':
      return t('Draw by the 75-move rule');
    case 'agreement':
      return t('Draw by agreement');
    case 'timeout':
      return t('Draw as the time ran out and the other side cannot mate');
    case 'abandoned':
      return t('Draw as a player left and the other side cannot mate');
    case 'illegalmoves':
      return t('Draw after illegal moves, as the other side cannot mate');
    default:
      return t('Draw');
  }
}

/** The result as it is printed: `1–0`, `0–1`, `½–½`, or a dash for an aborted game. */
export function resultText(result: Result): string {
  return leftToRight({ '1-0': '1–0', '0-1': '0–1', '1/2-1/2': '½–½', '*': '–' }[result]);
}
