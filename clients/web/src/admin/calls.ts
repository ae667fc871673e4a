/**
 * The calls of the relay's methods (NIP-86), each with a login (NIP-98). After signing in, a key that lives in memory
 * only signs them, so that the admin's signer is asked once and not for every call.
 */
import { guestSigner, SignerError, type Signer } from 'gambit-client';
import { hashPayload } from 'nostr-tools/nip98';
import { Listeners, useNotifications } from '../app/store.js';
import { oneLine } from '../ui/names.js';

const LOGIN_KIND = 27_235;
const TIMEOUT_MILLISECONDS = 30_000;
const MAX_SENTENCE_LENGTH = 400;

/** What whoever has signed in may do. */
export interface Access {
  /** In hexadecimal. */
  readonly pubkey: string;
  readonly admin: boolean;
  readonly roles: readonly string[];
  readonly methods: readonly string[];
  /** The end of the session in seconds of Unix time; null without one. */
  readonly until: number | null;
}

/** A call that had no effect, or of which the answer is missing; the message is a sentence for the user. */
export class CallError extends Error {
  /** The status of the answer over HTTP; 0 if none has arrived. */
  readonly status: number;

  constructor(message: string, status: number) {
    super(message);
    this.status = status;
  }
}

interface Session {
  readonly owner: Signer;
  readonly key: Signer;
}

let session: Session | undefined;
let access: Access | undefined;
/** The next session, while the owner's signer is asked for it. */
let opening: Promise<Session> | undefined;
/** What is added to this machine's time to get the relay's, in milliseconds. */
let clockDifference: number | undefined;
const listeners = new Listeners();

/** The relay's URL: the folder that has this page, also behind a proxy. */
export function relayUrl(page: Location | URL = location): string {
  return `${page.origin}${page.pathname.replace(/[^/]*$/, '')}`;
}

/** What the user may do; undefined before signing in, and after the rights or the session have ended. */
export function useAccess(): Access | undefined {
  useNotifications((listener) => listeners.add(listener), listeners);
  return access;
}

/** Whether the user may call all of these methods. */
export function may(...methods: string[]): boolean {
  return methods.every((method) => access?.methods.includes(method));
}

/**
 * Makes the signer's key the first admin's.
 *
 * @param code of the link that the relay has printed
 */
export async function claimAdmin(signer: Signer, code: string): Promise<void> {
  await send(signer, 'claimadmin', [code]);
}

/**
 * Signs in: opens a session of the signer's key.
 *
 * @throws CallError with status 403 if the key has no rights here
 */
export async function signIn(signer: Signer): Promise<void> {
  await openSession(signer);
  await refreshAccess();
}

/** Ends the session, here and at the relay. */
export async function signOut(): Promise<void> {
  const ended = session;
  end();
  // If it does not arrive, the session ends by itself.
  if (ended) await send(ended.key, 'closesession', []).catch(() => undefined);
}

/** Asks the relay again what the user may do. */
export async function refreshAccess(): Promise<void> {
  access = await call<Access>('whoami');
  listeners.notify();
}

/**
 * Calls a method of the relay; where the session is over, another one is opened first.
 *
 * @throws CallError with the relay's sentence
 */
export async function call<Result = unknown>(method: string, ...params: unknown[]): Promise<Result> {
  const used = session;
  if (!used) throw new CallError('Sign in first.', 0);
  try {
    return (await send(used.key, method, params)) as Result;
  } catch (error) {
    if (!isLoginRefused(error) || (await isAlive(used))) throw error;
  }
  const next = session === used ? await reopen(used.owner) : session;
  if (!next) throw new CallError('Sign in first.', 0);
  return (await send(next.key, method, params)) as Result;
}

async function isAlive({ key }: Session): Promise<boolean> {
  try {
    await send(key, 'whoami', []);
    return true;
  } catch (error) {
    return !isLoginRefused(error);
  }
}

/** Opens one session for all calls that have found the one before over. */
async function reopen(owner: Signer): Promise<Session> {
  try {
    return await (opening ??= openSession(owner));
  } catch (error) {
    // Otherwise every further call would ask the signer again.
    if (isLoginRefused(error) || error instanceof SignerError) end();
    throw error;
  } finally {
    opening = undefined;
  }
}

async function openSession(owner: Signer): Promise<Session> {
  const key = guestSigner();
  await send(owner, 'opensession', [key.pubkey]);
  session = { owner, key };
  return session;
}

function end(): void {
  session = undefined;
  access = undefined;
  listeners.notify();
}

function isLoginRefused(error: unknown): boolean {
  return error instanceof CallError && (error.status === 401 || error.status === 403);
}

async function send(signer: Signer, method: string, params: readonly unknown[]): Promise<unknown> {
  const url = relayUrl();
  clockDifference ??= differenceTo(await request(url, { method: 'HEAD', headers: { Accept: 'application/nostr+json' } }));
  const login = await signer.signEvent({
    kind: LOGIN_KIND,
    created_at: Math.floor((Date.now() + (clockDifference ?? 0)) / 1000),
    content: '',
    tags: [['u', url], ['method', 'POST'], ['payload', hashPayload({ method, params })], ['nonce', nonce()]],
  });
  const response = await request(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/nostr+json+rpc', Authorization: `Nostr ${btoa(JSON.stringify(login))}` },
    body: JSON.stringify({ method, params }),
  });
  clockDifference = differenceTo(response) ?? clockDifference;
  const answer = (await response.json().catch(() => null)) as { result?: unknown; error?: unknown } | null;
  if (response.ok && answer && !answer.error && answer.result !== undefined) return answer.result;
  throw new CallError(sentenceOf(response.status, answer?.error), response.status);
}

async function request(url: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(url, { ...init, cache: 'no-store', credentials: 'omit', signal: AbortSignal.timeout(TIMEOUT_MILLISECONDS) });
  } catch {
    throw new CallError('The relay did not answer. Check the connection, then try again.', 0);
  }
}

/** Two equal calls of one second need different logins: each is valid once. */
function nonce(): string {
  return [...crypto.getRandomValues(new Uint32Array(2))].map((part) => part.toString(36)).join('');
}

/** How far the relay's time is ahead, from the date of an answer, which is in whole seconds. */
function differenceTo(answer: Response): number | undefined {
  const date = Date.parse(answer.headers.get('date') ?? '');
  return Number.isSafeInteger(date) ? date + 500 - Date.now() : undefined;
}

/** The relay's sentence, or one for an answer that has none, such as that of a proxy. */
export function sentenceOf(status: number, error: unknown): string {
  const given = typeof error === 'string' ? oneLine(error, MAX_SENTENCE_LENGTH) : undefined;
  if (given) return `${given.charAt(0).toUpperCase()}${given.slice(1)}${/[.!?]$/.test(given) ? '' : '.'}`;
  if (status === 403) return 'The relay refuses the requests of this address.';
  if (status === 404 || status === 405) return 'No relay answers calls at this address: a proxy has to pass POST requests on to it.';
  if (status === 429) return 'Too many calls. Try again in a moment.';
  if (status >= 500) return 'The relay is not available now. Try again in a moment.';
  return `The relay’s answer could not be read (status ${status}).`;
}
