import type { GameSummary, PlayerStatus } from 'gambit-client';
import { useState } from 'preact/hooks';
import { lastTime } from '../app/last-time.js';
import { useMatchmaking } from '../app/matchmaking.js';
import { hrefOf } from '../app/router.js';
import { useSession } from '../app/session.js';
import { t } from '../language/t.js';
import { Button } from '../ui/Button.js';
import { npubOf } from '../ui/names.js';
import { PlayerName, usePlayerName } from '../ui/PlayerName.js';
import { timeLabel } from '../ui/time.js';
import { statusText } from './presence.js';

/** As long as an invitation of a player's page. */
const INVITE_SECONDS = 86_400;

/**
 * A friend, with what one can do: challenge in one click with the time of the last invitation, or watch.
 *
 * @param games running ones, among which the friend's may be
 */
export function FriendRow({ pubkey, status, games }: {
  pubkey: string;
  status: PlayerStatus | undefined;
  games: readonly GameSummary[];
}) {
  const name = usePlayerName(pubkey);
  const game = games.find(({ white, black }) => white === pubkey || black === pubkey);
  return (
    <li class="row friend-row">
      <PlayerName pubkey={pubkey} />
      <span class={`friend-status ${status === undefined ? '' : `friend-${status}`}`}>{status && statusText(status)}</span>
      <span class="friend-actions">
        {status === 'playing' && (
          <a
            class="button button-secondary button-small"
            aria-label={t('Watch {name}', { name })}
            href={hrefOf(game ? { page: 'game', id: game.id } : { page: 'player', npub: npubOf(pubkey) })}
          >
            {t('Watch')}
          </a>
        )}
        <ChallengeButton pubkey={pubkey} name={name} />
      </span>
    </li>
  );
}

/** Invites a player at once, and withdraws the invitation. */
function ChallengeButton({ pubkey, name }: { pubkey: string; name: string }) {
  const { client, matchmaking } = useSession();
  const { sent } = useMatchmaking(matchmaking);
  const [isSending, setSending] = useState(false);
  const waiting = sent.find((invite) => invite.opponent === pubkey);
  const time = lastTime();
  if (client.info.house?.pubkey === pubkey) return null;
  if (waiting) {
    return (
      <Button
        size="small"
        aria-label={t('Withdraw the invitation to {name}', { name })}
        onClick={() => void matchmaking.withdraw(waiting.id)}
      >
        {t('Withdraw')}
      </Button>
    );
  }
  const challenge = async () => {
    setSending(true);
    await matchmaking.invite({ opponent: pubkey, color: 'random', time, expiresIn: INVITE_SECONDS });
    setSending(false);
  };
  return (
    <Button
      size="small"
      variant="primary"
      disabled={isSending || !matchmaking.canBegin(time)}
      aria-label={t('Challenge, {time}: {name}', { name, time: timeLabel(time) })}
      onClick={() => void challenge()}
    >
      {t('Challenge, {time}', { time: timeLabel(time) })}
    </Button>
  );
}
