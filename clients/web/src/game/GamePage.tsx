import { DisconnectedError, type Game } from 'gambit-client';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { announce } from '../app/announce.js';
import { useVerify } from '../app/later.js';
import { hrefOf } from '../app/router.js';
import { useSession } from '../app/session.js';
import { settings } from '../app/settings.js';
import { useNotifications } from '../app/store.js';
import { usePageTitle } from '../app/usePageTitle.js';
import { Board } from '../board/Board.js';
import { PromotionChoice } from '../board/PromotionChoice.js';
import { type Color, opponentOf } from '../board/position.js';
import { positionInWords } from '../board/words.js';
import { date, list } from '../language/format.js';
import { rich, t } from '../language/t.js';
import { Button } from '../ui/Button.js';
import { colorOfInvited } from '../ui/colors.js';
import { npubOf } from '../ui/names.js';
import { dismissNoticesOf, notify, reasonOf } from '../ui/notices.js';
import { usePlayerName } from '../ui/PlayerName.js';
import { modeText } from '../ui/ratings.js';
import { timeLabel } from '../ui/time.js';
import { Actions } from './Actions.js';
import { BoardSizeHandle } from './BoardSizeHandle.js';
import { capturedBetween } from './captured.js';
import { Chat } from './Chat.js';
import { GameState } from './game-state.js';
import { GameMenu } from './GameMenu.js';
import { MoveConfirmation, NotConfirmed } from './move-confirmation.js';
import { MoveField } from './MoveField.js';
import { NextGame } from './NextGame.js';
import { MoveList } from './MoveList.js';
import { stepOfKey } from './navigation.js';
import { exportPgn } from './pgn-export.js';
import { PlayerBar } from './PlayerBar.js';
import { OwnProposals } from './proposals.js';
import { AfterGame, ResultBanner } from './ResultBanner.js';
import { ShareDialog } from './ShareDialog.js';
import { Situation } from './Situation.js';
import { type Talk, useTalk } from './talk.js';
import { useGameNews } from './useGameNews.js';
import { leaveZen, toggleFullScreen, toggleZen } from './view-modes.js';
import './game-page.css';

/** The page of one game: of a player, a spectator, or after its end. */
export function GamePage({ id }: { id: string }) {
  const { client } = useSession();
  const [game, setGame] = useState<Game>();
  const [problem, setProblem] = useState<string>();
  useNotifications((listener) => game?.on('change', listener) ?? (() => undefined), game);
  useEffect(() => {
    let isCurrent = true;
    const followed = client.follow(id);
    followed.ready.then(
      () => isCurrent && setGame(followed),
      (error: unknown) => isCurrent && setProblem(reasonOf(error)),
    );
    return () => {
      isCurrent = false;
      followed.close();
    };
  }, [client, id]);
  if (problem !== undefined) {
    return (
      <div class="narrow">
        <h1>{t('This game cannot be shown')}</h1>
        <p>{problem}</p>
        <p><a href={hrefOf({ page: 'lobby' })}>{t('Go to the lobby')}</a></p>
      </div>
    );
  }
  if (!game) return <GamePlaceholder />;
  return game.white && game.black ? <GameView game={game} /> : <OpenStart game={game} />;
}

/** The page before the game is known, with the places of the board and the players. */
function GamePlaceholder() {
  return (
    <div class="game">
      <h1 class="visually-hidden">{t('Game')}</h1>
      <div class="player-bar game-top" />
      <div class="game-board"><div class="board" /></div>
      <div class="player-bar game-bottom" />
      <p class="game-panel game-loading muted">{t('Loading the game…')}</p>
    </div>
  );
}

/** A start of kind 30 whose other seat is free. */
function OpenStart({ game }: { game: Game }) {
  const { matchmaking, pubkey } = useSession();
  const author = game.white || game.black;
  const name = usePlayerName(author);
  usePageTitle(t('Invitation'));
  return (
    <div class="narrow">
      <h1>{rich('{player} invites you to a game of chess', { player: <bdi>{name}</bdi> })}</h1>
      <p>{list([t('no clock'), t('correspondence with another Nostr client'), colorOfInvited(game.white ? 'white' : 'black')])}</p>
      {author === pubkey ? (
        <p>{t('It is your own: somebody else has to open the link and accept.')}</p>
      ) : (
        <p><Button variant="primary" size="large" onClick={() => void matchmaking.take(game.id)}>{t('Accept and play')}</Button></p>
      )}
    </div>
  );
}

