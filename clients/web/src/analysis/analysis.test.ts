import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { INITIAL_FEN } from '../board/position.js';
import { AnalysisState } from './analysis-state.js';
import { annotate, finalScore } from './annotate.js';
import { type Score, accuracies, accuracyOfMove, faultOf, winningChances } from './annotation.js';
import { Evaluator, type AnalysisEngine } from './evaluator.js';
import { openingOf } from './openings.js';
import openings from './openings.txt?raw';
import { OwnPositions, type RunningGame } from './own-positions.js';
import { readPgnTree, textOfComment, writePgnTree } from './pgn-tree.js';
import { GameTree, MAX_NODES, type TreeNode } from './tree.js';

const sans = (nodes: readonly TreeNode[]): string => nodes.flatMap(({ ply }) => ply?.san ?? []).join(' ');
const movetext = (pgn: string): string => pgn.split('\n\n')[1]!.replace(/\s+/g, ' ').trim();

test('a move that was played before leads to the same position, another one is a variation', () => {
  const tree = GameTree.ofMoves(INITIAL_FEN, ['e2e4', 'e7e5', 'g1f3']);
  const state = new AnalysisState(tree);
  state.play(['e2e4']);
  state.enter('c7', 'c5');
  state.enter('g1', 'f3');
  assert.equal(sans(tree.mainLine), 'e4 e5 Nf3');
  assert.equal(sans(state.node.path), 'e4 c5 Nf3');
  state.step('back');
  state.showSibling(1);
  assert.equal(state.node.ply!.san, 'e5');
  state.showSibling(-1);
  assert.equal(state.node.ply!.san, 'c5');
  state.promote();
  assert.equal(sans(tree.mainLine), 'e4 c5 Nf3');
  assert.equal(state.node.isMain, true);
  state.remove();
  assert.equal(sans(tree.mainLine), 'e4 e5 Nf3');
  assert.equal(state.node.ply!.san, 'e4');
  state.step('last');
  assert.equal(state.node.ply!.san, 'Nf3');
  state.step('first');
  assert.equal(state.node.ply, undefined);
});

test('a king castles onto its rook, a pawn takes en passant, and a promotion waits for its piece', () => {
  const castling = new AnalysisState(new GameTree('4k3/8/8/8/8/8/8/4K2R w K - 0 1'));
  castling.enter('e1', 'h1');
  assert.equal(castling.node.ply!.san, 'O-O');
  const passant = new AnalysisState(GameTree.ofMoves(INITIAL_FEN, ['e2e4', 'a7a6', 'e4e5', 'd7d5']));
  passant.step('last');
  assert.ok(passant.targets('e5').includes('d6'));
  passant.enter('e5', 'd6');
  assert.equal(passant.node.ply!.san, 'exd6');
  const promotion = new AnalysisState(new GameTree('4k3/P7/8/8/8/8/8/4K3 w - - 0 1'));
  promotion.enter('a7', 'a8');
  assert.match(promotion.shownFen, /^P3k3/);
  assert.equal(promotion.movable, undefined);
  promotion.choosePromotion('n');
  assert.equal(promotion.node.ply!.san, 'a8=N');
});

test('variations, marks and comments survive reading and writing', () => {
  const pgn = `[White "Ann"]
[Black "Bört"]
[Result "1-0"]

{Before.} 1. e4! {[%clk 0:05:00] Best (by test) } e5 (1... c5 2. Nf3 (2. c3?! d5) 2... d6 $2) (1... e6) 2. Qh5?? ; to the end
Ke7 $4 3. Qxe5# 1-0

[White "Another"] 1. d4 *`;
  const tree = readPgnTree(pgn);
  assert.equal(sans(tree.mainLine), 'e4 e5 Qh5 Ke7 Qxe5#');
  assert.equal(tree.tags.get('White'), 'Ann');
  const [first] = tree.root.children;
  assert.equal(first!.children.map(({ ply }) => ply!.san).join(), 'e5,c5,e6');
  assert.equal(textOfComment(first!.comment), 'Best (by test)');
  const written = writePgnTree(tree);
  assert.match(written, /^\[Event "\?"]\n\[Site "\?"]\n\[Date "\?{4}\.\?\?\.\?\?"]\n\[Round "\?"]\n\[White "Ann"]\n\[Black "Bört"]\n\[Result "1-0"]\n\n/);
  assert.equal(
    movetext(written),
    '{Before.} 1. e4 $1 {[%clk 0:05:00] Best (by test)} 1... e5 (1... c5 2. Nf3 (2. c3 $6 d5) 2... d6 $2) (1... e6) 2. Qh5 $4 Ke7 $4 3. Qxe5# 1-0',
  );
  assert.equal(writePgnTree(readPgnTree(written)), written);
});

