import { GambitError } from './errors.js';

/**
 * The name of a relay in the tag `relay` of events that only this relay may accept: the URL as it was opened,
 * without credentials, query, fragment and trailing slashes. What a relay says about itself does not count: a
 * relay in the middle would name the one to which it forwards.
 */
export function relayName(url: string): string {
  const { protocol, host, pathname } = new URL(URL.canParse(url) ? url : 'none:');
  if (!host || (protocol !== 'ws:' && protocol !== 'wss:')) {
    throw new GambitError('the URL of a relay begins with ws:// or wss://');
  }
  return `${protocol}//${host}${pathname.replace(/\/+$/, '')}`;
}
