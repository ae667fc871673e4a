import { useEffect, useMemo, useState } from 'preact/hooks';
import { announce } from '../app/announce.js';
import { hrefOf } from '../app/router.js';
import { useSession } from '../app/session.js';
import { settings } from '../app/settings.js';
import { load, save } from '../app/storage.js';
import { useNotifications } from '../app/store.js';
import { Board } from '../board/Board.js';
import { PromotionChoice } from '../board/PromotionChoice.js';
import { type Color, opponentOf } from '../board/position.js';
import { moveInWords, positionInWords } from '../board/words.js';
import { Engine } from '../engine/engine.js';
import { operatorScript } from '../engine/operator.js';
import type { NavigationStep } from '../game/navigation.js';
import { number } from '../language/format.js';
import { t } from '../language/t.js';
import { Button } from '../ui/Button.js';
import { CopyButton } from '../ui/CopyButton.js';
import { AnalysisState } from './analysis-state.js';
import { annotate } from './annotate.js';
import { download } from '../ui/download.js';
import { EnginePanel, EvaluationBar, MAX_LINES } from './EnginePanel.js';
import { Evaluator } from './evaluator.js';
import { GameGraph } from './GameGraph.js';
import { MoveTree } from './MoveTree.js';
import { useOpening } from './useOpening.js';
import { OwnPositions } from './own-positions.js';
import { PasteDialog } from './PasteDialog.js';
import { writePgnTree } from './pgn-tree.js';
import { PositionEditor } from './PositionEditor.js';
import type { GameTree, TreeNode } from './tree.js';
import '../game/game-page.css';
import '../game/move-list.css';

/** How deep the engine looks at each position of a game, and for how long at most. */
const ANNOTATION_DEPTH = 10;
const ANNOTATION_MILLIS = 1000;
const DEFAULT_LINES = 3;

/** Board, engine, moves and graph of one tree. */
export function AnalysisView({ tree, title, names, gameId, orientation, onOpen }: {
  tree: GameTree;
  title: string;
  names: Record<Color, string>;
  gameId: string | undefined;
  orientation: Color;
  /** Another game was pasted. */
  onOpen: (tree: GameTree) => void;
}) {
  const { client } = useSession();
  const { state, own } = useMemo(
    () => ({ state: new AnalysisState(tree, () => settings().alwaysQueen), own: new OwnPositions() }),
    [tree],
  );
  const offered = operatorScript(client.info);
  const [isOperators, setOperators] = useState(load('engine-of') === 'operator');
  const script = isOperators ? offered : undefined;
  const evaluator = useMemo(() => new Evaluator(() => Engine.start(script)), [tree, script]);
  useEffect(() => () => evaluator.close(), [evaluator]);
  useNotifications(state.subscribe, state);
  useNotifications((listener) => client.on('games', listener), client);
  useKeys(state);
  const opening = useOpening(state.node);
  const [isFlipped, setFlipped] = useState(false);
  const [isOn, setOn] = useState(load('engine') === 'on');
  const [lines, setLines] = useState(Math.min(MAX_LINES, Number(load('engine-lines')) || DEFAULT_LINES));
  const [progress, setProgress] = useState<number>();
  const [dialog, setDialog] = useState<'paste' | 'editor'>();
  const bottom = isFlipped ? opponentOf(orientation) : orientation;
  const { node } = state;
  const refusalOf = (it: TreeNode) => own.reasonAgainst(client.games, it.path);

  const evaluateGame = async (): Promise<void> => {
    const line = tree.mainLine;
    setProgress(0);
    try {
      const annotation = await annotate(
        line,
        async (it) => (refusalOf(it) ? undefined : evaluator.evaluate(it.fen, ANNOTATION_DEPTH, ANNOTATION_MILLIS)),
        (done) => setProgress(done / line.length),
      );
      if (annotation && tree.mainLine.length === line.length && tree.mainLine.every((it, i) => it === line[i])) {
        state.annotate(annotation);
        announce(t('The whole game has been evaluated.'));
      }
    } finally {
      setProgress(undefined);
    }
  };
  return (
    <div class="game analysis">
      <h1 class="visually-hidden">{title}</h1>
      <div class="game-board analysis-board">
        <EvaluationBar state={state} evaluator={evaluator} isFlipped={bottom === 'black'} />
        <Board
          fen={state.shownFen}
          orientation={bottom}
          label={t('Chess board. {position}', { position: positionInWords(state.shownFen) })}
          movable={state.movable}
          targets={(from) => state.targets(from)}
          onMove={(from, to, chooses) => state.enter(from, to, chooses)}
          onStep={(step) => state.step(step)}
          marks={state.marks}
        >
          {state.promotion && (
            <PromotionChoice
              color={state.promotion.color}
              square={state.promotion.to}
              orientation={bottom}
              onChoose={(piece) => state.choosePromotion(piece)}
            />
          )}
        </Board>
      </div>
      <div class="game-panel">
        <EnginePanel
          state={state}
          evaluator={evaluator}
          isOn={isOn}
          onSwitch={(on) => {
            setOn(on);
            save('engine', on ? 'on' : undefined);
          }}
          lines={lines}
          onLines={(count) => {
            setLines(count);
            save('engine-lines', String(count));
          }}
          isOperators={offered === undefined ? undefined : isOperators}
          onChoose={(operators) => {
            setOperators(operators);
            save('engine-of', operators ? 'operator' : undefined);
          }}
          refusal={refusalOf(node)}
          isBusy={progress !== undefined}
        />
        <p class="analysis-opening small">{opening ? `${opening.eco} ${opening.name}` : ' '}</p>
        <MoveTree state={state} />
        <Steps state={state} />
        <div class="game-tools" role="group" aria-label={t('Moves and board')}>
          <Button size="small" variant="quiet" disabled={node.isMain} onClick={() => state.promote()}>{t('Promote variation')}</Button>
          <Button size="small" variant="quiet" disabled={!node.ply} onClick={() => state.remove()}>{t('Delete from here')}</Button>
          <Button size="small" variant="quiet" aria-label={t('Flip board')} onClick={() => setFlipped(!isFlipped)}>{t('Flip')}</Button>
        </div>
      </div>
      <div class="game-more">
        <section class="analysis-game" aria-label={t('The whole game')}>
          {progress !== undefined ? (
            <p role="status">
              {t('Evaluating the game: {percent}', { percent: number(progress, { style: 'percent' }) })}{' '}
              <Button size="small" onClick={() => evaluator.show(undefined, 1)}>{t('Cancel')}</Button>
            </p>
          ) : (
            !state.annotation &&
            tree.root.children.length > 0 && (
              <p><Button size="small" disabled={refusalOf(tree.root.last) !== undefined} onClick={() => void evaluateGame()}>{t('Evaluate the whole game')}</Button></p>
            )
          )}
          {state.annotation && <GameGraph state={state} annotation={state.annotation} names={names} />}
        </section>
        <div class="analysis-actions">
          <Button size="small" onClick={() => setDialog('paste')}>{t('Paste PGN or FEN')}</Button>
          <Button size="small" onClick={() => setDialog('editor')}>{t('Set up a position')}</Button>
          <CopyButton size="small" label={t('Copy PGN')} text={() => writePgnTree(tree)} />
          <Button size="small" onClick={() => download([writePgnTree(tree)], 'analysis.pgn')}>{t('Download PGN')}</Button>
          <CopyButton size="small" label={t('Copy FEN')} text={() => node.fen} />
          {gameId && <a href={hrefOf({ page: 'game', id: gameId })}>{t('Back to the game')}</a>}
        </div>
      </div>
      {dialog === 'editor' && <PositionEditor fen={node.fen} onClose={() => setDialog(undefined)} />}
      {dialog === 'paste' && <PasteDialog onOpen={onOpen} onClose={() => setDialog(undefined)} />}
    </div>
  );
}

