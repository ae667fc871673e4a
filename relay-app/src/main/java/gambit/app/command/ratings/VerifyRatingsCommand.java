package gambit.app.command.ratings;

import gambit.app.command.ratings.EventCollector.RelayEvents;
import gambit.app.command.ratings.EventCollector.RelayEvents.Difference;
import gambit.app.command.ratings.EventCollector.RelayEvents.Head;
import gambit.app.command.ratings.EventCollector.RelayEvents.Rated;
import gambit.app.command.ratings.RatingsCommand.RatingQueries;
import gambit.app.command.transfer.EventFile;
import gambit.app.command.transfer.EventLines;
import gambit.app.command.transfer.EventLines.LineParser;
import gambit.app.common.Amounts;
import gambit.app.common.CommandFailure;
import gambit.app.common.ConsoleCommand;
import gambit.app.common.ErrorMessages;
import gambit.app.common.ProgressLine;
import gambit.app.common.SafeText;
import gambit.chess.rating.Category;
import gambit.chess.rating.RatedRecord;
import gambit.chess.rating.RatedRecord.Change;
import gambit.chess.rating.Rating;
import gambit.chess.rating.RatingChain;
import gambit.core.crypto.EventVerifier;
import gambit.core.model.Event;
import gambit.core.model.Nip19;
import gambit.core.model.PubKey;
import gambit.core.model.RelayUrls;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.time.Instant;
import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code gambit ratings verify}: computes all ratings of a relay again from its signed records. */
@Command(
    name = "verify",
    description = {
      "Verifies all rated games of a relay: signatures, the chain of records, its heads, the games"
          + " as far as the records prove them, colours by lot, and every rating.",
      "Events are those that the relay serves, those of files, or all of them together: a head that"
          + " was kept must lie on the chain."
    },
    exitCodeOnExecutionException = 2,
    exitCodeList = {
      "0:everything holds",
      "1:something does not; the first difference is printed",
      "2:wrong usage, the relay does not answer, or a file cannot be read"
    },
    footer = {
      "  gambit ratings verify wss://relay.example.com",
      "  gambit ratings verify wss://relay.example.com heads-of-last-year.jsonl",
      "  gambit export --filter '{\"kinds\":[64,5000,30064,30065]}' | gambit ratings verify -"
    })
public final class VerifyRatingsCommand extends ConsoleCommand {
  private static final int MAX_LINE_CHARS = 400;
  private static final int MAX_EVENT_BYTES = 4 << 20;
  private static final int LINES_AT_ONCE = 64;

  @Parameters(
      index = "0",
      arity = "1..*",
      paramLabel = "URL|FILE",
      description =
          "A relay; or a file of events as 'gambit export' writes it, decompressed if the name ends"
              + " with .gz or .zst, - for standard input.")
  private List<String> sources = List.of();

  @Option(
      names = "--key",
      paramLabel = "KEY",
      description =
          "The relay's npub, or 64 hex digits (default: the key of the relay at the URL, or the"
              + " only one that has signed rated records in the files).")
  private @Nullable String key;

  @Option(
      names = "--lots",
      description = "Also fetches all games of the relay at the URL, and verifies their colours.")
  private boolean isWithLots;

  @Override
  protected int run() throws CommandFailure {
    Optional<PubKey> only = Optional.ofNullable(key).map(this::parseKey);
    try {
      for (String source : sources) {
        if (only.isEmpty() && isUrl(source)) {
          try (RatingQueries queries = new RatingQueries(url(source))) {
            only = Optional.of(queries.referee);
          }
        }
      }
      EventCollector collector = new EventCollector(only, new EventVerifier());
      for (String source : sources) {
        if (isUrl(source)) {
          fetch(url(source), only.orElseThrow(), collector);
        } else {
          read(source, collector);
        }
      }
      return report(only, collector);
    } catch (IOException e) {
      return failed(2, "Cannot read the events: " + ErrorMessages.of(e) + ".");
    }
  }

  private PubKey parseKey(String text) {
    return Nip19.keyOrHex(text)
        .orElseThrow(() -> wrong("--key " + text + ": expected an npub, or 64 hex digits."));
  }

  private static boolean isUrl(String source) {
    return source.startsWith("ws://") || source.startsWith("wss://");
  }

  private URI url(String source) {
    try {
      return URI.create(new RelayUrls(List.of(source)).primary());
    } catch (IllegalArgumentException e) {
      throw wrong("URL " + source + ": expected a ws:// or wss:// URL, or the name of a file.");
    }
  }

  /** Fetches heads before records, so that no head is of a record that was added meanwhile. */
  private void fetch(URI url, PubKey referee, EventCollector collector) throws CommandFailure {
    String author = "],\"authors\":[\"" + referee + "\"]";
    String topics =
        Arrays.stream(Category.values())
            .map(Category::topic)
            .collect(Collectors.joining("\",\"", ",\"#t\":[\"", "\"]"));
    try (RatingQueries queries = new RatingQueries(url);
        ProgressLine progress = new ProgressLine(spec(), ProgressLine.Unit.EVENTS)) {
      AtomicLong events = new AtomicLong();
      Consumer<List<Event>> pages =
          page -> {
            collector.take(page.stream());
            progress.update(events.addAndGet(page.size()), 0);
          };
      queries.pages("{\"kinds\":[30064,30065" + author, pages);
      if (isWithLots) {
        queries.pages("{\"kinds\":[5000" + author, pages);
      }
      queries.pages("{\"kinds\":[64" + author + topics, pages);
    }
  }

