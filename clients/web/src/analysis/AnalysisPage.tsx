import type { Game } from 'gambit-client';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { hrefOf } from '../app/router.js';
import { useSession } from '../app/session.js';
import { usePageTitle } from '../app/usePageTitle.js';
import type { Color } from '../board/position.js';
import { INITIAL_FEN } from '../board/position.js';
import { lineOf } from '../game/game-state.js';
import { rich, t } from '../language/t.js';
import { oneLine } from '../ui/names.js';
import { reasonOf } from '../ui/notices.js';
import { usePlayerName } from '../ui/PlayerName.js';
import { readStart } from '../ui/start-position.js';
import { AnalysisView } from './AnalysisView.js';
import { readPgnTree } from './pgn-tree.js';
import { GameTree } from './tree.js';
import './analysis.css';

/** The analysis of a finished game, of a position, or of what is pasted. */
export function AnalysisPage({ id, fen }: { id?: string | undefined; fen?: string | undefined }) {
  return id === undefined ? <FreeAnalysis fen={fen ?? INITIAL_FEN} /> : <FinishedGame id={id} />;
}

function FreeAnalysis({ fen }: { fen: string }) {
  const start = useMemo(() => readStart(fen, true), [fen]);
  if ('problem' in start) {
    return <Problem text={start.problem} />;
  }
  return <Analysis first={() => new GameTree(start.fen)} orientation={start.turn} />;
}

function FinishedGame({ id }: { id: string }) {
  const { client } = useSession();
  const [game, setGame] = useState<Game>();
  const [problem, setProblem] = useState<string>();
  useEffect(() => {
    const followed = client.follow(id);
    let isCurrent = true;
    followed.ready.then(
      () => {
        if (isCurrent) setGame(followed);
        followed.close();
      },
      (error: unknown) => isCurrent && setProblem(reasonOf(error)),
    );
    return () => {
      isCurrent = false;
      followed.close();
    };
  }, [client, id]);
  if (problem !== undefined) {
    return <Problem text={problem} />;
  } else if (!game) {
    return <p class="muted">{t('Loading the game…')}</p>;
  } else if (game.result === undefined) {
    return (
      <div class="narrow">
        <h1>{t('This game is not over')}</h1>
        <p>{rich('It can be analysed after its end. <a>Go to the game</a>', { a: (text) => <a href={hrefOf({ page: 'game', id })}>{text}</a> })}</p>
      </div>
    );
  }
  return <OfGame game={game} />;
}

function OfGame({ game }: { game: Game }) {
  const names = { white: usePlayerName(game.white, game.levels.white), black: usePlayerName(game.black, game.levels.black) };
  return <Analysis first={() => treeOf(game)} names={names} gameId={game.id} orientation={game.color ?? 'white'} />;
}

function treeOf(game: Game): GameTree {
  const line = lineOf(game, undefined);
  try {
    // The record has tags and clocks; it counts only if its moves are those that were played.
    const tree = readPgnTree(game.record?.pgn ?? '');
    if (tree.root.last.fen === line.fen && tree.mainLine.length === line.plies.length + 1) return tree;
  } catch {
    // A record that is no PGN.
  }
  const tree = GameTree.ofMoves(line.startFen, line.plies.map(({ uci }) => uci));
  tree.tags.set('Result', game.result ?? '*');
  return tree;
}

function Problem({ text }: { text: string }) {
  return (
    <div class="narrow">
      <h1>{t('This cannot be analysed')}</h1>
      <p>{text}</p>
      <p><a href={hrefOf({ page: 'analysis' })}>{t('Analyse the initial position')}</a></p>
    </div>
  );
}

/** The analysis of a tree, until another game is pasted. */
function Analysis({ first, names, gameId, orientation }: {
  first: () => GameTree;
  names?: Record<Color, string>;
  gameId?: string;
  orientation: Color;
}) {
  const [pasted, setPasted] = useState<GameTree>();
  const initial = useMemo(first, []);
  const tree = pasted ?? initial;
  const given = {
    white: oneLine(tree.tags.get('White')) ?? t('{color, select, white {White} other {Black}}', { color: 'white' }),
    black: oneLine(tree.tags.get('Black')) ?? t('{color, select, white {White} other {Black}}', { color: 'black' }),
  };
  const shown = pasted || !names ? given : names;
  const isGame = tree.tags.has('White') || (!pasted && names !== undefined);
  const title = isGame ? t('Analysis: {white} against {black}', shown) : t('Analysis');
  usePageTitle(title);
  return (
    <AnalysisView
      tree={tree}
      title={title}
      names={shown}
      gameId={pasted ? undefined : gameId}
      orientation={pasted ? 'white' : orientation}
      onOpen={setPasted}
    />
  );
}
