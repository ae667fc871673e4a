import { useEffect, useId, useMemo, useRef, useState } from 'preact/hooks';
import { useLobby } from '../app/lobby.js';
import { useSession } from '../app/session.js';
import { useNotifications } from '../app/store.js';
import { usePageTitle } from '../app/usePageTitle.js';
import { t } from '../language/t.js';
import { Button } from '../ui/Button.js';
import { pubkeyFrom, shortNpub } from '../ui/names.js';
import { PlayerName } from '../ui/PlayerName.js';
import { FriendRow } from './FriendRow.js';
import { useFollows, useStatus } from './presence.js';
import { acquaintances, hasSearch, MAX_FOUND, MAX_QUERY_LENGTH, searchProfiles, withName } from './search.js';
import './people.css';

const DEBOUNCE_MILLISECONDS = 250;
/** The friends that are drawn before the user asks for all. */
const DRAWN = 30;

/** The search for players, and the user's friends. */
export function PlayersPage() {
  usePageTitle(t('Players'));
  const [text, setText] = useState('');
  const id = useId();
  return (
    <div class="narrow people-form">
      <h1>{t('Players')}</h1>
      <div class="field" role="search">
        <label class="field-label" for={id}>{t('Name or npub')}</label>
        <input
          id={id}
          class="input"
          type="search"
          dir="auto"
          value={text}
          maxLength={500}
          autocomplete="off"
          spellcheck={false}
          onInput={(event) => setText(event.currentTarget.value)}
        />
      </div>
      {text.trim() === '' ? <Friends /> : <Found text={text.trim()} />}
    </div>
  );
}

function Found({ text }: { text: string }) {
  const players = useFound(text);
  const { client } = useSession();
  return (
    <section class="lobby-section" aria-label={t('Players that were found')}>
      <p role="status" class="muted">
        {players === undefined
          ? t('Searching…')
          : players.length > 0
            ? t('{count, plural, one {# player} other {# players}}', { count: players.length })
            : hasSearch(client)
              ? t('Nobody with this name was found. By an npub, everybody is found.')
              : t('Nobody with this name is among your opponents, your friends, and who is in the lobby. By an npub, everybody is found.')}
      </p>
      <ul class="rows">
        {players?.map((pubkey) => (
          <li key={pubkey} class="row">
            <PlayerName pubkey={pubkey} />
            <code class="muted small">{shortNpub(pubkey)}</code>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The players that a text names; undefined while they are searched. */
function useFound(text: string): readonly string[] | undefined {
  const { client, profiles } = useSession();
  const { friends } = useFollows();
  const { lobby } = useLobby();
  useNotifications(profiles.subscribe, profiles);
  const [known, setKnown] = useState<readonly string[]>();
  const [found, setFound] = useState<{ text: string; players: readonly string[] }>();
  const named = pubkeyFrom(text);

  useEffect(() => {
    let isOver = false;
    void acquaintances(client).then((players) => {
      if (!isOver) setKnown(players);
    });
    return () => void (isOver = true);
  }, [client]);
  useEffect(() => {
    if (named !== undefined) return;
    let cancel = () => undefined as void;
    const timer = setTimeout(() => {
      const done = (players: readonly string[]) => setFound({ text, players });
      if (hasSearch(client)) cancel = searchProfiles(client, text.slice(0, MAX_QUERY_LENGTH), done);
      else done([]);
    }, DEBOUNCE_MILLISECONDS);
    return () => {
      clearTimeout(timer);
      cancel();
    };
  }, [client, text, named]);

  const here = (lobby?.games ?? []).flatMap(({ white, black }) => [white, black]);
  const inviters = (lobby?.invites ?? []).map(({ author }) => author);
  const all = [...friends, ...(known ?? []), ...here, ...inviters];
  const key = [...new Set(all)].join();
  useEffect(() => key.split(',').filter(Boolean).forEach((pubkey) => profiles.want(pubkey)), [profiles, key]);
  if (named !== undefined) return [named];
  if (found?.text !== text || known === undefined) return undefined;
  return [...new Set([...found.players, ...withName(all, text.slice(0, MAX_QUERY_LENGTH), profiles)])].slice(0, MAX_FOUND);
}

function Friends() {
  const { friends, isKnown } = useFollows();
  const status = useStatus(friends);
  const { lobby } = useLobby();
  const [all, setAll] = useState(false);
  const ordered = useOrder(friends, status);
  const drawn = all ? ordered : ordered.slice(0, DRAWN);
  return (
    <section class="lobby-section" aria-labelledby="friends-heading">
      <h2 id="friends-heading">{t('Friends')}</h2>
      {isKnown && friends.length === 0 && (
        <p class="muted">{t('You have none yet. Find a player, and add them on their page.')}</p>
      )}
      <ul class="rows">
        {drawn.map((pubkey) => <FriendRow key={pubkey} pubkey={pubkey} status={status?.get(pubkey)} games={lobby?.games ?? []} />)}
      </ul>
      {drawn.length < ordered.length && (
        <Button variant="quiet" onClick={() => setAll(true)}>{t('Show all {n, number}', { n: ordered.length })}</Button>
      )}
    </section>
  );
}

/** Who is here when the page opens comes first; later, everybody keeps the place. */
function useOrder(friends: readonly string[], status: ReturnType<typeof useStatus>): readonly string[] {
  const first = useRef<ReadonlySet<string>>(undefined);
  if (status && status.size > 0) first.current ??= new Set(friends.filter((pubkey) => status.get(pubkey) !== 'offline'));
  const here = first.current;
  return useMemo(
    () => (here ? [...friends.filter((pubkey) => here.has(pubkey)), ...friends.filter((pubkey) => !here.has(pubkey))] : friends),
    [friends, here],
  );
}
