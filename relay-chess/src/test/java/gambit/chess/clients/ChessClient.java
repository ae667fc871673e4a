package gambit.chess.clients;

import static org.assertj.core.api.Assertions.assertThat;

import gambit.core.testkit.TestRelay;
import java.util.List;
import java.util.function.BiFunction;

/**
 * The actions of a player, however its client is written; each call waits for the relay's answer.
 */
public interface ChessClient extends AutoCloseable {

  /** How clients are written. */
  enum Kind {
    DRAFT("a client of the draft", DraftClient::new),
    SUBSCRIBING("a subscribing client", SubscribingClient::new),
    EPHEMERAL("an ephemeral client", EphemeralClient::new);

    private final String words;
    private final BiFunction<String, TestRelay, ChessClient> make;

    Kind(String words, BiFunction<String, TestRelay, ChessClient> make) {
      this.words = words;
      this.make = make;
    }

    /** A player with a connection; the name determines the key. */
    public ChessClient at(TestRelay relay, String name) {
      return make.apply(name, relay);
    }

    @Override
    public String toString() {
      return words;
    }
  }

  /** Pairs two players at a relay that gives White to the first searcher. */
  static void sitDown(ChessClient white, ChessClient black) {
    white.search();
    black.search();
    assertThat(white.awaitGame()).isEqualTo("white");
    assertThat(black.awaitGame()).isEqualTo("black");
  }

  /** Plays moves in turn; each is received by the other player. */
  static void play(ChessClient white, ChessClient black, List<String> moves) {
    for (int ply = 0; ply < moves.size(); ply++) {
      ChessClient mover = ply % 2 == 0 ? white : black;
      ChessClient other = ply % 2 == 0 ? black : white;
      mover.move(moves.get(ply));
      assertThat(other.awaitMove()).isEqualTo(moves.get(ply));
    }
  }

  void search();

  /** Returns the own colour. */
  String awaitGame();

  void move(String uci);

  /** Returns the opponent's move. */
  String awaitMove();

  void offerDraw();

  void awaitOffer();

  void agree();

  /** Claims a draw. */
  void claim();

  void resign();

  /** Waits for the word that ends the game. */
  void awaitEnd(String word);

  String pubkey();

  @Override
  void close();
}
