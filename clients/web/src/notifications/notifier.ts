/**
 * Notifications of the browser about a player's games. One part of the page, loaded when the user has switched them on.
 * Of several windows with the page, the one that has a lock (Web Locks) notifies, and only while none is visible.
 */
import type { Game, ReceivedInvite } from 'gambit-client';
import { isFromStranger } from '../app/matchmaking.js';
import { isOwnTurn } from '../app/own-games.js';
import { navigate } from '../app/router.js';
import type { Session } from '../app/session.js';
import { changeSettings, settings } from '../app/settings.js';
import { resultInWords } from '../game/result-words.js';
import { talkOf } from '../game/talk.js';
import { t } from '../language/t.js';
import { oneLine } from '../ui/names.js';
import { notify } from '../ui/notices.js';
import { playerName } from '../ui/PlayerName.js';
import { timeInWords } from '../ui/time.js';

/** Of an opponent's words. */
const MAX_CHARS = 120;
/** The most notifications that stand; beyond that, the oldest is closed. */
const MAX_STANDING = 20;

/** Begins to notify of a session's games and invites; returns the function that ends it. */
export function startNotifier(session: Session): () => void {
  const { client, pubkey } = session;
  /** What stops the notifications of each running game. */
  const watched = new Map<string, () => void>();
  const windows = new Windows(`gambit.notifier.${client.info.referee}.${pubkey}`);
  const watch = (game: Game, isNew: boolean): void => {
    if (watched.has(game.id) || game.result !== undefined) {
      return;
    }
    session.profiles.want(game.opponent!);
    const level = game.levels.white ?? game.levels.black;
    const open = (): void => navigate({ page: 'game', id: game.id });
    const say = (title: string, body = playerName(session, game.opponent!, level)): void =>
      void windows.show({ tag: game.id, title, body, isHeard: true }, open);
    if (isNew && game.ply < 2) {
      say(isOwnTurn(game) ? t('Your game begins. It is your move.') : t('Your game begins.'));
    }
    let { ply } = game;
    const stopChange = game.on('change', () => {
      if (game.result !== undefined) {
        const { title, reason } = resultInWords(game.result, game.termination ?? '', game.color);
        say(title, reason);
        stop();
      } else if (game.ply > ply && isOwnTurn(game)) {
        say(t('Your move'));
      }
      ply = game.ply;
    });
    const stopComments = game.on('comment', ({ author, text }) => {
      if (author === game.opponent && talkOf(game, session.identity).unread > 0) {
        const name = playerName(session, author);
        say(t('{name} says:', { name }), oneLine(text, MAX_CHARS) ?? '…');
      }
    });
    const stop = (): void => {
      stopChange();
      stopComments();
      watched.delete(game.id);
    };
    watched.set(game.id, stop);
  };
  const invited = (invite: ReceivedInvite): void => {
    if (!settings().invitations) {
      return;
    }
    const { author, kind, time } = invite;
    session.profiles.want(author);
    void client.profile(author).then(() => {
      const name = playerName(session, author);
      const title = kind === 'rematch' ? t('{name} would like a rematch', { name }) : t('{name} invites you', { name });
      const body = time ? timeInWords(time.text) : '';
      // One for all invites: strangers replace it without a sound.
      void windows.show({ tag: 'invite', title, body, isHeard: !isFromStranger(invite) }, () => undefined);
    });
  };
  let challenges = new Set(client.challengesByKind30.map(({ id }): string | undefined => id));
  client.games.forEach((game) => watch(game, false));
  const stops = [
    client.on('game', (game) => watch(game, true)),
    client.on('invite', invited),
    client.on('rematch', invited),
    client.on('challengesbykind30', ([newest, ...others]) => {
      if (newest && !challenges.has(newest.id)) invited({ ...newest, kind: 'invite' });
      challenges = new Set([newest, ...others].map((start) => start?.id));
    }),
  ];
  return () => {
    [...stops, ...watched.values()].forEach((stop) => stop());
    windows.close();
  };
}

/** A notification, which takes the place of the one before with its tag: with a sound or without. */
interface Message {
  readonly tag: string;
  readonly title: string;
  readonly body: string;
  readonly isHeard: boolean;
}

/** The windows of this browser with the page of one player. */
class Windows {
  readonly #lock: string;
  readonly #channel: BroadcastChannel;
  readonly #standing = new Map<string, Notification>();
  readonly #closing = new AbortController();
  #isChosen = false;
  #release = (): void => {};
  #hide: (() => void) | undefined;

  /** @param lock the name of the lock that the notifying window has */
  constructor(lock: string) {
    this.#lock = lock;
    this.#channel = new BroadcastChannel(this.#lock);
    this.#channel.onmessage = () => this.#closeAll();
    document.addEventListener('visibilitychange', this.#visibilityChanged);
    this.#visibilityChanged();
    const { signal } = this.#closing;
    navigator.locks.request(this.#lock, { signal }, () => {
      this.#isChosen = true;
      return new Promise<void>((resolve) => (this.#release = resolve));
    }).catch(() => undefined); // closed before
  }

  close(): void {
    document.removeEventListener('visibilitychange', this.#visibilityChanged);
    this.#closing.abort();
    this.#isChosen = false;
    this.#release();
    this.#hide?.();
    this.#closeAll();
    this.#channel.close();
  }

  /** Shows a notification, unless the user looks at the page. A click opens the page, and then calls `onClick`. */
  async show({ tag, title, body, isHeard }: Message, onClick: () => void): Promise<void> {
    if (!this.#isChosen || (await this.#isSeen()) || this.#closing.signal.aborted) {
      return;
    }
    try {
      const options = { tag, body, icon: './icons/icon-192.png', renotify: isHeard };
      const shown = new Notification(title, options);
      shown.onclick = () => {
        window.focus();
        onClick();
        shown.close();
      };
      shown.onclose = () => this.#standing.get(tag) === shown && this.#standing.delete(tag);
      this.#standing.delete(tag);
      this.#standing.set(tag, shown);
      const [oldest] = this.#standing.values();
      if (this.#standing.size > MAX_STANDING) oldest!.close();
    } catch {
      changeSettings({ notifications: false });
      notify(t('The browser does not show notifications of this page any more.'), 'problem');
    }
  }

  /** Whether one of the windows is visible: each holds a lock then. */
  async #isSeen(): Promise<boolean> {
    const { held = [] } = await navigator.locks.query();
    return document.visibilityState === 'visible' || held.some(({ name }) => name === this.#seenLock);
  }

  get #seenLock(): string {
    return `${this.#lock}.seen`;
  }

  readonly #visibilityChanged = (): void => {
    this.#hide?.();
    this.#hide = undefined;
    if (document.visibilityState === 'visible') {
      const hidden = new Promise<void>((resolve) => (this.#hide = resolve));
      void navigator.locks.request(this.#seenLock, { mode: 'shared' }, () => hidden);
      this.#closeAll();
      this.#channel.postMessage('seen');
    }
  };

  #closeAll(): void {
    this.#standing.forEach((shown) => shown.close());
    this.#standing.clear();
  }
}
