package gambit.app.command.ratings;

import static gambit.app.command.ratings.SignedChain.REFEREE;
import static gambit.app.command.ratings.SignedChain.RELAY;
import static gambit.app.command.ratings.SignedChain.at;
import static gambit.app.command.ratings.SignedChain.withContent;
import static gambit.app.command.ratings.SignedChain.withTags;
import static gambit.app.command.ratings.SignedChain.withValue;
import static org.assertj.core.api.Assertions.assertThat;

import gambit.app.command.ratings.EventCollector.RelayEvents;
import gambit.app.command.ratings.EventCollector.RelayEvents.Difference;
import gambit.app.command.ratings.RatedGame.Ending;
import gambit.app.command.ratings.SignedChain.Liar;
import gambit.app.command.ratings.VerifyRatingsCommand.ChainCheck;
import gambit.chess.game.Result;
import gambit.chess.rating.Lot;
import gambit.chess.rating.LotChain;
import gambit.chess.rating.RatingChain;
import gambit.chess.rating.RatingChain.Link;
import gambit.chess.rules.Side;
import gambit.core.crypto.EventVerifier;
import gambit.core.crypto.Signer;
import gambit.core.model.Event;
import gambit.core.model.EventEncoder;
import gambit.core.model.EventId;
import gambit.core.model.Nip19;
import gambit.core.model.Sha256;
import gambit.core.model.Tags;
import gambit.core.testkit.Keys;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HexFormat;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** A relay forges its chain in a hundred ways, with its own key; each is found. */
class ForgedChainTest {
  private static final int FORGERIES = 100;
  private static final SignedChain CHAIN = new SignedChain(1);
  private static final LotChain LOTS = new LotChain(Keys.of("lots").pubkey().bytes(), 16);
  private static final String AFTER =
      HexFormat.of()
          .formatHex(Sha256.digest().digest(Arrays.copyOf(Keys.of("lots").pubkey().bytes(), 64)));
  private static final Set<Event> VERIFIED = Collections.newSetFromMap(new IdentityHashMap<>());

  /** Remembers valid events, which the forged chains share. */
  private static final EventVerifier VERIFIER =
      new EventVerifier() {
        @Override
        public boolean hasValidSignature(Event event) {
          boolean isValid = VERIFIED.contains(event) || super.hasValidSignature(event);
          if (isValid) {
            VERIFIED.add(event);
          }
          return isValid;
        }
      };

  /**
   * A way to forge a chain.
   *
   * @param sentence a part of the difference that is found
   */
  private record Lie(String name, String sentence, BiFunction<Integer, Random, List<Event>> told) {}

