package gambit.app.command.ratings;

import gambit.app.common.CommandFailure;
import gambit.app.common.ConsoleCommand;
import gambit.app.tool.client.RelayPlace;
import gambit.chess.rating.Category;
import gambit.chess.rating.Glicko2;
import gambit.chess.rating.RatedRecord;
import gambit.chess.rating.Rating;
import gambit.core.model.Event;
import gambit.core.model.Npub;
import gambit.core.model.PubKey;
import java.net.URI;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code gambit ratings player}: the ratings of a player, from the records of the last games. */
@Command(
    name = "player",
    description = {
      "Prints the ratings of a player in all categories, with the rated games and the last one.",
      "A rating with a ? is provisional: its deviation is above 110."
    },
    exitCodeOnExecutionException = 2,
    exitCodeList = {"0:printed", "2:wrong usage, or the relay does not answer"},
    footerHeading = "%nExample:%n",
    footer = "  gambit ratings player npub1... --relay wss://relay.example.com")
public final class PlayerRatingsCommand extends ConsoleCommand {
  @Parameters(index = "0", paramLabel = "KEY", description = "The player's npub, or 64 hex digits.")
  private String key = "";

  @Option(
      names = "--relay",
      paramLabel = "URL",
      defaultValue = RatingsCommand.DEFAULT_RELAY,
      description = "The relay (default: ${DEFAULT-VALUE}).")
  private URI relay = URI.create("");

  @Override
  protected int run() throws CommandFailure {
    PubKey player =
        Npub.parseOrHex(key)
            .orElseThrow(() -> wrong("KEY " + key + ": expected an npub, or 64 hex digits."));
    if (!RelayPlace.isRelayUrl(relay)) {
      throw wrong("--relay " + relay + ": expected a ws:// or wss:// URL.");
    }
    try (RatingQueries queries = new RatingQueries(relay, RatingsCommand.TIMEOUT)) {
      print(Npub.of(player));
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
            .formatted(queries.referee(), player, category.topic());
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
        new Rating(change.after(), change.deviation(), change.volatility(), 1, record.createdAt());
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
