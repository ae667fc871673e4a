import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { outcomeInWords, resultText, winnerOf } from './outcome.js';

test('a won game names the winner and the reason', () => {
  assert.equal(outcomeInWords('1-0', 'checkmate'), 'White won by checkmate');
  assert.equal(outcomeInWords('0-1', 'resignation'), 'Black won as White resigned');
  assert.equal(outcomeInWords('1-0', 'timeout'), 'White won as Black ran out of time');
});

test('a drawn game names the rule', () => {
  assert.equal(outcomeInWords('1/2-1/2', 'stalemate'), 'Draw by stalemate');
  assert.match(outcomeInWords('1/2-1/2', 'timeout'), /^Draw as the time ran out/);
});

test('a termination of a later relay is left out instead of guessed', () => {
  assert.equal(outcomeInWords('1-0', 'thunderstorm'), 'White won');
  assert.equal(outcomeInWords('1/2-1/2', undefined), 'Draw');
});

test('an aborted game has no winner', () => {
  assert.equal(outcomeInWords('*', 'aborted'), 'Aborted, without a result');
  assert.equal(winnerOf('*'), undefined);
  assert.equal(resultText('*'), '–');
});
