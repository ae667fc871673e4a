import type { GameRecord } from 'gambit-client';
import { hrefOf } from '../app/router.js';
import { PlayerName, usePlayerName } from '../ui/PlayerName.js';
import { outcomeInWords, resultText } from '../ui/outcome.js';
import { timeLabel } from '../ui/time.js';

const TIME = new Intl.DateTimeFormat(undefined, { timeStyle: 'short' });
const DATE = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' });

/** The time of a game of today, the date of an older one. */
function when(at: number): string {
  return new Date(at).toDateString() === new Date().toDateString() ? TIME.format(at) : DATE.format(at);
}

/** A finished game in a list: result, players, how it ended, and a link to it. */
export function RecordRow({ record }: { record: GameRecord }) {
  const players = `${usePlayerName(record.white, record.levels.white)} against ${usePlayerName(record.black, record.levels.black)}`;
  const moves = Math.ceil(record.sans.length / 2);
  return (
    <li class="record">
      <span class="record-result" aria-hidden="true">{resultText(record.result)}</span>
      <span class="record-players">
        <PlayerName pubkey={record.white} level={record.levels.white} size={20} />
        <span class="muted record-dash">–</span>
        <PlayerName pubkey={record.black} level={record.levels.black} size={20} />
      </span>
      <span class="record-facts">
        {outcomeInWords(record.result, record.termination)} · {moves} {moves === 1 ? 'move' : 'moves'} ·{' '}
        {timeLabel(record.time.text)} · <time dateTime={new Date(record.at).toISOString()}>{when(record.at)}</time>
      </span>
      <a class="button button-secondary button-small" href={hrefOf({ page: 'game', id: record.gameId })}>
        View<span class="visually-hidden"> the game of {players}</span>
      </a>
    </li>
  );
}
