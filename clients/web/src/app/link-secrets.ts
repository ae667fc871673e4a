/**
 * The secrets of the user's own links to invites. The relay does not know them, and without them nobody can
 * accept: they are kept in the browser, so that a link can be shown again after the page was reloaded.
 */
import { load, save } from './storage.js';

/** A player has at most 10 pending invites; the browser may have had several players. */
const MAX_SECRETS = 40;
const KEY = 'link-secrets';

interface LinkSecret {
  readonly invite: string;
  /** The player's public key. */
  readonly author: string;
  readonly secret: string;
}

/** The secret of an invite's link, or undefined if this browser does not have it. */
export function secretOf(invite: string): string | undefined {
  return kept().find((one) => one.invite === invite)?.secret;
}

/** Keeps a secret; the oldest one beyond the maximum is dropped. */
export function keepSecret(one: LinkSecret): void {
  store([...kept().filter(({ invite }) => invite !== one.invite), one].slice(-MAX_SECRETS));
}

/** The invites of an author of which secrets are kept. */
export function invitesWithSecret(author: string): string[] {
  return kept().filter((one) => one.author === author).map(({ invite }) => invite);
}

/** Drops the secrets of invites that are over. */
export function dropSecrets(invites: readonly string[]): void {
  if (invites.length > 0) store(kept().filter(({ invite }) => !invites.includes(invite)));
}

function store(secrets: readonly LinkSecret[]): void {
  save(KEY, secrets.length === 0 ? undefined : JSON.stringify(secrets));
}

function kept(): LinkSecret[] {
  try {
    const value: unknown = JSON.parse(load(KEY) ?? '[]');
    return Array.isArray(value) ? value.filter(isLinkSecret) : [];
  } catch {
    return [];
  }
}

function isLinkSecret(value: unknown): value is LinkSecret {
  const one = value as Partial<Record<keyof LinkSecret, unknown>> | null;
  return typeof one?.invite === 'string' && typeof one.author === 'string' && typeof one.secret === 'string';
}