test('a game from another position keeps it, without a result it has none', () => {
  const tree = readPgnTree('[FEN "4k3/8/8/8/8/8/4P3/4K3 b - - 0 17"]\n\n17... Kd7 18.e4 Ke6');
  assert.equal(sans(tree.mainLine), 'Kd7 e4 Ke6');
  const written = writePgnTree(tree);
  assert.match(written, /\[FEN "4k3\/8\/8\/8\/8\/8\/4P3\/4K3 b - - 0 17"]\n\[SetUp "1"]/);
  assert.equal(movetext(written), '17... Kd7 18. e4 Ke6 *');
});

test('hostile PGN is refused with a sentence, or read in part', () => {
  const refused: [string, RegExp][] = [
    ['x'.repeat((1 << 20) + 1), /longer than any game/],
    ['1. e4 Ke4', /Move 1: “Ke4” is not a legal move/],
    [`1. ${'<'.repeat(5000)}`, /Move 1: “<{12}” is not/],
    ['[FEN "8/8/8/8/8/8/8/8 w - - 0 1"]\n\n1. e4', /not a position/],
    ['[FEN "4k3/4R3/8/8/8/8/8/4K3 w - - 0 1"]\n\n1. Re8', /in check/],
    ['1. e4 ('.concat('1. d4 ('.repeat(30)), /too deeply/],
    [`${'1. Nf3 Nf6 2. Ng1 Ng8 '.replace(/\d\./g, '').repeat(MAX_NODES)}`, /too many moves/],
  ];
  for (const [text, reason] of refused) assert.throws(() => readPgnTree(text), reason);
  assert.equal(sans(readPgnTree('1. e4 ) ) } {unterminated e5').mainLine.slice(0, 2)), 'e4');
  assert.equal(readPgnTree(`{${'a '.repeat(9000)}} 1. e4`).root.comment.length, 2000);
  assert.equal(readPgnTree('').mainLine.length, 1);
});

test('winning chances and the accuracy of a move follow the published formulas', () => {
  assert.equal(winningChances({ cp: 0 }), 0);
  assert.ok(Math.abs(winningChances({ cp: 100 }) - 0.1821) < 0.0001);
  assert.equal(winningChances({ mate: -3 }), winningChances({ cp: -5000 }));
  assert.equal(accuracyOfMove(50, 60), 100);
  assert.ok(Math.abs(accuracyOfMove(60, 50) - 64.58) < 0.1);
  assert.equal(accuracyOfMove(100, 0), 0);
  const { white, black } = accuracies([{ cp: 20 }, { cp: 20 }, { cp: 20 }, { cp: -600 }, { cp: -600 }], 'white');
  assert.ok(white! > 5 && white! < 40, `${white}`);
  assert.equal(black, 100);
  assert.deepEqual(accuracies([{ cp: 0 }], 'white'), { white: undefined, black: undefined });
});

test('a fault is a drop of the winning chances, a mate that is allowed, or one that is lost', () => {
  const cases: [Score, Score, 'white' | 'black', string | undefined][] = [
    [{ cp: 0 }, { cp: -50 }, 'white', undefined],
    [{ cp: 0 }, { cp: -60 }, 'white', 'inaccuracy'],
    [{ cp: 0 }, { cp: -120 }, 'white', 'mistake'],
    [{ cp: 0 }, { cp: -200 }, 'white', 'blunder'],
    [{ cp: 0 }, { cp: 200 }, 'black', 'blunder'],
    [{ cp: 0 }, { cp: 200 }, 'white', undefined],
    [{ cp: 3000 }, { cp: 1200 }, 'white', undefined],
    [{ cp: 0 }, { mate: -3 }, 'white', 'blunder'],
    [{ cp: -800 }, { mate: -3 }, 'white', 'mistake'],
    [{ cp: -1200 }, { mate: -3 }, 'white', 'inaccuracy'],
    [{ mate: -2 }, { cp: 0 }, 'black', 'blunder'],
    [{ mate: -2 }, { cp: -800 }, 'black', 'mistake'],
    [{ mate: -2 }, { cp: -1200 }, 'black', 'inaccuracy'],
    [{ mate: 2 }, { mate: -2 }, 'white', 'blunder'],
    [{ mate: 2 }, { mate: 5 }, 'white', undefined],
    [{ mate: 2 }, { mate: 1 }, 'black', undefined],
  ];
  for (const [before, after, mover, fault] of cases) {
    assert.equal(faultOf(before, after, mover), fault, JSON.stringify([before, after, mover]));
  }
});

