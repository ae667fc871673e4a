import { hrefOf } from '../app/router.js';
import { useSession } from '../app/session.js';
import { usePageTitle } from '../app/usePageTitle.js';
import { oneLine } from '../ui/names.js';

/** How to play here, and where things come from. */
export function HelpPage() {
  usePageTitle('Help');
  const { info } = useSession().client;
  const { first_move_limit, abandon_grace } = info.chess;
  return (
    <div class="narrow">
      <h1>Help</h1>
      <h2>Getting a game</h2>
      <p>
        In the <a href={hrefOf({ page: 'lobby' })}>lobby</a> you play the computer, are paired with somebody who
        waits for the same time, or create a link for a friend. Your friend opens the link and accepts: there is
        nothing to sign up for.
      </p>
      <h2>During a game</h2>
      <p>
        The first move of each side is due within {first_move_limit} seconds, otherwise the game is aborted. Whoever
        loses the connection has {abandon_grace} seconds to return; closing the page for longer loses the game. Games
        with an hour or more for a move, or without a clock, wait for you: you can have many of them at once. The relay
        checks every move, keeps the clocks and decides the result.
      </p>
      <h2>On the board</h2>
      <p>
        Drag a piece, or press it and then its target; a king castles also onto its rook. During your opponent’s turn
        this is a premove; a press of an empty square cancels it. The right button draws arrows and circles, with Shift
        or Alt in other colours; the wheel and swipes step through the moves.
      </p>
      <p>
        The arrow keys step through the moves. <kbd>z</kbd> hides everything but the game, <kbd>f</kbd> shows it on the
        full screen. The menu below the moves has the size of the board and the volume.
      </p>
      {info.chess.rated && (
        <>
          <h2>Rated games</h2>
          <p>
            Quick pairing is rated for players who keep their key. A question mark stands behind a rating that is not
            settled yet. Anybody can compute the ratings again from the games’ records. The best players are on the{' '}
            <a href={hrefOf({ page: 'leaderboards' })}>leaderboards</a>.
          </p>
        </>
      )}
      <h2>Your key</h2>
      <p>
        You are known by a key, not by an account. It was made on your first visit and is kept in this browser. Keep
        a copy under <a href={hrefOf({ page: 'me' })}>your settings</a> if you care about your name and your games.
      </p>
      <h2>About this page</h2>
      <p>
        You are connected to the relay <bdi>{oneLine(info.name, 60) ?? info.url}</bdi>. Games are Nostr events of kinds
        5000 to 5003 and 64, signed by the players and the relay: other programs can play here too, and anybody can
        check a finished game.
      </p>
      <p class="muted small">
        The classic pieces are by Cburnett and Rfc1394 (Wikimedia Commons), modified by Stefan Haack for cm-chessboard, under{' '}
        <a href="https://creativecommons.org/licenses/by-sa/3.0/" rel="noopener noreferrer">CC BY-SA 3.0</a>.
      </p>
    </div>
  );
}
