import { useMemo, useRef } from 'preact/hooks';
import { ChallengePage } from '../challenge/ChallengePage.js';
import { GamePage } from '../game/GamePage.js';
import { HelpPage } from '../help/HelpPage.js';
import { LobbyPage } from '../lobby/LobbyPage.js';
import { MePage } from '../me/MePage.js';
import { StopReminders } from '../reminders/StopReminders.js';
import { PlayerPage } from '../player/PlayerPage.js';
import { announce } from './announce.js';
import { useAnalysis, useLists, useMembers, useNotifier, usePeople, useRatings } from './later.js';
import { Dock } from './Dock.js';
import { ForeignRelayName } from './ForeignRelay.js';
import { Header } from './Header.js';
import { Connecting } from './Connecting.js';
import { hrefOf, navigate, useRoute, type Route } from './router.js';
import { SessionContext, SessionHolder } from './session.js';
import { useNotifications } from './store.js';
import { useFocusOnNewPage } from './useFocusOnNewPage.js';
import { LanguageSelect } from '../language/LanguageSelect.js';
import { rich, t } from '../language/t.js';
import './app.css';

/**
 * The application: header, page of the current address, dock and live regions.
 *
 * @param isForeign whether the relay's name is always shown
 */
export function App({ relay, isForeign }: { relay: string; isForeign: boolean }) {
  const holder = useMemo(() => {
    const created = new SessionHolder(relay, (game) => {
      announce(t('The game begins.'), 'assertive');
      navigate({ page: 'game', id: game.id });
    });
    void created.start();
    return created;
  }, [relay]);
  useNotifications(holder.subscribe, holder);
  const session = holder.session;
  useNotifier(session);
  const route = useRoute();
  const main = useRef<HTMLElement>(null);
  useFocusOnNewPage(hrefOf(route), main);

  return (
    <SessionContext.Provider value={{ holder, session }}>
      <button type="button" class="skip" onClick={() => main.current?.focus()}>
        {t('Skip to the content')}
      </button>
      <Header route={route} />
      {isForeign && <ForeignRelayName relay={relay} />}
      <main ref={main} class="main" tabIndex={-1}>
        {route.page === 'key' ? (
          <ReceivedKey ncryptsec={route.received} />
        ) : session ? (
          // Another player, address or membership is another page: nothing of the former remains.
          <Outlet key={`${session.pubkey} ${hrefOf(route)} ${session.client.isMember}`} route={route} isShutOut={session.client.isShutOut} />
        ) : (
          <Connecting />
        )}
      </main>
      {/* The page of a game has no room for it. */}
      {route.page !== 'game' && (
        <footer class="footer">
          <a href={hrefOf({ page: 'help' })}>{t('Help')}</a>
          {route.page !== 'me' && <LanguageSelect />}
        </footer>
      )}
      <Dock route={route} />
      <div id="live-polite" class="visually-hidden" aria-live="polite" />
      <div id="live-assertive" class="visually-hidden" aria-live="assertive" />
    </SessionContext.Provider>
  );
}

/** The pages that need nothing of the relay. */
const PAGES_WITHOUT_RELAY: readonly Route['page'][] = ['analysis', 'join', 'me', 'help', 'missing'];

function Outlet({ route, isShutOut }: { route: Route; isShutOut: boolean }) {
  if (isShutOut && !PAGES_WITHOUT_RELAY.includes(route.page)) return <Join />;
  switch (route.page) {
    case 'lobby':
      return <LobbyPage fen={route.fen} />;
    case 'game':
      return <GamePage id={route.id} />;
    case 'challenge':
      return <ChallengePage id={route.id} secret={route.secret} />;
    case 'player':
      return <PlayerPage npub={route.npub} />;
    case 'players':
      return <Players />;
    case 'analysis':
      return <Analysis id={route.id} fen={route.fen} />;
    case 'leaderboards':
      return <Leaderboards />;
    case 'watch':
      return <Watch />;
    case 'join':
      return <Join code={route.received} />;
    case 'reminders':
      return <StopReminders token={route.token} />;
    case 'me':
      return <MePage />;
    case 'help':
      return <HelpPage />;
    default:
      return <MissingPage />;
  }
}

function Analysis({ id, fen }: { id: string | undefined; fen: string | undefined }) {
  const Page = useAnalysis()?.AnalysisPage;
  return Page ? <Page id={id} fen={fen} /> : null;
}

function Leaderboards() {
  const Page = useRatings()?.LeaderboardsPage;
  return Page ? <Page /> : null;
}

function Players() {
  const Page = usePeople()?.PlayersPage;
  return Page ? <Page /> : null;
}

function Join({ code }: { code?: string | undefined }) {
  const Page = useMembers()?.JoinPage;
  return Page ? <Page code={code} /> : null;
}

function ReceivedKey({ ncryptsec }: { ncryptsec: string | undefined }) {
  const Page = usePeople()?.KeyPage;
  return Page ? <Page ncryptsec={ncryptsec} /> : null;
}

function Watch() {
  const Page = useLists()?.WatchPage;
  return Page ? <Page /> : null;
}

function MissingPage() {
  return (
    <div class="narrow">
      <h1>{t('There is nothing here')}</h1>
      <p>
        {rich('The address may have been cut off. <a>Go to the lobby.</a>', {
          a: (text) => <a href={hrefOf({ page: 'lobby' })}>{text}</a>,
        })}
      </p>
    </div>
  );
}
