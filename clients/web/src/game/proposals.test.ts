import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { OwnProposals, type ProposalSource } from './proposals.js';

/** A game whose fields a test sets. */
class FakeGame {
  color: ProposalSource['color'] = 'white';
  ply = 2;
  turn: ProposalSource['turn'] = 'white';
  proposal: ProposalSource['proposal'];
  result: ProposalSource['result'];
  #listener = (): void => {};

  constructor(readonly id: string) {}

  on(_event: string, listener: () => void): () => void {
    this.#listener = listener;
    return () => {};
  }

  set(fields: Partial<Pick<FakeGame, 'ply' | 'proposal' | 'result'>>): void {
    Object.assign(this, fields);
    this.turn = this.ply % 2 === 0 ? 'white' : 'black';
    this.#listener();
  }
}

function follow(game: FakeGame): OwnProposals {
  return new OwnProposals(game as unknown as ProposalSource);
}

test('a draw may be offered again ten moves after the last offer, also after the page was loaded again', () => {
  const game = new FakeGame('a');
  const proposals = follow(game);
  assert.equal(proposals.movesUntilOffer, 0);
  game.set({ proposal: { kind: 'draw', by: 'white' } });
  assert.equal(proposals.movesUntilOffer, 10);
  game.set({ ply: 3 });
  game.set({ ply: 21, proposal: undefined });
  assert.equal(follow(game).movesUntilOffer, 1);
  game.set({ ply: 22 });
  assert.equal(proposals.movesUntilOffer, 0);
  assert.equal(follow(new FakeGame('b')).movesUntilOffer, 0);
});

test('a proposal that is gone while the game runs was declined, until the player’s next move', () => {
  const game = new FakeGame('c');
  const proposals = follow(game);
  let declined = 0;
  proposals.onDeclined(() => declined++);
  game.set({ proposal: { kind: 'draw', by: 'white' } });
  assert.equal(proposals.declined, undefined);
  game.set({ proposal: undefined });
  assert.equal(proposals.declined, 'draw');
  game.set({ ply: 3 });
  assert.equal(proposals.declined, undefined);
  game.set({ proposal: { kind: 'takeback', by: 'white' } });
  game.set({ proposal: undefined });
  game.set({ ply: 4 });
  assert.equal(proposals.declined, 'takeback');
  game.set({ ply: 5 });
  assert.equal(proposals.declined, undefined);
  assert.equal(declined, 2);
});

test('neither the end of the game, nor an accepted takeback, nor the end of the opponent’s proposal is a refusal', () => {
  const game = new FakeGame('d');
  const proposals = follow(game);
  game.set({ proposal: { kind: 'takeback', by: 'white' } });
  assert.equal(proposals.hasAskedTakeback, true);
  game.set({ ply: 1, proposal: undefined });
  assert.equal(proposals.declined, undefined);
  assert.equal(proposals.hasAskedTakeback, false);
  game.set({ proposal: { kind: 'draw', by: 'black' } });
  game.set({ proposal: undefined });
  game.set({ proposal: { kind: 'draw', by: 'white' } });
  game.set({ proposal: undefined, result: '1/2-1/2' });
  assert.equal(proposals.declined, undefined);
});
