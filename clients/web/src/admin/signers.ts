/** The signers of admins and moderators. What is kept of one lives as long as the browser's tab; a secret key never. */
import { nip07Signer, nip46Signer, type RemoteSigner, type Signer } from 'gambit-client';
import { load } from '../app/storage.js';
import { extensionPresent, identityMethod, restoredIdentity } from '../identity/identity.js';

const KEY = 'gambit.admin.signer';

/** A signer that is at hand again after the page was reloaded. */
type Kept = { readonly method: 'extension' } | { readonly method: 'player' } | { readonly method: 'remote'; bunker: string; clientSecret: string };

/** The connection to the remote signer in use. */
let remote: RemoteSigner | undefined;

/** What signs for the player of this browser, if an admin can use it as well. */
export function playersSigner(): 'key' | 'remote' | undefined {
  if (identityMethod() === 'remote') return 'remote';
  return identityMethod() === 'guest' && load('key') !== undefined ? 'key' : undefined;
}

/** The signer of the player of this browser. */
export async function playerSigner(): Promise<Signer> {
  const identity = await restoredIdentity();
  if (!identity) throw new Error('The player’s key in this browser is encrypted. Open it on the players’ page, or paste the key here.');
  keep({ method: 'player' });
  return identity.signer;
}

export function extensionSigner(): Signer {
  const signer = nip07Signer();
  keep({ method: 'extension' });
  return signer;
}

/** @param onAuthUrl receives an address that the signer wants the user to visit; it comes from the network */
export async function remoteSigner(bunker: string, onAuthUrl: (url: string) => void): Promise<Signer> {
  remote?.close();
  remote = await nip46Signer(bunker.trim(), { onAuthUrl });
  keep({ method: 'remote', bunker: bunker.trim(), clientSecret: remote.clientSecret });
  return remote;
}

/** The signer that was used in this tab before the page was loaded again; undefined if there is none at hand. */
export async function keptSigner(): Promise<Signer | undefined> {
  const kept = keptChoice();
  if (kept?.method === 'player') return playerSigner();
  if (kept?.method === 'remote') return (remote = await nip46Signer(kept.bunker, { clientSecret: kept.clientSecret }));
  if (!kept) return undefined;
  await extensionPresent();
  return nip07Signer();
}

export function hasKeptSigner(): boolean {
  return keptChoice() !== undefined;
}

/** Signing out: the next visit chooses again. */
export function forgetSigner(): void {
  remote?.close();
  remote = undefined;
  store(undefined);
}

function keep(choice: Kept): void {
  store(JSON.stringify(choice));
}

function store(text: string | undefined): void {
  try {
    if (text === undefined) sessionStorage.removeItem(KEY);
    else sessionStorage.setItem(KEY, text);
  } catch {
    // After reloading, the signer is chosen again.
  }
}

function keptChoice(): Kept | undefined {
  try {
    return (JSON.parse(sessionStorage.getItem(KEY) ?? 'null') as Kept | null) ?? undefined;
  } catch {
    return undefined;
  }
}
