import type { Color } from 'gambit-client';
import { useEffect, useState } from 'preact/hooks';
import { useMatchmaking } from '../app/matchmaking.js';
import { useSession } from '../app/session.js';
import { load, save } from '../app/storage.js';
import { number } from '../language/format.js';
import { t } from '../language/t.js';
import { Button } from '../ui/Button.js';
import { Choice } from '../ui/Choice.js';
import { ColorChoice, TimeSelect } from '../ui/GameFields.js';
import { fenOf, PositionField } from '../ui/PositionField.js';

/** The strengths of the levels of Gambit's own engine, measured: `docs/operations.md`, The house player. */
const strengths = () => [
  t('Level 1: below 700 Elo, takes whatever it can and leaves pieces unprotected.'),
  t('Level 2: about 900 Elo, sees an exchange to its end.'),
  t('Level 3: about 1500 Elo, sees the answer to its move.'),
  t('Level 4: about 1900 Elo, sees combinations.'),
  t('Level 5: about 2200 Elo, as strong as it gets.'),
];

/** More levels than that are no choice any more. */
const MAX_LEVELS = 10;
const PATIENCE_MILLISECONDS = 8_000;

/** The user's last choices, which are the defaults of the next game. */
interface Chosen {
  level: number;
  color: Color | 'random';
  time: string;
}

function lastChosen(levels: readonly number[]): Chosen {
  const [level, color, time] = (load('computer') ?? '').split(' ');
  const known = levels.find((one) => String(one) === level);
  return {
    level: known ?? levels[Math.min(1, levels.length - 1)] ?? 1,
    color: color === 'black' || color === 'random' ? color : 'white',
    time: time || '600+5',
  };
}

/**
 * Begins a game against the relay's own player.
 *
 * @param start the first position, if the address has one
 */
export function ComputerCard({ start }: { start?: string }) {
  const { client } = useSession();
  const house = client.info.house;
  return (
    <section class={`card start-card ${house ? '' : 'start-card-short'}`} aria-labelledby="computer-heading">
      <h2 id="computer-heading">{t('Play the computer')}</h2>
      {house && house.levels.length > 0 ? (
        <ComputerForm house={house.pubkey} levels={house.levels.slice(0, MAX_LEVELS)} start={start} />
      ) : (
        <p class="muted">
          {t('This relay has no computer player: whoever runs it has not switched one on. You can be paired with somebody who waits, or invite a friend.')}
        </p>
      )}
    </section>
  );
}

function ComputerForm({ house, levels, start }: { house: string; levels: readonly number[]; start?: string }) {
  const { matchmaking } = useSession();
  const { sent } = useMatchmaking(matchmaking);
  const [{ level, color, time }, setChosen] = useState(() => lastChosen(levels));
  const change = (changes: Partial<Chosen>) => setChosen((before) => ({ ...before, ...changes }));
  const waiting = sent.find((invite) => invite.toHouse);
  const [position, setPosition] = useState(start ?? '');
  const fen = fenOf(position);
  const [sending, setSending] = useState(false);
  const late = useLate(waiting?.id);
  const strength = strengths()[level - 1];

  const play = async () => {
    if (fen === null) return;
    save('computer', `${level} ${color} ${time}`);
    setSending(true);
    await matchmaking.invite({ opponent: house, level, color, time, fen, expiresIn: 120 });
    setSending(false);
  };

  return (
    <>
      <Choice
        label={t('Level')}
        value={level}
        options={levels.map((one) => ({ value: one, label: number(one) }))}
        onChange={(chosen) => change({ level: chosen })}
      />
      {strength && <p class="muted small level-hint">{strength}</p>}
      <ColorChoice value={color} onChange={(chosen) => change({ color: chosen })} />
      <TimeSelect value={time} onChange={(chosen) => change({ time: chosen })} />
      <PositionField value={position} onChange={setPosition} />
      <div class="start-card-action">
        {waiting && late ? (
          <>
            <p class="small" role="status">{t('The computer does not answer. It may be playing as many games as it can.')}</p>
            <Button onClick={() => void matchmaking.withdraw(waiting.id)}>{t('Cancel')}</Button>
          </>
        ) : (
          <Button variant="primary" size="large" disabled={sending || waiting !== undefined || fen === null} onClick={() => void play()}>
            {sending || waiting ? t('The game begins…') : t('Play the computer')}
          </Button>
        )}
      </div>
    </>
  );
}

/** Whether something has been waited for longer than it should take. */
function useLate(id: string | undefined): boolean {
  const [late, setLate] = useState(false);
  useEffect(() => {
    setLate(false);
    if (id === undefined) return;
    const timer = setTimeout(() => setLate(true), PATIENCE_MILLISECONDS);
    return () => clearTimeout(timer);
  }, [id]);
  return late;
}
