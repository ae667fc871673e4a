package gambit.app.command.ratings;

import gambit.app.command.ratings.RatedGame.Ending;
import gambit.chess.dialect.RefereeEvents;
import gambit.chess.rating.Category;
import gambit.chess.rating.RatedRecord;
import gambit.chess.rating.RatedRecord.Change;
import gambit.chess.rating.Rating;
import gambit.chess.rating.RatingChain;
import gambit.core.crypto.Signer;
import gambit.core.model.Event;
import gambit.core.model.PubKey;
import gambit.core.model.Sha256;
import gambit.core.model.Tags;
import gambit.core.testkit.Keys;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

/**
 * The chain of rated records of a relay over some days, with heads: games of several players and
 * categories, a clock that is set back, days without a game. A relay that lies signs the chain
 * again from some record on, so that everything but the lie fits.
 */
final class SignedChain {
  static final Signer RELAY = Keys.of("referee");
  static final RefereeEvents REFEREE = new RefereeEvents(RELAY, "wss://gambit.example/");
  static final List<Signer> PLAYERS =
      IntStream.range(0, 12).mapToObj(i -> Keys.of("player " + i)).toList();
  static final int GAMES = 150;
  static final long START = 1_800_000_000;
  private static final List<String> CONTROLS =
      List.of("60", "180+2", "180+2", "600+5", "1800+20", "1/86400");

  /** The lies of a relay. */
  interface Liar {
    default RatedGame game(int seq, RatedGame honest) {
      return honest;
    }

    default RatingChain.Link link(int seq, RatedGame game, RatingChain.Link honest) {
      return honest;
    }

    default Event record(int seq, Event honest) {
      return honest;
    }

    /** The heads of a record, of which an honest relay signs one where it is due. */
    default List<Event> heads(int seq, List<Event> honest) {
      return honest;
    }
  }

  /** What is known after a record. */
  private record State(RatingChain chain, long headTime, int events) {}

  private record Owner(PubKey player, Category category) {}

  final List<RatedGame> games = new ArrayList<>();
  private final List<Event> events = new ArrayList<>();
  private final List<Event> records = new ArrayList<>();
  private final List<State> states = new ArrayList<>();

  SignedChain(long seed) {
    Random random = new Random(seed);
    long time = START;
    for (int i = 0; i < GAMES; i++) {
      time += 300 + random.nextInt(1800);
      time += i == 20 ? 100_000 : i == 35 ? -86_400 : i == 50 ? 172_800 : 0;
      Ending ending = Ending.values()[i % Ending.values().length];
      int white = random.nextInt(PLAYERS.size());
      int black = (white + 1 + random.nextInt(PLAYERS.size() - 1)) % PLAYERS.size();
      games.add(
          RatedGame.of(
              REFEREE,
              PLAYERS.get(white),
              PLAYERS.get(black),
              ending == Ending.ABANDONED ? "600" : CONTROLS.get(random.nextInt(CONTROLS.size())),
              ending,
              time,
              random));
    }
    sign(1, new Liar() {}, true);
  }

  /** All events of the honest relay. */
  List<Event> events() {
    return List.copyOf(events);
  }

  /** The record with a number, of the honest relay. */
  Event record(int seq) {
    return records.get(seq - 1);
  }

  /** All events of a relay that lies from a record on. */
  List<Event> signedFrom(int seq, Liar liar) {
    return sign(seq, liar, false);
  }

  /** All events of a relay that signs another record instead of an honest one. */
  List<Event> with(int seq, UnaryOperator<Event> lie) {
    return signedFrom(
        seq,
        new Liar() {
          @Override
          public Event record(int at, Event honest) {
            return at == seq ? lie.apply(honest) : honest;
          }
        });
  }

