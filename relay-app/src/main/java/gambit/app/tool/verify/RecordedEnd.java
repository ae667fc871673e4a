package gambit.app.tool.verify;

import gambit.app.tool.client.GameTerms;
import gambit.chess.game.Result;
import gambit.chess.game.Termination;
import gambit.core.model.Event;
import gambit.core.model.Npub;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** How a game ended, as the tags of its record say. */
record RecordedEnd(Result result, Termination termination) {
  /** Tags that a record must not repeat, because a second one could contradict the first. */
  private static final List<String> UNIQUE_TAGS =
      List.of("result", "termination", "alt", ChessProtocol.PLIES);

  /** Reads the tags of a record; adds faults if they do not say it, or contradict each other. */
  static Optional<RecordedEnd> of(Event record, GameTerms game, Findings findings) {
    for (String name : UNIQUE_TAGS) {
      if (ChessProtocol.repeats(record, name)) {
        findings.addFault("The record has more than one tag " + name);
      }
    }
    Optional<Result> result =
        Arrays.stream(Result.values())
            .filter(it -> record.tags().first("result").equals(Optional.of(it.text())))
            .findFirst();
    Optional<Termination> termination =
        Arrays.stream(Termination.values())
            .filter(it -> record.tags().first("termination").equals(Optional.of(it.word())))
            .findFirst();
    if (result.isEmpty() || termination.isEmpty()) {
      findings.addFault("The record does not say how the game ended");
      return Optional.empty();
    }
    RecordedEnd end = new RecordedEnd(result.get(), termination.get());
    end.checkSummary(record, game, findings);
    return Optional.of(end);
  }

  /** The alt tag (NIP-31), the summary for clients without chess, must agree with the record. */
  private void checkSummary(Event record, GameTerms game, Findings findings) {
    String expected =
        "Chess game: %s against %s, %s (%s)"
            .formatted(
                Npub.of(game.white()), Npub.of(game.black()), result.text(), termination.word());
    record
        .tags()
        .first("alt")
        .filter(alt -> !alt.equals(expected))
        .ifPresent(alt -> findings.addFault("The record's alt says \"" + alt + "\""));
  }
}
