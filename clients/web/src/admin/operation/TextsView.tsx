import { useEffect, useId, useState } from 'preact/hooks';
import { manyLines, oneLine } from '../../ui/names.js';
import { notify, reasonOf } from '../../ui/notices.js';
import { Button } from '../../ui/Button.js';
import { call, relayUrl } from '../calls.js';
import { ActionButton, Loading, Problem } from '../common.js';
import { offerUndo } from '../undo.js';
import './operation.css';

const MAX_NAME_LENGTH = 100;
const MAX_DESCRIPTION_LENGTH = 2_000;
const MAX_URL_LENGTH = 500;
const TIMEOUT_MILLISECONDS = 10_000;

interface Texts {
  readonly name: string;
  readonly description: string;
  readonly icon: string;
}

/** The texts of the relay's information document (NIP-11), which everybody sees. */
async function fetchTexts(): Promise<Texts> {
  const response = await fetch(relayUrl(), {
    headers: { Accept: 'application/nostr+json' },
    cache: 'no-store',
    signal: AbortSignal.timeout(TIMEOUT_MILLISECONDS),
  });
  const document = (await response.json()) as Partial<Record<keyof Texts, unknown>>;
  const text = (value: unknown) => (typeof value === 'string' ? value : '');
  return {
    name: oneLine(text(document.name), MAX_NAME_LENGTH) ?? '',
    description: manyLines(text(document.description), MAX_DESCRIPTION_LENGTH, 100) ?? '',
    icon: text(document.icon).slice(0, MAX_URL_LENGTH),
  };
}

/** The relay's name, description and icon. */
export function TextsView() {
  const [texts, setTexts] = useState<Texts>();
  const [problem, setProblem] = useState<string>();
  const load = async () => {
    try {
      setTexts(await fetchTexts());
      setProblem(undefined);
    } catch (error) {
      setProblem(reasonOf(error));
    }
  };
  useEffect(() => void load(), []);
  if (problem !== undefined) return <Problem text={problem} onRetry={load} />;
  if (!texts) return <Loading />;
  const field = (name: keyof Texts) => ({ what: name, shown: texts[name], onSaved: load });
  return (
    <>
      <p>Everybody sees these texts, in clients and lists of relays. An empty text is that of the settings.</p>
      <TextForm key={`name ${texts.name}`} label="Name" maxLength={MAX_NAME_LENGTH} {...field('name')} />
      <TextForm key={`description ${texts.description}`} label="Description" maxLength={MAX_DESCRIPTION_LENGTH} isLong {...field('description')} />
      <TextForm key={`icon ${texts.icon}`} label="Icon (address of an image)" maxLength={MAX_URL_LENGTH} isImage {...field('icon')} />
    </>
  );
}

function TextForm({ what, label, shown, maxLength, isLong = false, isImage = false, onSaved }: {
  what: keyof Texts;
  label: string;
  /** The text in force. */
  shown: string;
  maxLength: number;
  isLong?: boolean;
  isImage?: boolean;
  onSaved: () => Promise<void>;
}) {
  const [text, setText] = useState(shown);
  const id = useId();
  const save = async () => {
    await call(`changerelay${what}`, text.trim());
    offerUndo(`The ${what} is changed.`, async () => {
      await call(`changerelay${what}`, shown);
      await onSaved();
      return 'The former text is back.';
    });
    await onSaved();
  };
  const props = {
    id,
    class: 'input',
    dir: 'auto' as const,
    value: text,
    maxLength,
    onInput: (event: { currentTarget: { value: string } }) => setText(event.currentTarget.value),
  };
  return (
    <div class="card operation-text">
      <div class="field">
        <label class="field-label" for={id}>{label}</label>
        {isLong ? <textarea rows={5} {...props} /> : <input {...props} />}
      </div>
      <div class="admin-actions">
        <ActionButton variant="primary" aria-label={`Save the ${what}`} disabled={text === shown} onAction={save}>Save</ActionButton>
        {text !== '' && <Button aria-label={`Clear the ${what}`} onClick={() => setText('')}>Clear</Button>}
      </div>
      {isImage && <Preview key={text} address={text.trim()} />}
    </div>
  );
}

/** The image of an address, loaded only when asked for: whoever keeps it sees the visit. */
function Preview({ address }: { address: string }) {
  const [state, setState] = useState<'hidden' | 'shown' | 'broken'>('hidden');
  if (!URL.canParse(address) || new URL(address).protocol !== 'https:') {
    return address === '' ? null : <p class="muted small">Images are shown from addresses that begin with https:// only.</p>;
  }
  if (state === 'broken') return <p class="problem small" role="alert">There is no image at this address.</p>;
  if (state === 'hidden') return <div><Button size="small" onClick={() => setState('shown')}>Show the image</Button></div>;
  return (
    <img
      class="operation-icon"
      src={address}
      alt="The icon"
      width={96}
      height={96}
      referrerpolicy="no-referrer"
      onError={() => {
        setState('broken');
        notify('The image could not be loaded.', 'problem');
      }}
    />
  );
}
