import type { Color, GameRecord } from 'gambit-client';
import { hrefOf } from '../app/router.js';
import { useSession } from '../app/session.js';
import { PlayerName, usePlayerName } from '../ui/PlayerName.js';
import { outcomeInWords, resultText } from '../ui/outcome.js';
import { modeText, Rating } from '../ui/ratings.js';
import { timeLabel } from '../ui/time.js';

const TIME = new Intl.DateTimeFormat(undefined, { timeStyle: 'short' });
const DATE = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' });

/** The time of a game of today, the date of an older one. */
function when(at: number): string {
  return new Date(at).toDateString() === new Date().toDateString() ? TIME.format(at) : DATE.format(at);
}

/** A finished game in a list: result, players, how it ended, and a link to it. */
export function RecordRow({ record }: { record: GameRecord }) {
  const { client } = useSession();
  const players = `${usePlayerName(record.white, record.levels.white)} against ${usePlayerName(record.black, record.levels.black)}`;
  const moves = Math.ceil(record.sans.length / 2);
  return (
    <li class="record">
      <span class="record-result" aria-hidden="true">{resultText(record.result)}</span>
      <span class="record-players">
        <Player record={record} color="white" />
        <span class="muted record-dash">–</span>
        <Player record={record} color="black" />
      </span>
      <span class="record-facts">
        {outcomeInWords(record.result, record.termination)} · {moves} {moves === 1 ? 'move' : 'moves'} ·{' '}
        {timeLabel(record.time.text)}
        {client.info.chess.rated && ` ${modeText(record.rated?.category)}`} · <time dateTime={new Date(record.at).toISOString()}>{when(record.at)}</time>
      </span>
      <a class="button button-secondary button-small" href={hrefOf({ page: 'game', id: record.gameId })}>
        View<span class="visually-hidden"> the game of {players}</span>
      </a>
    </li>
  );
}

function Player({ record, color }: { record: GameRecord; color: Color }) {
  return (
    <span class="player-rated">
      <PlayerName pubkey={record[color]} level={record.levels[color]} size={20} />
      <Rating change={record.rated?.[color]} />
    </span>
  );
}
