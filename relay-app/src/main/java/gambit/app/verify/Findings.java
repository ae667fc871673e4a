package gambit.app.verify;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** The report on a checked game, as lines of text. One thread uses it. */
final class Findings {
  /** Further faults are only counted, because a hostile record could have thousands. */
  private static final int MAX_PRINTED_FAULTS = 20;

  private final List<String> heading = new ArrayList<>();
  private final List<String> proved = new ArrayList<>();
  private final List<String> attested = new ArrayList<>();
  private final List<String> faults = new ArrayList<>();

  /** Adds a fact of the game's heading. */
  void addHeading(String line) {
    heading.add(line);
  }

  /** Adds a fact that holds if nobody else has the players' keys. */
  void addProved(String line) {
    proved.add(line);
  }

  /** Adds a fact that holds if the relay is honest. */
  void addAttested(String line) {
    attested.add(line);
  }

  /** Adds a contradiction or a missing proof. */
  void addFault(String line) {
    faults.add(line);
  }

  boolean isFaultless() {
    return faults.isEmpty();
  }

  /** Passes the report on, line by line. */
  void printTo(Consumer<String> out) {
    heading.forEach(out);
    printSection("Proved by the players' signatures:", proved, out);
    printSection("Attested by the relay alone:", attested, out);
    printSection("Wrong:", faults.subList(0, Math.min(MAX_PRINTED_FAULTS, faults.size())), out);
    if (faults.size() > MAX_PRINTED_FAULTS) {
      out.accept("  and " + (faults.size() - MAX_PRINTED_FAULTS) + " more");
    }
    out.accept(isFaultless() ? "Everything holds." : "Not everything holds.");
  }

  private static void printSection(String title, List<String> lines, Consumer<String> out) {
    if (!lines.isEmpty()) {
      out.accept(title);
      lines.forEach(line -> out.accept("  " + line));
    }
  }
}
