package gambit.app.tool.sync;

import gambit.core.model.RelayUrls;
import java.net.URI;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * One relay with which this one is kept synchronized, at that rate of events a second in each
 * direction, or any if it is 0. By the text of the setting, a peer is recognized later. Immutable.
 */
public record PeerSettings(URI url, Direction direction, int rate, SyncFilter filter, String text) {
  public static final int DEFAULT_RATE = 500;
  private static final int MAX_RATE = 1_000_000;
  private static final String RATE = "rate=";

  /** Reads {@code URL DIRECTION [rate=N] [FILTER]}; a failure says what was expected. */
  public static PeerSettings parse(String text) {
    String[] words = text.strip().split(" +", 3);
    if (words.length < 2) {
      throw new IllegalArgumentException(
          "expected URL DIRECTION [rate=N] [FILTER], as in wss://relay.example.com down");
    }
    new RelayUrls(List.of(words[0])); // checks it
    String rest = words.length == 3 ? words[2] : "";
    int rate = DEFAULT_RATE;
    if (rest.startsWith(RATE)) {
      String[] parts = rest.split(" +", 2);
      rate = rate(parts[0].substring(RATE.length()));
      rest = parts.length == 2 ? parts[1] : "";
    }
    return new PeerSettings(
        URI.create(words[0]),
        Direction.parse(words[1])
            .orElseThrow(
                () -> new IllegalArgumentException("expected up, down or both after the URL")),
        rate,
        SyncFilter.parse(rest.isEmpty() ? "{}" : rest),
        text.strip());
  }

  private static int rate(String number) {
    if (!number.matches("[0-9]{1,7}") || Integer.parseInt(number) > MAX_RATE) {
      throw new IllegalArgumentException("expected a rate from 0 to " + MAX_RATE);
    }
    return Integer.parseInt(number);
  }

  /** Which of the two relays gets the events that it lacks: the peer (up), this relay, or both. */
  public enum Direction {
    UP,
    DOWN,
    BOTH;

    public static Optional<Direction> parse(String word) {
      return Arrays.stream(values())
          .filter(each -> each.name().toLowerCase(Locale.ROOT).equals(word))
          .findFirst();
    }

    public boolean isUp() {
      return this != DOWN;
    }

    public boolean isDown() {
      return this != UP;
    }
  }
}