  private void read(String name, EventCollector collector) throws IOException {
    EventFile file = new EventFile(name);
    AtomicLong read = new AtomicLong();
    LineParser parser = new LineParser(Integer.MAX_VALUE);
    try (InputStream in = file.open(read);
        ProgressLine progress = new ProgressLine(spec(), ProgressLine.Unit.BYTES)) {
      long bytes = file.bytes();
      EventLines lines = new EventLines(in, MAX_EVENT_BYTES);
      List<EventLines.Line> next = lines.next(LINES_AT_ONCE);
      while (!next.isEmpty()) {
        collector.take(next.stream().flatMap(line -> parser.event(line.bytes()).stream()));
        progress.update(read.get(), bytes);
        next = lines.next(LINES_AT_ONCE);
      }
    }
  }

  private int report(Optional<PubKey> only, EventCollector collector) throws CommandFailure {
    List<PubKey> relays = List.copyOf(collector.relays.keySet());
    if (only.isEmpty() && relays.size() > 1) {
      throw new CommandFailure(
          "There are rated records of several relays; choose one by --key: "
              + relays.stream().limit(5).map(Nip19::npub).collect(Collectors.joining(", "))
              + ".");
    } else if (only.isEmpty() && relays.isEmpty()) {
      throw new CommandFailure("There is no rated record.");
    }
    PubKey relay = only.orElseGet(() -> relays.get(0));
    RelayEvents events = collector.relays.getOrDefault(relay, new RelayEvents());
    ChainCheck check = new ChainCheck(events);
    Optional<Difference> difference = check.first().or(events.lots::first);
    RatingChain chain = check.chain;
    print("Relay " + Nip19.npub(relay));
    print(
        Amounts.of(chain.length(), "rated game")
            + " of "
            + Amounts.of(events.players.size(), "player")
            + (difference.isPresent() ? " before the first difference" : "")
            + (chain.length() == 0 ? "" : ", the last at " + Instant.ofEpochSecond(chain.time())));
    print("Last record " + chain.last());
    print("Hash of all ratings " + HexFormat.of().formatHex(chain.ratings()));
    print(
        check
            .lastHead
            .map(head -> "Last head: of record " + head.seq() + ", " + head.id())
            .orElse("No head"));
    print("Colours drawn by lot: " + Amounts.of(events.lots.games(), "game"));
    print(
        difference
            .map(it -> SafeText.of("Difference: " + it.sentence() + ".", MAX_LINE_CHARS))
            .orElse("Everything holds."));
    return difference.isPresent() ? 1 : 0;
  }

  /** Follows a relay's chain of rated records, and computes all ratings again. One thread. */
  static final class ChainCheck {
    private static final int RECORDS_OF_A_HEAD = 100;
    private static final long SECONDS_OF_A_HEAD = 86_400;

    /** The head's age is measured in whole seconds, at the commit. */
    private static final long TOLERANCE_SECONDS = 60;

    private final RelayEvents events;
    private final List<Rated> records;
    private final Set<Long> games = new HashSet<>();
    private final Map<PubKey, Map<Category, Rating>> ratings = new HashMap<>();

    /** The games of two players on the current day. */
    private final Map<Set<PubKey>, Integer> gamesOfPairs = new HashMap<>();

    private long day;
    private RatingChain chain = RatingChain.START;
    private Optional<Head> lastHead = Optional.empty();

    /** The chain time up to which the last head covers everything. */
    private long headTime;

    ChainCheck(RelayEvents events) {
      this.events = events;
      records = events.records;
      records.sort(Comparator.comparingLong(each -> each.record().seq()));
    }

    Optional<Difference> first() {
      int at = 0;
      while (true) {
        long seq = chain.length() + 1;
        Optional<Difference> found = events.first.filter(it -> it.seq() <= seq);
        if (found.isPresent()) {
          return found;
        }
        RatedRecord record = record(at);
        if (record == null || record.seq() > seq) {
          return missing(seq, record).or(() -> events.first);
        }
        long game = records.get(at).game();
        RatedRecord next = record(++at);
        while (next != null && next.id().equals(record.id())) {
          next = record(++at);
        }
        found =
            next != null && next.seq() == seq
                ? Optional.of(
                    Difference.in(
                        record, "the relay has signed another record with this seq, " + next.id()))
                : step(record, game);
        if (found.isPresent()) {
          return found;
        }
      }
    }

    private @Nullable RatedRecord record(int at) {
      return at < records.size() ? records.get(at).record() : null;
    }

