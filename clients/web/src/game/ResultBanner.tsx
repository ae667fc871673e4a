import type { Game, SentInvite } from 'gambit-client';
import { useLayoutEffect, useState } from 'preact/hooks';
import { hrefOf } from '../app/router.js';
import { useSession } from '../app/session.js';
import { t } from '../language/t.js';
import { Button, ButtonLink } from '../ui/Button.js';
import { notify, notifyFailure } from '../ui/notices.js';
import { resultText } from '../ui/outcome.js';
import { resultInWords } from './result-words.js';
import './result-banner.css';

/** The result of a finished game and its reason, in the place of the line about a running one. */
export function ResultBanner({ game }: { game: Game }) {
  if (game.result === undefined) {
    return null;
  }
  const { title, reason, mood } = resultInWords(game.result, game.termination ?? '', game.color);
  return (
    <section class={`situation result result-${mood}`} aria-label={t('Result')}>
      <div>
        <h2>{title}</h2>
        <p class="small">{reason}</p>
      </div>
      <a class="result-analysis small" href={hrefOf({ page: 'analysis', id: game.id })}>{t('Analysis')}</a>
      {game.result !== '*' && <span class="result-score">{resultText(game.result)}</span>}
    </section>
  );
}

/** What a player does next, in the place of the actions of a running game. */
export function AfterGame({ game }: { game: Game }) {
  return (
    <div class="result-next">
      {game.dialect === 'nip100' && <Rematch game={game} />}
      <ButtonLink href={hrefOf({ page: 'lobby' })}>{t('New game')}</ButtonLink>
    </div>
  );
}

/** Requests a rematch, or answers the opponent's request; the new game opens by itself. */
function Rematch({ game }: { game: Game }) {
  const { matchmaking } = useSession();
  const [sent, setSent] = useState<SentInvite>();
  const [isBusy, setBusy] = useState(false);
  const request = game.rematchRequest;
  // At once, since the relay's answer to a withdrawal must not count as the opponent's.
  useLayoutEffect(() => {
    let isCurrent = true;
    sent?.game.catch(() => {
      if (isCurrent) {
        setSent(undefined);
        notify(t('There will be no rematch.'), 'plain', game.id);
      }
    });
    return () => {
      isCurrent = false;
    };
  }, [sent]);

  const ask = async (): Promise<void> => {
    setBusy(true);
    try {
      setSent(await game.rematch());
    } catch (error) {
      notifyFailure(error, game.id);
    }
    setBusy(false);
  };
  const withdraw = async (): Promise<void> => {
    const former = sent;
    setSent(undefined);
    await former?.withdraw().catch((error) => notifyFailure(error, game.id));
  };
  if (sent && !request) {
    return (
      <div key="requested" class="rematch">
        <p role="status">{t('Rematch requested…')}</p>
        <Button onClick={() => void withdraw()}>{t('Withdraw')}</Button>
      </div>
    );
  } else if (request) {
    return (
      <div key="asked" class="rematch">
        <Button variant="primary" disabled={isBusy} onClick={() => void ask()}>{t('Accept rematch')}</Button>
        <Button onClick={() => void matchmaking.reject(request.id)}>{t('Decline rematch')}</Button>
      </div>
    );
  }
  return (
    <div key="none" class="rematch">
      <Button variant="primary" disabled={isBusy} onClick={() => void ask()}>{t('Rematch')}</Button>
    </div>
  );
}
