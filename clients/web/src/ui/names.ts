import { nip19 } from 'nostr-tools';

/** The most characters of a name that are shown. */
export const MAX_NAME_LENGTH = 32;

/** Marks that stack on one letter beyond this number are dropped. */
const STACKED_MARKS = /(\p{M}{2})\p{M}+/gu;

/** Characters that are invisible or change the direction of the text around them. */
const CONTROLS = /[\p{Cc}\p{Cs}\p{Co}\p{Cn}\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\u{e0000}-\u{e0fff}]/gu;

/**
 * The text of a stranger, such as a name, in one line and of bounded length; undefined if nothing
 * visible remains. It is still text: callers must not use it as HTML, and isolate its direction.
 */
export function oneLine(text: string | undefined, maxLength = MAX_NAME_LENGTH): string | undefined {
  if (typeof text !== 'string') return undefined;
  // A bound before the regular expressions: the text may be very long.
  const clean = text
    .slice(0, maxLength * 16)
    .normalize('NFC')
    .replace(/\s+/gu, ' ')
    .replace(CONTROLS, '')
    .replace(STACKED_MARKS, '$1')
    .trim();
  if (!/[\p{L}\p{N}\p{P}\p{S}]/u.test(clean)) return undefined;
  const characters = [...clean];
  return characters.length <= maxLength ? clean : `${characters.slice(0, maxLength - 1).join('').trimEnd()}…`;
}

/**
 * The text of a stranger that may have several lines, such as a comment: of bounded length and with at most so
 * many lines; undefined if nothing visible remains. Further line breaks become spaces.
 */
export function manyLines(text: string | undefined, maxLength: number, maxLines: number): string | undefined {
  if (typeof text !== 'string') return undefined;
  const lines = text
    .slice(0, maxLength * 16)
    .split(/\r\n|[\n\r\u2028\u2029]/u)
    .map((line) => oneLine(line, maxLength))
    .filter((line) => line !== undefined);
  const kept = [...lines.slice(0, maxLines - 1), lines.slice(maxLines - 1).join(' ')].filter((line) => line !== '');
  const characters = [...kept.join('\n')];
  if (characters.length === 0) return undefined;
  return characters.length <= maxLength
    ? characters.join('')
    : `${characters.slice(0, maxLength - 1).join('').trimEnd()}…`;
}

/** Latin letters, and other characters that look or sound like them after lower-casing (Unicode's TR39 has many more). */
const LOOK_ALIKES: readonly [latin: string, others: string][] = [
  ['a', 'аαɑᴀ4@'], ['b', 'вβʙь8'], ['c', 'сςϲᴄ'], ['d', 'дδԁđᴅ'], ['e', 'еεэᴇ3'], ['g', 'ɡɢց9'],
  ['i', 'іιıɩɪиl1|!łʟл'], ['k', 'кκ'], ['m', 'мμᴍ'], ['n', 'нηпոɴ'], ['o', 'оοօσøᴏ0'], ['p', 'рρᴘ'], ['r', 'гʀɾ'],
  ['s', 'ѕ5$ꜱ'], ['t', 'тτŧᴛ7+'], ['u', 'υսцᴜ'], ['v', 'νѵ'], ['x', 'хχ'], ['y', 'уγʏ'],
];
const LATIN = new Map(LOOK_ALIKES.flatMap(([latin, others]) => [...others].map((other) => [other, latin])));

/** Names under which the relay itself may seem to speak, as skeletons. */
const RESERVED = ['computer', 'admin', 'administrator', 'moderator', 'relay', 'gambit'].map(skeleton);

/** The letters that a name seems to consist of: names that look alike have the same. Digits at the end do not count. */
function skeleton(name: string): string {
  const plain = name.normalize('NFKD').toLowerCase().normalize('NFKD').replace(/\p{M}/gu, '').replace(/[\P{L}]+$/u, '');
  const latin = [...plain].map((character) => LATIN.get(character) ?? character).join('');
  return latin.replace(/[^a-z]/g, '').replace(/rn/g, 'm');
}

/** Whether a name looks like that of the relay's own player, like one of the relay, or like another player's npub. */
export function isLookAlike(name: string, house: string): boolean {
  const seen = skeleton(name).replace(/^the(?=.)|(?<=.)(bot|ieveii?)$/g, '');
  return seen === skeleton(house) || RESERVED.includes(seen) || seen.startsWith('npubi');
}

/** The public key in the form of NIP-19, `npub1…`. */
export function npubOf(pubkey: string): string {
  return nip19.npubEncode(pubkey);
}

/** The beginning and end of an npub, where the player has no name. */
export function shortNpub(pubkey: string): string {
  const npub = npubOf(pubkey);
  return `${npub.slice(0, 9)}…${npub.slice(-4)}`;
}

/** The public key, in hexadecimal, that a player is named by: npub, nprofile or hexadecimal. */
export function pubkeyFrom(text: string): string | undefined {
  const trimmed = text.trim().replace(/^nostr:/i, '');
  if (/^[0-9a-f]{64}$/i.test(trimmed)) return trimmed.toLowerCase();
  try {
    const decoded = nip19.decode(trimmed);
    if (decoded.type === 'npub') return decoded.data;
    if (decoded.type === 'nprofile') return decoded.data.pubkey;
  } catch {
    // Not one of NIP-19's forms.
  }
  return undefined;
}
