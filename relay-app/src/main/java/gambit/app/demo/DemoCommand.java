package gambit.app.demo;

import gambit.core.model.Event;
import java.io.PrintWriter;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * {@code gambit demo}: two clients play a famous game over a relay, and say so if it goes wrong.
 */
@Command(
    name = "demo",
    description = "Plays a famous game over a relay, with two clients.",
    mixinStandardHelpOptions = true)
public final class DemoCommand implements Callable<Integer> {
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "URL",
      defaultValue = "ws://localhost:7447",
      description = "The relay (default: ${DEFAULT-VALUE}).")
  private URI url = URI.create("");

  @Spec private CommandSpec spec;

  /** Made by picocli, which sets the fields. */
  public DemoCommand() {
    spec = CommandSpec.create();
  }

  @Override
  public Integer call() {
    PrintWriter out = spec.commandLine().getOut();
    try (DemoPlayer first = new DemoPlayer(url, PATIENCE);
        DemoPlayer second = new DemoPlayer(url, PATIENCE)) {
      try {
        play(first, second, out);
        return 0;
      } catch (DemoFailed e) {
        first.giveUp();
        second.giveUp();
        throw e;
      }
    } catch (LinkageError e) {
      return failed("There is no native secp256k1 library for this machine.");
    } catch (DemoFailed e) {
      out.flush();
      return failed(String.valueOf(e.getMessage()));
    }
  }

  private int failed(String words) {
    spec.commandLine().getErr().println(words);
    return 1;
  }

  private static void play(DemoPlayer first, DemoPlayer second, PrintWriter out) throws DemoFailed {
    Event firstConnect = first.connect();
    Event secondConnect = second.connect();
    DemoPlayer.Found found = first.expectGame(firstConnect, second.pubkey());
    DemoPlayer.Found same = second.expectGame(secondConnect, first.pubkey());
    if (!found.event().equals(same.event()) || found.colour().equals(same.colour())) {
      throw new DemoFailed("The players were not told of one game with two colours.");
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
        throw new DemoFailed("The players see different positions.");
      }
      out.println((ply / 2 + 1) + (ply % 2 == 0 ? ". " : "... ") + move);
      out.println(Board.draw(white.position()));
      out.flush();
    }
    white.expectMate(found.event(), FamousGame.RESULT);
    black.expectMate(found.event(), FamousGame.RESULT);
    out.println("Checkmate: both players were told so.");
    out.flush();
  }
}
