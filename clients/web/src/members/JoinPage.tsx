import { useId, useState } from 'preact/hooks';
import { hrefOf, navigate } from '../app/router.js';
import { useSession } from '../app/session.js';
import { usePageTitle } from '../app/usePageTitle.js';
import { keepsKey } from '../identity/identity.js';
import { rich, t } from '../language/t.js';
import { Button, ButtonLink } from '../ui/Button.js';
import { CopyButton } from '../ui/CopyButton.js';
import { npubOf } from '../ui/names.js';
import { reasonOf } from '../ui/notices.js';
import { PlayerName } from '../ui/PlayerName.js';
import './members.css';

/** The longest code that is sent; the relay's have 22 characters. */
const MAX_CODE_LENGTH = 100;

/**
 * Joining a relay that is for members; to who may not even read, in place of every page of the relay.
 *
 * @param code of the address, which does not have it any more
 */
export function JoinPage({ code }: { code?: string | undefined }) {
  usePageTitle(t('Join this relay'));
  const { client } = useSession();
  if (client.isMember === false) {
    return (
      <div class="narrow">
        <h1>{t('This relay is for members')}</h1>
        <JoinCard code={code} />
      </div>
    );
  }
  return (
    <div class="narrow">
      <h1>{t('You can play here already')}</h1>
      <p><ButtonLink variant="primary" href={hrefOf({ page: 'lobby' })}>{t('Go to the lobby')}</ButtonLink></p>
    </div>
  );
}

/** Asks for the code of an invite, says with which key it joins, and joins. */
export function JoinCard({ code: given = '' }: { code?: string | undefined }) {
  const { client, identity, pubkey } = useSession();
  const [code, setCode] = useState(given);
  const [isJoining, setJoining] = useState(false);
  const [problem, setProblem] = useState<string>();
  const id = useId();
  const problemId = useId();
  const join = async (event: Event) => {
    event.preventDefault();
    setJoining(true);
    setProblem(undefined);
    try {
      // The page is then rendered anew, with what members see.
      await client.join(code.trim());
      navigate({ page: 'lobby' });
    } catch (error) {
      setProblem(reasonOf(error));
      setJoining(false);
    }
  };
  return (
    <section class="card members-card" aria-label={t('Join this relay')}>
      <p>
        {client.isShutOut
          ? t('Only members can play here, and see who plays. Enter an invite code, or ask an admin to add you.')
          : t('Everybody can watch, and members can play. Enter an invite code, or ask an admin to add you.')}
      </p>
      <form class="members-form" noValidate onSubmit={(event) => void join(event)}>
        <div class="field">
          <label class="field-label" for={id}>{t('Invite code')}</label>
          <input
            id={id}
            class="input"
            value={code}
            maxLength={MAX_CODE_LENGTH}
            autocomplete="off"
            autocapitalize="none"
            spellcheck={false}
            dir="ltr"
            aria-invalid={problem !== undefined}
            aria-describedby={problem === undefined ? undefined : problemId}
            onInput={(event) => setCode(event.currentTarget.value)}
          />
        </div>
        <Button type="submit" variant="primary" disabled={isJoining || code.trim() === ''}>
          {t('Join this relay')}
        </Button>
        {problem !== undefined && <p id={problemId} class="problem small" role="alert">{problem}</p>}
      </form>
      <div class="members-key">
        <p>{rich('You join as {player}, with this key:', { player: <PlayerName pubkey={pubkey} link={false} /> })}</p>
        <p class="members-npub small"><code>{npubOf(pubkey)}</code></p>
        <p><CopyButton text={npubOf(pubkey)} label={t('Copy npub')} size="small" /></p>
      </div>
      {!keepsKey(identity) && (
        <p class="small">
          {rich('The key is in this browser only, and your membership is lost with it. <a>Keep a copy of your key</a>', {
            a: (text) => <a href={hrefOf({ page: 'me' })}>{text}</a>,
          })}
        </p>
      )}
    </section>
  );
}
