import type { GameRecord } from 'gambit-client';
import { useEffect, useRef, useState } from 'preact/hooks';
import { useSession } from '../app/session.js';
import { RecordRow } from './RecordRow.js';

const SHOWN = 10;
/** Endings come in quick succession on a busy relay: the list is asked for this often at most. */
const ASKED_EVERY_MILLISECONDS = 5_000;

/** The games that ended last. They are asked for again when the number of running games changes. */
export function FinishedGames({ playing }: { playing: number }) {
  const { client } = useSession();
  const [records, setRecords] = useState<GameRecord[]>();
  const askedAt = useRef(0);
  useEffect(() => {
    let current = true;
    const wait = Math.max(0, askedAt.current + ASKED_EVERY_MILLISECONDS - Date.now());
    const timer = setTimeout(() => {
      askedAt.current = Date.now();
      client.records({ limit: SHOWN }).then(
        (found) => current && setRecords(found),
        () => undefined,
      );
    }, wait);
    return () => {
      current = false;
      clearTimeout(timer);
    };
  }, [client, playing]);
  return (
    <section aria-labelledby="finished-heading" class="lobby-section">
      <h2 id="finished-heading">Finished games</h2>
      {records?.length === 0 && <p class="muted">No game has been finished here yet. Yours can be the first.</p>}
      <ul class="rows">
        {records?.map((record) => <RecordRow key={record.id} record={record} />)}
      </ul>
    </section>
  );
}
