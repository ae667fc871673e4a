package gambit.chess.session.jester;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import gambit.chess.dialect.JesterMessage;
import gambit.chess.dialect.JesterMessage.Turn;
import gambit.chess.rules.Move;
import gambit.chess.rules.Position;
import gambit.chess.rules.Side;
import gambit.core.crypto.Signer;
import gambit.core.model.Event;
import gambit.core.model.PubKey;
import gambit.core.model.Sha256;
import gambit.core.model.Tags;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;

/** A line of events of kind 30 as Amethyst writes them. Each call returns the next event. */
public final class JesterLine {
  private static final ObjectMapper JSON = new ObjectMapper();

  private long now;
  private final Event start;
  private final List<String> history = new ArrayList<>();
  private Event head;
  private Position position = Position.initial();

  private JesterLine(long now, Event start) {
    this.now = now;
    this.start = start;
    this.head = start;
  }

  /** A start; {@code tags} are further ones. */
  public static JesterLine start(Signer author, Side side, long now, List<List<String>> tags) {
    List<List<String>> all = new ArrayList<>(List.of(List.of("e", JesterMessage.START)));
    all.addAll(tags);
    return of(author, side, now, all);
  }

  /** A challenge as jesterui writes it. */
  static JesterLine challengeByHash(Signer author, Side side, long now, PubKey opponent) {
    String hash = sha256(sha256(opponent.hex()) + JesterMessage.START);
    return of(author, side, now, List.of(List.of("e", hash)));
  }

  private static String sha256(String text) {
    return HexFormat.of().formatHex(Sha256.of(text));
  }

  private static JesterLine of(Signer author, Side side, long now, List<List<String>> tags) {
    ObjectNode content = JSON.createObjectNode().put("version", "0").put("kind", 0);
    content.putArray("history");
    content.put("fen", Position.initial().fen()).put("nonce", author.pubkey().hex() + now);
    content.put("playerColor", side == Side.WHITE ? "white" : "black");
    return new JesterLine(
        now, author.sign(now, JesterMessage.KIND, new Tags(tags), content.toString()));
  }

  public Event start() {
    return start;
  }

  public String id() {
    return start.id().hex();
  }

  /** The same line, with events of a later second. */
  public JesterLine later() {
    now++;
    return this;
  }

  /** The next move, in UCI. */
  public Event move(Signer author, String uci) {
    Move move = Move.parse(uci).orElseThrow();
    history.add(position.san(move));
    position = position.play(move).orElseThrow();
    head = sign(author, content().put("move", history.get(history.size() - 1)));
    return head;
  }

  /** The start and a number of moves, which end no game: the same ones in each call. */
  public static List<Event> moves(Signer white, Signer black, long now, int plies) {
    for (int seed = 1; ; seed++) {
      JesterLine line = start(white, Side.WHITE, now, List.of());
      List<Event> events = new ArrayList<>(List.of(line.start()));
      Random random = new Random(seed);
      while (events.size() <= plies && line.position.outcome().isEmpty()) {
        List<Move> legal = line.position.legalMoves();
        String uci = legal.get(random.nextInt(legal.size())).uci();
        events.add(line.later().move(events.size() % 2 == 1 ? white : black, uci));
      }
      if (line.position.outcome().isEmpty()) {
        return events;
      }
    }
  }

  /** The line that such events have. */
  public static JesterLine of(List<Event> events) {
    JesterLine line = new JesterLine(events.get(0).createdAt(), events.get(0));
    line.now = events.get(events.size() - 1).createdAt();
    return line.after(events.get(events.size() - 1));
  }

  /** Continues after a move of somebody else. */
  public JesterLine after(Event event) {
    Turn turn = (Turn) JesterMessage.read(event).orElseThrow();
    history.clear();
    position = Position.initial();
    for (Move move : turn.moves()) {
      history.add(position.san(move));
      position = position.play(move).orElseThrow();
    }
    head = event;
    return this;
  }

  public Position position() {
    return position;
  }

  /** An end without a move. */
  public Event end(Signer author, String result, String termination) {
    return sign(author, content().put("result", result).put("termination", termination));
  }

  private ObjectNode content() {
    ObjectNode content = JSON.createObjectNode().put("version", "0").put("kind", 1);
    content.put("fen", position.fen());
    history.forEach(content.withArray("/history")::add);
    return content;
  }

  private Event sign(Signer author, ObjectNode content) {
    Tags tags = new Tags(List.of(List.of("e", id()), List.of("e", head.id().hex())));
    return author.sign(now, JesterMessage.KIND, tags, content.toString());
  }
}
