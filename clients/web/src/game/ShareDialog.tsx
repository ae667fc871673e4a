import { useId } from 'preact/hooks';
import { hrefOf, shareableUrl } from '../app/router.js';
import { CopyButton } from '../ui/CopyButton.js';
import { Dialog } from '../ui/Dialog.js';
import './share.css';

/** Link, position and moves of a game, to copy. */
export function ShareDialog({ gameId, fen, pgn, isOver, onClose }: {
  gameId: string;
  fen: string;
  pgn: string;
  isOver: boolean;
  onClose: () => void;
}) {
  const link = shareableUrl({ page: 'game', id: gameId });
  return (
    <Dialog title="Share this game" onClose={onClose}>
      <p class="muted small">Anybody can open the link, during the game and afterwards.</p>
      <Shared label="Link" text={link} />
      <Shared label="FEN" text={fen} />
      <Shared label="PGN" text={pgn} isLong />
      {isOver && <p><a href={hrefOf({ page: 'lobby', fen })}>Play from this position</a></p>}
    </Dialog>
  );
}

function Shared({ label, text, isLong = false }: { label: string; text: string; isLong?: boolean }) {
  const id = useId();
  return (
    <div class="shared">
      <label for={id}>{label}</label>
      {isLong ? (
        <textarea id={id} readOnly rows={7} value={text} onFocus={(event) => event.currentTarget.select()} />
      ) : (
        <input id={id} readOnly value={text} onFocus={(event) => event.currentTarget.select()} />
      )}
      <CopyButton text={text} label={`Copy ${label === 'Link' ? 'link' : label}`} size="small" />
    </div>
  );
}