function GameView({ game }: { game: Game }) {
  const { rated: hasRated } = useSession().client.info.chess;
  const { state, proposals, confirmation } = useMemo(() => partsOf(game), [game]);
  useEffect(
    () => () => {
      confirmation.close();
      state.close();
      proposals.close();
      dismissNoticesOf(game.id);
      leaveZen();
    },
    [game],
  );
  useNotifications((listener) => game.on('change', listener), game);
  useNotifications(state.subscribe, state);
  useNotifications(confirmation.subscribe, confirmation);
  useGameNews(game, state, proposals);
  useKeys(state);
  const names = {
    white: usePlayerName(game.white, game.levels.white),
    black: usePlayerName(game.black, game.levels.black),
  };
  const title = t('{white} against {black}', names);
  usePageTitle(title);

  const talk = useTalk(game);
  const [isFlipped, setFlipped] = useState(false);
  const own = game.color ?? 'white';
  const bottom = isFlipped ? opponentOf(own) : own;
  const isOver = game.result !== undefined;
  const mode = modeText(game.rated?.category);
  const isNotCounted = game.rated && game.record && !game.record.rated;
  const bar = (color: Color, place: 'top' | 'bottom') => (
    <PlayerBar
      game={game}
      color={color}
      place={place}
      captured={capturedBetween(game.startFen, state.shownFen)[color]}
      left={leftOf(game, state, color)}
      running={!isOver && game.clockRunning === color}
    />
  );
  return (
    <div class="game">
      <h1 class="visually-hidden">{title}</h1>
      {bar(opponentOf(bottom), 'top')}
      <div class="game-board">
        <Board
          fen={state.shownFen}
          orientation={bottom}
          label={t('Chess board. {position}', { position: positionInWords(state.shownFen) })}
          movable={state.movable}
          targets={(from) => state.targets(from)}
          onMove={(from, to, chooses) => state.enter(from, to, chooses)}
          onCancel={() => state.cancelPremoves()}
          onStep={(step) => state.show(step)}
          marks={state.marks}
          still={state.isPremoving}
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
        <BoardSizeHandle />
      </div>
      {bar(bottom, 'bottom')}
      <div class="game-panel">
        {isOver ? (
          <ResultBanner game={game} />
        ) : (
          <Situation game={game} state={state} proposals={proposals} confirmation={confirmation} />
        )}
        <NextGame game={game} />
        <MoveList
          startFen={state.startFen}
          plies={state.plies}
          emptyText={game.ply === 0 && !isOver ? t('No moves yet.') : t('The moves are not known.')}
          shown={state.shownPly}
          isLive={state.isLive}
          onShow={(ply) => state.showPly(ply)}
          onStep={(step) => state.show(step)}
        />
        {game.color && (
          <div class="game-controls">
            {isOver ? (
              <AfterGame game={game} />
            ) : (
              <>
                <Actions game={game} state={state} proposals={proposals} />
                <MoveField state={state} />
              </>
            )}
          </div>
        )}
        <Tools game={game} state={state} talk={talk} onFlip={() => setFlipped(!isFlipped)} />
      </div>
      <div class="game-more">
        <p class="game-facts muted small">
          {timeLabel(game.time.text)}
          {hasRated && ` · ${isNotCounted ? t('{mode}, does not count', { mode }) : mode}`}
          {game.dialect === 'jester' && ` · ${game.elsewhere ? t('played elsewhere') : t('correspondence with another Nostr client')}`}
          {!isOver && game.presence && ` · ${t('{count, plural, one {# spectator} other {# spectators}}', { count: game.presence.watching })}`}
          {game.record && ` · ${date(game.record.at, { dateStyle: 'medium', timeStyle: 'short' })}`}
        </p>
        {(isOver || game.dialect === 'nip100') && <Chat game={game} talk={talk} />}
        {isOver && game.result !== '*' && <Verify gameId={game.id} />}
      </div>
    </div>
  );
}

/** What follows a game for its page. */
function partsOf(game: Game) {
  const confirmation = new MoveConfirmation(game, () => settings().confirmsSlowMoves && game.isSlow);
  const onFailure = (error: unknown): void => {
    if (!(error instanceof NotConfirmed)) {
      const isLost = error instanceof DisconnectedError || game.result !== undefined;
      const reason = isLost ? t('The game went on while you were not connected.') : reasonOf(error);
      notify(t('Your move was not played. {reason}', { reason }), 'problem', game.id);
    }
  };
  const state = new GameState(confirmation.source, onFailure, settings);
  return { state, confirmation, proposals: new OwnProposals(game) };
}