    /** A gap, if there is a later record or head. */
    private Optional<Difference> missing(long seq, @Nullable RatedRecord later) {
      Long head = events.heads.ceilingKey(seq);
      return Optional.ofNullable(later)
          .map(next -> "the next one is " + next.seq() + ", " + next.id())
          .or(() -> Optional.ofNullable(head).map(it -> "there is a head of record " + it))
          .map(next -> new Difference(seq, "Record " + seq + " is missing: " + next));
    }

    private Optional<Difference> step(RatedRecord record, long game) {
      if (!record.prev().equals(chain.last())) {
        return Optional.of(Difference.in(record, "prev", chain.last(), record.prev()));
      }
      if (!games.add(game)) {
        long earlier =
            records.stream()
                .filter(it -> it.game() == game)
                .findFirst()
                .orElseThrow()
                .record()
                .seq();
        return Optional.of(Difference.in(record, "its game counts already, in record " + earlier));
      } else if (events.takebacks.contains(game)) {
        return Optional.of(Difference.in(record, "a move was taken back in its game"));
      }
      if (gamesToday(record) > RatingChain.MAX_GAMES_OF_A_PAIR) {
        return Optional.of(
            Difference.in(
                record,
                "the rated games of its two players on one day",
                "at most " + RatingChain.MAX_GAMES_OF_A_PAIR,
                RatingChain.MAX_GAMES_OF_A_PAIR + 1));
      }
      Category category = record.category();
      Map<Category, Rating> whites = ratings(record.white());
      Map<Category, Rating> blacks = ratings(record.black());
      RatingChain.Link link =
          chain.next(
              category,
              record.white(),
              record.black(),
              new RatingChain.Pair(
                  whites.getOrDefault(category, Rating.INITIAL),
                  blacks.getOrDefault(category, Rating.INITIAL)),
              record.result(),
              record.createdAt());
      Optional<Difference> found =
          difference(record, "White", link.before().white(), link.after().white(), record.whites());
      if (found.isEmpty()) {
        found =
            difference(
                record, "Black", link.before().black(), link.after().black(), record.blacks());
      }
      if (found.isEmpty()) {
        whites.put(category, link.after().white());
        blacks.put(category, link.after().black());
        chain = link.with(record.id());
        found = headDifference(record);
      }
      return found;
    }

    private Map<Category, Rating> ratings(PubKey player) {
      return ratings.computeIfAbsent(player, added -> new EnumMap<>(Category.class));
    }

    private record Fact(String what, int expected, int found, int digits) {}

    private int gamesToday(RatedRecord record) {
      long today = chain.dayOf(record.createdAt());
      if (today != day) {
        day = today;
        gamesOfPairs.clear();
      }
      return gamesOfPairs.merge(Set.of(record.white(), record.black()), 1, Integer::sum);
    }

    private static Optional<Difference> difference(
        RatedRecord record, String side, Rating before, Rating after, Change found) {
      return Stream.of(
              new Fact("rating before the game", before.rating(), found.before(), 2),
              new Fact("rating after the game", after.rating(), found.after(), 2),
              new Fact("deviation after the game", after.deviation(), found.deviation(), 2),
              new Fact("volatility after the game", after.volatility(), found.volatility(), 6))
          .filter(fact -> fact.expected != fact.found)
          .findFirst()
          .map(
              fact ->
                  Difference.in(
                      record,
                      side + "'s " + fact.what,
                      RatedRecord.decimal(fact.expected, fact.digits),
                      RatedRecord.decimal(fact.found, fact.digits)));
    }

    /** Compares the heads of the record that was added last with the chain. */
    private Optional<Difference> headDifference(RatedRecord record) {
      List<Head> heads = events.heads.getOrDefault(record.seq(), List.of());
      if (heads.size() > 1) {
        return Optional.of(
            Difference.in(
                record,
                "the relay has signed two heads of it, "
                    + heads.get(0).id()
                    + " and "
                    + heads.get(1).id()));
      } else if (heads.isEmpty()) {
        boolean isDue =
            record.seq() == 1
                || record.seq() % RECORDS_OF_A_HEAD == 0
                || chain.time() - headTime >= SECONDS_OF_A_HEAD + TOLERANCE_SECONDS;
        return isDue
            ? Optional.of(
                Difference.in(
                    record,
                    "it has no head, and the last one is of "
                        + lastHead
                            .map(
                                it ->
                                    "record "
                                        + it.seq()
                                        + " and "
                                        + Instant.ofEpochSecond(headTime))
                            .orElse("no record")))
            : Optional.empty();
      }
      Head head = heads.get(0);
      String what = "its head " + head.id() + " has the ";
      if (!head.record().equals(record.id())) {
        return Optional.of(Difference.in(record, what + "id", record.id(), head.record()));
      }
      String hash = HexFormat.of().formatHex(chain.ratings());
      if (!head.ratings().equals(hash)) {
        return Optional.of(Difference.in(record, what + "ratings", hash, head.ratings()));
      }
      lastHead = Optional.of(head);
      headTime = Math.max(chain.time(), head.createdAt());
      return Optional.empty();
    }
  }
}
