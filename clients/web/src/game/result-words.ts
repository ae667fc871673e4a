/** The end of a game in words. */
import type { Result } from 'gambit-client';
import { type Color, opponentOf } from '../board/position.js';
import { t } from '../language/t.js';
import { winnerOf } from '../ui/outcome.js';

/** The end of a game, for the banner. */
export interface ResultWords {
  readonly title: string;
  readonly reason: string;
  /** For the colours of the banner, from the reader's side. */
  readonly mood: 'won' | 'lost' | 'drawn' | 'neutral';
}

/**
 * The result and its reason in words.
 *
 * @param own the reader's side; undefined for a spectator
 */
export function resultInWords(result: Result, termination: string, own?: Color): ResultWords {
  const winner = winnerOf(result);
  if (termination === 'aborted' || result === '*') {
    return {
      title: t('Game aborted'),
      reason: t('It was called off in the opening moves, without a result.'),
      mood: 'neutral',
    };
  }
  if (!winner) {
    return { title: t('Draw'), reason: drawReason(termination), mood: own ? 'drawn' : 'neutral' };
  }
  return {
    title: own
      ? winner === own ? t('You won') : t('You lost')
      : t('{color, select, white {White} other {Black}} won', { color: winner }),
    reason: lossReason(termination, opponentOf(winner), own),
    mood: own ? (winner === own ? 'won' : 'lost') : 'neutral',
  };
}

function drawReason(termination: string): string {
  switch (termination) {
    case 'stalemate':
      return t('Stalemate: the side to move has no legal move.');
    case 'deadposition':
      return t('Neither side can mate with the pieces on the board.');
    case 'threefold':
      return t('Claimed: the same position occurred for the third time.');
    case 'fivefold':
      return t('The same position occurred for the fifth time.');
    case 'fiftymoves':
      return t('Claimed: fifty moves without a capture or a pawn move.');
    case 'seventyfivemoves':
      return t('Seventy-five moves without a capture or a pawn move.');
    case 'agreement':
      return t('The players agreed to a draw.');
    case 'timeout':
      return t('Time ran out, but the opponent cannot mate with the pieces left.');
    case 'abandoned':
      return t('A player left, but the opponent cannot mate with the pieces left.');
    case 'illegalmoves':
      return t('Two illegal moves, but the opponent cannot mate with the pieces left.');
    default:
      return t('The game is drawn.');
  }
}

function lossReason(termination: string, loser: Color, own: Color | undefined): string {
  const who = own === loser ? 'you' : own ? 'opponent' : loser;
  switch (termination) {
    case 'checkmate':
      return t('By checkmate.');
    case 'resignation':
      return t('{who, select, you {You} opponent {Your opponent} white {White} other {Black}} resigned.', { who });
    case 'timeout':
      return t('{who, select, you {You} opponent {Your opponent} white {White} other {Black}} ran out of time.', { who });
    case 'illegalmoves':
      return t('{who, select, you {You have} opponent {Your opponent has} white {White has} other {Black has}} played two illegal moves.', { who });
    case 'abandoned':
      return t('{who, select, you {You} opponent {Your opponent} white {White} other {Black}} left the game.', { who });
    default:
      return t('{who, select, you {You have} opponent {Your opponent has} white {White has} other {Black has}} lost.', { who });
  }
}
