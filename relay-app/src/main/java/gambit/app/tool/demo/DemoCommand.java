package gambit.app.tool.demo;

import gambit.app.common.CommandOutput;
import gambit.app.common.ErrorMessages;
import gambit.core.model.Event;
import gambit.core.model.RelayUrls;
import java.io.PrintWriter;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code gambit demo}: two clients play a famous game over a relay and check its messages. */
@Command(
    name = "demo",
    description = "Plays a famous game over a relay, with two clients.",
    mixinStandardHelpOptions = true,
    exitCodeListHeading = "%nExit status:%n",
    exitCodeList = {
      "0:the game was played, with the messages that were expected",
      "1:the relay does not answer, or not as expected",
      "2:wrong usage"
    },
    footerHeading = "%nExample:%n",
    footer = "  gambit demo ws://localhost:7447")
public final class DemoCommand implements Callable<Integer> {
  private static final Duration TIMEOUT = Duration.ofSeconds(10);

  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "URL",
      defaultValue = "ws://localhost:7447",
      description = "The relay (default: ${DEFAULT-VALUE}).")
  private URI url = URI.create("");

  @Spec private CommandSpec spec;

  /** Called by picocli, which then sets the fields. */
  public DemoCommand() {
    spec = CommandSpec.create();
  }

  @Override
  public Integer call() {
    try {
      new RelayUrls(List.of(url.toString()));
    } catch (IllegalArgumentException e) {
      throw new ParameterException(
          spec.commandLine(), "URL " + url + ": expected a ws:// or wss:// URL.", e);
    }
    PrintWriter out = spec.commandLine().getOut();
    try (DemoPlayer first = new DemoPlayer(url, TIMEOUT);
        DemoPlayer second = new DemoPlayer(url, TIMEOUT)) {
      try {
        play(first, second, out);
        return 0;
      } catch (DemoFailure e) {
        first.cancelSearchAndResign();
        second.cancelSearchAndResign();
        throw e;
      }
    } catch (LinkageError e) {
      return CommandOutput.failed(spec, 1, ErrorMessages.NO_SECP256K1);
    } catch (DemoFailure e) {
      out.flush();
      return CommandOutput.failed(spec, 1, String.valueOf(e.getMessage()));
    }
  }

  private static void play(DemoPlayer first, DemoPlayer second, PrintWriter out)
      throws DemoFailure {
    Event firstConnect = first.connect();
    Event secondConnect = second.connect();
    DemoPlayer.FoundGame found = first.expectGame(firstConnect, second.pubkey());
    DemoPlayer.FoundGame same = second.expectGame(secondConnect, first.pubkey());
    if (!found.event().equals(same.event()) || found.colour().equals(same.colour())) {
      throw new DemoFailure(
          "The relay did not announce one game, with two colours, to both players.");
    }
    DemoPlayer white = found.colour().equals("white") ? first : second;
    DemoPlayer black = white == first ? second : first;
    out.println(FamousGame.NAME);
    out.println("  game  " + found.event().id());
    out.println("  white " + white.pubkey().hex());
    out.println("  black " + black.pubkey().hex());
    out.println();
    for (int ply = 0; ply < FamousGame.MOVES.size(); ply++) {
      String move = FamousGame.MOVES.get(ply);
      DemoPlayer mover = ply % 2 == 0 ? white : black;
      DemoPlayer other = mover == white ? black : white;
      mover.play(move);
      other.expectMove(move, mover.pubkey());
      if (!white.position().fen().equals(black.position().fen())) {
        throw new DemoFailure("The players see different positions.");
      }
      out.println((ply / 2 + 1) + (ply % 2 == 0 ? ". " : "... ") + move);
      out.println(BoardDiagram.draw(white.position()));
      out.flush();
    }
    white.expectMate(found.event(), FamousGame.RESULT);
    black.expectMate(found.event(), FamousGame.RESULT);
    out.println("Checkmate: both players were notified.");
    out.flush();
  }
}
