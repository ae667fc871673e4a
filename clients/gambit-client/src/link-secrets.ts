import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import type { ReceivedInvite } from './types.js';

const SECRET_BYTES = 16;

/** A new secret for the link of an unlisted invite, in hex. */
export function newLinkSecret(): string {
  return bytesToHex(crypto.getRandomValues(new Uint8Array(SECRET_BYTES)));
}

/** The value of an invite's `unlisted` tag, which does not reveal the secret. */
export function hashOfSecret(secret: string): string {
  return bytesToHex(sha256(utf8ToBytes(secret)));
}

/** Whether an invite can be accepted with a link that has this secret, or none. */
export function isOpenedBy(invite: Pick<ReceivedInvite, 'secretHash'>, secret: string | undefined): boolean {
  return invite.secretHash === undefined || (secret !== undefined && hashOfSecret(secret) === invite.secretHash);
}