  private List<Event> sign(int from, Liar liar, boolean isKept) {
    State state = from == 1 ? new State(RatingChain.START, 0, 0) : states.get(from - 2);
    List<Event> signed = new ArrayList<>(events.subList(0, state.events()));
    Map<Owner, Rating> ratings = new HashMap<>();
    RatingChain known = RatingChain.START;
    for (int i = 0; i < from - 1; i++) {
      RatedRecord record = RatedRecord.of(records.get(i));
      add(ratings, record, known.timeOf(record.createdAt()));
      known = states.get(i).chain();
    }
    RatingChain chain = state.chain();
    long headTime = state.headTime();
    for (int seq = from; seq <= games.size(); seq++) {
      RatedGame game = liar.game(seq, games.get(seq - 1));
      Category category = game.category();
      PubKey white = game.white().pubkey();
      PubKey black = game.black().pubkey();
      RatingChain.Pair before =
          new RatingChain.Pair(
              ratings.getOrDefault(new Owner(white, category), Rating.INITIAL),
              ratings.getOrDefault(new Owner(black, category), Rating.INITIAL));
      RatingChain.Link link =
          liar.link(
              seq,
              game,
              chain.next(category, white, black, before, game.over().result(), game.endedAt()));
      Event record =
          liar.record(
              seq,
              REFEREE
                  .record(game.ref(), game.over(), game.plies(), game.evidence())
                  .sign(link.tags()));
      signed.add(record);
      long time = chain.timeOf(record.createdAt());
      Optional<RatedRecord> stated = parsed(record);
      if (stated.isPresent()) {
        add(ratings, stated.get(), time);
        chain =
            new RatingChain(
                stated.get().seq(), record.id(), hash(chain.ratings(), stated.get()), time);
      } else {
        chain = link.with(record.id());
      }
      boolean isDue = seq == 1 || seq % 100 == 0 || time - headTime >= 86_400;
      List<Event> heads =
          liar.heads(
              seq, isDue ? List.of(REFEREE.head(chain, record.createdAt() * 1000)) : List.of());
      signed.addAll(heads);
      headTime = isDue ? time : headTime;
      if (isKept) {
        events.clear();
        events.addAll(signed);
        records.add(record);
        states.add(new State(chain, headTime, signed.size()));
      }
    }
    return signed;
  }

  private static Optional<RatedRecord> parsed(Event record) {
    try {
      return Optional.of(RatedRecord.of(record));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  private static void add(Map<Owner, Rating> ratings, RatedRecord record, long time) {
    add(ratings, new Owner(record.white(), record.category()), record.whites(), time);
    add(ratings, new Owner(record.black(), record.category()), record.blacks(), time);
  }

  private static void add(Map<Owner, Rating> ratings, Owner owner, Change change, long time) {
    ratings.put(
        owner, new Rating(change.after(), change.deviation(), change.volatility(), 1, time));
  }

  /** The hash of all ratings after a record, as the protocol's page describes it. */
  private static byte[] hash(byte[] before, RatedRecord record) {
    MessageDigest sha256 = Sha256.digest();
    sha256.update(before);
    String text =
        "%s|%s|%d|%d|%d|%s|%d|%d|%d"
            .formatted(
                record.category().word(),
                record.white(),
                record.whites().after(),
                record.whites().deviation(),
                record.whites().volatility(),
                record.black(),
                record.blacks().after(),
                record.blacks().deviation(),
                record.blacks().volatility());
    return sha256.digest(text.getBytes(StandardCharsets.UTF_8));
  }

  // ---- lies

  /** The event with other tags, signed again. */
  static Event withTags(Event event, UnaryOperator<List<List<String>>> change) {
    List<List<String>> tags = change.apply(new ArrayList<>(event.tags().list()));
    return RELAY.sign(event.createdAt(), event.kind(), new Tags(tags), event.content());
  }

  /** The event with another value of a tag at an index, signed again. */
  static Event withValue(Event event, String name, int index, UnaryOperator<String> change) {
    return withValue(event, tag -> tag.get(0).equals(name), index, change);
  }

  static Event withValue(
      Event event, Predicate<List<String>> wanted, int index, UnaryOperator<String> change) {
    return withTags(
        event,
        tags -> {
          for (int i = 0; i < tags.size(); i++) {
            if (wanted.test(tags.get(i))) {
              List<String> tag = new ArrayList<>(tags.get(i));
              tag.set(index, change.apply(tag.get(index)));
              tags.set(i, tag);
            }
          }
          return tags;
        });
  }

  static Event withContent(Event event, String content) {
    return RELAY.sign(event.createdAt(), event.kind(), event.tags(), content);
  }

  static Event at(Event event, long createdAt) {
    return RELAY.sign(createdAt, event.kind(), event.tags(), event.content());
  }
}
