import words from './guest-words.json';

/** 64 adjectives, of good or neutral meaning, and 64 animals. Their order is part of every guest's name: never change it. */
const [ADJECTIVES, ANIMALS] = [words.adjectives.split(' '), words.animals.split(' ')];

/**
 * The name of a player without a chosen one: two words and a number of three digits, by the public key alone, so that
 * it is the same everywhere and in every language. Nearly four million names: two players may share one, and somebody
 * can search for a key with a given name, so only the npub tells players apart.
 *
 * @param pubkey in hexadecimal
 */
export function guestName(pubkey: string): string {
  const [adjective, animal, number] = [0, 4, 8].map((start) => Number.parseInt(pubkey.slice(start, start + 4), 16) || 0) as [number, number, number];
  return `${ADJECTIVES[adjective % ADJECTIVES.length]} ${ANIMALS[animal % ANIMALS.length]} ${100 + (number % 900)}`;
}

/** Whether a text is written as the names of guests are, without regard to case, spaces and signs. */
export function isGuestName(text: string): boolean {
  const letters = text.normalize('NFKC').toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
  const [, words = ''] = /^([a-z]+)\d{3}$/.exec(letters) ?? [];
  return ADJECTIVES.some((one) => {
    const adjective = one.toLowerCase();
    return words.startsWith(adjective) && ANIMALS.some((animal) => animal.toLowerCase() === words.slice(adjective.length));
  });
}
