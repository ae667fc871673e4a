import { guestSigner, type GuestSigner, type Signer } from 'gambit-client';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { hasExtension } from '../identity/identity.js';
import { Button } from '../ui/Button.js';
import { Choice } from '../ui/Choice.js';
import { CopyButton } from '../ui/CopyButton.js';
import { npubOf } from '../ui/names.js';
import { reasonOf } from '../ui/notices.js';
import { CallError, claimAdmin, signIn } from './calls.js';
import { Loading } from './common.js';
import { dropCode } from './link.js';
import { extensionSigner, forgetSigner, hasKeptSigner, keptSigner, playerSigner, playersSigner, remoteSigner } from './signers.js';

/** How long a browser's extension may take to appear, in milliseconds. */
const EXTENSION_APPEARS_WITHIN = 2_000;

/**
 * Signing in, by the signer of an admin or moderator.
 *
 * @param code of the link that makes the first admin; the key of the signer becomes one
 */
export function SignIn({ code }: { code: string | undefined }) {
  const [stage, setStage] = useState<'choosing' | 'waiting' | 'restoring'>(() => (code === undefined && hasKeptSigner() ? 'restoring' : 'choosing'));
  const [problem, setProblem] = useState<string>();
  const [isCodeRefused, setCodeRefused] = useState(false);
  const [stranger, setStranger] = useState<string>();
  /** The code was used; signing in can still fail after that. */
  const isClaimed = useRef(false);
  const hasFound = useExtension();

  const fail = (error: unknown) => {
    setProblem(reasonOf(error));
    setStage('choosing');
  };
  const use = async (ask: () => Promise<Signer | undefined> | Signer, isRestored = false) => {
    if (!isRestored) setStage('waiting');
    setProblem(undefined);
    setCodeRefused(false);
    let pubkey: string | undefined;
    try {
      const signer = await ask();
      if (!signer) return setStage('choosing');
      pubkey = await signer.getPublicKey();
      if (code !== undefined && !isClaimed.current) {
        try {
          await claimAdmin(signer, code);
          isClaimed.current = true;
        } catch (error) {
          setCodeRefused(error instanceof CallError && error.status !== 0);
          throw error;
        }
        dropCode();
      }
      await signIn(signer);
    } catch (error) {
      if (code === undefined && error instanceof CallError && error.status === 403 && pubkey !== undefined) {
        forgetSigner();
        setStranger(pubkey);
      } else fail(error);
    }
  };
  useEffect(() => {
    if (stage === 'restoring') void use(keptSigner, true);
  }, []);

  if (stranger !== undefined) return <Stranger pubkey={stranger} onOther={() => { setStranger(undefined); setStage('choosing'); }} />;
  return (
    <div class="narrow admin-sign-in">
      <h1>{code === undefined ? 'Sign in' : 'Become the admin of this relay'}</h1>
      {code !== undefined && (
        <p>
          The key that you sign with here becomes an admin of this relay; the link works once. There is no password:
          from then on, you sign in with that key.
        </p>
      )}
      {stage === 'restoring' ? (
        <>
          <Loading />
          <p class="muted small">Your signer may ask you to allow this.</p>
          <div><Button onClick={() => { forgetSigner(); setStage('choosing'); }}>Choose another signer</Button></div>
        </>
      ) : (
        <>
          {problem !== undefined && (
            <div role="alert">
              <p class="problem">{problem}</p>
              {isCodeRefused && (
                <button type="button" class="admin-link" onClick={dropCodeAndReload}>Sign in without a link</button>
              )}
            </div>
          )}
          <SignerChoice
            isWaiting={stage === 'waiting'}
            isFirst={code !== undefined}
            hasExtension={hasFound}
            onChange={() => setStage('choosing')}
            onUse={use}
          />
        </>
      )}
    </div>
  );
}

function dropCodeAndReload(): void {
  dropCode();
  location.reload();
}

/** Whether there is an extension; the component is rendered again when one appears, for some seconds. */
function useExtension(): boolean {
  const [hasFound, setFound] = useState(hasExtension);
  useEffect(() => {
    if (hasFound) return;
    const timer = setInterval(() => setFound(hasExtension()), 100);
    const stop = setTimeout(() => clearInterval(timer), EXTENSION_APPEARS_WITHIN);
    return () => {
      clearInterval(timer);
      clearTimeout(stop);
    };
  }, [hasFound]);
  return hasFound;
}

/** What a key without rights sees. */
function Stranger({ pubkey, onOther }: { pubkey: string; onOther: () => void }) {
  const npub = npubOf(pubkey);
  return (
    <div class="narrow admin-sign-in">
      <h1>This key has no rights here</h1>
      <p>An admin of this relay can give it some, by its public key: <code class="admin-npub">{npub}</code></p>
      <div class="admin-actions">
        <CopyButton text={npub} label="Copy public key" variant="primary" />
        <Button onClick={onOther}>Use another key</Button>
      </div>
    </div>
  );
}

type Method = 'player' | 'extension' | 'remote' | 'key';

