import type { ComponentChild } from 'preact';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { t } from '../language/t.js';
import { manyLines } from '../ui/names.js';
import type { AnalysisState } from './analysis-state.js';
import { textOfComment } from './pgn-tree.js';
import { GLYPHS, type TreeNode } from './tree.js';
import { faultName } from './words.js';

const MAX_COMMENT_LENGTH = 600;
const MAX_COMMENT_LINES = 6;

/** The moves with their variations, marks and comments. */
export function MoveTree({ state }: { state: AnalysisState }) {
  const box = useRef<HTMLDivElement>(null);
  const { node, tree, version, annotation } = state;
  useEffect(() => {
    // Scrolls the box only, which scrollIntoView would not promise.
    const current = box.current!.querySelector<HTMLElement>('[aria-current]');
    box.current!.scrollTop = current ? current.offsetTop - box.current!.clientHeight / 2 : 0;
  }, [node, version]);
  const moves = useMemo(() => lineFrom(state, tree.root), [state, node, version, annotation]);
  return (
    <div ref={box} class="tree" role="group" aria-label={t('Moves')} tabIndex={0}>
      {tree.root.children.length === 0 ? <p class="muted small">{t('Move a piece to begin.')}</p> : moves}
    </div>
  );
}

/** The line after a position, with the variations of its moves. */
function lineFrom(state: AnalysisState, start: TreeNode): ComponentChild[] {
  const parts: ComponentChild[] = commentOf(start);
  let isNumbered = !start.ply || parts.length > 0;
  for (let node = start; node.children[0]; node = node.children[0]) {
    const [main, ...variations] = node.children;
    const notes = [...faultOf(state, main!), ...commentOf(main!)];
    parts.push(moveOf(state, main!, isNumbered), ...notes);
    if (variations.length > 0) {
      parts.push(
        <ul class="tree-variations">
          {variations.map((variation) => <li>{[moveOf(state, variation, true), ...lineFrom(state, variation)]}</li>)}
        </ul>,
      );
    }
    isNumbered = variations.length > 0 || notes.length > 0;
  }
  return parts;
}

function moveOf(state: AnalysisState, node: TreeNode, isNumbered: boolean): ComponentChild {
  const { number, color, san } = node.ply!;
  const fault = state.annotation?.faults.get(node)?.fault;
  const glyph = GLYPHS[node.nag]!;
  const numbered = `${number}${color === 'white' ? '.' : '…'}`;
  return (
    <button
      type="button"
      class={`move tree-move ${fault ? `tree-${fault}` : ''}`}
      aria-current={node === state.node ? 'step' : undefined}
      aria-label={`${numbered} ${san}${glyph}`}
      onClick={() => state.show(node)}
    >
      {(isNumbered || color === 'white') && <span class="tree-number">{numbered}</span>}
      {san}
      {glyph}
    </button>
  );
}

function faultOf({ annotation }: AnalysisState, node: TreeNode): ComponentChild[] {
  const found = annotation?.faults.get(node);
  if (!found) return [];
  const name = faultName(found.fault);
  return [<span class="tree-note">{found.best ? t('{fault}. {move} was best.', { fault: name, move: found.best }) : `${name}.`}</span>];
}

function commentOf({ comment, ply }: TreeNode): ComponentChild[] {
  const text = manyLines(textOfComment(comment), MAX_COMMENT_LENGTH, MAX_COMMENT_LINES);
  return text ? [<bdi class={ply ? 'tree-note' : 'tree-note tree-start'}>{text}</bdi>] : [];
}
