import { AbstractSimplePool } from 'nostr-tools/abstract-pool';
import { BunkerSigner, parseBunkerInput } from 'nostr-tools/nip46';
import { generateSecretKey, verifyEvent } from 'nostr-tools/pure';
import { SignerError } from './errors.js';
import type { RemoteSigner, RemoteSignerOptions } from './signer.js';
import { checkedSigner, secretKey } from './signers.js';

const TIMEOUT = 60_000;
const CONNECTION_TIMEOUT = 10_000;

/** Connects to a remote signer; see `nip46Signer`. A module of its own: a page loads it when it is needed. */
export async function connectRemoteSigner(
  bunker: string,
  options: RemoteSignerOptions,
): Promise<RemoteSigner> {
  const pointer = await parseBunkerInput(bunker);
  if (!pointer || pointer.relays.length === 0) {
    throw new SignerError('this is not a bunker:// URL with a relay');
  }
  const secret = options.clientSecret ? secretKey(options.clientSecret) : generateSecretKey();
  const timeout = options.timeout ?? TIMEOUT;
  const websocketImplementation = options.webSocket as typeof WebSocket | undefined;
  const pool = new AbstractSimplePool({
    verifyEvent,
    enableReconnect: true,
    maxWaitForConnection: CONNECTION_TIMEOUT,
    ...(websocketImplementation && { websocketImplementation }),
  });
  const signer = BunkerSigner.fromBunker(secret, pointer, {
    pool,
    ...(options.onAuthUrl && { onauth: options.onAuthUrl }),
  });
  const close = (): void => {
    void signer.close().catch(() => undefined);
    pool.destroy();
  };
  try {
    // A client that the signer knows only asks it something: the secret of the URL is for one connection (NIP-46).
    await within<unknown>(timeout, options.clientSecret ? signer.getPublicKey() : signer.connect());
  } catch (error) {
    close();
    throw new SignerError(error instanceof Error ? error.message : String(error), { cause: error });
  }
  return {
    ...checkedSigner({
      getPublicKey: () => within(timeout, signer.getPublicKey()),
      signEvent: template => within(timeout, signer.signEvent(template)),
    }),
    clientSecret: [...secret].map(byte => byte.toString(16).padStart(2, '0')).join(''),
    close,
  };
}

async function within<T>(milliseconds: number, request: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new SignerError('the signer has not answered in time')), milliseconds);
  });
  try {
    return await Promise.race([request, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
