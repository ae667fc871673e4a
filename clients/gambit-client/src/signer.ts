import type { EventTemplate, VerifiedEvent } from 'nostr-tools/pure';

/** Signs for one key. Failures are {@link SignerError}s. */
export interface Signer {
  /** The public key, in hex. */
  getPublicKey(): Promise<string>;
  signEvent(template: EventTemplate): Promise<VerifiedEvent>;
}

/** A signer with a secret key in memory. */
export interface GuestSigner extends Signer {
  readonly pubkey: string;
  /** The secret key: whoever has it plays under this name. */
  readonly nsec: string;
  readonly npub: string;
}

/** A signer at a remote place (NIP-46). */
export interface RemoteSigner extends Signer {
  /** This client's key for the conversation with the signer, in hex: keep it to use the same permission again. */
  readonly clientSecret: string;
  close(): void;
}

export interface RemoteSignerOptions {
  /** The `clientSecret` of an earlier {@link RemoteSigner}. */
  clientSecret?: string;
  /** Called when the signer wants the user to visit a page. It comes from the network. */
  onAuthUrl?: (url: string) => void;
  /** Milliseconds for each answer of the signer; 60,000 by default. */
  timeout?: number;
  /** The implementation of WebSockets where there is no global one. */
  webSocket?: WebSocketConstructor;
}

/** What the library needs of a WebSocket: the browser's, Node's (from 22 on), or that of the package `ws`. */
export interface WebSocketLike {
  send(data: string): void;
  close(): void;
  onopen: ((event: never) => void) | null;
  onmessage: ((event: never) => void) | null;
  onclose: ((event: never) => void) | null;
  onerror: ((event: never) => void) | null;
}

export type WebSocketConstructor = new (url: string) => WebSocketLike;
