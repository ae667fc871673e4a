import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import type { Game } from 'gambit-client';
import { MoveConfirmation, NotConfirmed } from './move-confirmation.js';

class FakeGame {
  ply = 0;
  result: string | undefined;
  readonly sent: string[] = [];
  #change = (): void => {};

  on(_event: string, listener: () => void): () => void {
    this.#change = listener;
    return () => {};
  }

  async move(uci: string): Promise<void> {
    this.sent.push(uci);
  }

  advance(): void {
    this.ply++;
    this.#change();
  }
}

test('a move is sent once it was confirmed, and not if it was cancelled or overtaken', async () => {
  const game = new FakeGame();
  const confirmation = new MoveConfirmation(game as unknown as Game, () => true);
  const { source } = confirmation;
  const first = source.move('e2e4');
  assert.equal(confirmation.move, 'e2e4');
  assert.deepEqual(game.sent, []);
  confirmation.confirm();
  await first;
  assert.deepEqual(game.sent, ['e2e4']);

  const second = source.move('d2d4');
  confirmation.cancel();
  await assert.rejects(second, NotConfirmed);
  const third = source.move('d2d4');
  game.advance();
  await assert.rejects(third, NotConfirmed);
  assert.equal(confirmation.move, undefined);
  assert.equal(source.ply, 1);
  assert.deepEqual(game.sent, ['e2e4']);
});

test('where no confirmation is needed, a move is sent at once', async () => {
  const game = new FakeGame();
  const confirmation = new MoveConfirmation(game as unknown as Game, () => false);
  await confirmation.source.move('e2e4');
  assert.deepEqual(game.sent, ['e2e4']);
});