  private static final List<Lie> LIES =
      List.of(
          new Lie(
              "a record is left out",
              "is missing: the next one is",
              (seq, random) -> without(CHAIN.events(), CHAIN.record(seq))),
          new Lie(
              "the last records are left out, but not their head",
              "is missing: there is a head",
              (seq, random) -> {
                List<Event> events = new ArrayList<>(CHAIN.events());
                IntStream.rangeClosed(95, SignedChain.GAMES)
                    .mapToObj(CHAIN::record)
                    .forEach(events::remove);
                events.removeIf(
                    it -> it.kind() == 30064 && it.createdAt() > CHAIN.record(100).createdAt());
                return events;
              }),
          new Lie(
              "a number is passed over, and later records refer to those before",
              "is missing: the next one is",
              (seq, random) ->
                  CHAIN.with(seq, it -> withValue(it, "seq", 1, number -> "" + (seq + 1)))),
          new Lie(
              "two records have the same number",
              "the relay has signed another record with this seq",
              (seq, random) -> with(CHAIN.events(), at(CHAIN.record(seq), 1_900_000_000))),
          new Lie(
              "two records are swapped",
              "prev: expected",
              (seq, random) -> {
                List<Event> events = new ArrayList<>(CHAIN.events());
                Event first = CHAIN.record(seq);
                Event second = CHAIN.record(seq + 1);
                events.removeAll(List.of(first, second));
                events.add(withValue(first, "seq", 1, it -> "" + (seq + 1)));
                events.add(withValue(second, "seq", 1, it -> "" + seq));
                return events;
              }),
          new Lie(
              "a record is of another relay",
              "is missing: the next one is",
              (seq, random) -> {
                Event own = CHAIN.record(seq);
                Signer other = Keys.of("another relay");
                return with(
                    without(CHAIN.events(), own),
                    other.sign(own.createdAt(), own.kind(), own.tags(), own.content()));
              }),
          new Lie(
              "a record follows an older one",
              "prev: expected",
              (seq, random) ->
                  CHAIN.with(
                      seq, it -> withValue(it, "prev", 1, id -> CHAIN.record(seq - 2).id().hex()))),
          new Lie(
              "a record follows one that does not exist",
              "prev: expected",
              (seq, random) ->
                  CHAIN.with(seq, it -> withValue(it, "prev", 1, id -> RatedGame.id(random)))),
          value("white", 2, "White's rating before the game: expected"),
          value("white", 3, "White's rating after the game: expected"),
          value("white", 4, "White's deviation after the game: expected"),
          value("white", 5, "White's volatility after the game: expected"),
          value("black", 2, "Black's rating before the game: expected"),
          value("black", 3, "Black's rating after the game: expected"),
          value("black", 4, "Black's deviation after the game: expected"),
          value("black", 5, "Black's volatility after the game: expected"),
          new Lie(
              "a value is not a number of two decimals",
              "its rating tag has 1500",
              (seq, random) -> CHAIN.with(seq, it -> withValue(it, "rating", 2, old -> "1500"))),
          new Lie(
              "the time control belongs to another category",
              "its category: expected",
              (seq, random) ->
                  CHAIN.with(
                      seq,
                      it -> {
                        String other =
                            it.tags().first("rated").orElse("").equals("blitz") ? "rapid" : "blitz";
                        Event claimed = withValue(it, "rated", 1, old -> other);
                        return withValue(claimed, "t", 1, old -> "rated-" + other);
                      })),
          new Lie(
              "the topic by which records are found is missing",
              "it has no tag t with rated-",
              (seq, random) ->
                  CHAIN.with(
                      seq,
                      it ->
                          withTags(
                              it,
                              tags -> {
                                tags.removeIf(tag -> tag.get(0).equals("t"));
                                return tags;
                              }))),
          new Lie(
              "the tag of the result is not that of the PGN",
              "The PGN says Result",
              (seq, random) ->
                  CHAIN.with(
                      seq,
                      it ->
                          withTags(
                              withValue(it, "result", 1, ForgedChainTest::otherResult),
                              tags -> {
                                tags.removeIf(tag -> tag.get(0).equals("alt"));
                                return tags;
                              }))),
          new Lie(
              "the summary says something else",
              "The record's alt says",
              (seq, random) -> CHAIN.with(seq, it -> withValue(it, "alt", 1, old -> old + "!"))),
          game(
              "a checkmate is recorded as a win of the other player",
              "contradicts the termination checkmate",
              Ending.MATE,
              (game, random) -> game.ending(Result.WHITE_WINS, "checkmate")),
          game(
              "a checkmated player wins on time",
              "The moves end the game by checkmate, not by timeout",
              Ending.MATE,
              (game, random) -> game.ending(Result.WHITE_WINS, "timeout")),
          game(
              "a resignation is recorded as a checkmate",
              "The moves do not end the game by checkmate",
              Ending.RESIGNATION,
              (game, random) -> game.ending(game.over().result(), "checkmate")),
          game(
              "the player who resigned wins",
              "No event signed by",
              Ending.RESIGNATION_PROVED,
              (game, random) ->
                  game.ending(
                      Result.winFor(
                          game.over().result() == Result.WHITE_WINS ? Side.BLACK : Side.WHITE),
                      "resignation")),
          game(
              "a resignation has no proof",
              "No event signed by",
              Ending.RESIGNATION_PROVED,
              (game, random) -> game.with(List.of())),
          game(
              "a resignation was signed for another game",
              "was signed for another game",
              Ending.RESIGNATION_PROVED,
              (game, random) ->
                  game.with(
                      List.of(
                          RatedGame.proof(
                              REFEREE, game.white(), CHAIN.record(1), "resign", game.endedAt())))),
          game(
              "a resignation is not signed by the player",
              "is not signed by the key that it names",
              Ending.RESIGNATION_PROVED,
              (game, random) ->
                  game.with(
                      List.of(
                          List.of("proof", withOtherSignature(game.evidence().get(0).get(1)))))),
          game(
              "a claimed draw was not claimed",
              "No event signed by",
              Ending.REPETITION,
              (game, random) -> game.with(List.of())),
          game(
              "a draw is claimed without a repetition",
              "The moves do not allow a draw claim by threefold repetition",
              Ending.AGREEMENT,
              (game, random) -> game.ending(Result.DRAW, "threefold")),
          game(
              "an agreed draw has a winner",
              "The result 1-0 contradicts the termination agreement",
              Ending.AGREEMENT,
              (game, random) -> game.ending(Result.WHITE_WINS, "agreement")),
          game(
              "a win on time comes before the time has passed",
              "and the record was signed",
              Ending.TIMEOUT,
              (game, random) ->
                  RatedGame.of(
                      REFEREE,
                      game.white(),
                      game.black(),
                      "1/172800",
                      Ending.TIMEOUT,
                      game.endedAt(),
                      random)),
          game(
              "an untimed game is rated",
              "an untimed game is not rated",
              Ending.RESIGNATION,
              (game, random) ->
                  RatedGame.of(
                      REFEREE,
                      game.white(),
                      game.black(),
                      "-",
                      Ending.RESIGNATION,
                      game.endedAt(),
                      random)),
          new Lie(
              "a game begins from a set-up position",
              "The PGN begins with another position",
              (seq, random) ->
                  CHAIN.with(
                      seq,
                      it ->
                          withContent(
                              it,
                              it.content()
                                  .replaceFirst(
                                      "\\[Termination",
                                      "[FEN \"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -"
                                          + " 3 5\"]\n[Termination")
                                  .replaceAll(" (\\d)\\.", " ")
                                  .replaceFirst("\n1\\. ", "\n")))),
          new Lie(
              "only one player has moved",
              "not both players have moved",
              (seq, random) -> CHAIN.with(seq, ForgedChainTest::ofOnePly)),
          new Lie(
              "the PGN has an illegal move",
              "is not a legal move in SAN",
              (seq, random) ->
                  CHAIN.with(
                      seq,
                      it -> withContent(it, it.content().replaceFirst("\n1\\. \\w+", "\n1. e5")))),
          new Lie(
              "the PGN names another player",
              "The PGN says White",
              (seq, random) ->
                  CHAIN.with(
                      seq,
                      it ->
                          withContent(
                              it,
                              it.content()
                                  .replaceFirst(
                                      "White \"npub1\\w+",
                                      "White \"" + Nip19.npub(Keys.of("a friend").pubkey()))))),
          new Lie(
              "the record names fewer plies",
              "It names the events of 1 plies",
              (seq, random) ->
                  CHAIN.with(
                      seq,
                      it ->
                          withTags(
                              it,
                              tags -> {
                                tags.replaceAll(
                                    tag -> tag.get(0).equals("plies") ? tag.subList(0, 2) : tag);
                                return tags;
                              }))),
          new Lie(
              "a game counts twice",
              "its game counts already, in record",
              (seq, random) ->
                  CHAIN.signedFrom(
                      seq,
                      new Liar() {
                        @Override
                        public RatedGame game(int here, RatedGame honest) {
                          return here == seq ? CHAIN.games.get(seq - 20) : honest;
                        }
                      })),
          new Lie(
              "two players play eleven games on one day",
              "the rated games of its two players on one day: expected at most 10, found 11",
              (seq, random) -> CHAIN.signedFrom(seq, elevenGames(seq, random))),
          new Lie(
              "a move is taken back",
              "a move was taken back in its game",
              (seq, random) -> {
                RatedGame game = CHAIN.games.get(seq - 1);
                List<List<String>> tags =
                    List.of(
                        List.of("e", game.found().id().hex(), "", "root"),
                        RatedGame.proof(
                            REFEREE, game.white(), game.found(), "takeback", game.endedAt()));
                return with(
                    CHAIN.events(), RELAY.sign(game.endedAt(), 5002, new Tags(tags), "takeback"));
              }),
          new Lie(
              "deviations do not grow",
              "after the game: expected",
              (seq, random) -> CHAIN.signedFrom(55, arithmetic(55, SignedChain.START))),
          new Lie(
              "deviations grow by a clock that was set back",
              "after the game: expected",
              (seq, random) -> CHAIN.signedFrom(37, ownTime(37))),
          head(
              "two heads of one record",
              "the relay has signed two heads of it",
              (it, random) ->
                  List.of(it, withValue(it, "ratings", 1, old -> RatedGame.id(random)))),
          head(
              "a head names another record",
              "has the id: expected",
              (it, random) -> List.of(withValue(it, "e", 1, old -> CHAIN.record(7).id().hex()))),
          head(
              "a head has another hash",
              "has the ratings: expected",
              (it, random) -> List.of(withValue(it, "ratings", 1, old -> RatedGame.id(random)))),
          head(
              "a head is malformed",
              "it is not a head of a chain",
              (it, random) -> List.of(withValue(it, "ratings", 1, old -> "none"))),
          head(
              "a head is missing",
              "it has no head, and the last one is of",
              (it, random) -> List.of()),
          new Lie(
              "an old head does not lie on a chain that was signed again",
              "the relay has signed two heads of it",
              (seq, random) -> {
                List<Event> other =
                    CHAIN.with(60 + random.nextInt(40), it -> at(it, it.createdAt() + 1));
                Event old =
                    CHAIN.events().stream()
                        .filter(it -> it.tags().first("d").equals(Optional.of("100")))
                        .findFirst()
                        .orElseThrow();
                return with(other, old);
              }),
          new Lie(
              "two games have the same lot",
              "have the same lot, 3 of chain 1",
              (seq, random) -> withLots(drawn(1, 3, LOTS, random), drawn(1, 3, LOTS, random))),
          new Lie(
              "a lot is not of its chain",
              "its lot, hashed to the one before: expected",
              (seq, random) -> withLots(drawn(1, 7, new LotChain(new byte[32], 16), random))),
          new Lie(
              "the colours are not those of the lot",
              "its lot gives White to the other player",
              (seq, random) ->
                  withLots(
                      withTags(
                          drawn(1, 5, LOTS, random),
                          tags -> {
                            List<String> lot = tags.get(0);
                            tags.set(
                                0, List.of("lot", "1", "5", lot.get(3), lot.get(5), lot.get(4)));
                            return tags;
                          }))),
          new Lie(
              "a chain of lots is published twice",
              "The relay has signed two chains of lots 1",
              (seq, random) ->
                  withLots(REFEREE.lots(1, RatedGame.id(random), 16, null, SignedChain.START))),
          new Lie(
              "a chain of lots was not bound to the one before",
              "Chain of lots 2,",
              (seq, random) ->
                  withLots(
                      drawn(1, 16, LOTS, random),
                      REFEREE.lots(
                          2, RatedGame.id(random), 16, RatedGame.id(random), SignedChain.START))),
          new Lie(
              "a record has no valid signature",
              "it is not signed by the key that it names",
              (seq, random) ->
                  with(without(CHAIN.events(), CHAIN.record(seq)), unsigned(CHAIN.record(seq)))),
          new Lie(
              "a record has another id than its hash",
              "its id is not its hash",
              (seq, random) -> {
                Event record = CHAIN.record(seq);
                return with(
                    without(CHAIN.events(), record),
                    EventEncoder.encode(
                        record.id(),
                        record.pubkey(),
                        record.createdAt(),
                        record.kind(),
                        record.tags(),
                        record.content() + "\n",
                        record.sig()));
              }));

