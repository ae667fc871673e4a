import { parseTimeControl } from 'gambit-client';
import { useState } from 'preact/hooks';
import { announce } from '../app/announce.js';
import { useMatchmaking } from '../app/matchmaking.js';
import { useSession } from '../app/session.js';
import { Button } from '../ui/Button.js';
import { paceOf, QUICK_TIMES, timeInWords, timeLabel } from '../ui/time.js';

/** The most time controls that are shown because somebody waits for them. */
const MAX_OTHERS = 6;

/** Starts and cancels the search for an opponent with the same time control. */
export function QuickPairing({ waiting }: { waiting: ReadonlyMap<string, number> | undefined }) {
  const { client, matchmaking } = useSession();
  const { searchTime } = useMatchmaking(matchmaking);
  const [asking, setAsking] = useState(false);
  const { default_time: defaultTime, slow_games: slowGames } = client.info.chess;
  // Where players have slow games, these begin by invitations only.
  const isQueued = (time: string) => parseTimeControl(time)?.slow === false || slowGames === 0;
  const usual = [...new Set([...QUICK_TIMES, defaultTime])].filter(isQueued);
  const others = [...(waiting?.keys() ?? []), ...(searchTime === undefined ? [] : [searchTime])]
    .filter((time) => !usual.includes(time) && parseTimeControl(time) !== undefined)
    .slice(0, MAX_OTHERS);
  const times = [...usual, ...new Set(others)];

  const choose = async (time: string) => {
    setAsking(true);
    if (time === searchTime) {
      await matchmaking.cancelSearch();
      announce('Search cancelled.');
    } else {
      await matchmaking.search(time);
      if (matchmaking.searchTime === time) announce(`Looking for an opponent, ${timeInWords(time)}.`);
    }
    setAsking(false);
  };
  const alsoWaiting = searchTime === undefined ? 0 : Math.max(0, (waiting?.get(searchTime) ?? 0) - 1);

  return (
    <section class="card start-card" aria-labelledby="pairing-heading">
      <h2 id="pairing-heading">Quick pairing</h2>
      <ul class="pairing-grid">
        {times.map((time) => {
          const count = (waiting?.get(time) ?? 0) - (time === searchTime ? 1 : 0);
          return (
            <li key={time}>
              <button
                type="button"
                class="pairing"
                aria-pressed={time === searchTime}
                disabled={asking}
                onClick={() => void choose(time)}
              >
                <span class="pairing-time">{timeLabel(time).replace(' a move', '')}</span>{' '}
                <span class="pairing-pace">{timeLabel(time).endsWith(' a move') ? 'a move' : paceOf(time)}</span>{' '}
                <span class={`pairing-waiting ${count > 0 ? 'pairing-somebody' : ''}`}>
                  {count > 0 ? `${count} waiting` : ''}
                </span>
              </button>
            </li>
          );
        })}
      </ul>
      <div class="start-card-action pairing-action">
        {searchTime === undefined ? (
          <p class="muted small">
            You are paired with whoever waits for the same time: minutes for the game + seconds for each move.
          </p>
        ) : (
          <div class="pairing-search">
            <p>
              <span class="pulse" aria-hidden="true" />
              <strong>Looking for an opponent at {timeLabel(searchTime)}…</strong>{' '}
              <span class="muted small">
                {alsoWaiting > 0
                  ? 'Somebody else waits as well: the game begins in a moment.'
                  : 'The game begins as soon as somebody else chooses this time.'}
              </span>
            </p>
            <Button onClick={() => void choose(searchTime)} disabled={asking}>Cancel search</Button>
          </div>
        )}
      </div>
    </section>
  );
}
