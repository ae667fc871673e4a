package gambit.app.tool.verify;

import gambit.app.tool.client.ChessKinds;
import gambit.app.tool.client.GameTerms;
import gambit.app.tool.verify.GameFetcher.FetchedGame;
import gambit.app.tool.verify.MoveCheck.CheckedMoves;
import gambit.chess.dialect.jester.JesterMessage;
import gambit.chess.dialect.jester.JesterMessage.Start;
import gambit.chess.game.PgnException;
import gambit.chess.game.PgnGame;
import gambit.chess.game.PgnReader;
import gambit.chess.game.Result;
import gambit.chess.game.Termination;
import gambit.chess.game.TimeControl;
import gambit.core.crypto.EventVerifier;
import gambit.core.model.Event;
import gambit.core.model.Npub;
import gambit.core.model.RelayUrls;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Checks a game as a function of the events that a relay has served. */
record Verification(
    FetchedGame fetched,
    URI url,
    Duration maxClockSkew,
    EventVerifier verifier,
    Findings findings) {
  /** Freshness is no rule of kind 30. */
  private static final Duration ANY_TIME = Duration.ofSeconds(Long.MAX_VALUE / 4);

  private static final List<String> LOOPBACK_HOSTS = List.of("localhost", "127.0.0.1", "[::1]");

  /** Checks a game of the relay that the user has reached by this URL. */
  static Findings of(FetchedGame fetched, URI url, Duration maxClockSkew, EventVerifier verifier) {
    Findings findings = new Findings();
    findings.addHeading("Game " + fetched.game());
    if (fetched.announcement().isEmpty()) {
      findings.addFault("The relay has no event with that id");
    } else {
      new Verification(fetched, url, maxClockSkew, verifier, findings)
          .checkAnnouncement(fetched.announcement().get());
    }
    return findings;
  }

  private void checkAnnouncement(Event event) {
    Optional<String> forgery = AuthenticityCheck.forgery(event, verifier);
    Optional<GameTerms> terms = announcedTerms(event);
    if (forgery.isPresent()) {
      findings.addFault("The announcement: the event " + event.id() + " " + forgery.get());
    } else if (JesterMessage.read(event).orElse(null) instanceof Start start) {
      onlyRecord().ifPresent(record -> checkStart(start, event, record));
    } else if (terms.isEmpty()) {
      findings.addFault("The event with that id does not announce a game");
    } else {
      addHeading(terms.get());
      if (LotCheck.hasLot(event)) {
        LotCheck.check(fetched, verifier, findings);
      }
      onlyRecord().ifPresent(record -> checkRecord(event, record, terms.get()));
    }
  }

  /** Checks a game of kind 30, whose players are those of its record. */
  private void checkStart(Start start, Event event, Event record) {
    Optional<GameTerms> terms = JesterCheck.terms(start, event, record, findings);
    if (terms.isPresent()) {
      addHeading(terms.get());
      if (!start.isChallenge()) {
        String second = ChessProtocol.name(start.author().opponent());
        findings.addAttested("That " + second + " was the first to take the open seat.");
      }
      checkRecord(event, record, terms.get());
    }
  }

  private void addHeading(GameTerms game) {
    findings.addHeading("White " + Npub.of(game.white()));
    findings.addHeading("Black " + Npub.of(game.black()));
    findings.addHeading("Referee " + Npub.of(fetched.referee()));
  }

  /** The terms of the game that an event has begun; empty if it does not announce a game. */
  private static Optional<GameTerms> announcedTerms(Event event) {
    boolean isAnnouncement =
        event.kind() == ChessKinds.LOBBY
            && event.content().equals("gameisfound")
            && !event.tags().has("e")
            && !ChessProtocol.isJob(event)
            && !ChessProtocol.repeats(event, "time")
            && !ChessProtocol.repeats(event, "fen");
    return isAnnouncement
        ? GameTerms.of(event, event.pubkey()).filter(terms -> terms.initial().outcome().isEmpty())
        : Optional.empty();
  }

  private Optional<Event> onlyRecord() {
    List<Event> records = fetched.records();
    if (records.size() != 1) {
      findings.addFault(
          records.isEmpty()
              ? "The relay has no record of the game: it is running, was aborted, or is hidden"
              : "The relay has more than one record of the game");
      return Optional.empty();
    }
    return Optional.of(records.get(0));
  }

  private void checkRecord(Event announcement, Event record, GameTerms game) {
    Optional<PgnGame> pgn = parsePgn(record);
    Duration skew = fetched.isJester() ? ANY_TIME : maxClockSkew;
    Timeline timeline = new Timeline(announcement.createdAt(), record.createdAt(), skew);
    AuthenticityCheck authenticity =
        new AuthenticityCheck(
            fetched,
            game,
            timeline,
            new RelayUrls(urlsOf(Optional.empty()))::contains,
            new RelayUrls(urlsOf(pgn))::contains,
            verifier,
            findings);
    if (!authenticity.isByRelay("The record", record)) {
      return;
    }
    Optional<RecordedEnd> end = RecordedEnd.of(record, game, findings);
    if (end.isEmpty()) {
      return;
    }
    JesterCheck jester =
        fetched.isJester() ? new JesterCheck(fetched, game, authenticity, findings, record) : null;
    new MoveCheck(fetched, game, authenticity, timeline, findings, jester)
        .check(record)
        .ifPresent(
            played ->
                checkEnding(
                    record,
                    game,
                    authenticity,
                    timeline,
                    jester,
                    played,
                    pgn,
                    end.get().result(),
                    end.get().termination()));
  }

  private Optional<PgnGame> parsePgn(Event record) {
    try {
      return Optional.of(PgnReader.read(record.content()));
    } catch (PgnException e) {
      findings.addFault("The record's content is not a game in PGN: " + e.getMessage());
      return Optional.empty();
    }
  }

  private void checkEnding(
      Event record,
      GameTerms game,
      AuthenticityCheck authenticity,
      Timeline timeline,
      @Nullable JesterCheck jester,
      CheckedMoves played,
      Optional<PgnGame> pgn,
      Result result,
      Termination termination) {
    int moves = played.moves().size();
    findings.addHeading(result.text() + ", " + termination.word() + ", plies: " + moves);
    findings.addProved("Each of the " + moves + " plies is signed by the side in turn, and legal.");
    TimeControl time = game.time();
    if (jester == null) {
      boolean hasLot = LotCheck.hasLot(fetched.announcement().orElseThrow());
      String colours = hasLot ? " and" : ", the colours, and";
      findings.addAttested(
          "Who was paired with whom" + colours + " the time control " + time.text() + ".");
    }
    findings.addAttested(
        "When the players' events arrived, and which of them were refused or taken back.");
    if (!time.isUntimed()) {
      findings.addAttested("The clocks.");
    }
    new EndingCheck(fetched, game, authenticity, timeline, findings, jester)
        .check(record, played, pgn, result, termination);
    if (authenticity.withoutGame() > 0) {
      findings.addAttested(
          "That "
              + authenticity.withoutGame()
              + " of the players' events were meant for this game: they do not name it.");
    }
    authenticity.addNamedRelay();
    if (authenticity.byClaimedUrl() > 0) {
      findings.addAttested(
          "That the relay is the one of the PGN's Site, for which "
              + authenticity.byClaimedUrl()
              + " of the players' events were signed.");
    }
    if (played.unnumbered() > 0) {
      findings.addAttested(
          "The order of the moves, where another one would be legal: "
              + played.unnumbered()
              + " of them do not say which ply they are.");
    }
    Optional<Long> startedAt =
        fetched.announcement().filter(it -> jester == null).map(Event::createdAt);
    pgn.map(
            text ->
                PgnCheck.differences(text, game, startedAt, played.moves(), result, termination))
        .ifPresent(differences -> differences.forEach(findings::addFault));
  }

  /**
   * The URLs of the relay: the one by which the user reached it, and the Site tag of the PGN if
   * that is a URL. All loopback names of this machine are equivalent.
   */
  private List<String> urlsOf(Optional<PgnGame> pgn) {
    List<String> urls = new ArrayList<>(withLoopbackNames(url));
    try {
      pgn.map(text -> text.tags().get("Site"))
          .ifPresent(site -> urls.addAll(withLoopbackNames(URI.create(site))));
      new RelayUrls(urls);
      return urls;
    } catch (IllegalArgumentException e) {
      return urlsOf(Optional.empty());
    }
  }

  /** A URL, and with one of the loopback names of a machine also the other two. */
  private static List<String> withLoopbackNames(URI url) {
    List<String> urls = new ArrayList<>(List.of(url.toString()));
    if (url.getHost() != null && LOOPBACK_HOSTS.contains(url.getHost())) {
      String port = url.getPort() < 0 ? "" : ":" + url.getPort();
      LOOPBACK_HOSTS.forEach(
          host -> urls.add(url.getScheme() + "://" + host + port + url.getPath()));
    }
    return urls;
  }
}
