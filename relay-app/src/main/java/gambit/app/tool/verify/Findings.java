package gambit.app.tool.verify;

import gambit.core.model.Event;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** The report on a checked game, as lines of text. One thread uses it. */
final class Findings {
  /** Further ones are only counted, because a hostile record could have thousands. */
  private static final int MAX_PRINTED = 20;

  final List<String> heading = new ArrayList<>();

  /** Facts that hold if nobody else has the players' keys. */
  final List<String> proved = new ArrayList<>();

  /** Facts that hold if the relay is honest. */
  final List<String> attested = new ArrayList<>();

  /** Events that the relay does not have any more, so that they prove nothing. */
  final List<String> missing = new ArrayList<>();

  final List<String> faults = new ArrayList<>();

  /** Adds what is wrong; always empty. */
  <T> Optional<T> fault(String sentence) {
    faults.add(sentence);
    return Optional.empty();
  }

  <T> Optional<T> fault(String what, Event event, String flaw) {
    return fault(what + ": the event " + event.id() + " " + flaw);
  }

  /** The exit status: 0 if everything holds, 1 if something is wrong, 3 if evidence is missing. */
  int status() {
    return !faults.isEmpty() ? 1 : missing.isEmpty() ? 0 : 3;
  }

  void printTo(Consumer<String> out) {
    heading.forEach(out);
    printSection("Proved by the players' signatures:", proved, out);
    printSection("Attested by the relay alone:", attested, out);
    printBeginning("Evidence missing:", missing, out);
    printBeginning("Wrong:", faults, out);
    out.accept(
        switch (status()) {
          case 0 -> "Everything holds.";
          case 1 -> "Not everything holds.";
          default -> "Nothing is wrong, but evidence is missing.";
        });
  }

  private static void printBeginning(String title, List<String> lines, Consumer<String> out) {
    printSection(title, lines.subList(0, Math.min(MAX_PRINTED, lines.size())), out);
    if (lines.size() > MAX_PRINTED) {
      out.accept("  and " + (lines.size() - MAX_PRINTED) + " more");
    }
  }

  private static void printSection(String title, List<String> lines, Consumer<String> out) {
    if (!lines.isEmpty()) {
      out.accept(title);
      lines.forEach(line -> out.accept("  " + line));
    }
  }
}
