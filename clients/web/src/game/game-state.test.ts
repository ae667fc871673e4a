import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { Line } from '../board/line.js';
import { type Color, INITIAL_FEN, positionOf } from '../board/position.js';
import { type EntryChoices, type GameNews, type GameSource, GameState } from './game-state.js';

/** A game as the library shows it, whose changes the test decides. */
class PlayedGame implements GameSource {
  readonly startFen: string;
  readonly color?: Color;
  readonly sent: string[] = [];
  movesKnown = true;
  result?: GameSource['result'];
  moves: string[] = [];
  #line: Line;
  #listener = (): void => {};
  #answer: { accept(): void; refuse(error: Error): void } | undefined;

  constructor(color?: Color, startFen = INITIAL_FEN) {
    this.startFen = startFen;
    this.#line = Line.from(startFen)!;
    if (color) {
      this.color = color;
    }
  }

  get fen(): string {
    return this.#line.fen;
  }

  get ply(): number {
    return this.#line.plies.length;
  }

  get turn(): Color {
    return this.#line.turn;
  }

  get lastMove(): string | undefined {
    return this.#line.plies.at(-1)?.uci;
  }

  readonly on = ((_type: string, listener: () => void) => {
    this.#listener = listener;
    return () => {};
  }) as GameSource['on'];

  move(uci: string): Promise<void> {
    this.sent.push(uci);
    return new Promise((accept, refuse) => {
      this.#answer = { accept, refuse };
    });
  }

