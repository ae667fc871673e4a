package gambit.app.upgrades;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import gambit.app.LocalRelay;
import gambit.core.crypto.Signer;
import gambit.core.model.Event;
import gambit.core.model.Tags;
import gambit.core.testkit.Client;
import gambit.core.testkit.Keys;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * What the data directory of a fixture contains: events of all kinds, removed ones, a finished game
 * and a running one. {@link #main} stores it in a relay of the version whose directory is to be
 * kept; all of it is the same in every run, except times of the games.
 */
final class StoredContents {
  /** A time before every fixture, in seconds. */
  private static final long TIME = 1_790_000_000;

  private static final Signer ALICE = Keys.of("alice");
  private static final Signer CAROL = Keys.of("carol");

  /** The moves of the finished game and of the running one. */
  static final List<String> MATE = List.of("f2f3", "e7e5", "g2g4", "d8h4");

  static final List<String> OPENING = List.of("e2e4", "e7e5", "g1f3");

  private StoredContents() {}

  private static Event note(int i) {
    return ALICE.sign(TIME + i, 1, tags("t", "numbered"), "note " + i + " ♞ \"\\\n");
  }

  private static Tags tags(String... nameAndValues) {
    return new Tags(List.of(List.of(nameAndValues)));
  }

  /** Events that must be there. */
  static List<Event> kept() {
    List<Event> kept =
        new ArrayList<>(IntStream.range(0, 60).mapToObj(StoredContents::note).toList());
    kept.add(ALICE.sign(TIME + 101, 0, Tags.NONE, "{\"name\":\"new\"}"));
    kept.add(ALICE.sign(TIME + 102, 30_023, tags("d", "article"), "second version"));
    kept.add(ALICE.sign(TIME + 103, 1, tags("expiration", "4102444800"), "expires in 2100"));
    kept.add(ALICE.sign(TIME + 104, 30_023, tags("d", "long"), "long ".repeat(10_000)));
    kept.add(deletion());
    kept.add(vanish());
    return kept;
  }

  /** Events that were replaced, deleted or vanished, in the order in which they were stored. */
  static List<Event> removed() {
    return List.of(
        ALICE.sign(TIME + 1, 0, Tags.NONE, "{\"name\":\"old\"}"),
        ALICE.sign(TIME + 2, 30_023, tags("d", "article"), "first version"),
        deleted(),
        vanished());
  }

  static Event deleted() {
    return ALICE.sign(TIME + 3, 1, Tags.NONE, "deleted by its author");
  }

  static Event vanished() {
    return CAROL.sign(TIME + 4, 1, Tags.NONE, "of an author who vanished");
  }

  private static Event deletion() {
    return ALICE.sign(TIME + 105, 5, tags("e", deleted().id().hex()), "");
  }

  private static Event vanish() {
    return CAROL.sign(TIME + 106, 62, tags("relay", "ALL_RELAYS"), "");
  }

  /**
   * Stores the contents in the running relay whose URL is the argument.
   *
   * @param arguments the URL
   */
  public static void main(String[] arguments) {
    URI relay = URI.create(arguments[0]);
    try (Client client = new Client(relay)) {
      Stream.concat(removed().stream(), kept().stream()).forEach(client::publishAccepted);
    }
    playToTheEnd(relay);
    try (SocketPlayer white = new SocketPlayer("frank", relay);
        SocketPlayer black = new SocketPlayer("gina", relay)) {
      play(white, black, OPENING);
    }
    System.out.println("Stored.");
  }

  private static void playToTheEnd(URI relay) {
    try (SocketPlayer white = new SocketPlayer("dave", relay);
        SocketPlayer black = new SocketPlayer("erin", relay)) {
      play(white, black, MATE);
      white.event("gamecheckmate");
    }
  }

  /**
   * Pairs two players, with the colours that chance gives them, and plays moves.
   *
   * @return the game's first event, whose id is the game's
   */
  static JsonNode play(SocketPlayer one, SocketPlayer other, List<String> moves) {
    one.say(5000, "connect");
    other.say(5000, "connect");
    JsonNode game = one.event("gameisfound");
    boolean isOneWhite = one.isWhiteIn(game);
    other.event("gameisfound");
    for (int ply = 0; ply < moves.size(); ply++) {
      boolean isOneToMove = (ply % 2 == 0) == isOneWhite;
      (isOneToMove ? one : other).say(5001, moves.get(ply));
      (isOneToMove ? other : one).event(moves.get(ply));
    }
    return game;
  }

  /**
   * What the players of the running game got.
   *
   * @param resumed when they returned
   * @param ending the notification of the end
   */
  record Continuation(JsonNode resumed, JsonNode ending) {}

  /** The players of the running game return, Black moves and White resigns. */
  static Continuation continueToTheEnd(LocalRelay relay) {
    try (SocketPlayer frank = new SocketPlayer("frank", relay.uri());
        SocketPlayer gina = new SocketPlayer("gina", relay.uri())) {
      frank.say(5000, "connect");
      gina.say(5000, "connect");
      JsonNode resumed = frank.event("gameisfound");
      assertThat(SocketPlayer.tag(resumed, "moves")).isEqualTo(String.join(" ", OPENING));
      gina.event("gameisfound");
      SocketPlayer white = frank.isWhiteIn(resumed) ? frank : gina;
      SocketPlayer black = white == frank ? gina : frank;
      black.say(5001, "b8c6");
      white.event("b8c6");
      white.say(5003, "resign");
      return new Continuation(resumed, black.event("opponentresigned"));
    }
  }
}
