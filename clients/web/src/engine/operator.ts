import type { RelayInfo } from 'gambit-client';

/** The script of the operator's engine, for `Engine.start`, if there is one at the page's own origin. */
export function operatorScript({ url, engine }: RelayInfo): string | undefined {
  if (!engine) return undefined;
  const script = new URL(`.${engine}`, `${url.replace(/^ws/, 'http').replace(/\/$/, '')}/`);
  return script.origin === location.origin ? script.href : undefined;
}
