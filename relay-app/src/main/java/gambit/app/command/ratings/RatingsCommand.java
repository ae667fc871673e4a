package gambit.app.command.ratings;

import gambit.app.common.CommandFailure;
import gambit.app.common.ConsoleCommand;
import gambit.app.tool.client.RelayPlace;
import gambit.chess.rating.Category;
import gambit.core.model.Event;
import gambit.core.model.Hex;
import gambit.core.model.Npub;
import gambit.core.model.PubKey;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code gambit ratings}: the leaderboards of a relay. */
@Command(
    name = "ratings",
    description = {
      "Prints the best players of a relay, of one category or all: rating, deviation and games.",
      "Only players whose deviation is at most 75 are listed."
    },
    subcommands = {PlayerRatingsCommand.class, VerifyRatingsCommand.class},
    exitCodeOnExecutionException = 2,
    exitCodeList = {"0:printed", "2:wrong usage, or the relay does not answer"},
    footerHeading = "%nExamples:%n",
    footer = {
      "  gambit ratings blitz --relay wss://relay.example.com",
      "  gambit ratings player npub1... --relay wss://relay.example.com",
      "  gambit ratings verify wss://relay.example.com"
    })
public final class RatingsCommand extends ConsoleCommand {
  static final String DEFAULT_RELAY = "ws://localhost:7447";

  /** A relay answers within this time. */
  static final Duration TIMEOUT = Duration.ofSeconds(30);

  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "CATEGORY",
      defaultValue = "",
      description = "bullet, blitz, rapid, classical or correspondence (default: all).")
  private String category = "";

  @Option(
      names = "--relay",
      paramLabel = "URL",
      defaultValue = DEFAULT_RELAY,
      description = "The relay (default: ${DEFAULT-VALUE}).")
  private URI relay = URI.create("");

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
    if (!RelayPlace.isRelayUrl(relay)) {
      throw wrong("--relay " + relay + ": expected a ws:// or wss:// URL.");
    }
    try (RatingQueries queries = new RatingQueries(relay, TIMEOUT)) {
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
    List<Event> boards = queries.ofRelay(filter.formatted(queries.referee(), category.word()));
    if (!boards.isEmpty()) {
      boards
          .get(0)
          .tags()
          .named("rating")
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
                          Npub.of(PubKey.ofHex(tag.get(1))))));
    }
    if (lines.size() == 1) {
      lines.add("      nobody yet");
    }
    return lines;
  }
}
