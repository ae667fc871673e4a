import { type Lobby, parseTimeControl } from 'gambit-client';
import { useState } from 'preact/hooks';
import { announce } from '../app/announce.js';
import { useMatchmaking } from '../app/matchmaking.js';
import { useSession } from '../app/session.js';
import { changeSettings, useSettings } from '../app/settings.js';
import { t } from '../language/t.js';
import { Button } from '../ui/Button.js';
import { mayBeRated, RatedSwitch } from '../ui/RatedSwitch.js';
import { useRatedPlay } from '../ui/ratings.js';
import { paceOf, QUICK_TIMES, timeInWords, timeLabel } from '../ui/time.js';

/** The most time controls that are shown because somebody waits for them. */
const MAX_OTHERS = 6;

function isByMove(time: string): boolean {
  return parseTimeControl(time)?.kind === 'move';
}

/** Starts and cancels the search for an opponent with the same time control. */
export function QuickPairing({ lobby }: { lobby: Lobby | undefined }) {
  const { client, matchmaking } = useSession();
  const { searchTime, searchRated } = useMatchmaking(matchmaking);
  const rated = useSettings().rated && useRatedPlay().mayPlay;
  const waiting = rated ? lobby?.waitingRated : lobby?.waiting;
  const [asking, setAsking] = useState(false);
  const { default_time: defaultTime, slow_games: slowGames } = client.info.chess;
  // Where players have slow games, these begin by invitations only.
  const isQueued = (time: string) =>
    (parseTimeControl(time)?.slow === false || slowGames === 0) && (!rated || mayBeRated(time));
  const usual = [...new Set([...QUICK_TIMES, defaultTime])].filter(isQueued);
  const others = [...(waiting?.keys() ?? []), ...(searchTime === undefined ? [] : [searchTime])]
    .filter((time) => !usual.includes(time) && parseTimeControl(time) !== undefined)
    .slice(0, MAX_OTHERS);
  const times = [...usual, ...new Set(others)];

  const choose = async (time: string) => {
    setAsking(true);
    if (time === searchTime) {
      await matchmaking.cancelSearch();
      announce(t('Search cancelled.'));
    } else {
      await search(time, rated);
    }
    setAsking(false);
  };
  const search = async (time: string, ratedOnly: boolean) => {
    await matchmaking.search(time, ratedOnly);
    if (matchmaking.searchTime === time) {
      const words = { time: timeInWords(time) };
      announce(ratedOnly ? t('Looking for an opponent, {time}, rated.', words) : t('Looking for an opponent, {time}.', words));
    }
  };
  /** A running search goes on in the other queue. */
  const setRated = async (on: boolean) => {
    changeSettings({ rated: on });
    if (searchTime === undefined || (on && !mayBeRated(searchTime))) return;
    setAsking(true);
    await search(searchTime, on);
    setAsking(false);
  };
  const alsoWaiting = searchTime === undefined ? 0 : Math.max(0, (waiting?.get(searchTime) ?? 0) - 1);

  return (
    <section class="card start-card" aria-labelledby="pairing-heading">
      <h2 id="pairing-heading">{t('Quick pairing')}</h2>
      <RatedSwitch checked={rated} onChange={(on) => void setRated(on)} />
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
                <span class={isByMove(time) ? '' : 'pairing-time'}>{timeLabel(time)}</span>{' '}
                {!isByMove(time) && <span class="pairing-pace">{paceOf(time)}</span>}{' '}
                <span class={`pairing-waiting ${count > 0 ? 'pairing-somebody' : ''}`}>
                  {count > 0 && t('{n, plural, one {# waiting} other {# waiting}}', { n: count })}
                </span>
              </button>
            </li>
          );
        })}
      </ul>
      <div class="start-card-action pairing-action">
        {searchTime === undefined ? (
          <p class="muted small">
            {t('You are paired with whoever waits for the same time: minutes for the game + seconds for each move.')}
          </p>
        ) : (
          <div class="pairing-search">
            <p>
              <span class="pulse" aria-hidden="true" />
              <strong>
                {searchRated
                  ? t('Looking for an opponent at {time}, rated…', { time: timeLabel(searchTime) })
                  : t('Looking for an opponent at {time}…', { time: timeLabel(searchTime) })}
              </strong>{' '}
              <span class="muted small">
                {alsoWaiting > 0
                  ? t('Somebody else waits as well: the game begins in a moment.')
                  : t('The game begins as soon as somebody else chooses this time.')}
              </span>
            </p>
            <Button onClick={() => void choose(searchTime)} disabled={asking}>{t('Cancel search')}</Button>
          </div>
        )}
      </div>
    </section>
  );
}
