package gambit.app.command.ratings;

import gambit.app.command.ratings.EventCollector.RelayEvents.Difference;
import gambit.chess.rating.Lot;
import gambit.chess.rating.LotChain;
import gambit.core.model.Event;
import gambit.core.model.EventId;
import gambit.core.model.Hex;
import gambit.core.model.Tags;
import java.util.HexFormat;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The lots by which a relay has drawn the colours of its games: each value is the next one of its
 * published chain, and decides the colours of one game. One thread.
 */
final class LotCheck {
  private final Map<Integer, Published> chains = new TreeMap<>();
  private final Map<Integer, TreeMap<Integer, Drawn>> draws = new TreeMap<>();
  private Optional<Difference> first = Optional.empty();
  private int games;

  @SuppressWarnings("ArrayRecordComponent") // compared by nobody
  private record Drawn(EventId game, byte[] value) {}

  record Published(EventId id, int number, String end, int length, Optional<String> after) {
    static Published of(Event event) {
      Tags tags = event.tags();
      String number = tags.first("d").orElse("");
      String end = tags.first(Lot.TAG).orElse("");
      String length = tags.first("length").orElse("");
      if (!number.matches("[1-9][0-9]{0,8}")
          || !Hex.isLowerCase(end, 64)
          || !length.matches("[1-9][0-9]{0,6}")) {
        throw new IllegalArgumentException("it is not a chain of lots");
      }
      return new Published(
          event.id(), Integer.parseInt(number), end, Integer.parseInt(length), tags.first("after"));
    }
  }

  /** The number of games whose colours were drawn. */
  int games() {
    return games;
  }

  void add(Published chain) {
    Published known = chains.putIfAbsent(chain.number, chain);
    if (known != null && !known.id.equals(chain.id)) {
      differ(
          "The relay has signed two chains of lots %d, %s and %s"
              .formatted(chain.number, known.id, chain.id));
    }
  }

  void add(EventId game, Lot lot) {
    Drawn known =
        draws
            .computeIfAbsent(lot.chain(), chain -> new TreeMap<>())
            .putIfAbsent(lot.position(), new Drawn(game, HexFormat.of().parseHex(lot.value())));
    if (known != null && !known.game.equals(game)) {
      differ(
          "The games %s and %s have the same lot, %d of chain %d"
              .formatted(known.game, game, lot.position(), lot.chain()));
    } else if (!lot.isFollowed()) {
      differ("Game " + game + ": its lot gives White to the other player");
    }
    games += known == null ? 1 : 0;
  }

  private void differ(String sentence) {
    first = first.or(() -> Optional.of(new Difference(0, sentence)));
  }

  Optional<Difference> first() {
    draws.forEach(this::compare);
    chains.values().forEach(this::compareBond);
    return first;
  }

  private void compare(int number, NavigableMap<Integer, Drawn> drawn) {
    Published chain = chains.get(number);
    if (chain == null || drawn.lastKey() > chain.length) {
      differ("Game " + drawn.lastEntry().getValue().game + ": its lot is of no published chain");
      return;
    }
    String expected = chain.end;
    int at = 0;
    for (Map.Entry<Integer, Drawn> entry : drawn.entrySet()) {
      Drawn next = entry.getValue();
      String found = LotChain.hashed(next.value, entry.getKey() - at);
      if (!found.equals(expected)) {
        differ(
            "Game %s: its lot, hashed to the one before: expected %s, found %s"
                .formatted(next.game, expected, found));
        return;
      }
      expected = HexFormat.of().formatHex(next.value);
      at = entry.getKey();
    }
  }

  /** A chain after the first names its predecessor's secret, once that is revealed. */
  private void compareBond(Published chain) {
    Published before = chains.get(chain.number - 1);
    NavigableMap<Integer, Drawn> drawn = draws.get(chain.number - 1);
    Drawn secret = before == null || drawn == null ? null : drawn.get(before.length);
    if (secret != null) {
      String expected = LotChain.after(secret.value, HexFormat.of().parseHex(chain.end));
      String found = chain.after.orElse("nothing");
      if (!found.equals(expected)) {
        differ(
            "Chain of lots %d, %s: after: expected %s, found %s"
                .formatted(chain.number, chain.id, expected, found));
      }
    }
  }
}
