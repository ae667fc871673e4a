package gambit.app.command.ratings;

import gambit.app.common.CommandFailure;
import gambit.app.common.ConsoleCommand;
import gambit.app.tool.client.RelayFailure;
import gambit.app.tool.client.RelayInfo;
import gambit.app.tool.client.RelayLimits;
import gambit.app.tool.client.RelayOption;
import gambit.app.tool.client.RelayPlace;
import gambit.app.tool.client.RelaySession;
import gambit.chess.rating.Category;
import gambit.chess.rating.Glicko2;
import gambit.chess.rating.RatedRecord;
import gambit.chess.rating.Rating;
import gambit.core.crypto.EventVerifier;
import gambit.core.model.Event;
import gambit.core.model.EventId;
import gambit.core.model.Hex;
import gambit.core.model.Nip19;
import gambit.core.model.PubKey;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code gambit ratings}: the leaderboards of a relay. */
@Command(
    name = "ratings",
    description = {
      "Prints the best players of a relay, of one category or all: rating, deviation and games.",
      "Only players whose deviation is at most 75 are listed."
    },
    subcommands = {RatingsCommand.OfPlayer.class, VerifyRatingsCommand.class},
    exitCodeOnExecutionException = 2,
    exitCodeList = {"0:printed", "2:wrong usage, or the relay does not answer"},
    footer = {
      "  gambit ratings blitz --relay wss://relay.example.com",
      "  gambit ratings player npub1... --relay wss://relay.example.com",
      "  gambit ratings verify wss://relay.example.com"
    })
