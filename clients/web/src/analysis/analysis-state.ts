/** The state of an analysis, without the components that show it. */
import { Listeners } from '../app/store.js';
import { type Mark, marksOf } from '../board/mark.js';
import { castlingTarget, withSteps } from '../board/placement.js';
import { type Color, type PieceSymbol, type Square, legalTargets, needsPromotion, positionOf, turnOf, uciOf } from '../board/position.js';
import type { OpenPromotion } from '../game/game-state.js';
import type { NavigationStep } from '../game/navigation.js';
import { FAULT_NAGS, type Fault, type Score } from './annotation.js';
import type { GameTree, TreeNode } from './tree.js';

/** The evaluations of a game's positions. */
export interface Annotation {
  /** The positions; the first one has no move. */
  readonly line: readonly TreeNode[];
  /** One for each position. */
  readonly scores: readonly Score[];
  /** The faulty moves by the positions after them, each with the best move in SAN where it is known. */
  readonly faults: ReadonlyMap<TreeNode, { readonly fault: Fault; readonly best: string | undefined }>;
}

/** A tree of moves, the position that is shown, and what has been found out about the main line. */
export class AnalysisState {
  readonly tree: GameTree;
  readonly #listeners = new Listeners();
  readonly #alwaysQueen: () => boolean;
  #node: TreeNode;
  #promotion: OpenPromotion | undefined;
  #annotation: Annotation | undefined;
  #version = 0;

  constructor(tree: GameTree, alwaysQueen: () => boolean = () => false) {
    this.tree = tree;
    this.#node = tree.root;
    this.#alwaysQueen = alwaysQueen;
  }

  readonly subscribe = (listener: () => void): (() => void) => this.#listeners.add(listener);

  /** The shown position. */
  get node(): TreeNode {
    return this.#node;
  }

  /** Changes with the tree's moves and marks. */
  get version(): number {
    return this.#version;
  }

  get promotion(): OpenPromotion | undefined {
    return this.#promotion;
  }

  /** The evaluations of the main line; undefined before, and after the main line was changed. */
  get annotation(): Annotation | undefined {
    return this.#annotation;
  }

  /** The position on the board: with the pawn on its last rank, while its piece is chosen. */
  get shownFen(): string {
    return this.#promotion ? withSteps(this.#node.fen, [this.#promotion]) : this.#node.fen;
  }

  /** The side to move, unless a piece is being chosen. */
  get movable(): Color | undefined {
    return this.#promotion ? undefined : turnOf(this.#node.fen);
  }

  get marks(): readonly Mark[] {
    return marksOf(this.shownFen, this.#node.ply, []);
  }

  targets(from: Square): readonly Square[] {
    return legalTargets(this.#node.fen, from);
  }

  /** Enters a move; a king that is moved onto its rook castles. */
  enter(from: Square, target: Square, chooses = false): void {
    const { fen } = this.#node;
    const to = castlingTarget(fen, from, target);
    if (!needsPromotion(positionOf(fen)!, from, to)) {
      this.play([uciOf({ from, to })]);
    } else if (this.#alwaysQueen() && !chooses) {
      this.play([uciOf({ from, to, promotion: 'q' })]);
    } else {
      this.#promotion = { from, to, color: turnOf(fen) };
      this.#changed();
    }
  }

  /** Ends the choice of a piece; without a piece, the move is not made. */
  choosePromotion(piece: PieceSymbol | undefined): void {
    const open = this.#promotion;
    this.#promotion = undefined;
    if (open && piece) {
      this.play([uciOf({ from: open.from, to: open.to, promotion: piece })]);
    } else {
      this.#changed();
    }
  }

  /** Plays moves from the shown position, and shows the last one. */
  play(moves: readonly string[]): void {
    const before = this.tree.mainLine.length;
    for (const uci of moves) {
      const next = this.tree.play(this.#node, uci);
      if (!next) break;
      this.#node = next;
    }
    if (this.tree.mainLine.length !== before) this.#annotation = undefined;
    this.#version++;
    this.#changed();
  }

  show(node: TreeNode): void {
    this.#node = node;
    this.#promotion = undefined;
    this.#changed();
  }

  /** Steps along the line of the shown position. */
  step(step: NavigationStep): void {
    const node = this.#node;
    this.show(
      step === 'first' ? this.tree.root
      : step === 'back' ? (node.parent ?? node)
      : step === 'forward' ? (node.children[0] ?? node)
      : node.last,
    );
  }

  /** Shows the next move instead of this one, or the one before, where there are variations. */
  showSibling(by: 1 | -1): void {
    const siblings = this.#node.parent?.children ?? [this.#node];
    this.show(siblings[(siblings.indexOf(this.#node) + by + siblings.length) % siblings.length]!);
  }

  /** Makes the variation of the shown position the line from which it branches. */
  promote(): void {
    this.#changeTree(() => this.tree.promote(this.#node));
  }

  /** Removes the shown move and everything after it. */
  remove(): void {
    this.#changeTree(() => {
      this.#node = this.tree.remove(this.#node);
    });
  }

  /** Sets the evaluations of the main line, and marks the faulty moves that have no mark. */
  annotate(annotation: Annotation): void {
    this.#annotation = annotation;
    annotation.faults.forEach(({ fault }, node) => {
      node.nag ||= FAULT_NAGS[fault];
    });
    this.#version++;
    this.#changed();
  }

  #changeTree(change: () => void): void {
    const before = this.tree.mainLine;
    change();
    const after = this.tree.mainLine;
    if (after.length !== before.length || after.some((node, i) => node !== before[i])) {
      this.#annotation = undefined;
    }
    this.#version++;
    this.#changed();
  }

  #changed(): void {
    this.#listeners.notify();
  }
}
