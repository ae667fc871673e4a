package gambit.app.verify;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** What checking a game has found so far, in lines for a person. One thread uses it. */
final class Findings {
  /** Of what is wrong; a hostile record could name thousands of things. */
  private static final int MOST = 20;

  private final List<String> game = new ArrayList<>();
  private final List<String> proved = new ArrayList<>();
  private final List<String> attested = new ArrayList<>();
  private final List<String> wrong = new ArrayList<>();

  /** What the game is said to be. */
  void about(String line) {
    game.add(line);
  }

  /** What holds if nobody but the players has their keys. */
  void proved(String line) {
    proved.add(line);
  }

  /** What holds if the relay tells the truth. */
  void attested(String line) {
    attested.add(line);
  }

  /** What does not hold. */
  void wrong(String line) {
    wrong.add(line);
  }

  boolean nothingWrong() {
    return wrong.isEmpty();
  }

  /** All of it, line by line. */
  void tell(Consumer<String> out) {
    game.forEach(out);
    section("Proved by the players' signatures:", proved, out);
    section("Attested by the relay alone:", attested, out);
    section("Wrong:", wrong.subList(0, Math.min(MOST, wrong.size())), out);
    if (wrong.size() > MOST) {
      out.accept("  and " + (wrong.size() - MOST) + " more");
    }
    out.accept(nothingWrong() ? "Everything holds." : "Not everything holds.");
  }

  private static void section(String title, List<String> lines, Consumer<String> out) {
    if (!lines.isEmpty()) {
      out.accept(title);
      lines.forEach(line -> out.accept("  " + line));
    }
  }
}