function Steps({ state }: { state: AnalysisState }) {
  const { node } = state;
  const button = (step: NavigationStep, label: string, sign: string, isDisabled: boolean) => (
    <button type="button" class="move-step" aria-label={label} title={label} aria-disabled={isDisabled} onClick={() => state.step(step)}>
      <svg viewBox="0 0 24 24" aria-hidden="true"><path d={sign} /></svg>
    </button>
  );
  return (
    <div class="move-steps" role="group" aria-label={t('Steps through the moves')}>
      {button('first', t('First position'), 'M6 5v14M18 5l-9 7 9 7', !node.parent)}
      {button('back', t('Previous move'), 'M15 5l-8 7 8 7', !node.parent)}
      {button('forward', t('Next move'), 'M9 5l8 7-8 7', node.children.length === 0)}
      {button('last', t('Last position'), 'M18 5v14M6 5l9 7-9 7', node.children.length === 0)}
    </div>
  );
}

const KEYS: Readonly<Record<string, (state: AnalysisState) => void>> = {
  ArrowLeft: (state) => state.step('back'),
  ArrowRight: (state) => state.step('forward'),
  ArrowUp: (state) => state.showSibling(-1),
  ArrowDown: (state) => state.showSibling(1),
  Home: (state) => state.step('first'),
  End: (state) => state.step('last'),
};

/** Arrows to the sides step through the line, up and down through the variations; not while something is typed. */
function useKeys(state: AnalysisState): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      const target = event.target instanceof Element ? event.target : document.body;
      const isTyping = target.closest('input, textarea, select, dialog') !== null;
      const action = KEYS[event.key];
      if (action && !isTyping && !event.altKey && !event.ctrlKey && !event.metaKey) {
        event.preventDefault();
        const before = state.node;
        action(state);
        if (state.node !== before && state.node.ply) announce(moveInWords(state.node.ply));
      }
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, [state]);
}
