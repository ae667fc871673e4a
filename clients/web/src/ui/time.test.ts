import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { CHALLENGE_TIMES, paceOf, timeInWords, timeLabel, timeLeft } from './time.js';

test('a time control has a short label', () => {
  const labels: Record<string, string> = {
    '60': '1 + 0', '90+1': '1½ + 1', '300+3': '5 + 3', '30': '30 seconds', '5400+30': '1½ hours + 30',
    '1/600': '10 min a move', '1/86400': '1 day a move', '-': 'No clock', 'what?': 'what?',
  };
  for (const [time, label] of Object.entries(labels)) {
    assert.equal(timeLabel(time), label.replaceAll(' + ', '\u00a0+\u00a0'));
  }
});

test('a time control is spoken in words', () => {
  assert.equal(timeInWords('300+3'), '5 minutes and 3 seconds a move');
  assert.equal(timeInWords('60'), '1 minute');
  assert.equal(timeInWords('1/600'), '10 minutes for each move');
  assert.equal(timeInWords('-'), 'no clock');
});

test('the time left is rounded down to a whole unit of which there are two', () => {
  const left = (hours: number) => timeLeft(hours * 3_600_000);
  assert.deepEqual(
    [left(0.01), left(1.7), left(2), left(47.9), left(48), left(100)],
    ['under a minute', '102 min', '2 hours', '47 hours', '2 days', '4 days'],
  );
});

test('the pace is that of a game of forty moves', () => {
  assert.deepEqual(
    ['60', '180+2', '600', '1800+20', '1/600', '1/86400', '-'].map(paceOf),
    ['Bullet', 'Blitz', 'Rapid', 'Classical', 'By the move', 'Correspondence', 'Untimed'],
  );
});

test('the pace changes at three, eight and twenty-five minutes of forty moves', () => {
  assert.deepEqual(
    ['179', '180', '479', '480', '1499', '1500', '140+1', '439+1', '440+1', '1460+1'].map(paceOf),
    ['Bullet', 'Blitz', 'Blitz', 'Rapid', 'Rapid', 'Classical', 'Blitz', 'Blitz', 'Rapid', 'Classical'],
  );
});

test('no two time controls of a challenge have the same label', () => {
  assert.equal(new Set(CHALLENGE_TIMES.map(timeLabel)).size, CHALLENGE_TIMES.length);
});
