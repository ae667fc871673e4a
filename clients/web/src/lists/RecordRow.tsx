import type { Color, GameRecord } from 'gambit-client';
import { useMemo } from 'preact/hooks';
import { hrefOf } from '../app/router.js';
import { useSession } from '../app/session.js';
import { date } from '../language/format.js';
import { t } from '../language/t.js';
import { MiniBoard } from '../ui/MiniBoard.js';
import { PlayerName, usePlayerName } from '../ui/PlayerName.js';
import { outcomeInWords, resultText, winnerOf } from '../ui/outcome.js';
import { modeText, Rating } from '../ui/ratings.js';
import { timeLabel } from '../ui/time.js';
import { lastPosition } from './last-position.js';
import { useVisible } from './useVisible.js';

/** The time of a game of today, the date of an older one. */
function when(at: number): string {
  return date(at, new Date(at).toDateString() === new Date().toDateString() ? { timeStyle: 'short' } : { dateStyle: 'medium' });
}

/**
 * A finished game in a list: its last position, result, players, how it ended, and a link over the whole row.
 *
 * @param reader the player from whose side the game is shown, if that is one of its players
 * @param onOpen is told when the game is opened
 */
export function RecordRow({ record, reader, onOpen }: { record: GameRecord; reader: string; onOpen: () => void }) {
  const { client } = useSession();
  const white = usePlayerName(record.white, record.levels.white);
  const black = usePlayerName(record.black, record.levels.black);
  const moves = Math.ceil(record.sans.length / 2);
  const side = record.white === reader ? 'white' : record.black === reader ? 'black' : undefined;
  const { element, visible } = useVisible<HTMLLIElement>();
  const last = useMemo(() => (visible ? lastPosition(record) : { fen: '' }), [visible, record]);
  return (
    <li ref={element} class="record" data-record={record.id}>
      <a class="record-link" href={hrefOf({ page: 'game', id: record.gameId })} onClick={onOpen}>
        <span class="visually-hidden">{t('View the game of {white} against {black}', { white, black })}</span>
      </a>
      <MiniBoard {...last} side={side ?? 'white'} />
      <span class="record-result">
        <span class="record-score">{resultText(record.result)}</span>
        {side && <OwnResult record={record} side={side} />}
      </span>
      <span class="record-players">
        <Player record={record} color="white" />
        <Player record={record} color="black" />
      </span>
      <span class="record-facts">
        {outcomeInWords(record.result, record.termination)} · {t('{n, plural, one {# move} other {# moves}}', { n: moves })} ·{' '}
        {timeLabel(record.time.text)}
        {client.info.chess.rated && ` ${modeText(record.rated?.category)}`}
        {record.elsewhere && ` · ${t('played elsewhere')}`} · <time dateTime={new Date(record.at).toISOString()}>{when(record.at)}</time>
      </span>
    </li>
  );
}

/** The result for one side, in a word and a colour; nothing for an aborted game. */
function OwnResult({ record: { result }, side }: { record: GameRecord; side: Color }) {
  if (result === '*') return null;
  const winner = winnerOf(result);
  const own = winner === undefined ? 'drawn' : winner === side ? 'won' : 'lost';
  return <span class={`own-result own-result-${own}`}>{t('{own, select, won {Won} lost {Lost} other {Drawn}}', { own })}</span>;
}

function Player({ record, color }: { record: GameRecord; color: Color }) {
  return (
    <span class="player-rated">
      <PlayerName pubkey={record[color]} level={record.levels[color]} size={20} />
      <Rating change={record.rated?.[color]} />
    </span>
  );
}