  /** Another value of a rating tag; everything that follows is computed from it. */
  private static Lie value(String colour, int index, String sentence) {
    return new Lie(
        "another value: " + colour + " " + index,
        sentence,
        (seq, random) ->
            CHAIN.with(
                seq,
                it ->
                    withValue(
                        it,
                        tag -> tag.get(0).equals("rating") && tag.get(1).equals(colour),
                        index,
                        old -> {
                          char last = old.charAt(old.length() - 1);
                          return old.substring(0, old.length() - 1) + (last == '9' ? '8' : ++last);
                        })));
  }

  private static Lie game(
      String name,
      String sentence,
      Ending ending,
      BiFunction<RatedGame, Random, RatedGame> change) {
    return new Lie(
        name,
        sentence,
        (seq, random) -> {
          int kinds = Ending.values().length;
          int at = seq - (seq - 1) % kinds + ending.ordinal();
          return CHAIN.signedFrom(
              at,
              new Liar() {
                @Override
                public RatedGame game(int here, RatedGame honest) {
                  return here == at ? change.apply(honest, random) : honest;
                }
              });
        });
  }

  private static Lie head(
      String name, String sentence, BiFunction<Event, Random, List<Event>> change) {
    return new Lie(
        name,
        sentence,
        (seq, random) -> {
          boolean[] isDone = new boolean[1];
          return CHAIN.signedFrom(
              random.nextBoolean() ? 1 : 50,
              new Liar() {
                @Override
                public List<Event> heads(int here, List<Event> honest) {
                  if (honest.isEmpty() || isDone[0]) {
                    return honest;
                  }
                  isDone[0] = true;
                  return change.apply(honest.get(0), random);
                }
              });
        });
  }