/** An engine that knows the positions of one game, as Stockfish 17 evaluated them at depth 16. */
class ScriptedEngine implements AnalysisEngine {
  readonly name = 'Scripted';
  readonly asked: string[] = [];
  closed = false;
  readonly #answers: ReadonlyMap<string, { score: Score; pv: string[] }>;

  constructor(answers: ReadonlyMap<string, { score: Score; pv: string[] }>) {
    this.#answers = answers;
  }

  async analyse(fen: string, _moves: string[], _limits: object, onInfo: Parameters<AnalysisEngine['analyse']>[3]): Promise<void> {
    this.asked.push(fen);
    const answer = this.#answers.get(fen);
    if (answer) onInfo({ depth: 16, nodes: 1000, nps: 10_000, lines: [answer] });
  }

  stop(): void {}

  close(): void {
    this.closed = true;
  }
}

test('the faults of a game that falls into a known trap are found, with the better moves', async () => {
  const played = 'e2e4 e7e5 g1f3 b8c6 f1c4 c6d4 f3e5 d8g5 e5f7 g5g2 h1f1 g2e4 c4e2 d4f3'.split(' ');
  const found: [Score, string][] = [
    [{ cp: 40 }, 'd2d4'], [{ cp: 27 }, 'c7c5'], [{ cp: 39 }, 'g1f3'], [{ cp: 47 }, 'b8c6'], [{ cp: 40 }, 'f1b5'], [{ cp: 12 }, 'f8c5'],
    [{ cp: 100 }, 'f3d4'], [{ cp: -39 }, 'd8g5'], [{ cp: -60 }, 'c4f7'], [{ cp: -516 }, 'g5g2'], [{ cp: -529 }, 'd2d3'],
    [{ cp: -647 }, 'g2e4'], [{ cp: -649 }, 'd1e2'], [{ mate: -1 }, 'd4f3'],
  ];
  const tree = GameTree.ofMoves(INITIAL_FEN, played);
  const line = tree.mainLine;
  const engine = new ScriptedEngine(new Map(found.map(([score, best], i) => [line[i]!.fen, { score, pv: [best] }])));
  const evaluator = new Evaluator(async () => engine);
  const done: number[] = [];
  const annotation = (await annotate(line, ({ fen }) => evaluator.evaluate(fen, 10, 100), (count) => done.push(count)))!;
  assert.deepEqual(
    [...annotation.faults].map(([node, { fault, best }]) => [node.ply!.number, node.ply!.color, node.ply!.san, fault, best]),
    [
      [3, 'black', 'Nd4', 'inaccuracy', 'Bc5'],
      [4, 'white', 'Nxe5', 'mistake', 'Nxd4'],
      [5, 'white', 'Nxf7', 'blunder', 'Bxf7+'],
      [7, 'white', 'Be2', 'blunder', 'Qe2'],
    ],
  );
  assert.equal(engine.asked.length, 14); // the mate needs no engine
  assert.equal(done.at(-1), 15);
  const { white, black } = accuracies(annotation.scores, 'white');
  assert.ok(white! > 50 && white! < 60 && black! > 85 && black! < 95, `${white} ${black}`);
  const state = new AnalysisState(tree);
  state.annotate(annotation);
  assert.match(movetext(writePgnTree(tree)), /3\. Bc4 Nd4 \$6 4\. Nxe5 \$2 Qg5 5\. Nxf7 \$4 Qxg2/);
  state.step('last');
  state.remove();
  assert.equal(state.annotation, undefined); // the line is another one
  evaluator.close();
  assert.equal(engine.closed, true);
});

