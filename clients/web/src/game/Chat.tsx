import type { Comment, Game } from 'gambit-client';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { announce } from '../app/announce.js';
import { changeSettings } from '../app/settings.js';
import { t } from '../language/t.js';
import { Button } from '../ui/Button.js';
import { manyLines, oneLine } from '../ui/names.js';
import { notifyFailure } from '../ui/notices.js';
import { PlayerName, usePlayerName } from '../ui/PlayerName.js';
import { markRead, setMuted, type Talk } from './talk.js';
import './chat.css';

const MAX_CHARS = 500;
/** Of a comment that is shown; other programs may send longer ones. */
const MAX_SHOWN_CHARS = 1_000;
const MAX_SHOWN_LINES = 8;

/**
 * What is said about a game. While it runs, its players see their own words only, and others only those of spectators;
 * afterwards everybody sees all.
 */
export function Chat({ game, talk }: { game: Game; talk: Talk }) {
  const id = useId();
  const isOver = game.result !== undefined;
  const isPlaying = game.color !== undefined && !isOver;
  const { isOn, isPossible, isMuted, comments, unread } = talk;
  useNews(game, talk);
  return (
    <section class="chat" aria-labelledby={id}>
      <div class="chat-head">
        <h2 id={id}>{isPossible ? t('Talk with your opponent') : isOver ? t('Chat') : t('Spectators’ chat')}</h2>
        {(isOn || (isMuted && game.color)) && (
          <Button size="small" variant="quiet" aria-pressed={isMuted} onClick={() => setMuted(game, !isMuted)}>
            {t('Mute')}
          </Button>
        )}
      </div>
      <p class="muted small">
        {isOver ? t('Everybody can read this.')
          : !isPlaying ? t('The players see this when the game is over.')
          : isOn ? t('Only your opponent sees this until the game is over.')
          : t('You see what spectators write when the game is over.')}
      </p>
      {isPossible && !isOn && (
        <Button size="small" onClick={() => changeSettings({ talk: true })}>{t('Talk with opponents')}</Button>
      )}
      {(!isPlaying || isOn) && (
        <>
          <Comments comments={comments} onSeen={unread > 0 ? () => markRead(game) : undefined} />
          <CommentField game={game} label={isOn ? t('Your words to your opponent') : t('Your comment')} />
        </>
      )}
    </section>
  );
}

/** Speaks what the opponent says. */
function useNews(game: Game, { isOn, isMuted }: Talk): void {
  const name = usePlayerName(game.opponent ?? game.white);
  useEffect(
    () =>
      game.on('comment', ({ author, text }) => {
        if (isOn && !isMuted && author === game.opponent) {
          announce(t('{name} says: {text}', { name, text: oneLine(text, MAX_CHARS) ?? '…' }));
        }
      }),
    [game, name, isOn, isMuted],
  );
}

/** @param onSeen called when the list is in view, if something in it was not seen before */
function Comments({ comments, onSeen }: { comments: readonly Comment[]; onSeen: (() => void) | undefined }) {
  const list = useRef<HTMLOListElement>(null);
  useEffect(() => {
    if (!onSeen) {
      return;
    }
    let isInView = false;
    const check = (): void => {
      if (isInView && document.visibilityState === 'visible') onSeen();
    };
    const observer = new IntersectionObserver((entries) => {
      isInView = entries.at(-1)!.isIntersecting;
      check();
    }, { threshold: 0.5 });
    observer.observe(list.current!);
    document.addEventListener('visibilitychange', check);
    return () => {
      observer.disconnect();
      document.removeEventListener('visibilitychange', check);
    };
  }, [onSeen === undefined, comments.length]);
  useEffect(() => {
    list.current!.scrollTop = list.current!.scrollHeight;
  }, [comments.length]);
  return (
    <ol ref={list} class="chat-list" tabIndex={0} aria-label={t('Comments')}>
      {comments.map((comment) => (
        <li key={comment.id} class="chat-comment">
          <PlayerName pubkey={comment.author} picture={false} />
          <bdi class="chat-text">{manyLines(comment.text, MAX_SHOWN_CHARS, MAX_SHOWN_LINES) ?? '…'}</bdi>
        </li>
      ))}
    </ol>
  );
}

function CommentField({ game, label }: { game: Game; label: string }) {
  const [text, setText] = useState('');
  const [isBusy, setBusy] = useState(false);
  const id = useId();
  const send = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (text.trim() === '' || isBusy) {
      return;
    }
    setBusy(true);
    try {
      await game.comment(text.trim());
      setText('');
    } catch (error) {
      notifyFailure(error, game.id);
    }
    setBusy(false);
  };
  return (
    <form class="chat-field" onSubmit={(event) => void send(event)}>
      <label for={id} class="visually-hidden">{label}</label>
      <input
        id={id}
        value={text}
        maxLength={MAX_CHARS}
        placeholder={t('Say something about the game')}
        autocomplete="off"
        onInput={(event) => setText(event.currentTarget.value)}
      />
      <Button type="submit" size="small" disabled={isBusy}>{t('Send')}</Button>
    </form>
  );
}