  private static Liar elevenGames(int seq, Random random) {
    return new Liar() {
      @Override
      public RatedGame game(int here, RatedGame honest) {
        return here < seq || here > seq + 10
            ? honest
            : RatedGame.of(
                REFEREE,
                SignedChain.PLAYERS.get(here % 2),
                SignedChain.PLAYERS.get(1 - here % 2),
                here % 3 == 0 ? "180+2" : "600+5",
                Ending.RESIGNATION,
                CHAIN.games.get(seq - 1).endedAt(),
                random);
      }
    };
  }

  /** Computes a record as if the chain time were another. */
  private static Liar arithmetic(int from, long time) {
    return new Liar() {
      @Override
      public Link link(int seq, RatedGame game, Link honest) {
        return seq < from ? honest : linked(honest, game, time);
      }
    };
  }

  private static Liar ownTime(int from) {
    return new Liar() {
      @Override
      public Link link(int seq, RatedGame game, Link honest) {
        return seq < from ? honest : linked(honest, game, game.endedAt());
      }
    };
  }

  private static Link linked(Link honest, RatedGame game, long time) {
    RatingChain before = new RatingChain(honest.seq() - 1, honest.prev(), new byte[32], 0);
    return before.next(
        honest.category(),
        game.white().pubkey(),
        game.black().pubkey(),
        honest.before(),
        game.over().result(),
        time);
  }

