import { Chess } from 'chess.js';
import type { Rules } from '../../src/index.js';

/** The rules of chess, as an application gives them to the library. */
export const rules: Rules = {
  play(fen, uci) {
    const chess = new Chess(fen);
    const { san } = chess.move({ from: uci.slice(0, 2), to: uci.slice(2, 4), promotion: uci[4] });
    return { san, fen: chess.fen() };
  },
};
