package gambit.app.command.ratings;

import gambit.chess.lot.Lot;
import gambit.core.model.Event;
import gambit.core.model.EventId;
import gambit.core.model.Hex;
import gambit.core.model.Sha256;
import gambit.core.model.Tags;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The lots by which a relay has drawn the colours of its games: each value is the next one of its
 * published chain, and decides the colours of one game. One thread at a time.
 */
final class LotCheck {
  private record Published(EventId id, String end, int length, Optional<String> after) {}

  @SuppressWarnings("ArrayRecordComponent") // compared by nobody
  private record Drawn(EventId game, byte[] value) {}

  private final Map<Integer, Published> chains = new TreeMap<>();
  private final Map<Integer, TreeMap<Integer, Drawn>> draws = new TreeMap<>();
  private Optional<Difference> first = Optional.empty();
  private int games;

  /** The number of games whose colours were drawn. */
  int games() {
    return games;
  }

  /** Adds a published chain. */
  void addChain(Event event) {
    Tags tags = event.tags();
    String number = tags.first("d").orElse("");
    String end = tags.first(Lot.TAG).orElse("");
    String length = tags.first("length").orElse("");
    if (!number.matches("[1-9][0-9]{0,8}")
        || !Hex.isLowerCase(end, 64)
        || !length.matches("[1-9][0-9]{0,6}")) {
      throw new IllegalArgumentException("it is not a chain of lots");
    }
    Published chain = new Published(event.id(), end, Integer.parseInt(length), tags.first("after"));
    Published known = chains.putIfAbsent(Integer.parseInt(number), chain);
    if (known != null && !known.id().equals(chain.id())) {
      differ(
          "The relay has signed two chains of lots "
              + number
              + ", "
              + known.id()
              + " and "
              + chain.id());
    }
  }

  /** Adds the first event of a game whose colours were drawn. */
  void addGame(Event found, List<String> tag) {
    Lot lot =
        Lot.parse(tag).orElseThrow(() -> new IllegalArgumentException("its lot is malformed"));
    byte[] value = HexFormat.of().parseHex(lot.value());
    Drawn known =
        draws
            .computeIfAbsent(lot.chain(), chain -> new TreeMap<>())
            .putIfAbsent(lot.position(), new Drawn(found.id(), value));
    if (known != null && !known.game().equals(found.id())) {
      differ(
          "The games %s and %s have the same lot, %d of chain %d"
              .formatted(known.game(), found.id(), lot.position(), lot.chain()));
    } else if (!lot.isFollowed()) {
      differ("Game " + found.id() + ": its lot gives White to the other player");
    }
    games += known == null ? 1 : 0;
  }

  private void differ(String sentence) {
    first = first.or(() -> Optional.of(new Difference(0, sentence)));
  }

  /** The first difference; empty if everything holds. */
  Optional<Difference> first() {
    draws.forEach(this::compare);
    chains.forEach(this::compareBond);
    return first;
  }

  private void compare(int number, NavigableMap<Integer, Drawn> drawn) {
    Published chain = chains.get(number);
    if (chain == null || drawn.lastKey() > chain.length()) {
      differ("Game " + drawn.lastEntry().getValue().game() + ": its lot is of no published chain");
      return;
    }
    MessageDigest sha256 = Sha256.digest();
    String expected = chain.end();
    int at = 0;
    for (Map.Entry<Integer, Drawn> next : drawn.entrySet()) {
      byte[] hash = next.getValue().value();
      for (; at < next.getKey(); at++) {
        hash = sha256.digest(hash);
      }
      String found = HexFormat.of().formatHex(hash);
      if (!found.equals(expected)) {
        differ(
            "Game %s: its lot, hashed to the one before: expected %s, found %s"
                .formatted(next.getValue().game(), expected, found));
        return;
      }
      expected = HexFormat.of().formatHex(next.getValue().value());
    }
  }

  /** A chain after the first names its predecessor's secret, once that is revealed. */
  private void compareBond(int number, Published chain) {
    Published before = chains.get(number - 1);
    Drawn secret =
        before == null
            ? null
            : draws.getOrDefault(number - 1, new TreeMap<>()).get(before.length());
    if (secret != null) {
      MessageDigest sha256 = Sha256.digest();
      sha256.update(secret.value());
      String expected =
          HexFormat.of().formatHex(sha256.digest(HexFormat.of().parseHex(chain.end())));
      String found = chain.after().orElse("nothing");
      if (!found.equals(expected)) {
        differ(
            "Chain of lots %d, %s: after: expected %s, found %s"
                .formatted(number, chain.id(), expected, found));
      }
    }
  }
}
