import { useEffect, useRef, useState } from 'preact/hooks';
import { useSession } from '../app/session.js';
import { t } from '../language/t.js';
import { Button } from '../ui/Button.js';
import { download } from '../ui/download.js';
import { shortNpub } from '../ui/names.js';
import { notify, notifyFailure } from '../ui/notices.js';

const PAGE_SIZE = 200;
/** The most characters of a file; older games are left out, and the user is told. */
const MAX_CHARACTERS = 50_000_000;

/** All finished games of a player as one PGN file, the newest first. */
export function DownloadGames({ player }: { player: string }) {
  const { client } = useSession();
  const [count, setCount] = useState<number>();
  const run = useRef<AbortController>(undefined);
  useEffect(() => () => run.current?.abort(), []);

  const save = async (): Promise<void> => {
    const { signal } = (run.current = new AbortController());
    const games: string[] = [];
    let characters = 0;
    let seen = new Set<string>();
    let until: number | undefined;
    setCount(0);
    try {
      for (;;) {
        const records = await client.records({ player, limit: PAGE_SIZE, ...(until === undefined ? {} : { until }) });
        if (signal.aborted) return;
        // The second of the oldest one is asked for again: several games may have ended in it.
        const fresh = records.filter(({ id }) => !seen.has(id));
        seen = new Set(records.map(({ id }) => id));
        until = Math.floor((records.at(-1)?.at ?? 0) / 1000);
        for (const { pgn } of fresh) {
          characters += pgn.length;
          if (characters <= MAX_CHARACTERS) games.push(`${pgn.trim()}\n\n`);
        }
        setCount(games.length);
        if (fresh.length === 0 || records.length < PAGE_SIZE || characters > MAX_CHARACTERS) break;
      }
      if (characters > MAX_CHARACTERS) notify(t('The file is full: older games are not in it.'), 'problem');
      if (games.length > 0) download(games, `${shortNpub(player).replace('…', '-')}.pgn`);
      else notify(t('There is no finished game.'));
    } catch (error) {
      if (!signal.aborted) notifyFailure(error);
    } finally {
      if (run.current?.signal === signal) setCount(undefined);
    }
  };
  const cancel = (): void => {
    run.current?.abort();
    setCount(undefined);
  };
  return count === undefined ? (
    <p><Button size="small" onClick={() => void save()}>{t('Download all games as PGN')}</Button></p>
  ) : (
    <p role="status">
      {t('{count, plural, one {# game} other {# games}} so far…', { count })}{' '}
      <Button size="small" onClick={cancel}>{t('Cancel')}</Button>
    </p>
  );
}
