package gambit.app.tool.verify;

import gambit.app.tool.client.EventTags;
import gambit.app.tool.client.GameTerms;
import gambit.app.tool.verify.GameFetcher.FetchedGame;
import gambit.app.tool.verify.MoveCheck.CheckedMoves;
import gambit.app.tool.verify.RecordCheck.RecordedEnd;
import gambit.chess.game.ChessClock;
import gambit.chess.game.Pgn;
import gambit.chess.game.PgnException;
import gambit.chess.game.PgnGame;
import gambit.chess.game.PgnReader;
import gambit.chess.game.PgnTags;
import gambit.chess.game.Result;
import gambit.chess.game.Termination;
import gambit.chess.game.TimeControl;
import gambit.chess.rules.Move;
import gambit.chess.rules.Position;
import gambit.chess.rules.Side;
import gambit.core.crypto.EventVerifier;
import gambit.core.model.Event;
import gambit.core.model.EventId;
import gambit.core.model.Nip19;
import gambit.core.model.PubKey;
import java.time.Duration;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A record of a game from the initial position, checked without any other event: its PGN is
 * replayed and compared with its tags, and its end with the last position and with the players'
 * events in its {@code proof} tags. Events that it only names are not needed. Immutable.
 */
public record RecordCheck(EventId game, TimeControl time, Result result, int plies) {
  private static final DateTimeFormatter START =
      DateTimeFormatter.ofPattern("uuuu.MM.dd HH:mm:ss", Locale.ROOT);

  /** Of proofs, only signature and author are checked: a clock of a player may be wrong. */
  private static final Duration MAX_CLOCK_SKEW = Duration.ofDays(1);

  /**
   * Checks a valid event; an {@link IllegalArgumentException} says what is wrong, without an end.
   */
  public static RecordCheck of(Event record, EventVerifier verifier) {
    PgnGame pgn = parsePgn(record);
    GameTerms game = terms(record, pgn);
    Findings findings = new Findings();
    RecordedEnd end = RecordedEnd.of(record, game, findings).orElseThrow(() -> fault(findings));
    int plies = pgn.moves().size();
    int named = ChessProtocol.valuesOf(record, ChessProtocol.PLIES).size();
    if (named != plies) {
      throw new IllegalArgumentException(
          "It names the events of " + named + " plies, and its PGN has " + plies);
    }
    long start = startedAt(pgn);
    List<Move> moves = pgn.moves().toList();
    findings.faults.addAll(new PgnCheck(pgn, game, Optional.of(start), end).differences(moves));
    FetchedGame alone =
        new FetchedGame(
            game.id(), Optional.of(record), List.of(record), Map.of(), List.of(), Optional.empty());
    AuthenticityCheck authenticity =
        new AuthenticityCheck(
            alone, game, start, MAX_CLOCK_SKEW, url -> true, url -> true, verifier, findings);
    CheckedMoves played = new CheckedMoves(moves, Optional.empty(), pgn.end(), 0, Set.of());
    new EndingCheck(authenticity, null).check(record, played, Optional.of(pgn), end);
    if (!findings.faults.isEmpty()) {
      throw fault(findings);
    }
    return new RecordCheck(game.id(), game.time(), end.result(), plies);
  }

  private static IllegalArgumentException fault(Findings findings) {
    return new IllegalArgumentException(findings.faults.get(0));
  }

  private static PgnGame parsePgn(Event record) {
    try {
      return PgnReader.read(record.content());
    } catch (PgnException e) {
      throw new IllegalArgumentException("Its content is not a game in PGN: " + e.getMessage());
    }
  }

  private static GameTerms terms(Event record, PgnGame pgn) {
    PubKey white = GameTerms.player(record, Side.WHITE);
    PubKey black = GameTerms.player(record, Side.BLACK);
    Optional<EventId> id = record.tags().root().flatMap(EventTags::id);
    Optional<TimeControl> time = TimeControl.parse(pgn.tags().getOrDefault("TimeControl", ""));
    if (white == null || black == null || white.equals(black) || id.isEmpty()) {
      throw new IllegalArgumentException("It does not name a game and its two players");
    } else if (time.isEmpty()) {
      throw new IllegalArgumentException("Its PGN has no time control");
    }
    return new GameTerms(id.get(), white, black, null, time.get(), Position.initial(), 0, 0);
  }

  private static long startedAt(PgnGame pgn) {
    Map<String, String> tags = pgn.tags();
    try {
      return LocalDateTime.parse(tags.get("UTCDate") + " " + tags.get("UTCTime"), START)
          .toEpochSecond(ZoneOffset.UTC);
    } catch (DateTimeParseException e) {
      throw new IllegalArgumentException("Its PGN does not say when the game began");
    }
  }

  /** How a game ended, as the tags of its record say. */
  record RecordedEnd(Result result, Termination termination) {
    /** Tags that a record must not repeat, because a second one could contradict the first. */
    private static final List<String> UNIQUE_TAGS =
        List.of("result", "termination", "alt", ChessProtocol.PLIES);

