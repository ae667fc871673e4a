import { hrefOf } from '../app/router.js';
import { useSession } from '../app/session.js';
import { usePageTitle } from '../app/usePageTitle.js';
import { oneLine } from '../ui/names.js';
import { rich, t } from '../language/t.js';

/** How to play here, and where things come from. */
export function HelpPage() {
  usePageTitle(t('Help'));
  const { info } = useSession().client;
  const { first_move_limit, abandon_grace } = info.chess;
  return (
    <div class="narrow">
      <h1>{t('Help')}</h1>
      <h2>{t('Getting a game')}</h2>
      <p>
        {rich(
          'In the <a>lobby</a> you play the computer, are paired with somebody who waits for the same time, or create a link for a friend. Your friend opens the link and accepts: there is nothing to sign up for.',
          { a: (text) => <a href={hrefOf({ page: 'lobby' })}>{text}</a> },
        )}
      </p>
      <h2>{t('During a game')}</h2>
      <p>
        {t(
          'The first move of each side is due within {limit, plural, one {# second} other {# seconds}}, otherwise the game is aborted. Whoever loses the connection has {grace, plural, one {# second} other {# seconds}} to return; closing the page for longer loses the game. Games with an hour or more for a move, or without a clock, wait for you: you can have many of them at once. The relay checks every move, keeps the clocks and decides the result.',
          { limit: first_move_limit, grace: abandon_grace },
        )}
      </p>
      <p>
        {t('You can also play with users of other Nostr clients, such as Amethyst and jesterui (kind 30): their challenges are in the lobby, too. Such a game begins with the first move of whoever accepts. It has no clock, no takeback and no rematch; after 24 hours without a move the opponent may claim the win.')}
      </p>
      <h2>{t('On the board')}</h2>
      <p>
        {t('Drag a piece, or press it and then its target; a king castles also onto its rook. During your opponent’s turn this is a premove; a press of an empty square cancels it. The right button draws arrows and circles, with Shift or Alt in other colours; the wheel and swipes step through the moves.')}
      </p>
      <p>
        {rich(
          'The arrow keys step through the moves. <kbd>z</kbd> hides everything but the game, <kbd>f</kbd> shows it on the full screen. The menu below the moves has the size of the board and the volume.',
          { kbd: (text) => <kbd>{text}</kbd> },
        )}
      </p>
      {info.chess.rated && (
        <>
          <h2>{t('Rated games')}</h2>
          <p>
            {rich(
              'Quick pairing is rated for players who keep their key. A question mark stands behind a rating that is not settled yet. Anybody can compute the ratings again from the games’ records. The best players are on the <a>leaderboards</a>.',
              { a: (text) => <a href={hrefOf({ page: 'leaderboards' })}>{text}</a> },
            )}
          </p>
        </>
      )}
      <h2>{t('Analysis')}</h2>
      <p>
        {rich(
          'Any finished game, a game in PGN or a position can be looked at in the <a>analysis</a>: you move both sides, and an engine in your browser evaluates positions and whole games. The arrow keys step through the moves, up and down to other variations. The engine is off while you play a live game, and for positions that can occur in your slow games.',
          { a: (text) => <a href={hrefOf({ page: 'analysis' })}>{text}</a> },
        )}
      </p>
      <h2>{t('Your key')}</h2>
      <p>
        {rich(
          'You are known by a key, not by an account. It was made on your first visit and is kept in this browser. Keep a copy under <a>your settings</a> if you care about your name and your games; there you can also encrypt it with a passphrase, and bring it to another device. Until you choose a name, you have one of two words and a number, which comes from the key.',
          { a: (text) => <a href={hrefOf({ page: 'me' })}>{text}</a> },
        )}
      </p>
      <h2>{t('About this page')}</h2>
      <p>
        {rich(
          'You are connected to the relay {relay}. Games are Nostr events of kinds 5000 to 5003 and 64, signed by the players and the relay: other programs can play here too, and anybody can check a finished game.',
          { relay: <bdi>{oneLine(info.name, 60) ?? info.url}</bdi> },
        )}
      </p>
      <p class="muted small">
        {rich(
          'The classic pieces are by Cburnett and Rfc1394 (Wikimedia Commons), modified by Stefan Haack for cm-chessboard, under <a>CC BY-SA 3.0</a>.',
          { a: (text) => <a href="https://creativecommons.org/licenses/by-sa/3.0/" rel="noopener noreferrer">{text}</a> },
        )}
      </p>
    </div>
  );
}
