/** The end of a game in words. */
import type { Result } from 'gambit-client';
import { type Color, opponentOf } from '../board/position.js';
import { colorName } from '../board/words.js';
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
    return { title: 'Game aborted', reason: 'It was called off in the opening moves, without a result.', mood: 'neutral' };
  }
  if (!winner) {
    return { title: 'Draw', reason: drawReason(termination), mood: own ? 'drawn' : 'neutral' };
  }
  const title = own ? (winner === own ? 'You won' : 'You lost') : `${colorName(winner)} won`;
  return {
    title,
    reason: lossReason(termination, opponentOf(winner), own),
    mood: own ? (winner === own ? 'won' : 'lost') : 'neutral',
  };
}

function drawReason(termination: string): string {
  const reasons: Record<string, string> = {
    stalemate: 'Stalemate: the side to move has no legal move.',
    deadposition: 'Neither side can mate with the pieces on the board.',
    threefold: 'Claimed: the same position occurred for the third time.',
    fivefold: 'The same position occurred for the fifth time.',
    fiftymoves: 'Claimed: fifty moves without a capture or a pawn move.',
    seventyfivemoves: 'Seventy-five moves without a capture or a pawn move.',
    agreement: 'The players agreed to a draw.',
    timeout: 'Time ran out, but the opponent cannot mate with the pieces left.',
    abandoned: 'A player left, but the opponent cannot mate with the pieces left.',
    illegalmoves: 'Two illegal moves, but the opponent cannot mate with the pieces left.',
  };
  return reasons[termination] ?? 'The game is drawn.';
}

function lossReason(termination: string, loser: Color, own: Color | undefined): string {
  const who = own === loser ? 'You' : own ? 'Your opponent' : colorName(loser);
  const have = own === loser ? 'have' : 'has';
  const reasons: Record<string, string> = {
    checkmate: 'By checkmate.',
    resignation: `${who} resigned.`,
    timeout: `${who} ran out of time.`,
    illegalmoves: `${who} ${have} played two illegal moves.`,
    abandoned: `${who} left the game.`,
  };
  return reasons[termination] ?? `${who} ${have} lost.`;
}
