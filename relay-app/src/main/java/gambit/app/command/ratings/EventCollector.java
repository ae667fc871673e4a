package gambit.app.command.ratings;

import gambit.app.command.ratings.EventCollector.RelayEvents.Difference;
import gambit.app.command.ratings.EventCollector.RelayEvents.Head;
import gambit.app.tool.client.ChessKinds;
import gambit.app.tool.client.EventTags;
import gambit.app.tool.verify.RecordCheck;
import gambit.chess.rating.Category;
import gambit.chess.rating.Lot;
import gambit.chess.rating.LotChain;
import gambit.chess.rating.RatedRecord;
import gambit.core.crypto.EventVerifier;
import gambit.core.model.Event;
import gambit.core.model.EventId;
import gambit.core.model.Hex;
import gambit.core.model.PubKey;
import gambit.core.model.Tags;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * Sorts events by the relay that has signed them, verifies them one by one on all cores, and passes
 * over all that are not about ratings. Owned by one thread.
 */
final class EventCollector {
  /** Anybody can sign records; those of further keys are passed over. */
  private static final int MAX_RELAYS = 1000;

  private final Optional<PubKey> only;
  private final EventVerifier verifier;
  final Map<PubKey, RelayEvents> relays = new HashMap<>();

  /** What a verified event adds to those of its relay. */
  private record Fact(PubKey relay, Consumer<RelayEvents> added) {}

  EventCollector(Optional<PubKey> only, EventVerifier verifier) {
    this.only = only;
    this.verifier = verifier;
  }

  void take(Stream<Event> events) {
    List<Fact> facts =
        events
            .parallel()
            .filter(event -> isAboutRatings(event) && only.map(event.pubkey()::equals).orElse(true))
            .map(event -> new Fact(event.pubkey(), verified(event)))
            .toList();
    for (Fact fact : facts) {
      if (only.isPresent() || relays.size() < MAX_RELAYS) {
        fact.added.accept(relays.computeIfAbsent(fact.relay, added -> new RelayEvents()));
      }
    }
  }

  private static boolean isAboutRatings(Event event) {
    Tags tags = event.tags();
    return switch (event.kind()) {
      case ChessKinds.RECORD -> RatedRecord.isRated(event) || tags.has("rated");
      case ChessKinds.HEAD, ChessKinds.LOTS -> true;
      case ChessKinds.LOBBY -> tags.has(Lot.TAG) && event.content().equals("gameisfound");
      case ChessKinds.PROPOSAL -> tags.has("proof") && event.content().equals("takeback");
      default -> false;
    };
  }

  private Consumer<RelayEvents> verified(Event event) {
    try {
      if (!verifier.hasValidId(event)) {
        throw new IllegalArgumentException("its id is not its hash");
      } else if (!verifier.hasValidSignature(event)) {
        throw new IllegalArgumentException("it is not signed by the key that it names");
      }
      return switch (event.kind()) {
        case ChessKinds.RECORD -> record(event);
        case ChessKinds.HEAD -> head(event);
        case ChessKinds.LOTS -> chain(event);
        case ChessKinds.LOBBY -> draw(event);
        default -> takeback(event);
      };
    } catch (IllegalArgumentException e) {
      boolean isRecord = event.kind() == ChessKinds.RECORD;
      Optional<String> seq =
          isRecord || event.kind() == ChessKinds.HEAD
              ? event.tags().first(isRecord ? "seq" : "d")
              : Optional.empty();
      long place = seq.filter(it -> it.matches("[0-9]{1,15}")).map(Long::valueOf).orElse(0L);
      String what = (isRecord ? "Record " : "Event ") + place + ", " + event.id();
      return relay -> relay.add(new Difference(place, what + ": " + e.getMessage()));
    }
  }

