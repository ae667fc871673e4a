import { strict as assert } from 'node:assert';
import { afterEach, test } from 'node:test';
import { load, save } from './storage.js';

/** Provides a localStorage that works, or one that throws in every call, as a blocked one does. */
function provideLocalStorage(blocked: boolean): Map<string, string> {
  const kept = new Map<string, string>();
  const checked = <Value>(value: Value): Value => {
    if (blocked) throw new Error('SecurityError');
    return value;
  };
  const storage = {
    getItem: (key: string) => checked(kept.get(key) ?? null),
    setItem: (key: string, value: string) => checked(kept.set(key, value)),
    removeItem: (key: string) => checked(kept.delete(key)),
  };
  Object.defineProperty(globalThis, 'localStorage', { value: storage, configurable: true });
  return kept;
}

afterEach(() => {
  save('key', undefined);
  Reflect.deleteProperty(globalThis, 'localStorage');
});

test('a stored string is kept by the browser under a name of this program', () => {
  const kept = provideLocalStorage(false);
  assert.equal(save('key', 'value'), true);
  assert.equal(load('key'), 'value');
  assert.deepEqual([...kept], [['gambit.key', 'value']]);
  save('key', undefined);
  assert.equal(load('key'), undefined);
});

test('where the browser blocks storage, a string lives as long as the page, and the caller is told', () => {
  provideLocalStorage(true);
  assert.equal(save('key', 'value'), false);
  assert.equal(load('key'), 'value');
});
