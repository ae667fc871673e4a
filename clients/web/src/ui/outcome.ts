import type { Color, Result } from 'gambit-client';

const DRAWS: Record<string, string> = {
  stalemate: 'by stalemate',
  deadposition: 'as neither side can mate',
  threefold: 'by threefold repetition',
  fivefold: 'by fivefold repetition',
  fiftymoves: 'by the fifty-move rule',
  seventyfivemoves: 'by the 75-move rule',
  agreement: 'by agreement',
  timeout: 'as the time ran out and the other side cannot mate',
  abandoned: 'as a player left and the other side cannot mate',
  illegalmoves: 'after illegal moves, as the other side cannot mate',
};

const WINS: Record<string, (loser: string) => string> = {
  checkmate: () => 'by checkmate',
  resignation: (loser) => `as ${loser} resigned`,
  timeout: (loser) => `as ${loser} ran out of time`,
  abandoned: (loser) => `as ${loser} left`,
  illegalmoves: (loser) => `as ${loser} played two illegal moves`,
};

/** Which side has won, if any has. */
export function winnerOf(result: Result | undefined): Color | undefined {
  return result === '1-0' ? 'white' : result === '0-1' ? 'black' : undefined;
}

/** How a game ended, as a sentence without its full stop: "White won by checkmate". */
export function outcomeInWords(result: Result, termination: string | undefined): string {
  const winner = winnerOf(result);
  if (winner) {
    const [white, black] = ['White', 'Black'];
    const how = WINS[termination ?? '']?.(winner === 'white' ? black : white);
    return [winner === 'white' ? white : black, 'won', how].filter(Boolean).join(' ');
  }
  if (result === '*') return 'Aborted, without a result';
  return ['Draw', DRAWS[termination ?? '']].filter(Boolean).join(' ');
}

/** The result as it is printed: `1–0`, `0–1`, `½–½`, or a dash for an aborted game. */
export function resultText(result: Result): string {
  return { '1-0': '1–0', '0-1': '0–1', '1/2-1/2': '½–½', '*': '–' }[result];
}