/** The clock of a side: the running one, or as the record has it after the shown move. */
function leftOf(game: Game, state: GameState, color: Color): (() => number | undefined) | undefined {
  if (game.time.kind === 'untimed') {
    return undefined;
  }
  const now = (): number | undefined => game.clock()?.[color];
  if (game.result === undefined || (state.isLive && now() !== undefined)) {
    return now;
  }
  const recorded = state.plies
    .slice(0, state.shownPly)
    .flatMap((ply, i) => (ply.color === color ? [game.record?.clocks[i]] : []))
    .findLast((clock) => clock !== undefined);
  return () => recorded ?? game.time.seconds * 1000;
}

/** The buttons for players and spectators: flip, description, share, menu. */
function Tools({ game, state, talk, onFlip }: {
  game: Game;
  state: GameState;
  talk: Talk;
  onFlip: () => void;
}) {
  const [isSharing, setSharing] = useState(false);
  const [isMenuOpen, setMenuOpen] = useState(false);
  const { client } = useSession();
  const pgn = () =>
    game.record?.pgn ??
    exportPgn({
      white: npubOf(game.white),
      black: npubOf(game.black),
      levels: game.levels,
      site: client.info.url,
      startFen: state.startFen,
      time: game.time.text,
      result: game.result ?? '*',
      plies: state.plies,
      rated: game.rated,
    });
  return (
    <>
      <div class="game-tools" role="group" aria-label={t('Board')}>
        <Button size="small" variant="quiet" aria-label={t('Flip board')} onClick={onFlip}>{t('Flip')}</Button>
        <Button
          size="small"
          variant="quiet"
          aria-label={t('Describe position')}
          title={t('Says in words what stands where')}
          onClick={() => announce(positionInWords(state.shownFen), 'assertive')}
        >
          {t('Describe')}
        </Button>
        <Button size="small" variant="quiet" aria-label={t('Share this game')} onClick={() => setSharing(true)}>{t('Share')}</Button>
        {/* One place for both, so that the end moves nothing. */}
        <span class={`game-tool-of-two ${game.result === undefined ? 'game-tool-first' : ''}`}>
          {game.dialect === 'nip100' && (
            <Button size="small" variant="quiet" class="game-talk" aria-label={talkLabel(talk)} title={t('Chat')} onClick={goToChat}>
              <svg class="game-menu-sign" viewBox="0 0 24 24" aria-hidden="true"><path d="M4 5h16v11H11l-5 4v-4H4z" /></svg>
              {talk.unread > 0 && <span class="game-talk-unread" />}
            </Button>
          )}
          <a class="button button-quiet button-small" href={hrefOf({ page: 'analysis', id: game.id })}>{t('Analysis')}</a>
        </span>
        <Button
          size="small"
          variant="quiet"
          aria-label={t('Board and sound')}
          title={t('Board and sound')}
          onClick={() => setMenuOpen(true)}
        >
          <svg class="game-menu-sign" viewBox="0 0 24 24" aria-hidden="true"><path d="M4 6h16M4 12h16M4 18h16" /></svg>
        </Button>
      </div>
      {isMenuOpen && <GameMenu onClose={() => setMenuOpen(false)} />}
      {isSharing && (
        <ShareDialog gameId={game.id} fen={state.shownFen} pgn={pgn()} isOver={game.result !== undefined} onClose={() => setSharing(false)} />
      )}
    </>
  );
}

function talkLabel({ unread }: Talk): string {
  return unread > 0 ? t('Chat, {count, plural, one {# new comment} other {# new comments}}', { count: unread }) : t('Chat');
}

function goToChat(): void {
  leaveZen();
  const chat = document.querySelector('.chat');
  chat?.scrollIntoView({ block: 'nearest' });
  (chat?.querySelector('input') ?? chat?.querySelector('button'))?.focus({ preventScroll: true });
}

/**
 * Arrows step through the moves, Escape cancels the premoves, `z` and `f` change how much of the page is seen; not while
 * something is typed.
 */
function useKeys(state: GameState): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      const target = event.target instanceof Element ? event.target : document.body;
      const isTyping = target.closest('input, textarea, select, dialog, [role="switch"]') !== null;
      if (event.key === 'Escape') {
        state.cancelPremoves();
      } else if (!isTyping && !event.altKey && !event.ctrlKey && !event.metaKey) {
        const step = stepOfKey(event.key);
        if (event.key === 'z') {
          toggleZen();
        } else if (event.key === 'f') {
          toggleFullScreen();
        } else if (step) {
          event.preventDefault();
          state.show(step);
        }
      }
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, [state]);
}

function Verify({ gameId }: { gameId: string }) {
  const Panel = useVerify()?.VerifyPanel;
  return Panel ? <Panel gameId={gameId} /> : null;
}
