import type { GambitClient } from 'gambit-client';
import { useId, useState } from 'preact/hooks';
import { announce } from '../app/announce.js';
import { loadRatings } from '../app/later.js';
import { useSession } from '../app/session.js';
import { Button } from '../ui/Button.js';
import { reasonOf } from '../ui/notices.js';
import { JESTER, firstTag } from './events.js';
import { fetchGame } from './fetch-game.js';
import type { Report } from './findings.js';
import { checkedAhead } from './signatures.js';
import { verifyGame } from './verification.js';
import { t } from '../language/t.js';
import './verify-panel.css';

type Progress =
  | { readonly step: 'idle' }
  | { readonly step: 'fetching' }
  | { readonly step: 'checking'; readonly done: number; readonly all: number }
  | { readonly step: 'done'; readonly report: Report }
  | { readonly step: 'failed'; readonly reason: string };

/** The default of the referee's `chess.max_clock_skew`; what a relay says about itself is no evidence. */
const MAX_CLOCK_SKEW = 60;

/** Checks a finished game in the browser, and shows proved facts, attested facts and faults. */
export function VerifyPanel({ gameId }: { gameId: string }) {
  const { client } = useSession();
  const [progress, setProgress] = useState<Progress>({ step: 'idle' });
  const id = useId();
  const start = async (): Promise<void> => {
    try {
      const report = await verify(client, gameId, setProgress);
      setProgress({ step: 'done', report });
      announce(
        report.holds
          ? t('Everything about this game holds.')
          : report.faults.length > 0
            ? t('Something is wrong with this game.')
            : t('Evidence of this game is missing.'),
      );
    } catch (error) {
      setProgress({ step: 'failed', reason: reasonOf(error) });
    }
  };
  return (
    <section class="verify" aria-labelledby={id}>
      <h2 id={id}>{t('Verify')}</h2>
      {progress.step === 'idle' && (
        <>
          <p class="muted small">
            {t('Checks every signature, replays the moves, and compares them with the record, here in your browser.')}
          </p>
          <Button onClick={() => void start()}>{t('Verify this game')}</Button>
        </>
      )}
      {progress.step === 'fetching' && <p role="status">{t('Fetching the game’s events…')}</p>}
      {progress.step === 'checking' && (
        <p role="status">
          {t('Checking signatures: {done, number} of {all, number}', { done: progress.done, all: progress.all })}
        </p>
      )}
      {progress.step === 'failed' && (
        <>
          <p class="verify-fault">{t('The game could not be checked.')} {progress.reason}</p>
          <Button onClick={() => void start()}>{t('Try again')}</Button>
        </>
      )}
      {progress.step === 'done' && <ReportView report={progress.report} />}
    </section>
  );
}

async function verify(
  client: GambitClient,
  gameId: string,
  onprogress: (progress: Progress) => void,
): Promise<Report> {
  onprogress({ step: 'fetching' });
  const fetched = await fetchGame(gameId, (filter) => client.query(filter), client.info.referee);
  const events = [
    ...(fetched.announcement ? [fetched.announcement] : []),
    ...fetched.records,
    ...fetched.events.values(),
    ...(fetched.lots ? [fetched.lots] : []),
  ];
  const forgeryOf = await checkedAhead(events, (done) =>
    onprogress({ step: 'checking', done, all: events.length }),
  );
  const report = verifyGame(fetched, { relayUrl: client.info.url, maxClockSkew: MAX_CLOCK_SKEW, forgeryOf });
  const { announcement, records } = fetched;
  const byRelay = announcement?.kind === JESTER ? records : [announcement, ...records];
  if (!announcement || !byRelay.some((event) => event && firstTag(event, 'rated') !== undefined)) return report;
  const { checkRatingsOf, withRatings } = await loadRatings();
  return withRatings(report, await checkRatingsOf(client, announcement));
}

function ReportView({ report }: { report: Report }) {
  return (
    <>
      <p class={`verify-verdict ${report.holds ? 'verify-holds' : 'verify-wrong'}`}>
        {report.holds
          ? t('✓ Everything holds.')
          : report.faults.length > 0
            ? t('✗ Not everything holds.')
            : t('? Nothing is wrong, but evidence is missing.')}
      </p>
      {report.missing.length > 0 && <Facts title={t('Evidence missing')} kind="fault" lines={report.missing} />}
      {report.faults.length > 0 && <Facts title={t('Wrong')} kind="fault" lines={report.faults} more={report.furtherFaults} />}
      {report.proved.length > 0 && (
        <Facts title={t('Proved by the players’ signatures')} kind="proved" lines={report.proved} />
      )}
      {report.recomputed && report.recomputed.length > 0 && (
        <Facts title={t('Ratings recomputed')} kind="proved" lines={report.recomputed} />
      )}
      {report.attested.length > 0 && (
        <Facts title={t('Attested by the relay alone')} kind="attested" lines={report.attested} />
      )}
    </>
  );
}

function Facts({ title, kind, lines, more = 0 }: {
  title: string;
  kind: 'proved' | 'attested' | 'fault';
  lines: readonly string[];
  more?: number;
}) {
  return (
    <div class={`verify-facts verify-${kind}`}>
      <h3>{title}</h3>
      <ul>
        {lines.map((line) => (
          <li key={line}><bdi>{line}</bdi></li>
        ))}
        {more > 0 && <li>{t('{count, plural, one {and # more} other {and # more}}', { count: more })}</li>}
      </ul>
    </div>
  );
}
