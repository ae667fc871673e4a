import { useNotifications } from './store.js';

/** A page of the application with its parameter. */
export type Route =
  | { page: 'lobby'; fen?: string }
  | { page: 'game'; id: string }
  | { page: 'analysis'; id?: string; fen?: string }
  | { page: 'challenge'; id: string; secret?: string }
  | { page: 'player'; npub: string }
  | { page: 'leaderboards' }
  | { page: 'players' }
  /** A key that another device gives to this one, and the code that makes its user a member of the relay. */
  | { page: 'key' | 'join'; received?: string }
  | { page: 'watch' }
  /** The link in a reminder that ends the reminders. */
  | { page: 'reminders'; token: string }
  | { page: 'me' }
  | { page: 'help' }
  | { page: 'missing' };

const HEX_ID = /^[0-9a-f]{64}$/;
const TOKEN = /^[0-9a-f]{96}$/;
/** The secret of a link to an unlisted invite. */
const SECRET = /^[A-Za-z0-9_-]{1,64}$/;
/** The longest FEN that the relay reads. */
const MAX_FEN_LENGTH = 128;
const MAX_RECEIVED_LENGTH = 500;
const NPUB = /^npub1[02-9ac-hj-np-z]{58}$/;

/** The route that the fragment of an address names, such as `#/game/<id>`. */
export function parseRoute(hash: string): Route {
  const [path, query] = hash.replace(/^#?\/?/, '').split(/\?(.*)/s, 2);
  const [page = '', parameter, ...rest] = path!.split('/');
  if (rest.length === 0) {
    if (parameter === undefined) {
      const fen = new URLSearchParams(query).get('fen');
      if (page === '' || page === 'analysis') return withFen(page === '' ? 'lobby' : page, fen);
      if (page === 'me' || page === 'help' || page === 'leaderboards' || page === 'watch' || page === 'players' || page === 'key' || page === 'join') return { page };
    } else {
      if ((page === 'game' || page === 'challenge' || page === 'analysis') && HEX_ID.test(parameter)) return { page, id: parameter };
      if (page === 'player' && NPUB.test(parameter)) return { page, npub: parameter };
      // Damaged ones are let through, so that the page can say so.
      if ((page === 'key' || page === 'join') && parameter.length <= MAX_RECEIVED_LENGTH) return { page, received: parameter };
    }
  }
  const [secret] = rest;
  if (page === 'reminders' && parameter === 'off' && rest.length === 1 && TOKEN.test(secret!)) {
    return { page, token: secret! };
  }
  if (page === 'challenge' && rest.length === 1 && HEX_ID.test(parameter!) && SECRET.test(secret!)) {
    return { page, id: parameter!, secret };
  }
  return { page: 'missing' };
}

/** A page with a position, the first of the next game or of an analysis, if the address has one. */
function withFen(page: 'lobby' | 'analysis', fen: string | null): Route {
  return fen && fen.length <= MAX_FEN_LENGTH ? { page, fen } : { page };
}

/** The fragment of a route, for links. */
export function hrefOf(route: Route): string {
  switch (route.page) {
    case 'lobby':
      return route.fen === undefined ? '#/' : `#/?${new URLSearchParams({ fen: route.fen })}`;
    case 'analysis':
      return route.id ? `#/analysis/${route.id}` : `#/analysis${route.fen === undefined ? '' : `?${new URLSearchParams({ fen: route.fen })}`}`;
    case 'missing':
      return '#/';
    case 'game':
      return `#/game/${route.id}`;
    case 'reminders':
      return `#/reminders/off/${route.token}`;
    case 'challenge':
      return `#/challenge/${route.id}${route.secret === undefined ? '' : `/${route.secret}`}`;
    case 'player':
      return `#/player/${route.npub}`;
    default:
      return `#/${route.page}`;
  }
}

/** The whole address of a route, for somebody else: with the relay where the address names one. */
export function shareableUrl(route: Route): string {
  return `${location.origin}${location.pathname}${location.search}${hrefOf(route)}`;
}

/** Opens a page, and adds it to the browser's history. */
export function navigate(route: Route): void {
  location.hash = hrefOf(route);
}

const received: { key?: string; join?: string } = {};

/** The route of the current address. A key or code in it is removed from the address and from the browser's history. */
function currentRoute(): Route {
  const route = parseRoute(location.hash);
  if (route.page !== 'key' && route.page !== 'join') return route;
  const { page } = route;
  if (route.received !== undefined) {
    received[page] = route.received;
    history.replaceState(history.state, '', hrefOf({ page }));
  }
  return received[page] === undefined ? route : { page, received: received[page] };
}

/** The route of the current address; the component is rendered again when it changes. */
export function useRoute(): Route {
  useNotifications((listener) => {
    addEventListener('hashchange', listener);
    return () => removeEventListener('hashchange', listener);
  }, 'hash');
  return currentRoute();
}
