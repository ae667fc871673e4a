/**
 * The address of the relay's WebSocket: that of `?relay=`, so that any static host can serve the
 * page, otherwise the host of the page itself. Undefined if `?relay=` is no such address.
 */
export function relayUrl(page: URL): string | undefined {
  const named = page.searchParams.get('relay');
  if (named === null) {
    return `${page.protocol === 'https:' ? 'wss:' : 'ws:'}//${page.host}${page.pathname.replace(/[^/]*$/, '')}`;
  }
  try {
    const url = new URL(named.includes('://') ? named : `wss://${named}`);
    if (url.protocol === 'http:') url.protocol = 'ws:';
    if (url.protocol === 'https:') url.protocol = 'wss:';
    return url.protocol === 'ws:' || url.protocol === 'wss:' ? url.href : undefined;
  } catch {
    return undefined;
  }
}
