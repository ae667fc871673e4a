import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { nip19 } from 'nostr-tools';
import { finalizeEvent, generateSecretKey } from 'nostr-tools/pure';
import { subjectFrom, subjectOfText } from './decisions.js';
import { imagesOf, kindName, suggestedReason, textOf, type Report } from './reports.js';

const HEX = 'ab'.repeat(32);
const event = (kind: number, content: string, tags: string[][] = []) => finalizeEvent({ kind, content, tags, created_at: 1 }, generateSecretKey());

test('a subject is read from every form that people have', () => {
  const author = { type: 'author', value: HEX };
  assert.deepEqual(subjectFrom(nip19.npubEncode(HEX)), author);
  assert.deepEqual(subjectFrom(` nostr:${nip19.nprofileEncode({ pubkey: HEX })}`), author);
  assert.deepEqual(subjectFrom(HEX.toUpperCase()), author);
  assert.deepEqual(subjectFrom(HEX, 'event'), { type: 'event', value: HEX });
  assert.deepEqual(subjectFrom(nip19.noteEncode(HEX)), { type: 'event', value: HEX });
  assert.deepEqual(subjectFrom(nip19.neventEncode({ id: HEX })), { type: 'event', value: HEX });
  assert.deepEqual(subjectFrom('30023'), { type: 'kind', value: 30_023 });
  assert.deepEqual(subjectFrom('203.0.113.7'), { type: 'address', value: '203.0.113.7' });
  assert.deepEqual(subjectFrom('2001:db8::1'), { type: 'address', value: '2001:db8::1' });
  for (const wrong of ['', 'hello', '70000', '1.2.3', 'npub1xyz', nip19.nsecEncode(generateSecretKey())]) assert.equal(subjectFrom(wrong), undefined, wrong);
});

test('a subject is read from the texts of the relay', () => {
  assert.deepEqual(subjectOfText(nip19.npubEncode(HEX)), { type: 'author', value: HEX });
  assert.deepEqual(subjectOfText(`event ${HEX}`), { type: 'event', value: HEX });
  assert.deepEqual(subjectOfText('kind 0'), { type: 'kind', value: 0 });
  assert.deepEqual(subjectOfText('address 2001:db8:1:2::/64'), { type: 'address', value: '2001:db8:1:2::/64' });
  assert.equal(subjectOfText('event 1'), undefined);
});

test('text of a reported event is bounded, and has no invisible characters', () => {
  assert.equal(textOf(event(1, 'a\u202eb\n\n<script>')), 'ab\n<script>');
  assert.ok(textOf(event(1, 'x'.repeat(100_000)))!.length <= 2_000);
  assert.ok(textOf(event(1, 'x\n'.repeat(10_000)))!.split('\n').length <= 40);
  assert.equal(textOf(event(30_023, 'Text', [['title', 'Title']])), 'Title\nText');
  assert.equal(textOf(event(0, '{"name":"Bob","about":"x","bot":true}')), 'name: Bob\nabout: x');
  assert.equal(textOf(event(0, 'damaged')), undefined);
});

test('images are found in text, tags and profiles, by https only', () => {
  const note = event(1, 'see https://a.example/1.jpg and http://a.example/2.png https://a.example/3.webp?w=1 https://a.example/page', [
    ['imeta', 'url https://b.example/x', 'm image/png'],
    ['imeta', 'url javascript:alert(1)'],
  ]);
  assert.deepEqual(imagesOf(note), ['https://b.example/x', 'https://a.example/1.jpg', 'https://a.example/3.webp?w=1']);
  assert.deepEqual(imagesOf(event(0, '{"picture":"https://a.example/me","banner":"data:image/png,x"}')), ['https://a.example/me']);
  assert.equal(imagesOf(event(1, Array.from({ length: 50 }, (_, i) => `https://a.example/${i}.png`).join(' '))).length, 12);
});

test('the reason of most reporters is suggested', () => {
  const report = (summary: string) => suggestedReason({ summary } as Report);
  assert.equal(report('3 reporters: spam 2, illegal 1'), 'spam');
  assert.equal(report('1 reporter: other 1'), '');
  assert.equal(report(''), '');
});

test('kinds have names where people have one for them', () => {
  assert.deepEqual([kindName(1), kindName(30_000)], ['Note', 'Kind 30000']);
});
