/** PGN with variations, comments and marks, read from and written for other programs. */
import { INITIAL_FEN, moveNumberOf, positionOf, uciOf } from '../board/position.js';
import { pgnOf } from '../game/pgn-export.js';
import { t } from '../language/t.js';
import { readStart } from '../ui/start-position.js';
import { MAX_PGN_LENGTH, PgnError, moveOfSan } from '../verify/pgn-reader.js';
import { GLYPHS, GameTree, type TreeNode } from './tree.js';

const MAX_DEPTH = 20;
const MAX_COMMENT = 2000;
const MAX_TAGS = 50;
const MAX_TAG = 200;
const RESULTS = ['1-0', '0-1', '1/2-1/2', '*'];
const TAG = /\s*\[\s*(\w{1,40})\s*"((?:[^"\\\n\r]|\\.)*)"\s*\]/y;
const TOKEN = /\s+|;[^\n]*|\{[^}]*\}?|\$\d{1,3}|[()]|[^\s(){};$]+|[^]/y;
const ROSTER = ['Event', 'Site', 'Date', 'Round', 'White', 'Black', 'Result'];

/**
 * Reads the first game of a text, as other programs write it: with or without tags, move numbers and result.
 *
 * @throws PgnError with a sentence for the user
 */
export function readPgnTree(text: string): GameTree {
  if (text.length > MAX_PGN_LENGTH) {
    throw new PgnError(t('The text is longer than any game.'));
  }
  const tags = new Map<string, string>();
  TAG.lastIndex = text.startsWith('\ufeff') ? 1 : 0;
  let at = TAG.lastIndex;
  for (let match = TAG.exec(text); match; match = TAG.exec(text)) {
    const [, name = '', value = ''] = match;
    if (!tags.has(name) && tags.size < MAX_TAGS) {
      tags.set(name, value.slice(0, MAX_TAG).replace(/\\(.)/g, '$1'));
    }
    at = TAG.lastIndex;
  }
  const start = readStart(tags.get('FEN') ?? INITIAL_FEN, true);
  if ('problem' in start) {
    throw new PgnError(start.problem);
  }
  const tree = new GameTree(start.fen);
  tags.forEach((value, name) => tree.tags.set(name, value));
  readMoves(text, at, tree);
  return tree;
}

function readMoves(text: string, at: number, tree: GameTree): void {
  let node = tree.root;
  /** The ends of the lines that are interrupted by variations. */
  const outer: TreeNode[] = [];
  TOKEN.lastIndex = at;
  for (let match = TOKEN.exec(text); match; match = TOKEN.exec(text)) {
    const [token] = match;
    if (/^[\s;}]/.test(token)) {
      continue;
    } else if (token.startsWith('{')) {
      const comment = token.slice(1).replace('}', '').replace(/\s+/g, ' ').trim();
      node.comment = `${node.comment} ${comment}`.trim().slice(0, MAX_COMMENT);
    } else if (token === '(') {
      if (outer.length >= MAX_DEPTH) {
        throw new PgnError(t('The variations of this game are nested too deeply.'));
      }
      outer.push(node);
      node = node.parent ?? node;
    } else if (token === ')') {
      node = outer.pop() ?? node;
    } else if (token.startsWith('$')) {
      mark(node, Number(token.slice(1)));
    } else if (RESULTS.includes(token)) {
      if (outer.length === 0) {
        tree.tags.set('Result', token);
        return;
      }
    } else {
      node = readMove(token, tree, node);
    }
  }
}

/** Reads a move with or without its number and marks, or one of these alone. */
function readMove(token: string, tree: GameTree, node: TreeNode): TreeNode {
  const [, san = '', glyph = ''] = /^(?:\d+\.+|\d+$|\.+)*(.*?)([!?]{0,2})$/.exec(token)!;
  let after = node;
  if (san !== '') {
    const position = positionOf(node.fen)!;
    const found = san.length <= 12 ? moveOfSan(san, position) : undefined;
    if (!found) {
      throw new PgnError(t('Move {number}: “{move}” is not a legal move.', { number: moveNumberOf(node.fen), move: san.slice(0, 12) }));
    }
    const played = tree.play(node, uciOf(found.move));
    if (!played) {
      throw new PgnError(t('This game has too many moves.'));
    }
    after = played;
  }
  mark(after, GLYPHS.indexOf(glyph));
  return after;
}

function mark(node: TreeNode, nag: number): void {
  if (node.ply && nag > 0 && nag < GLYPHS.length) {
    node.nag = nag;
  }
}

/** The part of a comment that is for people: without commands such as `[%clk 0:05:00]`. */
export function textOfComment(comment: string): string {
  return comment.replace(/\[%[^\]]*\]/g, '').replace(/\s+/g, ' ').trim();
}

/** Writes a tree with its variations, marks and comments. */
export function writePgnTree({ tags, root }: GameTree): string {
  const roster = ROSTER.map((name) => [name, tags.get(name) ?? (name === 'Date' ? '????.??.??' : name === 'Result' ? '*' : '?')] as const);
  const others = [...tags].filter(([name]) => !ROSTER.includes(name) && name !== 'FEN' && name !== 'SetUp');
  const setUp = root.fen === INITIAL_FEN ? [] : ([['FEN', root.fen], ['SetUp', '1']] as const);
  return pgnOf([...roster, ...setUp, ...others], [...commentOf(root), ...lineOf(root), tags.get('Result') ?? '*']);
}

/** The tokens of the moves after a position. */
function lineOf(start: TreeNode): string[] {
  const tokens: string[] = [];
  let isNumbered = !start.ply || start.comment !== '';
  for (let node = start; node.children[0]; node = node.children[0]) {
    const [main, ...variations] = node.children;
    tokens.push(...moveOf(main!, isNumbered));
    for (const variation of variations) {
      const inner = [...moveOf(variation, true), ...lineOf(variation)];
      tokens.push(`(${inner[0]}`, ...inner.slice(1, -1), `${inner.at(-1)})`);
    }
    isNumbered = variations.length > 0 || main!.comment !== '';
  }
  return tokens;
}

function moveOf(node: TreeNode, isNumbered: boolean): string[] {
  const { number, color, san } = node.ply!;
  const dots = color === 'white' ? [`${number}.`] : isNumbered ? [`${number}...`] : [];
  return [...dots, san, ...(node.nag > 0 ? [`$${node.nag}`] : []), ...commentOf(node)];
}

function commentOf({ comment }: TreeNode): string[] {
  return comment === '' ? [] : `{${comment.replace(/\}/g, ')')}}`.split(' ');
}