function SignerChoice({ isWaiting, isFirst, hasExtension: hasFound, onChange, onUse }: {
  isWaiting: boolean;
  isFirst: boolean;
  hasExtension: boolean;
  /** Another kind of signer is chosen; the one before is waited for no longer. */
  onChange: () => void;
  onUse: (ask: () => Signer | Promise<Signer>) => Promise<void>;
}) {
  const player = playersSigner();
  const [chosen, setChosen] = useState<Method>();
  const method = chosen ?? (hasFound ? 'extension' : 'key');
  return (
    <section class="card admin-sign-in" aria-labelledby="signer-heading">
      <h2 id="signer-heading">What signs for you?</h2>
      <Choice
        label="Signer"
        value={method}
        onChange={(other) => {
          setChosen(other);
          onChange();
        }}
        options={[
          { value: 'extension', label: 'Extension' },
          { value: 'remote', label: 'Remote signer' },
          { value: 'key', label: 'Key' },
          ...(player ? [{ value: 'player' as const, label: 'My player' }] : []),
        ]}
      />
      {method === 'extension' && <ByExtension hasFound={hasFound} isWaiting={isWaiting} onUse={onUse} />}
      {method === 'remote' && <ByRemote isWaiting={isWaiting} onUse={onUse} />}
      {method === 'key' && <ByKey isWaiting={isWaiting} isFirst={isFirst} onUse={onUse} />}
      {method === 'player' && (
        <>
          <p>
            {player === 'key'
              ? 'The key of the player in this browser signs. Keep a copy of it: the players’ page shows it in your settings.'
              : 'The remote signer of the player in this browser signs.'}
          </p>
          <SignInButton isWaiting={isWaiting} onClick={() => void onUse(playerSigner)} />
        </>
      )}
    </section>
  );
}

interface SignerProps {
  isWaiting: boolean;
  onUse: (ask: () => Signer | Promise<Signer>) => Promise<void>;
}

function SignInButton({ isWaiting, disabled = false, onClick }: { isWaiting: boolean; disabled?: boolean; onClick?: () => void }) {
  return (
    <div>
      <Button variant="primary" type={onClick ? 'button' : 'submit'} disabled={isWaiting || disabled} onClick={onClick}>
        {isWaiting ? 'Waiting for the signer…' : 'Sign in'}
      </Button>
    </div>
  );
}

function ByExtension({ hasFound, isWaiting, onUse }: SignerProps & { hasFound: boolean }) {
  return (
    <>
      <p>
        {hasFound
          ? 'The extension of your browser (NIP-07) signs; this page does not see your key.'
          : 'No extension that signs (NIP-07) was found in this browser.'}
      </p>
      <SignInButton isWaiting={isWaiting} disabled={!hasFound} onClick={() => void onUse(extensionSigner)} />
    </>
  );
}

function ByRemote({ isWaiting, onUse }: SignerProps) {
  const [bunker, setBunker] = useState('');
  const [authUrl, setAuthUrl] = useState<URL>();
  const id = useId();
  const showAuthUrl = (url: string) => {
    if (URL.canParse(url) && new URL(url).protocol === 'https:') setAuthUrl(new URL(url));
  };
  return (
    <form
      class="admin-sign-in"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void onUse(() => remoteSigner(bunker, showAuthUrl));
      }}
    >
      <div class="field">
        <label class="field-label" for={id}>Address of the remote signer (NIP-46, bunker://…)</label>
        <input id={id} class="input" type="password" autocomplete="off" value={bunker} onInput={(event) => setBunker(event.currentTarget.value)} />
      </div>
      <SignInButton isWaiting={isWaiting} disabled={!bunker.trim().startsWith('bunker://')} />
      {authUrl && (
        <p role="alert">
          Your signer asks you to allow this at <a href={authUrl.href} target="_blank" rel="noopener noreferrer">{authUrl.host}</a>.
        </p>
      )}
    </form>
  );
}

function ByKey({ isWaiting, isFirst, onUse }: SignerProps & { isFirst: boolean }) {
  const [text, setText] = useState('');
  const [made, setMade] = useState<GuestSigner>();
  const id = useId();
  if (made) return <NewKey signer={made} isWaiting={isWaiting} onUse={onUse} />;
  return (
    <form
      class="admin-sign-in"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void onUse(() => guestSigner(text));
      }}
    >
      <div class="field">
        <label class="field-label" for={id}>Secret key (nsec1…)</label>
        <input
          id={id}
          class="input"
          type="password"
          autocomplete="current-password"
          aria-describedby={`${id}-note`}
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
        <p id={`${id}-note`} class="muted small">It stays in this page’s memory until the page is closed, and is sent nowhere.</p>
      </div>
      <div class="admin-actions">
        <Button variant="primary" type="submit" disabled={isWaiting || text.trim() === ''}>{isWaiting ? 'Signing in…' : 'Sign in'}</Button>
        {isFirst && <Button disabled={isWaiting} onClick={() => setMade(guestSigner())}>Make a key for me</Button>}
      </div>
    </form>
  );
}

/** A key that was made here, shown this once. */
function NewKey({ signer, isWaiting, onUse }: SignerProps & { signer: GuestSigner }) {
  const [isKept, setKept] = useState(false);
  const id = useId();
  return (
    <form
      class="admin-sign-in"
      onSubmit={(event) => {
        event.preventDefault();
        void onUse(() => signer);
      }}
    >
      <p>This is your new secret key. It is shown only now: keep it in a password manager, since whoever has it is an admin here.</p>
      <div class="field">
        <label class="field-label" for={id}>Secret key</label>
        <input id={id} class="input admin-secret" readOnly autocomplete="off" value={signer.nsec} onFocus={(event) => event.currentTarget.select()} />
      </div>
      <div><CopyButton text={signer.nsec} label="Copy secret key" /></div>
      <label class="admin-check">
        <input type="checkbox" checked={isKept} onChange={(event) => setKept(event.currentTarget.checked)} />
        I have kept it
      </label>
      <SignInButton isWaiting={isWaiting} disabled={!isKept} />
    </form>
  );
}
