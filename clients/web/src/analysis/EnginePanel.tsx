import { useEffect, useMemo } from 'preact/hooks';
import { useNotifications } from '../app/store.js';
import { plyFrom } from '../board/line.js';
import { number } from '../language/format.js';
import { t } from '../language/t.js';
import { reasonOf } from '../ui/notices.js';
import { Switch } from '../ui/Switch.js';
import type { AnalysisState } from './analysis-state.js';
import { finalScore } from './annotate.js';
import { type Score, winningChances } from './annotation.js';
import type { Evaluator } from './evaluator.js';
import { scoreInWords, scoreText } from './words.js';

export const MAX_LINES = 5;
const SHOWN_MOVES = 10;

/** The engine's switch, its best lines, and how it searches. */
export function EnginePanel({ state, evaluator, isOn, onSwitch, lines, onLines, isOperators, onChoose, refusal, isBusy }: {
  state: AnalysisState;
  evaluator: Evaluator;
  isOn: boolean;
  onSwitch: (isOn: boolean) => void;
  lines: number;
  onLines: (lines: number) => void;
  /** Whether the operator's engine is chosen; undefined if there is none. */
  isOperators: boolean | undefined;
  onChoose: (isOperators: boolean) => void;
  /** Why the engine is off for this position. */
  refusal: 'live' | 'slow' | undefined;
  /** Whether the engine evaluates the whole game. */
  isBusy: boolean;
}) {
  useNotifications(evaluator.subscribe, evaluator);
  const { fen } = state.node;
  const final = finalScore(fen);
  useEffect(() => {
    if (!isBusy) evaluator.show(isOn && !refusal && !final ? fen : undefined, lines);
  }, [evaluator, fen, isOn, lines, refusal, isBusy]);
  const { evaluation, failure, name } = evaluator;
  return (
    <section class="engine" aria-label={t('Engine')}>
      <div class="engine-head">
        <Switch label={t('Engine')} checked={isOn} onChange={onSwitch} />
        <label class="engine-count">
          <span class="small">{t('Lines')}</span>
          <select class="input" value={lines} onChange={(event) => onLines(Number(event.currentTarget.value))}>
            {Array.from({ length: MAX_LINES }, (_, i) => <option key={i} value={i + 1}>{number(i + 1)}</option>)}
          </select>
        </label>
        {isOperators !== undefined && !isBusy && (
          <label class="engine-count">
            <span class="visually-hidden">{t('Choice of the engine')}</span>
            <select class="input" value={isOperators ? 'operator' : 'own'} onChange={(event) => onChoose(event.currentTarget.value === 'operator')}>
              <option value="own">{t('This page’s engine')}</option>
              <option value="operator">{t('The operator’s engine')}</option>
            </select>
          </label>
        )}
        <span class="engine-depth muted small">
          {isOn && evaluation && !isBusy && evaluation.fen === fen
            ? t('Depth {depth}, {nodes} nodes/s', { depth: number(evaluation.depth), nodes: number(evaluation.nps, { notation: 'compact' }) })
            : ' '}
        </span>
      </div>
      {refusal ? (
        <p class="engine-off small">
          {refusal === 'live'
            ? t('The engine is off while you play a live game.')
            : t('The engine is off here: this position is of a game that you are playing, or follows from one.')}
        </p>
      ) : failure !== undefined ? (
        <p class="engine-off small problem">{t('The engine does not run: {reason}', { reason: reasonOf(failure) })}</p>
      ) : final ? (
        <p class="engine-off small">{final.mate === undefined ? t('The game is drawn here.') : t('Checkmate.')}</p>
      ) : isOn && !isBusy ? (
        <Lines state={state} evaluator={evaluator} lines={lines} />
      ) : null}
      {isOn && name && <p class="visually-hidden">{name}</p>}
    </section>
  );
}

/** The lines, of which each move can be played with those before it. Their place is there before they are. */
function Lines({ state, evaluator: { evaluation }, lines }: { state: AnalysisState; evaluator: Evaluator; lines: number }) {
  const { fen } = state.node;
  const found = evaluation?.fen === fen ? evaluation.lines : [];
  return (
    <ol class="engine-lines" aria-label={t('Best lines')}>
      {Array.from({ length: lines }, (_, i) => (
        <li key={i}>{found[i] && <BestLine state={state} fen={fen} score={found[i].score} pv={found[i].pv} />}</li>
      ))}
    </ol>
  );
}

function BestLine({ state, fen, score, pv }: { state: AnalysisState; fen: string; score: Score; pv: readonly string[] }) {
  const shown = pv.slice(0, SHOWN_MOVES);
  const plies = useMemo(() => pliesOf(fen, shown), [fen, shown.join(' ')]);
  return (
    <>
      <span class={`engine-score ${winningChances(score) < 0 ? 'engine-score-black' : ''}`}>{scoreText(score)}</span>
      {plies.map(({ san, number: move, color }, i) => (
        <button key={i} type="button" class="engine-move" onClick={() => state.play(shown.slice(0, i + 1))}>
          {(i === 0 || color === 'white') && <span class="tree-number">{`${move}${color === 'white' ? '.' : '…'}`}</span>}
          {san}
        </button>
      ))}
    </>
  );
}

function pliesOf(fen: string, moves: readonly string[]) {
  const plies = [];
  for (const uci of moves) {
    const ply = plyFrom(plies.at(-1)?.fen ?? fen, uci);
    if (!ply) break;
    plies.push(ply);
  }
  return plies;
}

/** The evaluation as a bar beside the board, with White's share at White's side. */
export function EvaluationBar({ state, evaluator, isFlipped }: { state: AnalysisState; evaluator: Evaluator; isFlipped: boolean }) {
  useNotifications(evaluator.subscribe, evaluator);
  const { node, annotation } = state;
  const { evaluation } = evaluator;
  const shown = evaluation?.fen === node.fen ? evaluation.lines[0]?.score : undefined;
  const score = finalScore(node.fen) ?? shown ?? annotation?.scores[annotation.line.indexOf(node)];
  const share = score ? 50 + 50 * winningChances(score) : 50;
  return (
    <div
      class={`evaluation-bar ${isFlipped ? 'evaluation-bar-flipped' : ''} ${score ? '' : 'evaluation-bar-empty'}`}
      role="img"
      aria-label={score ? scoreInWords(score) : t('There is no evaluation yet.')}
      title={score ? scoreText(score) : undefined}
    >
      <div style={{ height: `${share}%` }} />
    </div>
  );
}
