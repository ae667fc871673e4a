import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { isLookAlike, MAX_NAME_LENGTH, npubOf, manyLines, oneLine, pubkeyFrom, shortNpub } from './names.js';

const KEY = '3bf0c63fcb93463407af97a5e5ee64fa883d107ef9e558472c4eb9aaaefa459d';

test('an ordinary name is kept, also in other scripts', () => {
  assert.equal(oneLine('Judit'), 'Judit');
  assert.equal(oneLine('  חיים  ✨ '), 'חיים ✨');
});

test('a name loses line breaks, controls and characters that turn the direction of text', () => {
  assert.equal(oneLine('a\n\tb\u202egnp\u2066.exe\u0000'), 'a bgnp.exe');
});

test('a name of nothing visible is no name', () => {
  assert.equal(oneLine(' \u200b\u2060\u00ad '), undefined);
  assert.equal(oneLine(''), undefined);
  assert.equal(oneLine(undefined), undefined);
});

test('a long name is cut, by characters and not by halves of them', () => {
  const cut = oneLine('😀'.repeat(10_000))!;
  assert.equal([...cut].length, MAX_NAME_LENGTH);
  assert.ok(cut.endsWith('😀…'));
});

test('marks stacked on one letter are bounded', () => {
  assert.ok(oneLine(`Z${'\u0300'.repeat(200)}`)!.length <= 3);
});

test('a text of several lines keeps some of them, without stacked marks', () => {
  assert.equal(manyLines('one\r\n\n\ntwo\u2028three\nfour', 100, 3), 'one\ntwo\nthree four');
  assert.ok(manyLines(`Z${'\u0300'.repeat(200)}\nend`, 100, 3)!.length <= 7);
  assert.equal(manyLines('x'.repeat(50), 10, 3), `${'x'.repeat(9)}…`);
  assert.equal(manyLines('\u202e\n\u200b', 10, 3), undefined);
});

test('names that look like the computer, the relay or an npub are recognized, in any script', () => {
  for (const name of [
    'Computer', 'COMPUTER', 'computer, level 3', 'The Computer', 'Computer-Bot', 'Cornputer', 'C0mputer', 'Cómputér',
    'Соmputеr', 'СОМРUТЕR', 'Cοmρυter', 'ＣＯＭＰＵＴＥＲ', '𝕮𝖔𝖒𝖕𝖚𝖙𝖊𝖗', 'C o m p u t e r ♔', 'ᴄᴏᴍᴘᴜᴛᴇʀ', 'computer 12',
    'admin', 'Admin!', 'АDМIN', 'Админ', 'adrnin', 'αdmin', '@dmin', 'admln', 'Administrator', 'Mоderator',
    'Relay', 'rеlаy', 'Gambit', 'Gаmbit', 'GAMB1T', 'npub1abcd…wxyz',
  ]) {
    assert.ok(isLookAlike(oneLine(name)!, 'Computer'), name);
  }
  assert.ok(isLookAlike('Dеep Thought', 'Deep Thought'));
});

test('other names are not, however similar', () => {
  for (const name of [
    'Judit', 'Computer Science Club', 'Компьютерщик', 'Adam', 'Gambiteer', 'Queen’s Gambit', 'Relaying', 'Мария',
    'חיים', '棋', '♔', 'Level 3', 'Bot', 'Robot', 'Alice', 'npubby',
  ]) {
    assert.ok(!isLookAlike(oneLine(name)!, 'Computer'), name);
  }
});

test('a player is found by npub, nostr: address or hexadecimal key', () => {
  assert.equal(pubkeyFrom(` ${npubOf(KEY)} `), KEY);
  assert.equal(pubkeyFrom(`nostr:${npubOf(KEY)}`), KEY);
  assert.equal(pubkeyFrom(KEY.toUpperCase()), KEY);
});

test('an npub with a mistyped character is not a player', () => {
  assert.equal(pubkeyFrom(npubOf(KEY).replace(/.$/, (last) => (last === 'q' ? 'p' : 'q'))), undefined);
  assert.equal(pubkeyFrom('Judit'), undefined);
});

test('a shortened npub shows its beginning and its end', () => {
  assert.match(shortNpub(KEY), /^npub1.{4}….{4}$/);
});
