import { useNotifications } from './store.js';

/** A page of the application with its parameter. */
export type Route =
  | { page: 'lobby'; fen?: string }
  | { page: 'game'; id: string }
  | { page: 'challenge'; id: string; secret?: string }
  | { page: 'player'; npub: string }
  | { page: 'leaderboards' }
  | { page: 'me' }
  | { page: 'help' }
  | { page: 'missing' };

const HEX_ID = /^[0-9a-f]{64}$/;
/** The secret of a link to an unlisted invite. */
const SECRET = /^[A-Za-z0-9_-]{1,64}$/;
/** The longest FEN that the relay reads. */
const MAX_FEN_LENGTH = 128;
const NPUB = /^npub1[02-9ac-hj-np-z]{58}$/;

/** The route that the fragment of an address names, such as `#/game/<id>`. */
export function parseRoute(hash: string): Route {
  const [path, query] = hash.replace(/^#?\/?/, '').split(/\?(.*)/s, 2);
  const [page = '', parameter, ...rest] = path!.split('/');
  if (rest.length === 0) {
    if (parameter === undefined) {
      if (page === '') return lobbyWith(new URLSearchParams(query).get('fen'));
      if (page === 'me' || page === 'help' || page === 'leaderboards') return { page };
    } else {
      if ((page === 'game' || page === 'challenge') && HEX_ID.test(parameter)) return { page, id: parameter };
      if (page === 'player' && NPUB.test(parameter)) return { page, npub: parameter };
    }
  }
  const [secret] = rest;
  if (page === 'challenge' && rest.length === 1 && HEX_ID.test(parameter!) && SECRET.test(secret!)) {
    return { page, id: parameter!, secret };
  }
  return { page: 'missing' };
}

/** The lobby, with the first position of the next game if the address has one. */
function lobbyWith(fen: string | null): Route {
  return fen && fen.length <= MAX_FEN_LENGTH ? { page: 'lobby', fen } : { page: 'lobby' };
}

/** The fragment of a route, for links. */
export function hrefOf(route: Route): string {
  switch (route.page) {
    case 'lobby':
      return route.fen === undefined ? '#/' : `#/?${new URLSearchParams({ fen: route.fen })}`;
    case 'missing':
      return '#/';
    case 'game':
      return `#/game/${route.id}`;
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

/** The route of the current address; the component is rendered again when it changes. */
export function useRoute(): Route {
  useNotifications((listener) => {
    addEventListener('hashchange', listener);
    return () => removeEventListener('hashchange', listener);
  }, 'hash');
  return parseRoute(location.hash);
}
