import { useEffect, useRef, useState } from 'preact/hooks';
import { useSession } from '../app/session.js';
import { t } from '../language/t.js';
import { Button } from '../ui/Button.js';
import { notifyFailure } from '../ui/notices.js';
import { keepPlace, placeNow, recordPage, type PageStart, type RecordPage } from './pages.js';
import { RecordRow } from './RecordRow.js';
import './lists.css';

/** Endings come in quick succession on a busy relay: the newest are asked for this often at most. */
const ASKED_EVERY_MILLISECONDS = 5_000;

/**
 * Finished games, newest first, in pages. Each page is an entry of the browser's history, which also keeps the
 * game that was opened, so that one returns to it.
 *
 * @param player whose games are listed, from that player's side; without it, all are, from the user's side
 * @param empty what is said if there are none
 * @param change a value with whose changes the newest page is asked for again
 */
export function GameRecords({ player, empty, change }: { player?: string; empty: string; change?: unknown }) {
  const { client, pubkey } = useSession();
  const [start, setStart] = useState<PageStart | undefined>(() => placeNow().start);
  const [page, setPage] = useState<RecordPage>();
  const [loading, setLoading] = useState(false);
  const askedAt = useRef(-Infinity);
  const list = useRef<HTMLUListElement>(null);
  /** What gets the focus once the page is there. */
  const focus = useRef<'opened' | 'first' | undefined>('opened');

  const isRefresh = useRef(false);
  useEffect(() => {
    const onPop = () => {
      focus.current = 'opened';
      isRefresh.current = false;
      setStart(placeNow().start);
    };
    addEventListener('popstate', onPop);
    return () => removeEventListener('popstate', onPop);
  }, []);

  useEffect(() => {
    let current = true;
    const wait = isRefresh.current ? Math.max(0, askedAt.current + ASKED_EVERY_MILLISECONDS - Date.now()) : 0;
    isRefresh.current = true;
    const timer = setTimeout(() => {
      askedAt.current = Date.now();
      recordPage(client, player, start)
        .then((found) => current && setPage(found), (error: unknown) => current && notifyFailure(error))
        .finally(() => current && setLoading(false));
    }, wait);
    return () => {
      current = false;
      clearTimeout(timer);
    };
  }, [client, player, start?.until, start?.skipped, start ? undefined : change]);

  useEffect(() => {
    if (!page) return;
    const links = [...list.current!.querySelectorAll<HTMLElement>('.record')];
    const { opened } = placeNow();
    const row = focus.current === 'first' ? links[0] : focus.current && links.find(({ dataset }) => dataset['record'] === opened);
    focus.current = undefined;
    row?.scrollIntoView({ block: 'center' });
    row?.querySelector('a')?.focus({ preventScroll: true });
  }, [page]);

  const turnTo = (next: PageStart) => {
    keepPlace({ start: next }, true);
    focus.current = 'first';
    isRefresh.current = false;
    setLoading(true);
    setStart(next);
  };
  if (!page) return null;
  return (
    <>
      {page.records.length === 0 && <p class="muted">{empty}</p>}
      <ul ref={list} class="rows">
        {page.records.map((record) => (
          <RecordRow
            key={record.id}
            record={record}
            reader={player ?? pubkey}
            onOpen={() => keepPlace({ ...(start && { start }), opened: record.id })}
          />
        ))}
      </ul>
      <div class="record-pages">
        {start && <Button onClick={() => history.back()}>{t('Newer games')}</Button>}
        {page.next && <Button disabled={loading} onClick={() => turnTo(page.next!)}>{t('Older games')}</Button>}
      </div>
    </>
  );
}
