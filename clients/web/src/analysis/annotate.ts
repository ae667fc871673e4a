/** The evaluation of a whole game. */
import { positionOf, turnOf } from '../board/position.js';
import { plyFrom } from '../board/line.js';
import type { Annotation } from './analysis-state.js';
import { type Fault, type Score, faultOf } from './annotation.js';
import type { Evaluation } from './evaluator.js';
import type { TreeNode } from './tree.js';

/** The score of a position without a legal move; undefined if there is one. */
export function finalScore(fen: string): Score | undefined {
  const position = positionOf(fen);
  if (position?.isCheckmate()) {
    return { mate: turnOf(fen) === 'white' ? -1 : 1 };
  }
  return position?.isStalemate() || position?.isInsufficientMaterial() ? { cp: 0 } : undefined;
}

/**
 * Evaluates the positions of a line, one after the other.
 *
 * @param evaluate finds the evaluation of a position, or undefined to end all
 * @param onProgress is called with the number of positions that are done
 * @returns undefined if it was ended
 */
export async function annotate(
  line: readonly TreeNode[],
  evaluate: (node: TreeNode) => Promise<Evaluation | undefined>,
  onProgress: (done: number) => void,
): Promise<Annotation | undefined> {
  const scores: Score[] = [];
  const best: (string | undefined)[] = [];
  for (const node of line) {
    const final = finalScore(node.fen);
    const [first] = final ? [] : ((await evaluate(node))?.lines ?? []);
    const score = final ?? first?.score;
    if (!score) {
      return undefined;
    }
    scores.push(score);
    best.push(first?.pv[0]);
    onProgress(scores.length);
  }
  const faults = new Map<TreeNode, { fault: Fault; best: string | undefined }>();
  line.slice(1).forEach((node, i) => {
    const { uci, color } = node.ply!;
    const fault = uci === best[i] ? undefined : faultOf(scores[i]!, scores[i + 1]!, color);
    if (fault) {
      faults.set(node, { fault, best: best[i] && plyFrom(line[i]!.fen, best[i])?.san });
    }
  });
  return { line, scores, faults };
}