  private Consumer<RelayEvents> record(Event event) {
    RatedRecord record = RatedRecord.of(event);
    RecordCheck check = RecordCheck.of(event, verifier);
    Optional<Category> category = Category.of(check.time());
    if (category.isEmpty()) {
      throw new IllegalArgumentException("an untimed game is not rated");
    } else if (category.get() != record.category()) {
      throw new IllegalArgumentException(
          "its category: expected %s for the time control %s, found %s"
              .formatted(category.get().word(), check.time().text(), record.category().word()));
    } else if (event.tags().values("t").noneMatch(record.category().topic()::equals)) {
      throw new IllegalArgumentException("it has no tag t with " + record.category().topic());
    } else if (check.plies() < 2) {
      throw new IllegalArgumentException("not both players have moved");
    }
    return relay -> relay.add(record, check.game());
  }

  private static Consumer<RelayEvents> head(Event event) {
    Tags tags = event.tags();
    String seq = tags.first("d").orElse("");
    String record = tags.first("e").orElse("");
    String ratings = tags.first("ratings").orElse("");
    if (!seq.matches("[1-9][0-9]{0,14}")
        || !Hex.isLowerCase(record, 64)
        || !Hex.isLowerCase(ratings, 64)) {
      throw new IllegalArgumentException("it is not a head of a chain");
    }
    Head head =
        new Head(
            event.id(), event.createdAt(), Long.parseLong(seq), EventId.ofHex(record), ratings);
    return relay -> relay.add(head);
  }

  private static Consumer<RelayEvents> chain(Event event) {
    LotCheck.Published chain = LotCheck.Published.of(event);
    return relay -> relay.lots.add(chain);
  }

  private static Consumer<RelayEvents> draw(Event event) {
    Lot lot =
        event
            .tags()
            .named(Lot.TAG)
            .findFirst()
            .flatMap(Lot::parse)
            .orElseThrow(() -> new IllegalArgumentException("its lot is malformed"));
    return relay -> relay.lots.add(event.id(), lot);
  }

  private static Consumer<RelayEvents> takeback(Event event) {
    Optional<EventId> game = event.tags().root().flatMap(EventTags::id);
    return relay -> game.ifPresent(it -> relay.takebacks.add(it.prefix()));
  }

  /** The events of one relay about its rated games, each checked by itself before. One thread. */
  static final class RelayEvents {
    /** A signed head of the chain, in seconds of Unix time, with the hash of all ratings in hex. */
    record Head(EventId id, long createdAt, long seq, EventId record, String ratings) {}

    /** What is not as required, at a record's place or 0, in a sentence without its end. */
    record Difference(long seq, String sentence) {
      static Difference in(RatedRecord record, String sentence) {
        return new Difference(
            record.seq(), "Record " + record.seq() + ", " + record.id() + ": " + sentence);
      }

      static Difference in(RatedRecord record, String what, Object expected, Object found) {
        return in(record, what + ": expected " + expected + ", found " + found);
      }
    }

    /** A rated record, with the first eight bytes of the id of its game. */
    record Rated(RatedRecord record, long game) {}

    final List<Rated> records = new ArrayList<>();
    final Set<PubKey> players = new HashSet<>();
    final TreeMap<Long, List<Head>> heads = new TreeMap<>();
    final LotCheck lots = new LotCheck();

    /** The first eight bytes of the ids of games in which a move was taken back. */
    final Set<Long> takebacks = new HashSet<>();

    Optional<Difference> first = Optional.empty();

    void add(RatedRecord record, EventId game) {
      players.add(record.white());
      players.add(record.black());
      records.add(new Rated(record, game.prefix()));
    }

    void add(Head head) {
      List<Head> same = heads.computeIfAbsent(head.seq(), seq -> new ArrayList<>(1));
      if (!same.contains(head)) {
        same.add(head);
      }
    }

    void add(Difference difference) {
      if (first.isEmpty() || difference.seq() < first.get().seq()) {
        first = Optional.of(difference);
      }
    }
  }

  /**
   * The lots by which a relay has drawn the colours of its games: each value is the next one of its
   * published chain, and decides the colours of one game. One thread.
   */
  static final class LotCheck {
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
            event.id(),
            Integer.parseInt(number),
            end,
            Integer.parseInt(length),
            tags.first("after"));
      }
    }

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
}
