import { PlayerPicture, usePlayerName } from '../ui/PlayerName.js';
import { ConnectionState } from './ConnectionState.js';
import { hrefOf, type Route } from './router.js';
import { useSession, useSessionHolder } from './session.js';
import { Waiting } from './Waiting.js';
import { t } from '../language/t.js';
import './header.css';

/** The top of every page: the program's name, navigation, connection state, and the player's name. */
export function Header({ route }: { route: Route }) {
  const { session } = useSessionHolder();
  const current = (page: Route['page']) => (route.page === page ? 'page' : undefined);
  return (
    <header class={`header ${route.page === 'game' || route.page === 'analysis' ? 'header-in-game' : ''}`}>
      <div class="header-content">
        <nav class="header-nav" aria-label={t('Main')}>
          <a class="header-brand" href={hrefOf({ page: 'lobby' })} aria-label={t('Gambit, lobby')}>
            <Pawn />
            <span>Gambit</span>
          </a>
          <a class="header-lobby" href={hrefOf({ page: 'lobby' })} aria-current={current('lobby')}>{t('Lobby')}</a>
          <a href={hrefOf({ page: 'analysis' })} aria-current={current('analysis')}>{t('Analysis')}</a>
          <a class="header-help" href={hrefOf({ page: 'help' })} aria-current={current('help')}>{t('Help')}</a>
          <a href={hrefOf({ page: 'players' })} aria-current={current('players')} aria-label={t('Players')} title={t('Players')}>
            <Magnifier />
          </a>
          {session && <Waiting route={route} />}
        </nav>
        <ConnectionState />
        {session ? <Me key={`${session.client.isMember}`} current={current('me')} /> : <span class="header-me" />}
      </div>
    </header>
  );
}

function Me({ current }: { current: 'page' | undefined }) {
  const { pubkey } = useSession();
  const name = usePlayerName(pubkey);
  return (
    <a class="header-me" href={hrefOf({ page: 'me' })} aria-current={current}>
      <PlayerPicture pubkey={pubkey} size={28} />
      <span class="visually-hidden">{t('You and your settings:')} </span>
      <bdi class="header-me-name">{name}</bdi>
    </a>
  );
}

function Magnifier() {
  return (
    <svg viewBox="0 0 20 20" width="20" height="20" aria-hidden="true" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round">
      <circle cx="8.5" cy="8.5" r="5.5" />
      <path d="M13 13l5 5" />
    </svg>
  );
}

/** The pawn of the icon. */
function Pawn() {
  return (
    <svg viewBox="22 14 56 70" width="20" height="25" aria-hidden="true" fill="currentColor">
      <circle cx="50" cy="31" r="13" />
      <rect x="35" y="43" width="30" height="6" rx="3" />
      <path d="M42.5 46Q42.5 59.5 31 73H69Q57.5 59.5 57.5 46Z" />
      <rect x="26" y="71" width="48" height="10" rx="4" />
    </svg>
  );
}
