package gambit.app.house;

import com.fasterxml.jackson.databind.JsonNode;
import gambit.app.tool.client.ReceivedMessage;
import gambit.chess.dialect.JesterMessage;
import gambit.chess.dialect.JesterMessage.Turn;
import gambit.chess.rules.Move;
import gambit.chess.rules.Side;
import gambit.chess.session.jester.JesterLine;
import gambit.core.crypto.Signer;
import gambit.core.model.Event;
import gambit.core.testkit.Client;
import java.net.URI;
import java.time.Instant;
import java.util.List;

/** A client that plays a game of kind 30 badly, and knows of no referee. */
final class JesterPerson implements AutoCloseable {
  private final Signer key = Signer.random();
  private final Side side;
  final JesterLine line;
  private Client publisher;
  private Client follower;
  private int plies;

  /** Connects, and publishes a start with more tags. */
  JesterPerson(URI relay, Side side, List<List<String>> tags) {
    this.side = side;
    this.line = JesterLine.start(key, side, Instant.now().getEpochSecond(), tags);
    connect(relay);
    publisher.publishAccepted(line.start());
  }

  void connect(URI relay) {
    publisher = new Client(relay);
    follower = new Client(relay);
    follower.send("[\"REQ\",\"game\",{\"kinds\":[30,64],\"#e\":[\"" + line.id() + "\"]}]");
  }

  /** Plays a number of moves, or until the game is over; returns whether it is. */
  boolean play(int moves) {
    for (int i = 0; i < moves; i++) {
      if (plies % 2 != side.index() && isOverAfterAnswer()) {
        return true;
      }
      Move move = line.position().legalMoves().get(0);
      publisher.publishAccepted(line.move(key, move.uci()));
      plies++;
    }
    return isOverAfterAnswer();
  }

  void offerDraw() {
    publisher.publishAccepted(line.end(key, "1/2-1/2", "draw_agreement"));
  }

  /** Waits for the opponent's next move, or the end. */
  private boolean isOverAfterAnswer() {
    while (line.position().outcome().isEmpty()) {
      JsonNode message = follower.nextJson();
      if (message.get(0).asText().equals("EVENT")) {
        Event event = ReceivedMessage.parseEvent(message.get(2).toString()).orElseThrow();
        if (event.kind() != JesterMessage.KIND) {
          return true;
        }
        if (!event.pubkey().equals(key.pubkey())
            && JesterMessage.read(event).orElseThrow() instanceof Turn turn
            && turn.plies() == plies + 1) {
          line.after(event);
          plies++;
          return line.position().outcome().isPresent();
        }
      }
    }
    return true;
  }

  @Override
  public void close() {
    publisher.close();
    follower.close();
  }
}
