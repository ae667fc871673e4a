package gambit.chess.session.jester;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import gambit.chess.dialect.JesterMessage;
import gambit.chess.rules.Move;
import gambit.chess.rules.Position;
import gambit.chess.rules.Side;
import gambit.chess.session.jester.JesterModel.Written;
import gambit.core.crypto.Signer;
import gambit.core.model.Event;
import gambit.core.model.PubKey;
import gambit.core.model.Tags;
import gambit.core.testkit.Keys;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** Writes the events of a random game of kind 30, of which White has signed the start. */
final class JesterWriter {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Signer STRANGER = Keys.of("carol");
  private static final Map<Side, Signer> PLAYERS =
      Map.of(Side.WHITE, Keys.of("alice"), Side.BLACK, Keys.of("bob"));

  private final Random random;
  private final Event start;
  private final List<Written> all = new ArrayList<>();
  private long seconds;

  JesterWriter(Random random) {
    this.random = random;
    ObjectNode content = JSON.createObjectNode().put("version", "0").put("kind", 0);
    content.putArray("history");
    start = sign(PLAYERS.get(Side.WHITE), content, List.of(List.of("e", JesterMessage.START)));
  }

  Event start() {
    return start;
  }

  /** The game before its first event. */
  JesterModel model() {
    Map<Side, PubKey> seats =
        Map.of(
            Side.WHITE, PLAYERS.get(Side.WHITE).pubkey(),
            Side.BLACK, PLAYERS.get(Side.BLACK).pubkey());
    return new JesterModel(start.id().hex(), seats);
  }

  Side anySide() {
    return random.nextBoolean() ? Side.WHITE : Side.BLACK;
  }

  boolean is(Written event, Side side) {
    return event.author().equals(PLAYERS.get(side).pubkey());
  }

  /** A game of players who have seen everything before, which the model follows. */
  List<Written> honestGame(JesterModel game) {
    List<Written> events = new ArrayList<>();
    int plies = 2 + random.nextInt(20);
    while (!game.isOver() && game.history().size() < plies) {
      Written move = add(events, game, nextMove(game));
      if (random.nextInt(6) == 0) { // no answer came
        add(events, game, write(signer(move), move.head(), move.history(), true, null, null));
      }
      if (!game.isOver() && random.nextInt(5) == 0 && game.history().size() > 1) {
        add(events, game, draw(game, anySide()));
      }
    }
    Side side = anySide();
    int how = game.isOver() ? 0 : random.nextInt(4);
    if (how == 1) {
      add(events, game, end(game, side, lossOf(side), "resignation"));
    } else if (how > 1) {
      add(events, game, draw(game, side));
      if (!game.isOver()) {
        add(events, game, draw(game, side.opponent()));
      }
    }
    return events;
  }

  private static Written add(List<Written> events, JesterModel game, Written event) {
    if (!game.take(event)) {
      throw new AssertionError("not honest: " + event);
    }
    events.add(event);
    return event;
  }

  /** The event with an id. */
  Written written(String id) {
    return all.stream().filter(it -> it.id().equals(id)).findFirst().orElseThrow();
  }

  /** A legal move of who is to move. */
  Written nextMove(JesterModel game) {
    List<String> history = with(game.history(), anyMove(game.history()));
    return write(PLAYERS.get(game.turn()), anyOf(game.heads()), history, true, null, null);
  }

  private Written draw(JesterModel game, Side side) {
    return end(game, side, "1/2-1/2", "draw_agreement");
  }

  private Written end(JesterModel game, Side side, String result, String termination) {
    Signer author = PLAYERS.get(side);
    return write(author, anyOf(game.heads()), game.history(), true, result, termination);
  }

  private static String lossOf(Side side) {
    return side == Side.WHITE ? "0-1" : "1-0";
  }

  /** Mostly something that is not allowed. Nobody ends the game, or is a stranger, too early. */
  Written hostileEvent(JesterModel game, Side side) {
    Signer author = PLAYERS.get(side);
    List<String> history = game.history();
    String head = anyOf(game.heads());
    int ply = random.nextInt(1 + history.size());
    int choice = random.nextInt(game.isOver() || history.size() < 2 ? 7 : 13);
    if (!all.isEmpty() && choice == 0) { // a game of its own
      Written other = anyOf(all);
      return write(
          author, other.id(), with(other.history(), anyMove(other.history())), true, null, null);
    }
    return switch (choice) {
      case 1 -> write(author, head, with(history, "Qh9"), true, null, null);
      case 2 -> write(author, head, with(history, anyMove(List.of())), true, null, null);
      case 3 -> write(author, head, with(history, anyMove(history)), false, null, null);
      case 4 -> { // a fork, or the same move
        List<String> before = history.subList(0, ply);
        String earlier = game.earlierHead(ply);
        yield write(author, earlier, with(before, anyMove(before)), true, null, null);
      }
      case 5 -> { // a false history
        List<String> changed = new ArrayList<>(with(history, anyMove(history)));
        changed.set(ply, "Nf3");
        yield write(author, head, changed, true, null, null);
      }
      case 7 -> write(author, head, history, true, "1-0", "checkmate");
      case 8 -> write(author, head, history, true, lossOf(side.opponent()), "resignation");
      case 9 -> write(author, game.earlierHead(ply), history, true, "1/2-1/2", "draw_agreement");
      case 10 -> write(STRANGER, head, with(history, anyMove(history)), true, null, null);
      case 11 ->
          random.nextInt(8) == 0
              ? end(game, side, lossOf(side), "resignation")
              : end(game, side, lossOf(side), "timeout");
      case 12 -> draw(game, side);
      default ->
          nextMove(game).author().equals(author.pubkey()) // in turn or not
              ? nextMove(game)
              : write(author, head, with(history, anyMove(history)), true, null, null);
    };
  }

  private static List<String> with(List<String> history, String san) {
    List<String> longer = new ArrayList<>(history);
    longer.add(san);
    return longer;
  }

  /** A move that is legal after a history; any text if none is. */
  private String anyMove(List<String> history) {
    List<Move> legal = JesterModel.reached(history).map(Position::legalMoves).orElse(List.of());
    return legal.isEmpty() ? "e4" : JesterModel.reached(history).orElseThrow().san(anyOf(legal));
  }

  private static Signer signer(Written event) {
    return PLAYERS.values().stream()
        .filter(it -> it.pubkey().equals(event.author()))
        .findFirst()
        .orElseThrow();
  }

  private <T> T anyOf(List<T> list) {
    return list.get(random.nextInt(list.size()));
  }

  private Written write(
      Signer author,
      String head,
      List<String> history,
      boolean isSound,
      @Nullable String result,
      @Nullable String termination) {
    ObjectNode content = JSON.createObjectNode().put("version", "0").put("kind", 1);
    Position reached = JesterModel.reached(history).orElse(Position.initial());
    content.put("fen", isSound ? reached.fen() : "8/8/8/8/8/8/8/8 w - - 0 1");
    history.forEach(content.putArray("history")::add);
    if (result != null) {
      content.put("result", result).put("termination", termination);
    } else {
      content.put("move", history.get(history.size() - 1));
    }
    List<List<String>> tags = List.of(List.of("e", start.id().hex()), List.of("e", head));
    Written event =
        new Written(
            sign(author, content, tags), head, List.copyOf(history), isSound, result, termination);
    all.add(event);
    return event;
  }

  /** Each event is a second younger than the one before. */
  private Event sign(Signer author, ObjectNode content, List<List<String>> tags) {
    return author.sign(
        1_700_000_000L + seconds++, JesterMessage.KIND, new Tags(tags), content.toString());
  }
}
