import { SignerError } from './errors.js';
import type { GuestSigner, RemoteSigner, RemoteSignerOptions, Signer } from './signer.js';

/** A new key, or the given one: 32 bytes, 64 hexadecimal digits or an `nsec`. */
export function guestSigner(_secret?: Uint8Array | string): GuestSigner {
  throw new SignerError('not implemented');
}

/** The browser's signer, `window.nostr` (NIP-07). */
export function nip07Signer(): Signer {
  throw new SignerError('not implemented');
}

/** A remote signer (NIP-46), once it has accepted the connection. `bunker` is a `bunker://` URL. */
export function nip46Signer(_bunker: string, _options: RemoteSignerOptions = {}): Promise<RemoteSigner> {
  throw new SignerError('not implemented');
}
