package gambit.app.tool.verify;

import gambit.app.common.ConsoleCommand;
import gambit.app.common.SafeText;
import gambit.app.tool.client.ChessKinds;
import gambit.app.tool.client.GameTerms;
import gambit.app.tool.client.RelayFailure;
import gambit.app.tool.client.RelayOption;
import gambit.app.tool.verify.GameFetcher.FetchedGame;
import gambit.app.tool.verify.MoveCheck.CheckedMoves;
import gambit.app.tool.verify.RecordCheck.PgnCheck;
import gambit.app.tool.verify.RecordCheck.RecordedEnd;
import gambit.chess.dialect.JesterMessage;
import gambit.chess.dialect.JesterMessage.Start;
import gambit.chess.game.PgnException;
import gambit.chess.game.PgnGame;
import gambit.chess.game.PgnReader;
import gambit.chess.game.TimeControl;
import gambit.chess.rating.Lot;
import gambit.chess.rating.LotChain;
import gambit.core.crypto.EventVerifier;
import gambit.core.model.Event;
import gambit.core.model.EventId;
import gambit.core.model.Hex;
import gambit.core.model.Nip19;
import gambit.core.model.RelayUrls;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code gambit verify}: referees a finished game again from the events that a relay serves. */
@Command(
    name = "verify",
    description = "Checks the signatures of a finished game, and referees it again.",
    exitCodeOnExecutionException = 2,
    exitCodeList = {
      "0:everything holds",
      "1:something is wrong with the game",
      "2:wrong usage, or the relay does not answer",
      "3:nothing is wrong, but events that prove the game are missing"
    },
    footer = "  gambit verify --relay wss://relay.example.com 0123...cdef")
public final class VerifyCommand extends ConsoleCommand {
  /** The longest printed line; it may contain text of the relay. */
  private static final int MAX_LINE_CHARS = 400;

  @Parameters(index = "0", paramLabel = "GAME-ID", description = "The game's id, in hex.")
  private String game = "";

  @Mixin private RelayOption relay = new RelayOption();

  @Option(
      names = "--timeout",
      paramLabel = "SECONDS",
      defaultValue = "30",
      description = "Time limit for all answers of the relay (default: ${DEFAULT-VALUE}).")
  private int timeout;

  @Option(
      names = "--max-clock-skew",
      paramLabel = "SECONDS",
      defaultValue = "60",
      description =
          "The referee's chess.max_clock_skew: the limit on the distance of an event's created_at"
              + " from its arrival (default: ${DEFAULT-VALUE}).")
  private int maxClockSkew;

  @Override
  protected int run() {
    EventId id = gameId();
    URI url = relay.url();
    requireValidOptions();
    try (GameFetcher fetch = new GameFetcher(url, Duration.ofSeconds(timeout))) {
      FetchedGame fetched = fetch.fetch(id);
      Findings findings =
          Verification.of(fetched, url, Duration.ofSeconds(maxClockSkew), new EventVerifier());
      findings.printTo(line -> print(SafeText.of(line, MAX_LINE_CHARS)));
      return findings.status();
    } catch (RelayFailure e) {
      return failed(2, SafeText.of(e.sentence(), MAX_LINE_CHARS));
    }
  }

  private EventId gameId() {
    String hex = game.toLowerCase(Locale.ROOT);
    if (!Hex.isLowerCase(hex, 64)) {
      throw wrong("GAME-ID " + game + ": expected 64 hex digits.");
    }
    return EventId.ofHex(hex);
  }

  private void requireValidOptions() {
    if (timeout < 1 || timeout > 3600) {
      throw wrong("--timeout " + timeout + ": expected 1 to 3600 seconds.");
    }
    if (maxClockSkew < 1) {
      throw wrong("--max-clock-skew " + maxClockSkew + ": expected at least 1 second.");
    }
  }

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

    static Findings of(
        FetchedGame fetched, URI url, Duration maxClockSkew, EventVerifier verifier) {
      Findings findings = new Findings();
      findings.heading.add("Game " + fetched.game());
      if (fetched.announcement().isEmpty()) {
        findings.faults.add("The relay has no event with that id");
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
        findings.fault("The announcement", event, forgery.get());
      } else if (JesterMessage.read(event).orElse(null) instanceof Start start) {
        onlyRecord().ifPresent(record -> checkStart(start, event, record));
      } else if (terms.isEmpty()) {
        findings.faults.add("The event with that id does not announce a game");
      } else {
        addHeading(terms.get());
        if (event.tags().has(Lot.TAG)) {
          checkLot(event);
        }
        onlyRecord().ifPresent(record -> checkRecord(event, record, terms.get()));
      }
    }

    private void checkStart(Start start, Event event, Event record) {
      Optional<GameTerms> terms = JesterCheck.terms(start, event, record, findings);
      if (terms.isPresent()) {
        addHeading(terms.get());
        if (!start.isChallenge()) {
          String second = ChessProtocol.name(start.author().opponent());
          findings.attested.add("That " + second + " was the first to take the open seat.");
        }
        checkRecord(event, record, terms.get());
      }
    }

    private void addHeading(GameTerms game) {
      findings.heading.add("White " + Nip19.npub(game.white()));
      findings.heading.add("Black " + Nip19.npub(game.black()));
      findings.heading.add("Referee " + Nip19.npub(fetched.referee()));
    }

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