    /** Reads the tags of a record; adds faults if they do not say it, or contradict each other. */
    static Optional<RecordedEnd> of(Event record, GameTerms game, Findings findings) {
      for (String name : UNIQUE_TAGS) {
        if (ChessProtocol.repeats(record, name)) {
          findings.faults.add("The record has more than one tag " + name);
        }
      }
      Optional<Result> result = record.tags().first("result").flatMap(Result::of);
      Optional<Termination> termination =
          Arrays.stream(Termination.values())
              .filter(it -> record.tags().first("termination").equals(Optional.of(it.word())))
              .findFirst();
      if (result.isEmpty() || termination.isEmpty()) {
        return findings.fault("The record does not say how the game ended");
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
                  Nip19.npub(game.white()),
                  Nip19.npub(game.black()),
                  result.text(),
                  termination.word());
      record
          .tags()
          .first("alt")
          .filter(alt -> !alt.equals(expected))
          .ifPresent(alt -> findings.faults.add("The record's alt says \"" + alt + "\""));
    }
  }

  /**
   * Compares the PGN of a record with the signed events of the game, and with its start in Unix
   * seconds if they have it. The Event and Site tags have nothing to be compared with.
   */
  record PgnCheck(PgnGame pgn, GameTerms game, Optional<Long> startedAt, RecordedEnd end) {
    private static final Set<String> REQUIRED = Set.of("White", "Black", "Result");

    /**
     * The number of restarts of the relay that is plausible within one ply; each restart adds time
     * to both clocks. Increments are plausible for the plies of both sides, because moves that were
     * taken back are not in the record but have earned their increment.
     */
    private static final int MAX_RESTARTS_PER_PLY = 2;

    List<String> differences(List<Move> signed) {
      List<String> differences = new ArrayList<>();
      expectedTags()
          .forEach(
              (name, expected) -> {
                String actual = pgn.tags().getOrDefault(name, "");
                if (!isConsistent(name, actual, expected)) {
                  differences.add(
                      "The PGN says " + name + " \"" + actual + "\", not \"" + expected + '"');
                }
              });
      clockDifference().ifPresent(differences::add);
      if (!pgn.initial().fen().equals(game.initial().fen())) {
        differences.add("The PGN begins with another position: " + pgn.initial().fen());
      } else {
        moveDifference(signed).ifPresent(differences::add);
      }
      return differences;
    }

    /** The expected tags, without the initial position, which is compared separately. */
    private Map<String, String> expectedTags() {
      Map<String, String> tags =
          new LinkedHashMap<>(
              Pgn.tags(
                  new PgnTags(
                      pgn.tags().getOrDefault("Event", ""),
                      pgn.tags().getOrDefault("Site", ""),
                      new PgnTags.Player(Nip19.npub(game.white()), game.whiteLevel(), 0),
                      new PgnTags.Player(Nip19.npub(game.black()), game.blackLevel(), 0)),
                  game.initial(),
                  end.result(),
                  end.termination().pgn(),
                  game.time(),
                  startedAt.orElse(0L) * 1000));
      tags.keySet().removeAll(List.of("FEN", "SetUp"));
      if (startedAt.isEmpty()) {
        tags.keySet().removeAll(List.of("Date", "UTCDate", "UTCTime"));
      }
      return tags;
    }

    /** Players and result are required; other tags may be missing or unknown. */
    private static boolean isConsistent(String name, String actual, String expected) {
      boolean isUnknown = actual.matches("[?.:]*") && !REQUIRED.contains(name);
      return isUnknown
          || actual.equalsIgnoreCase(expected)
          || (name.equals("TimeControl")
              && TimeControl.parse(actual).equals(TimeControl.parse(expected)));
    }

    private Optional<String> clockDifference() {
      TimeControl time = game.time();
      int[] clocks = pgn.moves().clocks();
      for (int i = 0; i < clocks.length; i++) {
        long maxMillis = time.isUntimed() ? -1 : time.baseMillis() + (i + 1) * maxGainPerPly(time);
        if (clocks[i] * 100L > maxMillis) {
          return Optional.of(
              "The PGN's clock shows %d s after ply %d, which the time control %s does not give"
                  .formatted(clocks[i] / 10, i + 1, time.text()));
        }
      }
      return Optional.empty();
    }

    /** Milliseconds that a clock can gain for each ply: an increment, and restarts. */
    private static long maxGainPerPly(TimeControl time) {
      return time.incrementMillis() + MAX_RESTARTS_PER_PLY * ChessClock.RESTART_CREDIT;
    }

    private Optional<String> moveDifference(List<Move> signed) {
      List<Move> written = pgn.moves().toList();
      Position position = pgn.initial();
      for (int i = 0; !written.equals(signed) && i < Math.max(written.size(), signed.size()); i++) {
        String actual = i < written.size() ? position.san(written.get(i)) : "nothing";
        String expected = i < signed.size() ? position.san(signed.get(i)) : "nothing";
        if (!actual.equals(expected)) {
          String number = position.fullmoveNumber() + (position.turn() == Side.WHITE ? "." : "...");
          return Optional.of(
              "The PGN has " + actual + " where " + number + " " + expected + " was signed");
        }
        position = position.play(signed.get(i)).orElseThrow();
      }
      return Optional.empty();
    }
  }
}
