import { RefusedError, SignerError, TimeoutError } from 'gambit-client';
import { Listeners, useNotifications } from '../app/store.js';
import { oneLine } from './names.js';
import { t } from '../language/t.js';
import './notices.css';

/** The most notices that stand at once; beyond that, the oldest is dropped. */
const MAX_NOTICES = 3;
const SHOWN_MILLISECONDS = 8_000;

/** The longest reason that is shown whole: relays, signers and bunkers write it. */
const MAX_REASON_LENGTH = 300;
/** The relay's reason for refusing an event whose time is not the relay's. */
const CLOCK_REFUSAL = /^created_at is more than \d+ s from the relay's clock/;

interface Notice {
  id: number;
  text: string;
  kind: 'plain' | 'problem';
  /** The game whose page it belongs to. */
  game: string | undefined;
  /** Whether it is over, but keeps its place: nothing moves while others stand. */
  isOver?: boolean;
}

const listeners = new Listeners();
let notices: readonly Notice[] = [];
let lastId = 0;

/**
 * Shows a sentence for some seconds; screen readers speak it.
 *
 * @param game the id of the game that it is about: it goes with the page of that game
 */
export function notify(text: string, kind: Notice['kind'] = 'plain', game?: string): void {
  const notice = { id: ++lastId, text, kind, game };
  notices = [...notices.filter((other) => other.text !== text), notice].slice(-MAX_NOTICES);
  listeners.notify();
  setTimeout(() => dismiss(({ id }) => id === notice.id), SHOWN_MILLISECONDS);
}

function dismiss(isMeant: (notice: Notice) => boolean): void {
  notices = notices.map((notice) => (isMeant(notice) ? { ...notice, isOver: true } : notice));
  if (notices.every(({ isOver }) => isOver)) notices = [];
  listeners.notify();
}

/** Removes what was said about a game. */
export function dismissNoticesOf(game: string): void {
  dismiss((notice) => notice.game === game);
}

/** Shows why something failed. */
export function notifyFailure(error: unknown, game?: string): void {
  notify(reasonOf(error), 'problem', game);
}

/** The reason of a failure as a sentence. */
export function reasonOf(error: unknown): string {
  if (error instanceof TimeoutError) return t('The relay did not answer in time. Please try again.');
  if (error instanceof RefusedError && CLOCK_REFUSAL.test(error.reason)) {
    return t('The relay refused this because the clock of this computer is wrong. Set the clock, then reload the page.');
  }
  const given =
    error instanceof RefusedError ? (aboutMembers(error.reason) ?? error.reason)
    : error instanceof SignerError ? t('Signing failed: {reason}', { reason: error.message })
    : error instanceof Error ? error.message
    : String(error);
  const text = oneLine(given, MAX_REASON_LENGTH) ?? t('No reason was given.');
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?。।]$/.test(text) ? '' : '.'}`;
}

/** What the relay says about members, in the user's language. */
function aboutMembers(reason: string): string | undefined {
  switch (reason) {
    case 'only members may write here':
    case 'only members may read here':
      return t('Only members can do this here.');
    case 'this invite code is invalid':
      return t('This invite code is invalid. Look whether it is complete.');
    case 'this invite code has expired':
      return t('This invite code has expired. Ask for a new one.');
    case 'this invite code was used up':
      return t('This invite code was used up. Ask for a new one.');
    default:
      return undefined;
  }
}

/** The standing notices; one such list is in the frame of the application. */
export function Notices() {
  useNotifications((listener) => listeners.add(listener), listeners);
  return (
    <div class="notices" role="status">
      {notices.map((notice) => (
        <div key={notice.id} class={`notice notice-${notice.kind} ${notice.isOver ? 'notice-over' : ''}`}>
          <p>{notice.text}</p>
          <button type="button" class="notice-dismiss" aria-label={t('Dismiss')} onClick={() => dismiss(({ id }) => id === notice.id)}>
            ×
          </button>
        </div>
      ))}
    </div>
  );
}