  private static Event ofOnePly(Event record) {
    String pgn =
        record
            .content()
            .replaceFirst(
                "(?s)\n\n.*", "\n\n1. e4 " + record.tags().first("result").orElse("") + "\n");
    return withContent(
        withTags(
            record,
            tags -> {
              tags.removeIf(tag -> List.of("alt", "ending", "proof").contains(tag.get(0)));
              tags.replaceAll(
                  tag ->
                      switch (tag.get(0)) {
                        case "plies" -> tag.subList(0, 2);
                        case "termination" -> List.of("termination", "resignation");
                        case "result" -> List.of("result", "0-1");
                        default -> tag;
                      });
              tags.add(List.of("ending", "0".repeat(64)));
              return tags;
            }),
        pgn.replaceAll("1-0|1/2-1/2", "0-1")
            .replaceFirst("Termination \"[^\"]*", "Termination \"normal"));
  }

  private static String otherResult(String result) {
    return result.equals("1-0") ? "0-1" : "1-0";
  }

  /** All honest events with some games that were drawn, and others. */
  private static List<Event> withLots(Event... others) {
    Random random = new Random(1);
    List<Event> events = new ArrayList<>(CHAIN.events());
    events.add(REFEREE.lots(1, LOTS.end(), 16, null, SignedChain.START));
    events.add(drawn(1, 1, LOTS, random));
    events.add(drawn(1, 2, LOTS, random));
    events.addAll(List.of(others));
    return events;
  }

