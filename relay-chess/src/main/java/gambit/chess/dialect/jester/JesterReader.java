package gambit.chess.dialect.jester;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import gambit.chess.dialect.jester.JesterMessage.Claim;
import gambit.chess.dialect.jester.JesterMessage.Malformed;
import gambit.chess.dialect.jester.JesterMessage.Start;
import gambit.chess.dialect.jester.JesterMessage.Turn;
import gambit.chess.rules.LegalMove;
import gambit.chess.rules.Move;
import gambit.chess.rules.Position;
import gambit.chess.rules.SanMove;
import gambit.chess.rules.Side;
import gambit.core.model.Event;
import gambit.core.model.EventId;
import gambit.core.model.Hex;
import gambit.core.model.PubKey;
import gambit.core.wire.Reason;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reads the content of a kind 30 event as {@code JSON.parse} does: of duplicate members the last
 * counts, and unknown ones are skipped. One thread.
 */
final class JesterReader {
  /** The longest history that is judged. */
  private static final int MAX_PLIES = 1_000;

  private static final JsonFactory JSON =
      JsonFactory.builder()
          .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES) // a table that clients could fill
          .build();

  private static final Reason VERSION = Reason.invalid("version \"0\" is the only one here");
  private static final Reason HISTORY = Reason.invalid("a start has an empty history");
  private static final Reason INITIAL = Reason.invalid("a game starts from the initial position");
  private static final Reason TWO_TAGS =
      Reason.invalid("a move has two e tags: the start, and the event before");
  private static final Reason NO_MOVE = Reason.invalid("a move has a history");

  private final Event event;
  private final List<String> named;
  private boolean hasVersion;
  private boolean isTooLong;
  private int kind = -1;
  private @Nullable String version;
  private @Nullable String fen;
  private @Nullable String move;
  private @Nullable String result;
  private @Nullable String termination;
  private @Nullable String colour;
  private @Nullable List<String> history;

  private JesterReader(Event event) {
    this.event = event;
    this.named = event.tags().values("e").toList();
  }

  /** Reads an event; empty if it is of another protocol, or longer than any game. */
  static Optional<JesterMessage> read(Event event) {
    JesterReader reader = new JesterReader(event);
    try (JsonParser in = JSON.createParser(event.content())) {
      if (in.nextToken() != JsonToken.START_OBJECT) {
        return Optional.empty();
      }
      while (in.nextToken() == JsonToken.FIELD_NAME) {
        reader.member(in);
      }
      return in.currentToken() == JsonToken.END_OBJECT && in.nextToken() == null
          ? reader.message()
          : Optional.empty();
    } catch (IOException e) {
      return Optional.empty(); // no JSON
    }
  }

  private void member(JsonParser in) throws IOException {
    String name = in.currentName();
    JsonToken token = in.nextToken();
    String text = token == JsonToken.VALUE_STRING ? in.getText() : null;
    switch (name) {
      case "version" -> {
        hasVersion = true;
        version = token == JsonToken.VALUE_NUMBER_INT ? in.getText() : text; // as Amethyst does
      }
      case "kind" -> kind = token == JsonToken.VALUE_NUMBER_INT ? number(in) : -1;
      case "fen" -> fen = text;
      case "move" -> move = text;
      case "result" -> result = text;
      case "termination" -> termination = text;
      case "playerColor" -> colour = text;
      case "history" -> history = token == JsonToken.START_ARRAY ? texts(in) : null;
      default -> in.skipChildren();
    }
    if (token != null && token.isStructStart() && in.currentToken() == token) {
      in.skipChildren(); // a member of a known name with another type
    }
  }

  private static int number(JsonParser in) throws IOException {
    return in.getTextLength() == 1 ? in.getText().charAt(0) - '0' : -1;
  }

  /** The elements of an array, as far as they are judged; null if one is no text. */
  private @Nullable List<String> texts(JsonParser in) throws IOException {
    List<String> texts = new ArrayList<>();
    boolean isHistory = true;
    for (JsonToken token = in.nextToken(); token != JsonToken.END_ARRAY; token = in.nextToken()) {
      isHistory &= token == JsonToken.VALUE_STRING;
      isTooLong |= texts.size() == MAX_PLIES;
      if (isHistory && !isTooLong) {
        texts.add(in.getText());
      }
      in.skipChildren();
    }
    return isHistory ? texts : null;
  }

  private Optional<JesterMessage> message() {
    if (!hasVersion || isTooLong || named.isEmpty() || !Hex.isLowerCase(named.get(0), 64)) {
      return Optional.empty();
    }
    return switch (kind) {
      case 0 -> start();
      case 1 -> Optional.of(turn(EventId.ofHex(named.get(0))));
      default -> Optional.empty();
    };
  }

  private Optional<JesterMessage> start() {
    boolean isOpenForm = named.get(0).equals(JesterMessage.START);
    Reason fault =
        !"0".equals(version)
            ? VERSION
            : history == null || !history.isEmpty()
                ? HISTORY
                : fen != null && !JesterReferee.isAt(fen, Position.initial()) ? INITIAL : null;
    if (fault != null) {
      return isOpenForm ? Optional.of(new Malformed(null, fault)) : Optional.empty();
    }
    Side side = "black".equals(colour) ? Side.BLACK : Side.WHITE;
    return isOpenForm
        ? Optional.of(new Start(side, opponent(), null))
        : Optional.of(new Start(side, null, named.get(0)));
  }

  private @Nullable PubKey opponent() {
    return event
        .tags()
        .values("p")
        .filter(key -> Hex.isLowerCase(key, 64) && !key.equals(event.pubkey().hex()))
        .map(PubKey::ofHex)
        .findFirst()
        .orElse(null);
  }

  private JesterMessage turn(EventId start) {
    if (named.size() != 2 || !Hex.isLowerCase(named.get(1), 64)) {
      return new Malformed(start, TWO_TAGS);
    } else if (!"0".equals(version)) {
      return new Malformed(start, VERSION);
    } else if (history == null) {
      return new Malformed(start, NO_MOVE);
    }
    List<Move> moves = new ArrayList<>(history.size());
    String illegal = null;
    Position position = Position.initial();
    for (String san : history) {
      Position before = position;
      Optional<LegalMove> legal = SanMove.parse(san).flatMap(it -> it.in(before));
      if (legal.isEmpty() || before.outcome().isPresent()) {
        illegal = san;
        break;
      }
      moves.add(legal.get().move());
      position = legal.get().after();
    }
    int plies = history.size();
    boolean lastIsMove = move == null || (plies > 0 && move.equals(history.get(plies - 1)));
    EventId head = EventId.ofHex(named.get(1));
    return new Turn(start, head, moves, plies, illegal, lastIsMove, fen, claim());
  }

  private @Nullable Claim claim() {
    return result == null || result.isEmpty() || result.equals("*")
        ? null
        : new Claim(result, termination);
  }
}
