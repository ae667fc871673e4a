/** The addresses of the admin page: `#/<view>`, and `#link=<code>`, by which the first admin comes. */

/** The longest code that is taken from an address. */
const MAX_CODE_LENGTH = 200;

let code: string | undefined;

/**
 * The code of the link that has opened the page. It is removed from the address and from the browser's history when it
 * is seen; it lives in memory until it was used.
 */
export function receivedCode(): string | undefined {
  const [, given] = /^#link=(.*)$/s.exec(location.hash) ?? [];
  if (given !== undefined) {
    history.replaceState(history.state, '', location.pathname + location.search);
    code = given.slice(0, MAX_CODE_LENGTH);
  }
  return code;
}

/** The code was used, or is not wanted. */
export function dropCode(): void {
  code = undefined;
}

/** The id of the view that the address names; empty if it names none. */
export function viewId(hash = location.hash): string {
  return /^#\/([a-z-]{1,40})(?:[/?].*)?$/s.exec(hash)?.[1] ?? '';
}

export const hrefOf = (view: string): string => `#/${view}`;
