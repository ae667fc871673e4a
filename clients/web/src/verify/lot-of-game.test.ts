import { strict as assert } from 'node:assert';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import type { Report } from './findings.js';
import { RELAY, RELAY_URL, START, STRANGER, SignedGame } from './signed-game.testkit.js';
import { verifyGame } from './verification.js';

const hash = (...parts: Buffer[]): Buffer => createHash('sha256').update(Buffer.concat(parts)).digest();

/** The value at a position of the chain of a secret of zeros. */
function valueAt(position: number): Buffer {
  let value: Buffer = Buffer.alloc(32);
  for (let i = position; i < 4096; i++) {
    value = hash(value);
  }
  return value;
}

const [smaller, larger] = ['11', '22'].map((digits) => digits.repeat(32)) as [string, string];

/** The tag of a lot, whose first bit gives White to one of the two. */
function lot(position: number, value: Buffer, isRight = true): string[] {
  const bits = hash(value, Buffer.from(smaller, 'hex'), Buffer.from(larger, 'hex'));
  const players = bits[0]! < 128 === isRight ? [smaller, larger] : [larger, smaller];
  return ['lot', '3', `${position}`, value.toString('hex'), ...players];
}

const chain = (at = START, by = RELAY, end = valueAt(0).toString('hex')) =>
  by.sign(at, 30065, [['d', '3'], ['lot', end], ['length', '4096']], '');

function verify(tag: string[], lots?: ReturnType<typeof chain>): Report {
  const fetched = { ...SignedGame.foolsMate({ lot: tag }).fetched(), lots };
  return verifyGame(fetched, { relayUrl: RELAY_URL, maxClockSkew: 60 });
}

test('colours by a lot of a chain that was published before hold', () => {
  const report = verify(lot(5, valueAt(5)), chain());
  assert.equal(report.holds, true);
  assert.ok(report.attested.some((line) => line.includes('the colours are those of its lot 5.')));
  assert.ok(report.attested.some((line) => line.includes('paired with whom and the time control')));
});

test('forged lots are rejected', () => {
  const right = lot(5, valueAt(5));
  const cases: [Report, string][] = [
    [verify(lot(5, valueAt(5), false), chain()), 'The colours are not those of the lot'],
    [verify(lot(6, valueAt(5)), chain()), 'does not have the lot at position 6'],
    [verify(lot(5, Buffer.alloc(32)), chain()), 'does not have the lot at position 5'],
    [verify(right, chain(START + 1)), 'is younger than the game'],
    [verify(right, chain(START, STRANGER)), 'is another one'],
    [verify(right, { ...chain(), content: 'x' }), 'has an id that is not its hash'],
    [verify(right.slice(0, 5), chain()), 'The lot of the announcement is malformed'],
    [verify(lot(4097, valueAt(5)), chain()), 'The lot of the announcement is malformed'],
  ];
  for (const [report, fault] of cases) {
    assert.equal(report.holds, false);
    assert.ok(report.faults.some((line) => line.includes(fault)), fault);
  }
});

test('a chain that is missing is missing evidence', () => {
  const report = verify(lot(5, valueAt(5)));
  assert.deepEqual(report.missing, ['Chain 3 of lots is missing: nothing proves the colours']);
  assert.equal(report.faults.length, 0);
});
