/** URLs of one relay. */

const MAX_URL_CHARS = 1024;
const LOOPBACK_HOSTS = ['localhost', '127.0.0.1', '[::1]'];

/**
 * A set of URLs of one relay. They are compared by host, port and path: scheme, letter case and
 * trailing slashes are ignored, as the relay does.
 */
export class RelayUrls {
  readonly #normalized: ReadonlySet<string>;

  constructor(urls: readonly string[]) {
    this.#normalized = new Set(urls.map(normalize).filter((url) => url !== undefined));
  }

  /** Whether the URL names this relay. */
  contains(url: string): boolean {
    const normalized = normalize(url);
    return normalized !== undefined && this.#normalized.has(normalized);
  }
}

/** A URL, and with one of the loopback names of a machine also the other two. */
export function withLoopbackNames(url: string): string[] {
  const parsed = parse(url);
  if (!parsed || !LOOPBACK_HOSTS.includes(parsed.hostname)) {
    return [url];
  }
  const port = parsed.port ? `:${parsed.port}` : '';
  return [url, ...LOOPBACK_HOSTS.map((host) => `${parsed.protocol}//${host}${port}${parsed.pathname}`)];
}

/** Whether a text is a ws or wss URL. */
export function isRelayUrl(text: string): boolean {
  return parse(text) !== undefined;
}

function parse(url: string): URL | undefined {
  if (url.length > MAX_URL_CHARS || !URL.canParse(url.trim())) {
    return undefined;
  }
  const parsed = new URL(url.trim());
  return ['ws:', 'wss:'].includes(parsed.protocol) && parsed.hostname ? parsed : undefined;
}

function normalize(url: string): string | undefined {
  const parsed = parse(url);
  if (!parsed) {
    return undefined;
  }
  const isDefaultPort = ['', '80', '443'].includes(parsed.port);
  const port = isDefaultPort ? '' : `:${parsed.port}`;
  return parsed.hostname.toLowerCase() + port + parsed.pathname.replace(/\/+$/, '');
}
