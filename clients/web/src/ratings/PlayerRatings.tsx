import { playerRatings, ratingHistory, type Category, type GameRecord, type PlayerRating } from 'gambit-client';
import { useEffect, useState } from 'preact/hooks';
import { hrefOf } from '../app/router.js';
import { useSession } from '../app/session.js';
import { date } from '../language/format.js';
import { t } from '../language/t.js';
import { Button } from '../ui/Button.js';
import { reasonOf } from '../ui/notices.js';
import { PlayerName } from '../ui/PlayerName.js';
import { changeText, ratingText } from '../ui/ratings.js';
import { categoryName } from './category-name.js';
import { gamesOf, type RatedGame } from './curve.js';
import { RatingGraph } from './RatingGraph.js';
import './ratings.css';

/** The games of a graph, at first and if the user asks for more. */
const GAMES = 100;
const MORE_GAMES = 500;

/** A player's rating in each category, and how one of them has changed. */
export function PlayerRatings({ pubkey }: { pubkey: string }) {
  const { client } = useSession();
  const [ratings, setRatings] = useState<readonly PlayerRating[]>();
  const [problem, setProblem] = useState<string>();
  const [chosen, setChosen] = useState<Category>();
  useEffect(() => {
    playerRatings(client, pubkey).then(setRatings, (error: unknown) => setProblem(reasonOf(error)));
  }, [client, pubkey]);
  if (!ratings) return problem === undefined ? null : <p role="alert">{t('The ratings could not be loaded.')} {problem}</p>;
  const latest = [...ratings].sort((a, b) => b.record.at - a.record.at)[0];
  if (!latest) return <p class="muted">{t('No rated game yet.')}</p>;
  const shown = chosen ?? latest.category;
  return (
    <>
      <ul class="rating-tiles">
        {ratings.map(({ category, rating, deviation }) => (
          <li key={category}>
            <button
              type="button"
              class="rating-tile"
              aria-pressed={category === shown}
              onClick={() => setChosen(category)}
            >
              <span class="rating-tile-name">{categoryName(category)}</span>{' '}
              <strong>{ratingText({ rating, deviation })}</strong>{' '}
              <span class="rating-tile-name">±{'\u00a0'}{2 * deviation}</span>
            </button>
          </li>
        ))}
      </ul>
      <p class="muted small">
        {t('With a certainty of 95 %, the strength is within these bounds. A question mark stands for a rating that is not settled yet.')}
      </p>
      <History key={shown} pubkey={pubkey} category={shown} />
    </>
  );
}

/** A graph and a table of the last games of a category. */
function History({ pubkey, category }: { pubkey: string; category: Category }) {
  const { client } = useSession();
  const [records, setRecords] = useState<readonly GameRecord[]>();
  const [problem, setProblem] = useState<string>();
  const [wanted, setWanted] = useState(GAMES);
  useEffect(() => {
    let isCurrent = true;
    ratingHistory(client, pubkey, category, wanted).then(
      (found) => isCurrent && setRecords(found),
      (error: unknown) => isCurrent && setProblem(reasonOf(error)),
    );
    return () => {
      isCurrent = false;
    };
  }, [client, pubkey, category, wanted]);
  if (problem !== undefined) return <p role="alert">{t('The games could not be loaded.')} {problem}</p>;
  const games = gamesOf(records ?? [], pubkey).reverse();
  return (
    <div class="rating-history">
      {games.length > 0 && (
        <>
          <RatingGraph games={games} name={categoryName(category)} />
          <HistoryTable games={games} />
        </>
      )}
      {games.length >= GAMES && wanted === GAMES && (
        <Button variant="quiet" onClick={() => setWanted(MORE_GAMES)}>{t('Show older games')}</Button>
      )}
    </div>
  );
}

/** The games of the graph in words, the newest first. Its rows are drawn when it is open. */
function HistoryTable({ games }: { games: readonly RatedGame[] }) {
  const [open, setOpen] = useState(false);
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{t('{n, plural, =1 {The game of this graph} one {The # game of this graph} other {The # games of this graph}}', { n: games.length })}</summary>
      {open && (
        <table class="rating-table">
          <thead>
            <tr>
              <th scope="col">{t('Date')}</th>
              <th scope="col">{t('Opponent')}</th>
              <th scope="col">{t('Rating')}</th>
              <th scope="col">{t('Change')}</th>
            </tr>
          </thead>
          <tbody>
            {[...games].reverse().map(({ record, opponent, before, after }) => (
              <tr key={record.id}>
                <td><a href={hrefOf({ page: 'game', id: record.gameId })}>{date(record.at, { dateStyle: 'medium' })}</a></td>
                <td><PlayerName pubkey={opponent} size={20} /></td>
                <td>{Math.round(after)}</td>
                <td>{changeText({ before, after })}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </details>
  );
}
