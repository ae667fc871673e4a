package gambit.chess.clients;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import gambit.chess.clients.GamePlans.Finish;
import gambit.chess.clients.GamePlans.Plan;
import gambit.chess.game.Result;
import gambit.chess.rules.Side;
import gambit.chess.session.ChessFeature;
import gambit.chess.session.ChosenLots;
import gambit.chess.session.play.ChessSettings;
import gambit.core.crypto.Signer;
import gambit.core.model.Event;
import gambit.core.model.Tags;
import gambit.core.testkit.Client;
import gambit.core.testkit.Keys;
import gambit.core.testkit.TestEffort;
import gambit.core.testkit.TestRelay;
import io.github.wolfraam.chessgame.ChessGame;
import io.github.wolfraam.chessgame.move.IllegalMoveException;
import io.github.wolfraam.chessgame.notation.NotationType;
import io.github.wolfraam.chessgame.pgn.PGNImporter;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * Whole games with every ending between two sockets, with random colours. After each of the first
 * plies and some of the later ones, the position that the relay sends equals that of an independent
 * library, and its reader finds the same moves in the record.
 */
class WholeGamesTest {
  private static final int FIRST_PLIES = TestEffort.of(8, 400);

  private final TestRelay relay =
      new TestRelay(new ChessFeature(ChessSettings.DEFAULT, ChosenLots.by(new Random(1))));
  private final Client spectator = relay.connect();
  private int serial;

  @AfterEach
  void end() {
    spectator.close();
    relay.close();
  }

  @TestFactory
  Stream<DynamicTest> everyGameHasThePlannedEndingAndAMatchingRecord() {
    List<Plan> plans = new GamePlans(20260301).all();
    assertThat(plans).hasSizeGreaterThanOrEqualTo(50);
    return plans.stream()
        .map(plan -> DynamicTest.dynamicTest(plan.toString(), () -> new Table(plan).play()));
  }

  /** A player with a key and a connection. */
  private final class Seat {
    final Signer key = Keys.of("player " + serial++);
    final Client socket = relay.connect();

    Event publish(int kind, String content) {
      Tags nonce = new Tags(List.of(List.of("nonce", "" + serial++)));
      Event event = key.sign(relay.now(), kind, nonce, content);
      socket.publish(event);
      return event;
    }

    Event ask(int kind, String content, String answer) {
      Event event = publish(kind, content);
      assertThat(socket.next())
          .isEqualTo("[\"OK\",\"" + event.id() + "\",true,\"" + answer + "\"]");
      return event;
    }

    JsonNode event(int number) {
      JsonNode frame = socket.nextJson();
      assertThat(frame.get(0).asText()).as(frame.toString()).isEqualTo("EVENT");
      assertThat(frame.get(1).asInt()).as(frame.toString()).isEqualTo(number);
      return frame.get(2);
    }

    void expectWord(String word) {
      assertThat(event(5000).get("content").asText()).isEqualTo(word);
    }
  }

  private final class Table {
    private final Plan plan;
    private final Map<Side, Seat> seats = new EnumMap<>(Side.class);
    private final ChessGame oracle = new ChessGame();
    private final List<String> plies = new ArrayList<>();
    private String game = "";
    private Side turn = Side.WHITE;

    Table(Plan plan) {
      this.plan = plan;
    }

    void play() throws IllegalMoveException {
      sitDown();
      for (int ply = 0; ply < plan.moves().size(); ply++) {
        move(plan.moves().get(ply));
        boolean last = ply == plan.moves().size() - 1;
        boolean isShown = ply < FIRST_PLIES || ply % 25 == 0;
        if (last ? plan.finish() != Finish.NOTHING : isShown) {
          checkPosition(ply + 1);
        }
      }
      finish();
      checkRecord();
      seats.values().forEach(seat -> seat.socket.close());
    }

    private Seat mover() {
      return seats.get(turn);
    }

    private Seat waiter() {
      return seats.get(turn.opponent());
    }

    private void sitDown() {
      Seat first = new Seat();
      Seat second = new Seat();
      Event one = first.ask(5000, "connect", "");
      Event two = second.ask(5000, "connect", "");
      game = first.event(5000).get("id").asText();
      assertThat(second.event(5000).get("id").asText()).isEqualTo(game);
      boolean firstIsWhite = first.socket.next().equals(colour(one, "white"));
      assertThat(second.socket.next()).isEqualTo(colour(two, firstIsWhite ? "black" : "white"));
      seats.put(Side.WHITE, firstIsWhite ? first : second);
      seats.put(Side.BLACK, firstIsWhite ? second : first);
    }

    private String colour(Event connect, String colour) {
      return "[\"OK\",\"" + connect.id() + "\",true,\"" + colour + "\"]";
    }

    private void move(String uci) throws IllegalMoveException {
      Event move = mover().ask(5001, uci, "");
      plies.add(move.id().hex());
      assertThat(waiter().event(5002).toString())
          .isEqualTo(Client.parse(move.toString()).toString());
      oracle.playMove(NotationType.UCI, uci);
      turn = turn.opponent();
    }

