import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { number } from '../../language/format.js';
import { Button } from '../../ui/Button.js';
import { CopyButton } from '../../ui/CopyButton.js';
import { Dialog, DialogActions } from '../../ui/Dialog.js';
import { oneLine } from '../../ui/names.js';
import { QrCode } from '../../people/QrCode.js';
import { call, may, relayUrl } from '../calls.js';
import { ActionButton, Confirm, Result, Table, Time, useCall } from '../common.js';
import { Who } from '../moderation/DecisionsView.js';
import './members.css';

const MAX_NOTE_LENGTH = 500;
/** The most rows that are shown. */
const MAX_ROWS = 200;
const HOURS = [[1, 'an hour'], [24, 'a day'], [168, 'a week'], [720, '30 days'], [8_760, 'a year']] as const;

interface Invite {
  readonly code: string;
  readonly uses: number;
  /** How often it can still be used. */
  readonly left: number;
  readonly until: number;
  readonly by: string;
  readonly note: string;
}

/** The link with which people join on the players' page. */
function linkOf(code: string): string {
  return `${relayUrl()}#/join/${encodeURIComponent(code)}`;
}

/** The open invites: creating one, showing its link, revoking it. */
export function InvitesView() {
  const invites = useCall<readonly Invite[]>('listinvites');
  const [made, setMade] = useState<string>();
  const [shown, setShown] = useState<string>();
  const [revoking, setRevoking] = useState<Invite>();
  const nameOf = ({ note, code }: Invite) => oneLine(note, 60) ?? `${code.slice(0, 6)}…`;
  return (
    <>
      {may('createinvite') && (
        <NewInvite
          onMade={(code) => {
            setMade(code);
            void invites.reload();
          }}
        />
      )}
      {made !== undefined && <Made key={made} code={made} />}
      <Result of={invites}>
        {(all) => (
          <Table
            caption="Invites"
            head={['Note', 'Left', 'Ends', 'By', '']}
            rows={all.slice(0, MAX_ROWS).map((invite) => ({
              key: invite.code,
              cells: [
                <bdi>{nameOf(invite)}</bdi>,
                `${number(invite.left)} of ${number(invite.uses)}`,
                invite.until * 1000 < Date.now() ? 'over' : <Time at={invite.until} />,
                <Who by={invite.by} />,
                <span class="admin-actions">
                  <Button size="small" aria-label={`Link of ${nameOf(invite)}`} onClick={() => setShown(invite.code)}>Link</Button>
                  {may('revokeinvite') && (
                    <Button size="small" aria-label={`Revoke ${nameOf(invite)}`} onClick={() => setRevoking(invite)}>Revoke</Button>
                  )}
                </span>,
              ],
            }))}
            empty="There is no invite."
          />
        )}
      </Result>
      {shown !== undefined && (
        <Dialog title="Link of the invite" onClose={() => setShown(undefined)}>
          <Link code={shown} />
          <DialogActions><Button onClick={() => setShown(undefined)}>Close</Button></DialogActions>
        </Dialog>
      )}
      {revoking && (
        <Confirm
          title="Revoke the invite?"
          action="Revoke it"
          onClose={() => setRevoking(undefined)}
          onConfirm={async () => {
            await call('revokeinvite', revoking.code);
            if (made === revoking.code) setMade(undefined);
            await invites.reload();
          }}
        >
          <p>Nobody can join with its link any more. Who has joined with it remains a member.</p>
        </Confirm>
      )}
    </>
  );
}

function NewInvite({ onMade }: { onMade: (code: string) => void }) {
  const [uses, setUses] = useState('1');
  const [hours, setHours] = useState(168);
  const [note, setNote] = useState('');
  const id = useId();
  const count = Number(uses);
  const isWrong = !Number.isInteger(count) || count < 1 || count > 1_000;
  const create = async () => {
    const { code } = await call<{ code: string }>('createinvite', count, hours, note.trim());
    setNote('');
    onMade(code);
  };
  return (
    <section class="card manage-form" aria-labelledby={`${id}-heading`}>
      <h2 id={`${id}-heading`}>Create an invite</h2>
      <label class="field">
        <span class="field-label">How many can join with it</span>
        <input
          class="input"
          type="number"
          min={1}
          max={1_000}
          value={uses}
          aria-invalid={isWrong}
          aria-describedby={isWrong ? `${id}-problem` : undefined}
          onInput={(event) => setUses(event.currentTarget.value)}
        />
        {isWrong && <span id={`${id}-problem`} class="problem small">From 1 to 1,000.</span>}
      </label>
      <label class="field">
        <span class="field-label">For</span>
        <select class="input" value={hours} onChange={(event) => setHours(Number(event.currentTarget.value))}>
          {HOURS.map(([value, words]) => <option key={value} value={value}>{words}</option>)}
        </select>
      </label>
      <label class="field manage-wide">
        <span class="field-label">Note, for the admins</span>
        <input class="input" maxLength={MAX_NOTE_LENGTH} value={note} onInput={(event) => setNote(event.currentTarget.value)} />
      </label>
      <div class="admin-actions">
        <ActionButton variant="primary" disabled={isWrong} onAction={create}>Create the link</ActionButton>
      </div>
    </section>
  );
}

/** The invite that was made just now; it gets the focus. */
function Made({ code }: { code: string }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <section class="card invite-made" aria-label="New invite">
      <h2 ref={heading} tabIndex={-1}>The link is ready</h2>
      <p>Send it to those who may join. It opens this relay’s page, where one button joins.</p>
      <Link code={code} />
    </section>
  );
}

function Link({ code }: { code: string }) {
  const link = linkOf(code);
  return (
    <div class="invite-link">
      <div class="invite-text">
        <label class="field">
          <span class="field-label">Link</span>
          <input class="input" readOnly value={link} onFocus={(event) => event.currentTarget.select()} />
        </label>
        <div class="admin-actions">
          <CopyButton text={link} label="Copy link" variant="primary" />
          <CopyButton text={code} label="Copy code" />
        </div>
      </div>
      <QrCode text={link} label="QR code of the link" />
    </div>
  );
}