test('an evaluation ends when another position is shown, the engine fails or its game may not be evaluated', async () => {
  const engine = new ScriptedEngine(new Map([[INITIAL_FEN, { score: { cp: 30 }, pv: ['e2e4'] }]]));
  const evaluator = new Evaluator(async () => engine);
  const first = evaluator.evaluate(INITIAL_FEN, 10, 100);
  const second = evaluator.evaluate(INITIAL_FEN, 10, 100);
  assert.equal(await first, undefined);
  assert.deepEqual((await second)!.lines, [{ score: { cp: 30 }, pv: ['e2e4'] }]);
  const line = GameTree.ofMoves(INITIAL_FEN, ['e2e4']).mainLine;
  assert.equal(await annotate(line, async () => undefined, () => undefined), undefined);
  const failing = new Evaluator(async () => {
    throw new Error('no worker');
  });
  assert.equal(await failing.evaluate(INITIAL_FEN, 10, 100), undefined);
  assert.match(String(failing.failure), /no worker/);
});

test('a position without a move has a score without an engine', () => {
  assert.deepEqual(finalScore('rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3'), { mate: -1 });
  assert.deepEqual(finalScore('7k/5Q2/6K1/8/8/8/8/8 b - - 0 1'), { cp: 0 });
  assert.equal(finalScore(INITIAL_FEN), undefined);
});

test('the engine is off during an own live game, and for what follows from the positions of an own slow game', () => {
  const own = new OwnPositions();
  const pathOf = (...moves: string[]): TreeNode[] => GameTree.ofMoves(INITIAL_FEN, moves).mainLine;
  const slow = (id: string, ...moves: string[]): RunningGame => ({
    id, isSlow: true, startFen: INITIAL_FEN, fen: pathOf(...moves).at(-1)!.fen, moves, movesKnown: true,
  });
  assert.equal(own.reasonAgainst([], pathOf('e2e4')), undefined);
  assert.equal(own.reasonAgainst([{ ...slow('a'), isSlow: false }], pathOf()), 'live');
  assert.equal(own.reasonAgainst([slow('a')], pathOf('e2e4')), undefined);
  const begun = slow('a', 'e2e4', 'e7e5');
  assert.equal(own.reasonAgainst([begun], pathOf()), undefined);
  assert.equal(own.reasonAgainst([begun], pathOf('e2e4', 'c7c5')), undefined);
  assert.equal(own.reasonAgainst([begun], pathOf('e2e4', 'e7e5')), 'slow');
  assert.equal(own.reasonAgainst([begun], pathOf('e2e4', 'e7e5', 'g1f3')), 'slow');
  const moves = ['g1f3', 'g8f6', 'b1c3', 'b8c6', 'e2e4', 'e7e5', 'f1b5', 'a7a6', 'b5a4'];
  const further = slow('b', ...moves);
  assert.equal(own.reasonAgainst([further], pathOf(...moves.slice(0, 7))), undefined);
  assert.equal(own.reasonAgainst([further], pathOf(...moves.slice(0, 8))), 'slow');
  // By another order of the moves.
  assert.equal(own.reasonAgainst([further], pathOf('e2e4', 'e7e5', 'g1f3', 'b8c6', 'f1b5', 'a7a6', 'b1c3', 'g8f6', 'b5a4')), 'slow');
  assert.equal(own.reasonAgainst([{ ...begun, id: 'c', movesKnown: false }], pathOf('e2e4', 'e7e5')), 'slow');
});

test('openings are found by their positions, also later and by another order of the moves', () => {
  const nameAfter = (...moves: string[]): string | undefined => openingOf(GameTree.ofMoves(INITIAL_FEN, moves).mainLine.map(({ fen }) => fen))?.name;
  assert.equal(nameAfter(), undefined);
  assert.equal(nameAfter('e2e4', 'e7e5', 'g1f3', 'b8c6', 'f1b5'), 'Ruy Lopez');
  assert.equal(nameAfter('g1f3', 'b8c6', 'e2e4', 'e7e5', 'f1b5'), 'Ruy Lopez');
  assert.equal(nameAfter('e2e4', 'c7c5', 'g1f3', 'd7d6', 'd2d4', 'c5d4', 'f3d4', 'g8f6', 'b1c3', 'a7a6', 'h2h3'), 'Sicilian Defence, Najdorf Variation');
  const lines = openings.trim().split('\n');
  assert.ok(lines.length > 300);
  assert.equal(new Set(lines.map((line) => line.slice(4, line.lastIndexOf(':')))).size, lines.length);
});
