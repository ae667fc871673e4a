package gambit.app.command.ratings;

import gambit.app.command.ratings.EventCollector.RelayEvents;
import gambit.app.command.ratings.EventCollector.RelayEvents.Difference;
import gambit.app.command.transfer.EventFile;
import gambit.app.command.transfer.EventLines;
import gambit.app.command.transfer.LineParser;
import gambit.app.common.Amounts;
import gambit.app.common.CommandFailure;
import gambit.app.common.ConsoleCommand;
import gambit.app.common.ErrorMessages;
import gambit.app.common.ProgressLine;
import gambit.app.common.SafeText;
import gambit.chess.rating.Category;
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
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.stream.Collectors;
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
            only = Optional.of(queries.referee());
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
    List<PubKey> relays = List.copyOf(collector.relays().keySet());
    if (only.isEmpty() && relays.size() > 1) {
      throw new CommandFailure(
          "There are rated records of several relays; choose one by --key: "
              + relays.stream().limit(5).map(Nip19::npub).collect(Collectors.joining(", "))
              + ".");
    } else if (only.isEmpty() && relays.isEmpty()) {
      throw new CommandFailure("There is no rated record.");
    }
    PubKey relay = only.orElseGet(() -> relays.get(0));
    RelayEvents events = collector.relays().getOrDefault(relay, new RelayEvents(relay));
    ChainCheck check = new ChainCheck(events);
    Optional<Difference> difference = check.first().or(events.lots::first);
    RatingChain chain = check.chain();
    print("Relay " + Nip19.npub(relay));
    print(
        Amounts.of(chain.length(), "rated game")
            + " of "
            + Amounts.of(events.records.players(), "player")
            + (difference.isPresent() ? " before the first difference" : "")
            + (chain.length() == 0 ? "" : ", the last at " + Instant.ofEpochSecond(chain.time())));
    print("Last record " + chain.last());
    print("Hash of all ratings " + HexFormat.of().formatHex(chain.ratings()));
    print(
        check
            .lastHead()
            .map(head -> "Last head: of record " + head.seq() + ", " + head.id())
            .orElse("No head"));
    print("Colours drawn by lot: " + Amounts.of(events.lots.games(), "game"));
    print(
        difference
            .map(it -> SafeText.of("Difference: " + it.sentence() + ".", MAX_LINE_CHARS))
            .orElse("Everything holds."));
    return difference.isPresent() ? 1 : 0;
  }
}
