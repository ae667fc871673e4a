import type { Comment, Game } from 'gambit-client';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { Button } from '../ui/Button.js';
import { manyLines } from '../ui/names.js';
import { notifyFailure } from '../ui/notices.js';
import { PlayerName } from '../ui/PlayerName.js';
import './chat.css';

const MAX_CHARS = 500;
/** Of a comment that is shown; other programs may send longer ones. */
const MAX_SHOWN_CHARS = 1_000;
const MAX_SHOWN_LINES = 8;

/** The comments of spectators. Players read and write them after the game only. */
export function Chat({ game }: { game: Game }) {
  const id = useId();
  const isPlaying = game.color !== undefined && game.result === undefined;
  return (
    <section class="chat" aria-labelledby={id}>
      <h2 id={id}>Spectators’ chat</h2>
      {isPlaying ? (
        <p class="muted small">You see what spectators write when the game is over.</p>
      ) : (
        <>
          <p class="muted small">
            {game.result === undefined
              ? 'The players see this when the game is over.'
              : 'Everybody can read this.'}
          </p>
          <Comments comments={game.comments} />
          <CommentField game={game} />
        </>
      )}
    </section>
  );
}

function Comments({ comments }: { comments: readonly Comment[] }) {
  const list = useRef<HTMLOListElement>(null);
  useEffect(() => {
    list.current!.scrollTop = list.current!.scrollHeight;
  }, [comments.length]);
  return (
    <ol ref={list} class="chat-list" tabIndex={0} aria-label="Comments">
      {comments.map((comment) => (
        <li key={comment.id} class="chat-comment">
          <PlayerName pubkey={comment.author} picture={false} />
          <bdi class="chat-text">{manyLines(comment.text, MAX_SHOWN_CHARS, MAX_SHOWN_LINES) ?? '…'}</bdi>
        </li>
      ))}
    </ol>
  );
}

function CommentField({ game }: { game: Game }) {
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
      <label for={id} class="visually-hidden">Your comment</label>
      <input
        id={id}
        value={text}
        maxLength={MAX_CHARS}
        placeholder="Say something about the game"
        autocomplete="off"
        onInput={(event) => setText(event.currentTarget.value)}
      />
      <Button type="submit" size="small" disabled={isBusy}>Send</Button>
    </form>
  );
}
