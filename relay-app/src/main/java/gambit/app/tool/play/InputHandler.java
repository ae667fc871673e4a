package gambit.app.tool.play;

import gambit.app.common.SafeText;
import gambit.app.tool.client.GameView;
import gambit.app.tool.client.PlayerClient;
import gambit.app.tool.play.PlayerInput.TypedMove;
import gambit.chess.game.Proposal;
import gambit.chess.rules.Move;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Does what the player types. Owned by the screen's thread. */
final class InputHandler {
  private static final int MAX_COMMENT_CHARS = 500;

  /** Asked once more before it is done. */
  private enum Question {
    RESIGN,
    QUIT
  }

  private final PlaySession session;
  private @Nullable Question asked;

  InputHandler(PlaySession session) {
    this.session = session;
  }

  boolean handle(String line) {
    Question before = asked;
    asked = null;
    if (line.isBlank()) {
      return false;
    }
    PlayerInput input = PlayerInput.parse(line);
    if (input.word().isEmpty()) {
      move(input.text());
      return false;
    }
    PlayerInput.Word word = input.word().get();
    if (word == PlayerInput.Word.QUIT) {
      return quit(before == Question.QUIT);
    }
    if (!handleAlways(word, input.text())) {
      handleInGame(word, before == Question.RESIGN);
    }
    return false;
  }

  /** Ctrl-C or Ctrl-D; true if the program ends. */
  boolean interrupt() {
    return handle(PlayerInput.Word.QUIT.text());
  }

  private boolean quit(boolean isConfirmed) {
    if (isConfirmed || !session.isPlaying()) {
      return true;
    }
    asked = Question.QUIT;
    GameView game = session.game();
    boolean isSlow = game != null && game.terms().time().isSlow();
    session.say(
        isSlow
            ? "Your game goes on without you; come back with gambit play. To leave, type quit"
                + " again."
            : "Your game runs on: you lose it unless you come back "
                + session.gracePeriod()
                + " (gambit play). To leave, type quit again; to give it up, resign.");
    return false;
  }

  /** The commands that need no game of this player; false for any other. */
  private boolean handleAlways(PlayerInput.Word word, String text) {
    switch (word) {
      case FLIP -> session.flip();
      case NEXT -> session.showNext();
      case HELP -> help();
      case SAY -> comment(text);
      case REMATCH -> rematch();
      case SEARCH -> {
        if (session.isPlayingLive()) {
          session.say("You are playing.");
        } else {
          session.search();
        }
      }
      case ACCEPT, DECLINE -> {
        GameView game = session.game();
        boolean isAsked = game != null && game.isRunning() && game.hasProposalOfOpponent();
        return !session.isPlayingLive()
            && !isAsked
            && session.answerInvite(word == PlayerInput.Word.ACCEPT);
      }
      default -> {
        return false;
      }
    }
    return true;
  }

  private void help() {
    session.say("Type a move like Nf3 or g1f3 (Tab completes), or:");
    for (PlayerInput.Word word : PlayerInput.Word.values()) {
      session.say("  %-9s %s".formatted(word.text(), word.description()));
    }
  }

  private void comment(String text) {
    GameView game = session.game();
    if (game == null || text.isBlank()) {
      session.say("Say what, about which game?");
    } else {
      String comment = text.substring(0, Math.min(text.length(), MAX_COMMENT_CHARS));
      session.report(session.client().comment(game, comment));
      if (game.terms().ours() != null) { // a spectator receives the comment
        session.say("You say: " + SafeText.of(comment));
      }
    }
  }

  private void rematch() {
    GameView game = session.game();
    if (game == null || game.isRunning() || game.terms().ours() == null) {
      session.say("There is no finished game of yours.");
    } else {
      session.report(session.client().rematch(game));
      session.say("You ask for a rematch.");
    }
  }

  private void handleInGame(PlayerInput.Word word, boolean isResignConfirmed) {
    GameView game = session.game();
    if (game == null || !session.isPlaying()) {
      session.say("You are not playing.");
      return;
    }
    PlayerClient client = session.client();
    switch (word) {
      case DRAW -> draw(game);
      case ACCEPT -> session.report(client.acceptProposal(game));
      case DECLINE -> session.report(client.declineProposal(game));
      case CLAIM -> session.report(client.claimDraw(game));
      case TAKEBACK -> session.report(client.requestTakeback(game));
      case ABORT -> session.report(client.abort(game));
      case RESIGN -> {
        if (isResignConfirmed) {
          session.report(client.resign(game));
        } else {
          asked = Question.RESIGN;
          session.say("To resign the game, type resign again.");
        }
      }
      default -> throw new IllegalStateException("handled before: " + word);
    }
  }

  private void draw(GameView game) {
    Proposal proposal = game.proposal();
    boolean isOffered =
        game.hasProposalOfOpponent() && proposal != null && proposal.type() == Proposal.Type.DRAW;
    PlayerClient client = session.client();
    session.report(isOffered ? client.acceptProposal(game) : client.offerDraw(game));
  }

  private void move(String text) {
    GameView game = session.game();
    if (game == null || !session.isPlaying()) {
      session.say("You are not playing. Type help for the commands.");
      return;
    }
    boolean offersDraw = text.endsWith(" draw");
    String written = (offersDraw ? text.substring(0, text.length() - 5) : text).strip();
    Optional<Move> move = TypedMove.in(game.position(), written);
    if (!game.isOurTurn()) {
      session.say("It is your opponent's turn.");
    } else if (move.isEmpty()) {
      session.say(SafeText.of(written) + " is no legal move and no command (see help).");
    } else {
      session.report(session.client().move(game, move.get(), offersDraw));
    }
  }
}
