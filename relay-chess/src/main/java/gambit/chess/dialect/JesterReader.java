package gambit.chess.dialect;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.json.JsonMapper;
import gambit.chess.dialect.JesterMessage.Claim;
import gambit.chess.dialect.JesterMessage.Malformed;
import gambit.chess.dialect.JesterMessage.Start;
import gambit.chess.dialect.JesterMessage.Turn;
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

  private static final ObjectReader JSON =
      JsonMapper.builder(
              JsonFactory.builder()
                  .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES) // clients could fill it
                  .build())
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build()
          .reader();

  private static final Reason VERSION = Reason.invalid("version \"0\" is the only one here");
  private static final Reason HISTORY = Reason.invalid("a start has an empty history");
  private static final Reason INITIAL = Reason.invalid("a game starts from the initial position");
  private static final Reason TWO_TAGS =
      Reason.invalid("a move has two e tags: the start, and the event before");
  private static final Reason NO_MOVE = Reason.invalid("a move has a history");

  private final Event event;
  private final List<String> named;
  private final JsonNode content;
  private final @Nullable String version;
  private final @Nullable String fen;
  private final @Nullable List<String> history;

  private JesterReader(Event event, JsonNode content) {
    this.event = event;
    this.named = event.tags().values("e").toList();
    this.content = content;
    JsonNode number = content.path("version");
    this.version =
        number.isIntegralNumber() ? number.asText() : text("version"); // as Amethyst does
    this.fen = text("fen");
    this.history = texts(content.path("history"));
  }

  /** Reads an event; empty if it is of another protocol, or longer than any game. */
  static Optional<JesterMessage> read(Event event) {
    try {
      JsonNode content = JSON.readTree(event.content());
      return content.isObject() ? new JesterReader(event, content).message() : Optional.empty();
    } catch (IOException e) {
      return Optional.empty(); // no JSON
    }
  }

  private @Nullable String text(String member) {
    return content.path(member).textValue();
  }

  /** The elements of an array; null if it is none, or one of them is no text. */
  private static @Nullable List<String> texts(JsonNode array) {
    List<String> texts = new ArrayList<>(array.size());
    for (JsonNode element : array) {
      if (!element.isTextual()) {
        return null;
      }
      texts.add(element.textValue());
    }
    return array.isArray() ? texts : null;
  }

  private Optional<JesterMessage> message() {
    boolean isTooLong = content.path("history").size() > MAX_PLIES;
    if (!content.has("version")
        || isTooLong
        || named.isEmpty()
        || !Hex.isLowerCase(named.get(0), 64)) {
      return Optional.empty();
    }
    JsonNode kind = content.path("kind");
    return switch (kind.isInt() ? kind.intValue() : -1) {
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
    Side side = "black".equals(text("playerColor")) ? Side.BLACK : Side.WHITE;
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
    String move = text("move");
    boolean lastIsMove = move == null || (plies > 0 && move.equals(history.get(plies - 1)));
    EventId head = EventId.ofHex(named.get(1));
    return new Turn(start, head, moves, plies, illegal, lastIsMove, fen, claim());
  }

  private @Nullable Claim claim() {
    String result = text("result");
    return result == null || result.isEmpty() || result.equals("*")
        ? null
        : new Claim(result, text("termination"));
  }
}
