/** Games with variations. */
import { type Ply, plyFrom } from '../board/line.js';

/** The most moves of a tree: beyond that, none is added. */
export const MAX_NODES = 2000;

/** The marks of moves by their NAGs (PGN standard 10). */
export const GLYPHS: readonly string[] = ['', '!', '?', '!!', '??', '!?', '?!'];

/** A position of a tree, with the move that led to it; the first one has none. */
export class TreeNode {
  readonly fen: string;
  readonly parent: TreeNode | undefined;
  readonly ply: Ply | undefined;
  /** The moves from here; the first continues the line. */
  readonly children: TreeNode[] = [];
  /** The move's NAG from 1 to 6, an index of `GLYPHS`. */
  nag = 0;
  /** As in PGN, with commands such as `[%clk 0:05:00]`. */
  comment = '';

  constructor(fen: string, parent?: TreeNode, ply?: Ply) {
    this.fen = fen;
    this.parent = parent;
    this.ply = ply;
  }

  /** The first positions up to this one. */
  get path(): TreeNode[] {
    const path: TreeNode[] = [];
    for (let node: TreeNode | undefined = this; node; node = node.parent) {
      path.unshift(node);
    }
    return path;
  }

  /** The last position of the line from here. */
  get last(): TreeNode {
    let node: TreeNode = this;
    while (node.children[0]) {
      node = node.children[0];
    }
    return node;
  }

  /** Whether no move up to here is a variation. */
  get isMain(): boolean {
    return this.branch === undefined;
  }

  /** The first move of the innermost variation that this position belongs to. */
  get branch(): TreeNode | undefined {
    let node: TreeNode = this;
    while (node.parent) {
      if (node.parent.children[0] !== node) return node;
      node = node.parent;
    }
    return undefined;
  }
}

/** A game with its variations and the tags of its PGN. */
export class GameTree {
  readonly root: TreeNode;
  readonly tags = new Map<string, string>();
  #nodes = 0;

  /** @param startFen a position that chess.js accepts */
  constructor(startFen: string) {
    this.root = new TreeNode(startFen);
  }

  /** A tree with one line. */
  static ofMoves(startFen: string, moves: readonly string[]): GameTree {
    const tree = new GameTree(startFen);
    let node: TreeNode | undefined = tree.root;
    for (const uci of moves) {
      node = tree.play(node, uci);
      if (!node) break;
    }
    return tree;
  }

  get isFull(): boolean {
    return this.#nodes >= MAX_NODES;
  }

  /** The positions of the main line. */
  get mainLine(): TreeNode[] {
    return this.root.last.path;
  }

  /** The position after a move, which is added where it is new; undefined if it is illegal or the tree is full. */
  play(node: TreeNode, uci: string): TreeNode | undefined {
    const known = node.children.find(({ ply }) => ply!.uci === uci);
    if (known || this.isFull) {
      return known;
    }
    const ply = plyFrom(node.fen, uci);
    if (!ply) {
      return undefined;
    }
    const child = new TreeNode(ply.fen, node, ply);
    node.children.push(child);
    this.#nodes++;
    return child;
  }

  /** Exchanges the innermost variation of a position with the line that it branches from. */
  promote(node: TreeNode): void {
    const { branch } = node;
    const siblings = branch?.parent!.children;
    if (branch && siblings) {
      siblings.splice(siblings.indexOf(branch), 1);
      siblings.unshift(branch);
    }
  }

  /** Removes a move with everything after it; returns the position before it. */
  remove(node: TreeNode): TreeNode {
    const { parent } = node;
    if (!parent) {
      return node;
    }
    parent.children.splice(parent.children.indexOf(node), 1);
    this.#nodes -= sizeOf(node);
    return parent;
  }
}

function sizeOf(node: TreeNode): number {
  const open = [node];
  for (let i = 0; i < open.length; i++) {
    open.push(...open[i]!.children);
  }
  return open.length;
}