    /** Requests the position from the relay, as a returning player does. */
    private void checkPosition(int ply) {
      Event connect = mover().ask(5000, "connect", "");
      JsonNode tags = mover().event(5000).get("tags");
      assertThat(mover().socket.next()).startsWith("[\"OK\",\"" + connect.id());
      assertThat(withoutEnPassant(tag(tags, "fen"))).isEqualTo(withoutEnPassant(oracle.getFen()));
      assertThat(tag(tags, "moves")).isEqualTo(String.join(" ", plan.moves().subList(0, ply)));
      assertThat(oracle.getLegalMoves()).as("moves, the game goes on").isNotEmpty();
    }

    private void finish() {
      switch (plan.finish()) {
        case NOTHING -> {
          boolean mate = plan.termination().word().equals("checkmate");
          boolean noMoves = mate || plan.termination().word().equals("stalemate");
          assertThat(oracle.getLegalMoves().isEmpty()).isEqualTo(noMoves);
          assertThat(oracle.isKingAttacked() && noMoves).isEqualTo(mate);
          both(mate ? "gamecheckmate" : "gamedraw");
        }
        case CLAIM -> {
          mover().ask(5002, "claim", "claim");
          both("gamedraw");
        }
        case OFFER_AND_ACCEPT, OFFER_AND_OFFER -> {
          mover().ask(5002, "offer", "offer");
          assertThat(waiter().event(5002).get("content").asText()).isEqualTo("offersent");
          boolean accept = plan.finish() == Finish.OFFER_AND_ACCEPT;
          waiter().ask(5002, accept ? "accept" : "offer", "accept");
          both("gamedraw");
        }
        case MOVER_RESIGNS -> {
          mover().ask(5003, "resign", "resigned");
          waiter().expectWord("opponentresigned");
        }
        case WAITER_RESIGNS -> {
          waiter().ask(5003, "resign", "resigned");
          mover().expectWord("opponentresigned");
        }
        case TWO_ILLEGAL_MOVES -> {
          for (int i = 1; i <= 2; i++) {
            Event illegal = mover().publish(5001, "a1a1");
            assertThat(mover().socket.next())
                .isEqualTo(
                    "[\"OK\",\"%s\",false,\"invalid: illegal move a1a1 (%d of 2)\"]"
                        .formatted(illegal.id(), i));
          }
          boolean draw = plan.result() == Result.DRAW;
          mover().expectWord(draw ? "gamedraw" : "gamelost");
          waiter().expectWord(draw ? "gamedraw" : "opponentresigned");
        }
        case MOVER_LEAVES -> leave(mover(), waiter());
        case WAITER_LEAVES -> leave(waiter(), mover());
        case ABORT -> {
          waiter().ask(5000, "abort", "");
          both("gameaborted");
        }
        case CANCEL -> {
          mover().ask(5000, "cancelsearch", "");
          both("gameaborted");
          waiter().ask(5000, "cancelsearch", "");
        }
      }
    }

    private void leave(Seat gone, Seat there) {
      gone.socket.abort();
      relay.time().awaitAlarms(2);
      relay.time().advance(Duration.ofSeconds(60));
      there.expectWord(
          switch (plan.result()) {
            case DRAW -> "gamedraw";
            case NONE -> "gameaborted";
            default -> "opponentresigned";
          });
    }

    private void both(String word) {
      seats.values().forEach(seat -> seat.expectWord(word));
    }

    private void checkRecord() {
      spectator.send("[\"REQ\",\"r\",{\"kinds\":[64],\"#e\":[\"" + game + "\"]}]");
      List<JsonNode> frames = spectator.until("EOSE");
      if (plan.result() == Result.NONE) {
        assertThat(frames).hasSize(1);
        return;
      }
      assertThat(frames).hasSize(2);
      JsonNode record = frames.get(0).get(2);
      assertThat(tag(record.get("tags"), "result")).isEqualTo(plan.result().text());
      assertThat(tag(record.get("tags"), "termination")).isEqualTo(plan.termination().word());
      List<String> told = new ArrayList<>();
      for (JsonNode tag : record.get("tags")) {
        if (tag.get(0).asText().equals("plies")) {
          tag.forEach(value -> told.add(value.asText()));
        }
      }
      assertThat(told.subList(1, told.size())).isEqualTo(plies);
      assertThat(movesOf(record.get("content").asText())).isEqualTo(plan.moves());
    }

    private List<String> movesOf(String pgn) {
      List<String> moves = new ArrayList<>();
      PGNImporter importer = new PGNImporter();
      importer.setOnGame(read -> moves.addAll(read.getNotationList(NotationType.UCI)));
      importer.setOnError(error -> moves.add("not PGN: " + error));
      importer.setOnWarning(warning -> moves.add("not quite PGN: " + warning));
      importer.run(new ByteArrayInputStream(pgn.getBytes(StandardCharsets.UTF_8)));
      return moves;
    }
  }

  private static String tag(JsonNode tags, String name) {
    for (JsonNode tag : tags) {
      if (tag.get(0).asText().equals(name)) {
        return tag.get(1).asText();
      }
    }
    throw new AssertionError("no tag " + name + " in " + tags);
  }

  /** The two write the en passant square under different conditions. */
  private static String withoutEnPassant(String fen) {
    String[] fields = fen.split(" ");
    fields[3] = "-";
    return String.join(" ", fields);
  }
}
