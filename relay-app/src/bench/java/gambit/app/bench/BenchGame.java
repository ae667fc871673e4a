package gambit.app.bench;

import gambit.app.bench.Message.Verb;
import gambit.app.common.SafeText;
import gambit.app.tool.client.RelayFailure;
import gambit.chess.rules.Move;
import gambit.chess.rules.Position;
import gambit.core.crypto.Signer;
import gambit.core.model.Tags;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;

/**
 * A game between two clients, in the dialect of the NIP-100 draft. Its moves are random, signed in
 * advance, and none of them ends it. Begun and ended by one thread, played on the event loop.
 */
final class BenchGame {
  private static final Duration TIMEOUT = Duration.ofSeconds(30);
  private static final int CONNECT = 5000;
  private static final int MOVE = 5001;
  private static final int RESIGN = 5003;

  private final Player white;
  private final Player black;
  private final Deque<SignedEvent> moves = new ArrayDeque<>();
  private final Random random;
  private int ply;

  private BenchGame(Player white, Player black, long seed) {
    this.white = white;
    this.black = black;
    this.random = new Random(seed);
  }

  /** A player, who has one key, since a relay bounds the number of players on a connection. */
  record Player(Signer key, BenchClient client) {
    static Player on(BenchClient client) {
      return new Player(Signer.random(), client);
    }

    SignedEvent sign(int kind, String content) {
      List<List<String>> nonce = List.of(List.of("nonce", "" + System.nanoTime()));
      long now = System.currentTimeMillis() / 1000;
      Draft draft = Draft.of(0, key, now, kind, new Tags(nonce), content);
      return SignedEvent.of(draft, draft.sign().toString());
    }
  }

  /** Pairs two players without a game; nobody else may search for an opponent meanwhile. */
  static BenchGame begin(Player one, Player two, long seed) throws RelayFailure {
    Search searching = new Search(one);
    searching.await(searching.confirmed);
    Search found = new Search(two);
    boolean isFirstWhite = searching.await(searching.isWhite);
    if (found.await(found.isWhite) == isFirstWhite) {
      throw new RelayFailure(
          "Two players were not paired with each other; is somebody else searching for games?");
    }
    return isFirstWhite ? new BenchGame(one, two, seed) : new BenchGame(two, one, seed);
  }

  /** A player's search, answered with an OK, and with another one that names the colour. */
  private static final class Search implements BenchClient.Listener {
    private final CompletableFuture<Void> confirmed = new CompletableFuture<>();
    private final CompletableFuture<Boolean> isWhite = new CompletableFuture<>();

    Search(Player player) {
      player.client().listen(this);
      player.sign(CONNECT, "connect").sendBy(player.client());
    }

    @Override
    public void received(Message message) {
      if (message.verb() == Verb.OK && !message.isAccepted()) {
        ended("The relay refused a search for a game: " + SafeText.of(message.text()));
      } else if (message.verb() == Verb.OK) {
        confirmed.complete(null);
        if (message.hasReason("white\"") || message.hasReason("black\"")) {
          isWhite.complete(message.hasReason("white\""));
        }
      }
    }

    @Override
    public void ended(String reason) {
      confirmed.completeExceptionally(new RelayFailure(reason));
      isWhite.completeExceptionally(new RelayFailure(reason));
    }

    <T> T await(CompletableFuture<T> result) throws RelayFailure {
      return BenchClients.await(result, TIMEOUT, "A game does not begin");
    }
  }

  /** Signs the moves of the game. */
  void prepare(int plies) {
    Position position = Position.initial();
    for (int i = 0; i < plies; i++) {
      Move move = anyMoveThatEndsNoGame(position);
      moves.add((i % 2 == 0 ? white : black).sign(MOVE, move.uci()));
      position = position.play(move).orElseThrow();
    }
  }

  private Move anyMoveThatEndsNoGame(Position position) {
    List<Move> legal = new ArrayList<>(position.legalMoves());
    Collections.shuffle(legal, random);
    return legal.stream()
        .filter(move -> position.play(move).orElseThrow().outcome().isEmpty())
        .findFirst()
        .orElseThrow();
  }

  boolean hasMoves() {
    return !moves.isEmpty();
  }

  /** The client of the player whose turn it is. */
  BenchClient mover() {
    return (ply % 2 == 0 ? white : black).client();
  }

  /** The client of the other player. */
  BenchClient waiter() {
    return (ply % 2 == 0 ? black : white).client();
  }

  /** The next move, which both players must see before another one. */
  SignedEvent nextMove() {
    return moves.remove();
  }

  void turn() {
    ply++;
  }

  /** Ends the game. */
  void resign() throws RelayFailure {
    CompletableFuture<Void> over = new CompletableFuture<>();
    SignedEvent event = white.sign(RESIGN, "resign");
    white
        .client()
        .listen(
            message -> {
              if (message.verb() == Verb.OK && message.answeredKey() == event.key()) {
                over.complete(null);
              }
            });
    black.client().listen(message -> {});
    event.sendBy(white.client());
    BenchClients.await(over, TIMEOUT, "A game does not end");
  }
}
