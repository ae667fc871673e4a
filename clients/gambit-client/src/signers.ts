import { decode, npubEncode, nsecEncode } from 'nostr-tools/nip19';
import {
  finalizeEvent,
  generateSecretKey,
  getPublicKey,
  verifyEvent,
  type EventTemplate,
  type NostrEvent,
  type VerifiedEvent,
} from 'nostr-tools/pure';
import { SignerError } from './errors.js';
import { isHex64 } from './events.js';
import type { GuestSigner, RemoteSigner, RemoteSignerOptions, Signer } from './signer.js';

/** A new key, or the given one: 32 bytes, 64 hexadecimal digits or an `nsec`. */
export function guestSigner(secret: Uint8Array | string = generateSecretKey()): GuestSigner {
  const key = typeof secret === 'string' ? secretKey(secret.trim()) : secret;
  let pubkey: string;
  try {
    pubkey = getPublicKey(key);
  } catch {
    throw new SignerError('this is not a secret key');
  }
  return {
    pubkey,
    nsec: nsecEncode(key),
    npub: npubEncode(pubkey),
    getPublicKey: () => Promise.resolve(pubkey),
    signEvent: template => Promise.resolve(finalizeEvent({ ...template }, key)),
  };
}

/** The bytes of a secret key in hexadecimal digits or as `nsec`. */
export function secretKey(text: string): Uint8Array {
  if (/^[0-9a-fA-F]{64}$/.test(text)) {
    return Uint8Array.from(text.match(/../g) ?? [], byte => Number.parseInt(byte, 16));
  }
  try {
    const decoded = decode(text);
    if (decoded.type === 'nsec') {
      return decoded.data;
    }
  } catch {
    // not Bech32
  }
  throw new SignerError('this is not a secret key');
}

interface WindowNostr {
  getPublicKey(): Promise<string>;
  signEvent(event: EventTemplate): Promise<NostrEvent>;
}

/** The browser's signer, `window.nostr` (NIP-07). */
export function nip07Signer(): Signer {
  const nostr = (globalThis as { nostr?: WindowNostr }).nostr;
  if (!nostr) {
    throw new SignerError('this browser has no signer (NIP-07)');
  }
  return checkedSigner({
    getPublicKey: () => nostr.getPublicKey(),
    signEvent: template => nostr.signEvent(template),
  });
}

/** A signer of which every failure is a `SignerError`, and whose events are what was asked for. */
export function checkedSigner(signer: {
  getPublicKey(): Promise<string>;
  signEvent(template: EventTemplate): Promise<NostrEvent>;
}): Signer {
  let pubkey: string | undefined;
  return {
    async getPublicKey(): Promise<string> {
      pubkey ??= await attempt(() => signer.getPublicKey());
      if (!isHex64(pubkey)) {
        pubkey = undefined;
        throw new SignerError('the signer has no public key');
      }
      return pubkey;
    },
    async signEvent(template): Promise<VerifiedEvent> {
      const author = await this.getPublicKey();
      const signed = await attempt(() => signer.signEvent({ ...template }));
      const event = {
        ...template,
        pubkey: author,
        id: String(signed?.id),
        sig: String(signed?.sig),
      };
      if (!isVerified(event)) {
        throw new SignerError('the signer has returned another event');
      }
      return event;
    },
  };
}

function isVerified(event: NostrEvent): event is VerifiedEvent {
  try {
    return verifyEvent(event);
  } catch {
    return false;
  }
}

async function attempt<T>(request: () => Promise<T>): Promise<T> {
  try {
    return await request();
  } catch (error) {
    throw new SignerError(error instanceof Error ? error.message : String(error), { cause: error });
  }
}

/** A remote signer (NIP-46), once it has accepted the connection. `bunker` is a `bunker://` URL. */
export async function nip46Signer(
  bunker: string,
  options: RemoteSignerOptions = {},
): Promise<RemoteSigner> {
  const { connectRemoteSigner } = await import('./nip46.js');
  return connectRemoteSigner(bunker, options);
}
