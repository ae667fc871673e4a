import { guestSigner, nip07Signer, nip46Signer, type GuestSigner, type RemoteSigner, type Signer } from 'gambit-client';
import { nip19 } from 'nostr-tools';
import { load, purge, save } from '../app/storage.js';
import { t } from '../language/t.js';

/** A guest: the key is in this browser, as it is or encrypted with a passphrase (NIP-49). */
export interface GuestIdentity {
  method: 'guest';
  signer: GuestSigner;
  /** Whether the key outlives the page. */
  kept: boolean;
  encrypted: boolean;
}

/**
 * The user's identity: a guest, whose key is in this browser; the user of a browser extension (NIP-07);
 * or that of a remote signer (NIP-46).
 */
export type Identity =
  | GuestIdentity
  | { method: 'extension'; signer: Signer }
  | { method: 'remote'; signer: RemoteSigner };

/** The stored part of a remote signer: its address, and the client's key for the conversation with it. */
interface RemoteStored {
  bunker: string;
  clientSecret: string;
}

/** The key that was made in this visit: nobody misses it yet. */
let newKey: string | undefined;

/** The guest of this browser whose key is not encrypted; without one, a new guest. */
export function guestIdentity(): GuestIdentity {
  const stored = load('key');
  if (stored !== undefined) {
    try {
      return { method: 'guest', signer: guestSigner(stored), kept: true, encrypted: false };
    } catch {
      // The stored key is damaged: a new one takes its place.
    }
  }
  const signer = guestSigner();
  newKey = signer.nsec;
  save('made', signer.pubkey);
  return keepGuest(signer);
}

/**
 * The guest with the key of an nsec, which takes the place of the key before.
 *
 * @throws SignerError if the text is no secret key
 */
export function importGuest(nsec: string, before: Identity): GuestIdentity {
  const signer = guestSigner(nsec.trim());
  keyShown(signer);
  if (before.method === 'guest' && before.encrypted) save('locked', undefined);
  return keepGuest(signer);
}

/** The encrypted key of this browser (`ncryptsec1…`), in use or not. */
export function encryptedKey(): string | undefined {
  return load('locked');
}

/** Whether this browser has a key, or a signer, from before this visit. */
export function hasEarlierKey(): boolean {
  const stored = load('key');
  return identityMethod() !== 'guest' || encryptedKey() !== undefined || (stored !== undefined && stored !== newKey);
}

/**
 * Keeps a key in its encrypted form only: nothing that is stored has it in plain text afterwards. It takes the place
 * of every other key and signer.
 *
 * @throws Error with a sentence if the browser does not store it, or keeps a plain copy
 */
export function keepEncrypted(nsec: string, ncryptsec: string): GuestIdentity {
  const signer = guestSigner(nsec);
  const before = encryptedKey();
  if (!save('locked', ncryptsec)) {
    save('locked', before);
    throw new Error(t('This browser does not keep data of this page, so the key cannot be kept encrypted.'));
  }
  const secret = nip19.decode(signer.nsec).data as Uint8Array;
  const hex = [...secret].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  const isGone = [save('key', undefined), purge(signer.nsec), purge(hex)].every(Boolean);
  save('method', undefined);
  save('remote', undefined);
  if (!isGone) throw new Error(t('The browser did not delete the unencrypted key. Delete the data of this page in the browser’s settings.'));
  return { method: 'guest', signer, kept: true, encrypted: true };
}

/**
 * Keeps the key as it is again.
 *
 * @throws Error with a sentence if the browser does not store it
 */
export function keepPlain(signer: GuestSigner): GuestIdentity {
  const identity = keepGuest(signer);
  if (!identity.kept) {
    save('key', undefined);
    throw new Error(t('This browser does not keep data of this page, so the key remains encrypted.'));
  }
  save('locked', undefined);
  return identity;
}

/** The user has seen the guest's secret key, and so can have a copy of it. */
export function keyShown({ pubkey }: GuestSigner): void {
  save('copied', pubkey);
}

/** Whether the key outlives this browser: its user has another signer, or has seen the guest's secret key. */
export function keepsKey(identity: Identity): boolean {
  return identity.method !== 'guest' || load('copied') === identity.signer.pubkey;
}

/** Whether the key was made in this browser, so that no other program knows it unless it was copied. */
export function isMadeHere({ pubkey }: GuestSigner): boolean {
  return load('made') === pubkey;
}

function keepGuest(signer: GuestSigner): GuestIdentity {
  return { method: 'guest', signer, kept: save('key', signer.nsec), encrypted: false };
}

/** The guest of this browser; undefined if only a passphrase gives access to the key. */
function storedGuest(): GuestIdentity | undefined {
  return load('key') === undefined && encryptedKey() !== undefined ? undefined : guestIdentity();
}

/** Whether the browser has an extension that signs. */
export function hasExtension(): boolean {
  return 'nostr' in window;
}

/** The user of the browser's extension. */
export async function extensionIdentity(): Promise<Identity> {
  const signer = nip07Signer();
  // Asked before it is remembered: the user may refuse.
  await signer.getPublicKey();
  save('method', 'extension');
  return { method: 'extension', signer };
}

/**
 * The user of a remote signer.
 *
 * @param onAuthUrl receives an address that the signer wants the user to visit
 */
export async function remoteIdentity(bunker: string, onAuthUrl: (url: string) => void): Promise<Identity> {
  const signer = await nip46Signer(bunker.trim(), { onAuthUrl });
  const stored: RemoteStored = { bunker: bunker.trim(), clientSecret: signer.clientSecret };
  save('remote', JSON.stringify(stored));
  save('method', 'remote');
  return { method: 'remote', signer };
}

/** How the identity that used this browser last signs. */
export function identityMethod(): Identity['method'] {
  const method = load('method');
  return method === 'extension' || method === 'remote' ? method : 'guest';
}

/** Ends the connection to a remote signer; other signers have none. */
export function closeSigner(identity: Identity | undefined): void {
  if (identity?.method === 'remote') identity.signer.close();
}

/**
 * The identity that used this browser last; undefined if its key is encrypted. Fails with a SignerError if its signer
 * is unavailable.
 */
export async function restoredIdentity(): Promise<Identity | undefined> {
  switch (load('method')) {
    case 'extension':
      await extensionPresent();
      return { method: 'extension', signer: nip07Signer() };
    case 'remote': {
      const stored = JSON.parse(load('remote') ?? '{}') as Partial<RemoteStored>;
      if (!stored.bunker || !stored.clientSecret) return storedGuest();
      return { method: 'remote', signer: await nip46Signer(stored.bunker, { clientSecret: stored.clientSecret }) };
    }
    default:
      return storedGuest();
  }
}

/** From now on, the identity of this browser is its guest. */
export function signOutIdentity(): void {
  save('method', undefined);
  save('remote', undefined);
}

/** Extensions add `window.nostr` some time after the page's own scripts have begun. */
export async function extensionPresent(): Promise<void> {
  for (let attempt = 0; attempt < 20 && !hasExtension(); attempt++) {
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
