/** Secret keys encrypted with a passphrase (NIP-49). Every failure is an Error with a sentence for the user. */
import { guestSigner } from 'gambit-client';
import { nip19 } from 'nostr-tools';
import * as nip49 from 'nostr-tools/nip49';
import { t } from '../language/t.js';

/** Of 91 bytes; a longer text is none. */
const NCRYPTSEC = /^ncryptsec1[02-9ac-hj-np-z]{152}$/;
const LETTERS = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l';

/** The base-2 logarithm of scrypt's cost: 64 MB, well under a second. */
const COST = 16;
/** Decrypting takes a gigabyte; beyond that, a key from a stranger's link could ask for any amount. */
const MAX_COST = 20;

/** Encrypts a secret key (`nsec1…`). */
export async function encryptKey(nsec: string, passphrase: string): Promise<string> {
  await drawn();
  const secret = nip19.decode(nsec).data as Uint8Array;
  return nip49.encrypt(secret, passphrase, COST);
}

/** Decrypts a key of any origin; returns it as `nsec1…`. */
export async function decryptKey(ncryptsec: string, passphrase: string): Promise<string> {
  const text = ncryptsec.trim();
  const [version, cost] = headOf(text);
  if (version !== 2 || cost > MAX_COST) throw new Error(t('This key was encrypted in a way that this page cannot read.'));
  await drawn();
  let secret: Uint8Array;
  try {
    secret = nip49.decrypt(text, passphrase);
  } catch (error) {
    throw new Error(/checksum/i.test(String(error)) ? damaged() : t('The passphrase is wrong.'));
  }
  try {
    return guestSigner(secret).nsec;
  } catch {
    throw new Error(damaged());
  }
}

/** The version and the cost, in the first 16 bits after the prefix. */
function headOf(ncryptsec: string): [version: number, cost: number] {
  if (!NCRYPTSEC.test(ncryptsec)) throw new Error(damaged());
  const bits = [...ncryptsec.slice(10, 14)].reduce((sum, letter) => sum * 32 + LETTERS.indexOf(letter), 0) >> 4;
  return [bits >> 8, bits & 255];
}

const damaged = () => t('The encrypted key is damaged or not whole. It begins with ncryptsec1 and has 162 characters.');

/** The arithmetic blocks the page: what it says about that is drawn before. */
function drawn(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 50));
}
