import { useState } from 'preact/hooks';
import { announce } from '../app/announce.js';
import { Listeners, useNotifications } from '../app/store.js';
import { Button } from '../ui/Button.js';
import { notify, notifyFailure } from '../ui/notices.js';

const OFFERED_MILLISECONDS = 10_000;
/** The most offers that stand at once; beyond that, the oldest is dropped. */
const MAX_OFFERS = 3;

interface Offer {
  readonly id: number;
  readonly text: string;
  /** Takes it back; returns the sentence that is shown then. */
  readonly undo: () => Promise<string>;
}

const listeners = new Listeners();
let offers: readonly Offer[] = [];
let lastId = 0;

/** Says for ten seconds what was done, with a button that takes it back. */
export function offerUndo(text: string, undo: () => Promise<string>): void {
  const offer = { id: ++lastId, text, undo };
  offers = [...offers, offer].slice(-MAX_OFFERS);
  listeners.notify();
  announce(text);
  setTimeout(() => drop(offer), OFFERED_MILLISECONDS);
}

/** Takes back what was done last, if that is still offered. */
export async function undoLast(): Promise<void> {
  const offer = offers.at(-1);
  if (offer) await take(offer);
  else notify('There is nothing to undo here any more. Decisions can be lifted in the view “Decisions”.');
}

async function take(offer: Offer): Promise<void> {
  drop(offer);
  try {
    notify(await offer.undo());
  } catch (error) {
    notifyFailure(error);
  }
}

function drop(offer: Offer): void {
  offers = offers.filter(({ id }) => id !== offer.id);
  listeners.notify();
}

/** The standing offers, in the dock. */
export function UndoNotices() {
  useNotifications((listener) => listeners.add(listener), listeners);
  return <>{offers.map((offer) => <UndoNotice key={offer.id} offer={offer} />)}</>;
}

function UndoNotice({ offer }: { offer: Offer }) {
  const [isBusy, setBusy] = useState(false);
  return (
    <div class="notice admin-undo">
      <p>{offer.text}</p>
      <Button
        size="small"
        disabled={isBusy}
        onClick={() => {
          setBusy(true);
          void take(offer);
        }}
      >
        Undo
      </Button>
    </div>
  );
}