  /** The relay's next state has these moves. */
  becomes(moves: string): void {
    this.moves = moves.split(' ').filter(Boolean);
    assert.equal(this.#line.update(this.moves), this.moves.length);
    this.#listener();
  }

  async refuse(): Promise<void> {
    this.#answer!.refuse(new Error('not your turn'));
    await new Promise((resolve) => setImmediate(resolve));
  }

  ends(result: '1-0' | '0-1' | '1/2-1/2'): void {
    this.result = result;
    this.#listener();
  }
}

function stateOf(game: PlayedGame, choices?: EntryChoices): { state: GameState; failures: unknown[]; news: GameNews[] } {
  const failures: unknown[] = [];
  const news: GameNews[] = [];
  const state = new GameState(game, (error) => failures.push(error), choices && (() => choices));
  state.onNews((it) => news.push(it));
  return { state, failures, news };
}

test('a move is sent once and shown at once, before the relay has accepted it', () => {
  const game = new PlayedGame('white');
  const { state } = stateOf(game);
  state.enter('e2', 'e4');
  assert.deepEqual(game.sent, ['e2e4']);
  assert.match(state.shownFen, /^rnbqkbnr\/pppppppp\/8\/8\/4P3\//);
  assert.equal(state.isOwnTurn, false);
  assert.equal(state.sentMove, 'e2e4');
  game.becomes('e2e4');
  assert.equal(state.sentMove, undefined);
  assert.deepEqual(game.sent, ['e2e4']);
});

test('a refused move is taken from the board, and the reason is reported', async () => {
  const game = new PlayedGame('white');
  const { state, failures } = stateOf(game);
  state.enter('e2', 'e4');
  await game.refuse();
  assert.equal(state.shownFen, INITIAL_FEN);
  assert.equal(state.isOwnTurn, true);
  assert.equal(failures.length, 1);
});

test('illegal moves, moves of the other side and moves of spectators are not sent', () => {
  for (const color of ['white', undefined] as const) {
    const game = new PlayedGame(color);
    const { state } = stateOf(game);
    state.enter('e2', 'e5');
    state.enter('e7', 'e5');
    assert.deepEqual([game.sent, state.premoves], [[], []]);
  }
  const spectator = stateOf(new PlayedGame()).state;
  assert.equal(spectator.movable, undefined);
  assert.deepEqual(spectator.targets('e2'), []);
});

test('a premove is sent as soon as the opponent has moved', () => {
  const game = new PlayedGame('black');
  const { state } = stateOf(game);
  state.enter('g8', 'f6');
  assert.equal(state.shownFen, INITIAL_FEN, 'a single premove is only marked');
  assert.deepEqual(state.premoves, [{ from: 'g8', to: 'f6' }]);
  assert.deepEqual(game.sent, []);
  game.becomes('e2e4');
  assert.deepEqual(game.sent, ['g8f6']);
  assert.deepEqual([state.premoves, state.isPremoving], [[], true]);
});

test('a premove that has become illegal, was cancelled, or outlives the game is not sent', () => {
  const game = new PlayedGame('black');
  const { state } = stateOf(game);
  state.enter('d7', 'e6');
  game.becomes('e2e4');
  assert.deepEqual([game.sent, state.premoves], [[], []]);
  const cancelled = new PlayedGame('black');
  const other = stateOf(cancelled).state;
  other.enter('g8', 'f6');
  assert.deepEqual([other.cancelPremoves(), other.cancelPremoves()], [true, false]);
  cancelled.becomes('e2e4');
  assert.deepEqual(cancelled.sent, []);
  const ended = new PlayedGame('black');
  const last = stateOf(ended).state;
  last.enter('g8', 'f6');
  ended.ends('0-1');
  assert.deepEqual([ended.sent, last.premoves, last.movable], [[], [], undefined]);
});

test('a takeback cancels the premove, which was meant for another position', () => {
  const game = new PlayedGame('white');
  const { state } = stateOf(game);
  game.becomes('e2e4');
  state.enter('d2', 'd4');
  game.becomes('');
  assert.deepEqual([game.sent, state.premoves, state.isOwnTurn], [[], [], true]);
});

test('another premove replaces the one before', () => {
  const game = new PlayedGame('black');
  const { state } = stateOf(game);
  state.enter('g8', 'f6');
  state.enter('e7', 'e5');
  game.becomes('e2e4');
  assert.deepEqual(game.sent, ['e7e5']);
});

/** A state with several premoves, and with a queen for every pawn. */
function stateWithChoices(game: PlayedGame): GameState {
  return stateOf(game, { alwaysQueen: true, severalPremoves: true }).state;
}

test('several premoves are shown as made, and one is sent each time the opponent has moved', () => {
  const game = new PlayedGame('black');
  const state = stateWithChoices(game);
  state.enter('e7', 'e5');
  state.enter('f8', 'c5');
  state.enter('c5', 'f2');
  assert.match(state.shownFen, /^rnbqk1nr\/pppp1ppp\/8\/4p3\/8\/8\/PPPPPbPP\//);
  assert.deepEqual(state.targets('f8'), []);
  game.becomes('e2e4');
  assert.deepEqual(game.sent, ['e7e5']);
  assert.match(state.shownFen, /PPPP1bPP/, 'those that wait are shown after the one that was sent');
  game.becomes('e2e4 e7e5');
  game.becomes('e2e4 e7e5 d2d4');
  assert.deepEqual(game.sent, ['e7e5', 'f8c5']);
  game.becomes('e2e4 e7e5 d2d4 f8c5');
  game.becomes('e2e4 e7e5 d2d4 f8c5 d4c5');
  assert.deepEqual([game.sent.length, state.premoves], [2, []], 'the bishop was captured');
  assert.equal(state.shownFen, game.fen);
});

test('premoves after one that is illegal, or was refused, are not sent', async () => {
  const game = new PlayedGame('black');
  const state = stateWithChoices(game);
  state.enter('d7', 'e6');
  state.enter('g8', 'f6');
  game.becomes('e2e4');
  assert.deepEqual([game.sent, state.premoves], [[], []]);
  state.enter('g8', 'f6');
  state.enter('f6', 'e4');
  await game.refuse();
  assert.deepEqual([state.premoves, state.shownFen], [[], game.fen]);
});

test('premoves are bounded', () => {
  const game = new PlayedGame('black');
  const state = stateWithChoices(game);
  for (let i = 0; i < 20; i++) {
    state.enter(i % 2 === 0 ? 'g8' : 'f6', i % 2 === 0 ? 'f6' : 'g8');
  }
  assert.equal(state.premoves.length, 16);
});

test('a king that is moved onto its own rook castles, now or as a premove', () => {
  const fen = 'r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1';
  for (const [target, sent] of [['h1', 'e1g1'], ['a1', 'e1c1'], ['g1', 'e1g1']] as const) {
    const game = new PlayedGame('white', fen);
    stateOf(game).state.enter('e1', target);
    assert.deepEqual(game.sent, [sent]);
  }
  const game = new PlayedGame('black', fen);
  const { state } = stateOf(game);
  state.enter('e8', 'a8');
  assert.deepEqual(state.premoves, [{ from: 'e8', to: 'c8' }]);
  game.becomes('h1g1');
  assert.deepEqual(game.sent, ['e8c8']);
  const typed = stateOf(new PlayedGame('black', fen)).state;
  assert.equal(typed.enterTyped('e8h8'), undefined);
  assert.deepEqual(typed.premoves, [{ from: 'e8', to: 'g8' }]);
});

test('a pawn becomes a queen without a question if the player wants that, unless Alt is held', () => {
  const fen = '8/4P3/8/8/8/8/k7/4K3 w - - 0 1';
  const game = new PlayedGame('white', fen);
  stateWithChoices(game).enter('e7', 'e8');
  assert.deepEqual(game.sent, ['e7e8q']);
  const asked = stateWithChoices(new PlayedGame('white', fen));
  asked.enter('e7', 'e8', true);
  assert.ok(asked.promotion);
  const premoving = stateWithChoices(new PlayedGame('white', fen.replace(' w ', ' b ')));
  premoving.enter('e7', 'e8');
  assert.deepEqual([premoving.premoves, premoving.promotion], [[{ from: 'e7', to: 'e8', promotion: 'q' }], undefined]);
});

test('a promotion is sent with the chosen piece, and not at all if none is chosen', () => {
  const game = new PlayedGame('white', '8/4P3/8/8/8/8/k7/4K3 w - - 0 1');
  const { state } = stateOf(game);
  state.enter('e7', 'e8');
  assert.deepEqual(state.promotion, { from: 'e7', to: 'e8', color: 'white' });
  assert.match(state.shownFen, /^4P3\/8\//, 'the pawn waits on its target');
  state.choosePromotion(undefined);
  assert.match(state.shownFen, /^8\/4P3\//);
  state.enter('e7', 'e8');
  state.choosePromotion('n');
  assert.deepEqual(game.sent, ['e7e8n']);
});

test('a premove that promotes waits for the choice, also when the opponent moves meanwhile', () => {
  const game = new PlayedGame('white', '8/4P3/8/8/8/8/k7/4K3 b - - 0 1');
  const { state } = stateOf(game);
  state.enter('e7', 'e8');
  assert.ok(state.promotion);
  game.becomes('a2a3');
  assert.deepEqual(game.sent, []);
  state.choosePromotion('r');
  assert.deepEqual(game.sent, ['e7e8r']);
});

test('typed moves are entered, ask for a promotion, or are answered with a reason', () => {
  const game = new PlayedGame('white');
  const { state } = stateOf(game);
  assert.equal(state.enterTyped('Nf3'), undefined);
  assert.deepEqual(game.sent, ['g1f3']);
  assert.match(state.enterTyped('Nc3') ?? '', /not your turn/);
  assert.equal(state.enterTyped('d2d4'), undefined, 'two squares are a premove');
  assert.deepEqual(state.premoves, [{ from: 'd2', to: 'd4' }]);
  const promotion = new PlayedGame('white', '8/4P3/8/8/8/8/k7/4K3 w - - 0 1');
  const other = stateOf(promotion).state;
  assert.equal(other.enterTyped('e8'), undefined);
  assert.ok(other.promotion);
  assert.match(stateOf(new PlayedGame('white')).state.enterTyped('e5') ?? '', /not possible/);
});

test('a past position is only looked at, and the game goes on', () => {
  const game = new PlayedGame('white');
  const { state } = stateOf(game);
  game.becomes('e2e4 e7e5');
  state.show('back');
  assert.equal(state.isLive, false);
  assert.equal(state.movable, undefined);
  state.enter('d2', 'd4');
  assert.deepEqual([game.sent, state.premoves], [[], []]);
  assert.deepEqual(state.marks.map((mark) => mark.square), ['e2', 'e4']);
  game.becomes('e2e4 e7e5 g1f3');
  assert.equal(state.shownPly, 1);
  state.show('last');
  assert.equal(state.shownFen, game.fen);
});

test('a finished game shows the position after its moves, though a record has none', () => {
  const game = new PlayedGame('white');
  game.becomes('e2e4 e7e5');
  const last = game.fen;
  game.result = '1-0';
  Object.defineProperty(game, 'fen', { value: game.startFen });
  assert.equal(stateOf(game).state.shownFen, last);
});

test('moves that were taken back vanish, and are reported', () => {
  const game = new PlayedGame('white');
  const { state, news } = stateOf(game);
  game.becomes('e2e4');
  game.becomes('e2e4 e7e5');
  game.becomes('e2e4 e7e5 g1f3');
  state.showPly(3);
  game.becomes('e2e4');
  assert.deepEqual(news.map((it) => it.kind), ['move', 'move', 'move', 'takenback']);
  assert.equal(state.plies.length, 1);
  assert.equal(state.shownFen, game.fen);
});

test('the last move, check and the premove are marked', () => {
  const game = new PlayedGame('black');
  const { state } = stateOf(game);
  assert.deepEqual(state.marks, []);
  game.becomes('e2e4 f7f6 d1h5');
  assert.deepEqual(
    state.marks.map(({ kind, square }) => `${kind} ${square}`),
    ['last d1', 'last h5', 'check e8'],
  );
});

test('a draw can be claimed in turn, when the position stands for the third time', () => {
  const shuffle = 'g1f3 g8f6 f3g1 f6g8 ';
  const white = new PlayedGame('white');
  const { state } = stateOf(white);
  white.becomes(shuffle);
  assert.equal(state.canClaimDraw, false);
  white.becomes(shuffle + shuffle);
  assert.equal(state.canClaimDraw, true);
  const black = new PlayedGame('black');
  const other = stateOf(black).state;
  black.becomes(shuffle + shuffle);
  assert.equal(other.canClaimDraw, false);
});

test('a game can be aborted before the second move of the player, from set-up positions as well', () => {
  const game = new PlayedGame('white');
  const { state } = stateOf(game);
  assert.deepEqual([state.canAbort, state.hasMoved], [true, false]);
  game.becomes('e2e4 e7e5');
  assert.deepEqual([state.canAbort, state.hasMoved], [true, true]);
  game.becomes('e2e4 e7e5 g1f3');
  assert.equal(state.canAbort, false);
  const fen = '4k3/8/8/8/8/8/4P3/4K3 b - - 0 17';
  const black = new PlayedGame('black', fen);
  const other = stateOf(black).state;
  black.becomes('e8e7 e2e4');
  assert.deepEqual([other.canAbort, other.hasMoved], [true, true]);
  black.becomes('e8e7 e2e4 e7e6');
  assert.equal(other.canAbort, false);
});

test('a game whose moves are not known shows its position', () => {
  const game = new PlayedGame();
  game.movesKnown = false;
  const { state } = stateOf(game);
  game.becomes('e2e4 e7e5');
  game.moves = [];
  assert.equal(state.plies.length, 0);
  assert.equal(state.shownFen, game.fen);
  assert.deepEqual(state.marks.map((mark) => mark.square), ['e7', 'e5']);
});

test('whatever happens, the board shows the game and at most one move that was sent, and plays none twice', async () => {
  const games = process.env['GAMBIT_LONG'] ? 1_000 : 15;
  const seeds = process.env['SEED'] ? [Number(process.env['SEED'])] : Array.from({ length: games }, (_, i) => i);
  for (const seed of seeds) {
    let random = seed + 1;
    const below = (n: number): number => (random = (random * 48_271) % 2_147_483_647) % n;
    const game = new PlayedGame(below(2) === 0 ? 'white' : 'black');
    const choices = { alwaysQueen: below(2) === 0, severalPremoves: below(2) === 0 };
    const { state, failures } = stateOf(game, choices);
    let waiting: string | undefined;
    let refusals = 0;
    for (let step = 0; step < 60; step++) {
      const before = game.sent.length;
      const moves = positionOf(game.fen)!.moves({ verbose: true });
      const any = moves[below(moves.length || 1)];
      const action = below(8);
      if (action < 3) {
        const squares = ['a2', 'b1', 'd2', 'e2', 'e4', 'g1', 'a7', 'b8', 'd7', 'e7', 'g8'] as const;
        const from = any && below(2) === 0 ? any.from : squares[below(squares.length)]!;
        const targets = state.targets(from);
        if (targets.length > 0) state.enter(from, targets[below(targets.length)]!);
        state.choosePromotion('q');
      } else if (action === 3 && waiting) {
        await game.refuse();
        waiting = undefined;
        refusals++;
      } else if (action === 4 && game.moves.length > 0) {
        game.becomes(game.moves.slice(0, -1).join(' '));
        waiting = undefined;
      } else if (action === 5) {
        state.show((['first', 'back', 'forward', 'last'] as const)[below(4)]!);
      } else if (action === 6 && below(8) === 0) {
        game.ends('1-0');
        waiting = undefined;
      } else if (!game.result && any) {
        const played = game.turn === game.color ? waiting : any.lan;
        if (played) {
          waiting = undefined;
          game.becomes([...game.moves, played].join(' '));
        }
      }
      const sent = game.sent.slice(before);
      const where = `SEED=${seed}, step ${step}`;
      assert.ok(sent.length <= (waiting ? 0 : 1), where);
      waiting = sent[0] ?? waiting;
      assert.equal(state.sentMove, waiting, where);
      assert.equal(state.isOwnTurn, !game.result && game.turn === game.color && !waiting, where);
      assert.equal(state.plies.length, game.ply, where);
      if (!waiting && game.result === undefined) assert.equal(state.liveFen, game.fen, where);
      if (game.result) assert.deepEqual([state.premoves, state.movable], [[], undefined], where);
      assert.ok(state.premoves.length <= (choices.severalPremoves ? 16 : 1), where);
      assert.ok(!state.isOwnTurn || state.premoves.length === 0, where);
      assert.equal(failures.length, refusals, where);
    }
  }
});