    /** Checks that the colours follow from the game's lot, and that from a published chain. */
    private void checkLot(Event announcement) {
      List<List<String>> tags = announcement.tags().named(Lot.TAG).toList();
      Optional<Lot> read = tags.size() == 1 ? Lot.parse(tags.get(0)) : Optional.empty();
      if (read.isEmpty() || read.get().position() > LotChain.LENGTH) {
        findings.faults.add("The lot of the announcement is malformed");
        return;
      }
      Lot lot = read.get();
      String name = "Chain " + lot.chain() + " of lots";
      if (!lot.isFollowed()) {
        findings.faults.add("The colours are not those of the lot");
      }
      if (fetched.lots().isEmpty()) {
        findings.missing.add(name + " is missing: nothing proves the colours");
        return;
      }
      Event chain = fetched.lots().get();
      flaw(lot, chain, announcement)
          .ifPresentOrElse(
              flaw -> findings.fault(name, chain, flaw),
              () ->
                  findings.attested.add(
                      "That it has published chain %d of lots before it knew the players; the colours are those of its lot %d."
                          .formatted(lot.chain(), lot.position())));
    }

    private Optional<String> flaw(Lot lot, Event chain, Event announcement) {
      Optional<String> forgery = AuthenticityCheck.forgery(chain, verifier);
      String end = chain.tags().first(Lot.TAG).filter(it -> Hex.isLowerCase(it, 64)).orElse("");
      if (forgery.isPresent()) {
        return forgery;
      } else if (chain.kind() != ChessKinds.LOTS
          || !chain.pubkey().equals(announcement.pubkey())
          || !chain.tags().first("d").equals(Optional.of("" + lot.chain()))) {
        return Optional.of("is another one");
      } else if (chain.createdAt() > announcement.createdAt()) {
        return Optional.of("is younger than the game");
      }
      return lot.isOfChain(end)
          ? Optional.empty()
          : Optional.of("does not have the lot at position " + lot.position());
    }

    private Optional<Event> onlyRecord() {
      List<Event> records = fetched.records();
      if (records.size() != 1) {
        return findings.fault(
            records.isEmpty()
                ? "The relay has no record of the game: it is running, was aborted, or is hidden"
                : "The relay has more than one record of the game");
      }
      return Optional.of(records.get(0));
    }

    private void checkRecord(Event announcement, Event record, GameTerms game) {
      Optional<PgnGame> pgn = parsePgn(record);
      Duration skew = fetched.isJester() ? ANY_TIME : maxClockSkew;
      AuthenticityCheck authenticity =
          new AuthenticityCheck(
              fetched,
              game,
              announcement.createdAt(),
              skew,
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
      JesterCheck jester = fetched.isJester() ? new JesterCheck(authenticity, record) : null;
      new MoveCheck(authenticity, jester)
          .check(record)
          .ifPresent(played -> checkEnding(record, authenticity, jester, played, pgn, end.get()));
    }

    private Optional<PgnGame> parsePgn(Event record) {
      try {
        return Optional.of(PgnReader.read(record.content()));
      } catch (PgnException e) {
        return findings.fault("The record's content is not a game in PGN: " + e.getMessage());
      }
    }

    private void checkEnding(
        Event record,
        AuthenticityCheck authenticity,
        @Nullable JesterCheck jester,
        CheckedMoves played,
        Optional<PgnGame> pgn,
        RecordedEnd end) {
      int moves = played.moves().size();
      findings.heading.add(
          end.result().text() + ", " + end.termination().word() + ", plies: " + moves);
      findings.proved.add(
          "Each of the " + moves + " plies is signed by the side in turn, and legal.");
      TimeControl time = authenticity.game.time();
      if (jester == null) {
        boolean hasLot = fetched.announcement().orElseThrow().tags().has(Lot.TAG);
        String colours = hasLot ? " and" : ", the colours, and";
        findings.attested.add(
            "Who was paired with whom" + colours + " the time control " + time.text() + ".");
      }
      findings.attested.add(
          "When the players' events arrived, and which of them were refused or taken back.");
      if (!time.isUntimed()) {
        findings.attested.add("The clocks.");
      }
      new EndingCheck(authenticity, jester).check(record, played, pgn, end);
      if (authenticity.withoutGame > 0) {
        findings.attested.add(
            "That "
                + authenticity.withoutGame
                + " of the players' events were meant for this game: they do not name it.");
      }
      authenticity.addNamedRelay();
      if (authenticity.byClaimedUrl > 0) {
        findings.attested.add(
            "That the relay is the one of the PGN's Site, for which "
                + authenticity.byClaimedUrl
                + " of the players' events were signed.");
      }
      if (played.unnumbered() > 0) {
        findings.attested.add(
            "The order of the moves, where another one would be legal: "
                + played.unnumbered()
                + " of them do not say which ply they are.");
      }
      Optional<Long> startedAt =
          fetched.announcement().filter(it -> jester == null).map(Event::createdAt);
      pgn.map(
              text ->
                  new PgnCheck(text, authenticity.game, startedAt, end).differences(played.moves()))
          .ifPresent(findings.faults::addAll);
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
}