  /** The first event of a game between strangers. */
  private static Event drawn(int chain, int position, LotChain lots, Random random) {
    EventId first = EventId.ofHex(RatedGame.id(random));
    EventId second = EventId.ofHex(RatedGame.id(random));
    Lot lot = Lot.draw(chain, position, lots.value(position), first, second);
    return RELAY.sign(SignedChain.START, 5000, new Tags(List.of(lot.tag())), "gameisfound");
  }

  /** An event as JSON, whose signature begins with another digit. */
  private static String withOtherSignature(String event) {
    String sig = "\"sig\":\"";
    return event.contains(sig + "f")
        ? event.replace(sig + "f", sig + "0")
        : event.replaceFirst(sig + ".", sig + "f");
  }

  private static Event unsigned(Event event) {
    byte[] sig = event.sig();
    sig[63] ^= 1;
    return EventEncoder.encode(
        event.id(),
        event.pubkey(),
        event.createdAt(),
        event.kind(),
        event.tags(),
        event.content(),
        sig);
  }

  private static List<Event> with(List<Event> events, Event added) {
    List<Event> more = new ArrayList<>(events);
    more.add(added);
    return more;
  }

  private static List<Event> without(List<Event> events, Event removed) {
    List<Event> fewer = new ArrayList<>(events);
    fewer.remove(removed);
    return fewer;
  }

  /** The first difference in events, in any order. */
  private static Optional<Difference> difference(List<Event> events, Random random) {
    List<Event> shuffled = new ArrayList<>(events);
    Collections.shuffle(shuffled, random);
    EventCollector collector = new EventCollector(Optional.of(RELAY.pubkey()), VERIFIER);
    collector.take(shuffled.stream());
    RelayEvents signed = collector.relays.get(RELAY.pubkey());
    return new ChainCheck(signed).first().or(signed.lots::first);
  }

  @Test
  void honestChainHolds() {
    Random random = new Random(1);
    Event last = drawn(1, 16, LOTS, random);
    Event next = REFEREE.lots(2, "0".repeat(64), 16, AFTER, SignedChain.START);
    assertThat(difference(withLots(last, next), random)).isEmpty();
  }

  @TestFactory
  Stream<DynamicTest> eachForgeryIsFound() {
    return IntStream.range(0, FORGERIES)
        .mapToObj(
            i -> {
              Lie lie = LIES.get(i % LIES.size());
              return DynamicTest.dynamicTest(
                  lie.name() + ", " + i,
                  () -> {
                    Random random = new Random(i);
                    List<Event> events = lie.told().apply(60 + random.nextInt(70), random);
                    assertThat(difference(events, random).map(Difference::sentence).orElse("none"))
                        .contains(lie.sentence());
                  });
            });
  }
}
