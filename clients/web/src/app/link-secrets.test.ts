import { strict as assert } from 'node:assert';
import { afterEach, test } from 'node:test';
import { dropSecrets, invitesWithSecret, keepSecret, secretOf } from './link-secrets.js';
import { save } from './storage.js';

afterEach(() => save('link-secrets', undefined));

test('the secret of an invite is kept until the invite ends', () => {
  keepSecret({ invite: 'one', author: 'me', secret: 'first' });
  keepSecret({ invite: 'two', author: 'me', secret: 'second' });
  keepSecret({ invite: 'three', author: 'another', secret: 'third' });
  assert.deepEqual(invitesWithSecret('me'), ['one', 'two']);
  dropSecrets(['one']);
  assert.deepEqual(['one', 'two', 'three'].map(secretOf), [undefined, 'second', 'third']);
});

test('at most 40 secrets are kept, the newest', () => {
  for (let i = 0; i <= 40; i++) keepSecret({ invite: `${i}`, author: 'me', secret: `secret ${i}` });
  assert.equal(secretOf('0'), undefined);
  assert.equal(secretOf('1'), 'secret 1');
  assert.equal(secretOf('40'), 'secret 40');
});

test('what is not a list of secrets is ignored', () => {
  for (const text of ['{', '{}', '[null,1,{"invite":"one"}]', 'null']) {
    save('link-secrets', text);
    assert.equal(secretOf('one'), undefined);
  }
});