public final class RatingsCommand extends ConsoleCommand {
  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "CATEGORY",
      defaultValue = "",
      description = "bullet, blitz, rapid, classical or correspondence (default: all).")
  private String category = "";

  @Mixin private RelayOption relay = new RelayOption();

  @Override
  protected int run() throws CommandFailure {
    List<Category> categories =
        category.isEmpty()
            ? List.of(Category.values())
            : List.of(
                Category.ofWord(category)
                    .orElseThrow(
                        () ->
                            wrong(
                                "CATEGORY "
                                    + category
                                    + ": expected bullet, blitz, rapid, classical or"
                                    + " correspondence.")));
    try (RatingQueries queries = new RatingQueries(relay.url())) {
      for (Category each : categories) {
        print(leaderboard(queries, each).toArray(String[]::new));
      }
      return 0;
    }
  }

  private static List<String> leaderboard(RatingQueries queries, Category category)
      throws CommandFailure {
    List<String> lines = new ArrayList<>(List.of(category.word()));
    String filter = "{\"kinds\":[20307],\"authors\":[\"%s\"],\"#d\":[\"%s\"]}";
    queries.ofRelay(filter.formatted(queries.referee, category.word())).stream()
        .limit(1)
        .flatMap(board -> board.tags().named("rating"))
        .filter(tag -> tag.size() == 5 && Hex.isLowerCase(tag.get(1), 64))
        .filter(tag -> tag.stream().skip(2).allMatch(it -> it.matches("-?[0-9]{1,9}")))
        .forEach(
            tag ->
                lines.add(
                    String.format(
                        Locale.ROOT,
                        "%4d. %5s ± %-3s %7s  %s",
                        lines.size(),
                        tag.get(2),
                        tag.get(3),
                        tag.get(4),
                        Nip19.npub(PubKey.ofHex(tag.get(1))))));
    if (lines.size() == 1) {
      lines.add("      nobody yet");
    }
    return lines;
  }

  /** {@code gambit ratings player}: the ratings of a player, from the records of the last games. */
  @Command(
      name = "player",
      description = {
        "Prints the ratings of a player in all categories, with the rated games and the last one.",
        "A rating with a ? is provisional: its deviation is above 110."
      },
      exitCodeOnExecutionException = 2,
      exitCodeList = {"0:printed", "2:wrong usage, or the relay does not answer"},
      footer = "  gambit ratings player npub1... --relay wss://relay.example.com")
  static final class OfPlayer extends ConsoleCommand {
    @Parameters(
        index = "0",
        paramLabel = "KEY",
        description = "The player's npub, or 64 hex digits.")
    private String key = "";

    @Mixin private RelayOption relay = new RelayOption();

    @Override
    protected int run() throws CommandFailure {
      PubKey player =
          Nip19.keyOrHex(key)
              .orElseThrow(() -> wrong("KEY " + key + ": expected an npub, or 64 hex digits."));
      try (RatingQueries queries = new RatingQueries(relay.url())) {
        print(Nip19.npub(player));
        for (Category category : Category.values()) {
          print(line(queries, player, category));
        }
        return 0;
      }
    }

    private static String line(RatingQueries queries, PubKey player, Category category)
        throws CommandFailure {
      String filter =
          "{\"kinds\":[64],\"authors\":[\"%s\"],\"#p\":[\"%s\"],\"#t\":[\"%s\"]"
              .formatted(queries.referee, player, category.topic());
      List<Event> last = queries.ofRelay(filter + ",\"limit\":1}");
      if (last.isEmpty()) {
        return "%-14s  no rated game".formatted(category.word());
      }
      RatedRecord record;
      try {
        record = RatedRecord.of(last.get(0));
      } catch (IllegalArgumentException e) {
        throw new CommandFailure("The relay sent a malformed record: " + e.getMessage() + ".");
      }
      RatedRecord.Change change = player.equals(record.white()) ? record.whites() : record.blacks();
      Rating rating =
          new Rating(
              change.after(), change.deviation(), change.volatility(), 1, record.createdAt());
      int deviation = Glicko2.deviationAt(rating, Instant.now().getEpochSecond());
      return String.format(
          Locale.ROOT,
          "%-14s %5d%s ± %-3d %,7d games, the last on %s, record %s",
          category.word(),
          Math.round(change.after() / 100.0),
          deviation > Rating.MAX_ESTABLISHED_DEVIATION ? "?" : " ",
          Math.round(deviation / 100.0),
          queries.count(filter + "}"),
          Instant.ofEpochSecond(record.createdAt()),
          record.id());
    }
  }

  /** Queries of one relay about ratings; each answer has a time limit. One thread. */
  static final class RatingQueries implements AutoCloseable {
    private static final int MAX_UNREQUESTED = 100;
    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    private final RelaySession session;
    final PubKey referee;
    private final int eventsOfAPage;

    RatingQueries(URI url) throws RelayFailure {
      RelayPlace place = RelayPlace.of(url);
      try {
        referee = RelayInfo.fetch(place, TIMEOUT).join().referee();
      } catch (CompletionException e) {
        throw e.getCause() instanceof RelayFailure failure ? failure : new RelayFailure("" + e);
      }
      eventsOfAPage = RelayLimits.fetch(place, TIMEOUT).join().events();
      session = RelaySession.connect(place, TIMEOUT);
    }

    /** The valid events of the relay that it serves for filters, the newest first. */
    List<Event> ofRelay(String filters) throws RelayFailure {
      EventVerifier verifier = new EventVerifier();
      return query(filters, eventsOfAPage).stream()
          .filter(event -> event.pubkey().equals(referee))
          .filter(event -> verifier.hasValidId(event) && verifier.hasValidSignature(event))
          .toList();
    }

    /** All stored events of a filter, which is JSON without its last brace, the newest first. */
    void pages(String filter, Consumer<List<Event>> pages) throws RelayFailure {
      String until = "";
      Set<EventId> known = new HashSet<>();
      while (true) {
        List<Event> page =
            query(filter + until + ",\"limit\":" + eventsOfAPage + "}", eventsOfAPage);
        List<Event> fresh = page.stream().filter(event -> !known.contains(event.id())).toList();
        if (fresh.isEmpty() && page.size() >= eventsOfAPage) {
          throw new RelayFailure("The relay has too many events of one second.");
        } else if (fresh.isEmpty()) {
          return;
        }
        pages.accept(fresh);
        long oldest = page.stream().mapToLong(Event::createdAt).min().orElseThrow();
        known.clear();
        page.stream().filter(it -> it.createdAt() == oldest).map(Event::id).forEach(known::add);
        until = ",\"until\":" + oldest;
      }
    }

    /** The number of the relay's stored events of a filter (NIP-45). */
    long count(String filter) throws RelayFailure {
      AtomicLong count = new AtomicLong(-1);
      String id =
          session.register(
              message -> {
                if (message.verb().equals("CLOSED")) {
                  throw RelaySession.refusal(message);
                }
                count.set(message.array().path(2).path("count").asLong());
              });
      session.send("[\"COUNT\",\"" + id + "\"," + filter + "]");
      long before = session.messages();
      while (count.get() < 0) {
        step(session.messages() - before);
      }
      session.unregister(id);
      return count.get();
    }

    private List<Event> query(String filters, int most) throws RelayFailure {
      List<Event> events = new ArrayList<>();
      long before = session.messages();
      session.query(
          filters,
          message -> message.event().filter(event -> events.size() < most).ifPresent(events::add),
          () -> step(session.messages() - before - events.size()));
      return events;
    }

    private boolean step(long unrequested) throws RelayFailure {
      if (unrequested > MAX_UNREQUESTED) {
        throw new RelayFailure("The relay sends more than was requested.");
      } else if (!session.step(TIMEOUT)) {
        throw new RelayFailure("The relay has not answered for " + TIMEOUT.toSeconds() + " s.");
      }
      return true;
    }

    @Override
    public void close() {
      session.close();
    }
  }
}
