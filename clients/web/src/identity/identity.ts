import { guestSigner, nip07Signer, nip46Signer, type GuestSigner, type RemoteSigner, type Signer } from 'gambit-client';
import { load, save } from '../app/storage.js';

/**
 * The user's identity: a guest, whose key is in this browser; the user of a browser extension (NIP-07);
 * or that of a remote signer (NIP-46).
 */
export type Identity =
  | { method: 'guest'; signer: GuestSigner; kept: boolean }
  | { method: 'extension'; signer: Signer }
  | { method: 'remote'; signer: RemoteSigner };

/** The stored part of a remote signer: its address, and the client's key for the conversation with it. */
interface RemoteStored {
  bunker: string;
  clientSecret: string;
}

/** The guest of this browser; on the first visit, with a new key. */
export function guestIdentity(): Identity {
  const stored = load('key');
  if (stored !== undefined) {
    try {
      return { method: 'guest', signer: guestSigner(stored), kept: true };
    } catch {
      // The stored key is damaged: a new one takes its place.
    }
  }
  return keepGuest(guestSigner());
}

/**
 * The guest with the key of an nsec, which takes the place of this browser's key.
 *
 * @throws SignerError if the text is no secret key
 */
export function importGuest(nsec: string): Identity {
  const signer = guestSigner(nsec.trim());
  keyShown(signer);
  return keepGuest(signer);
}

/** The user has seen the guest's secret key, and so can have a copy of it. */
export function keyShown({ pubkey }: GuestSigner): void {
  save('copied', pubkey);
}

/** Whether the key outlives this browser: its user has another signer, or has seen the guest's secret key. */
export function keepsKey(identity: Identity): boolean {
  return identity.method !== 'guest' || load('copied') === identity.signer.pubkey;
}

function keepGuest(signer: GuestSigner): Identity {
  return { method: 'guest', signer, kept: save('key', signer.nsec) };
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

/** The identity that used this browser last. Fails with a SignerError if its signer is unavailable. */
export async function restoredIdentity(): Promise<Identity> {
  switch (load('method')) {
    case 'extension':
      await extensionPresent();
      return { method: 'extension', signer: nip07Signer() };
    case 'remote': {
      const stored = JSON.parse(load('remote') ?? '{}') as Partial<RemoteStored>;
      if (!stored.bunker || !stored.clientSecret) return guestIdentity();
      return { method: 'remote', signer: await nip46Signer(stored.bunker, { clientSecret: stored.clientSecret }) };
    }
    default:
      return guestIdentity();
  }
}

/** Returns to this browser's guest. */
export function signOutIdentity(): Identity {
  save('method', undefined);
  save('remote', undefined);
  return guestIdentity();
}

/** Extensions add `window.nostr` some time after the page's own scripts have begun. */
async function extensionPresent(): Promise<void> {
  for (let attempt = 0; attempt < 20 && !hasExtension(); attempt++) {
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
