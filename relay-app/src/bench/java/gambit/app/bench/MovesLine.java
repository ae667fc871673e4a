package gambit.app.bench;

import gambit.app.bench.Message.Verb;
import gambit.app.common.SafeText;
import gambit.app.tool.client.RelayFailure;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * Moves of games at the same time, each refereed, stored, answered and delivered to the opponent;
 * the latency is that of the delivery. The next move of a game follows when both players have the
 * last one. The games begin and end outside of the measurement.
 */
final class MovesLine implements Line {
  private static final int PLIES = 40;

  private final Bench bench;
  private final String name;
  private final double perSecond;
  private final Random random;
  private List<BenchClient> clients = List.of();
  private List<BenchGame.Player> players = List.of();

  /**
   * Moves in an open loop, or at full speed.
   *
   * @param perSecond 0 for full speed
   */
  MovesLine(Bench bench, String name, double perSecond) {
    this.bench = bench;
    this.name = name;
    this.perSecond = perSecond;
    this.random = new Random(bench.data().seed());
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public String parameter() {
    return Integer.toString(bench.options().games());
  }

  @Override
  public String reasonToSkip() {
    return bench.isRefereed() ? "" : "this relay states no referee of chess (NIP-11)";
  }

  @Override
  public void open() throws RelayFailure {
    clients = bench.clients().connect(2 * bench.options().games());
    players = clients.stream().map(BenchGame.Player::on).toList();
  }

  /** Each pair of players plays one game after another until the time is over. */
  @Override
  public Totals run(Amount amount) throws RelayFailure {
    Totals all = new Totals();
    while (all.nanos() < amount.seconds() * 1e9 && all.operations() < amount.operations()) {
      List<BenchGame> games = new ArrayList<>();
      for (int i = 0; i < players.size(); i += 2) {
        games.add(BenchGame.begin(players.get(i), players.get(i + 1), random.nextLong()));
      }
      games.parallelStream().forEach(game -> game.prepare(PLIES));
      Amount most = perSecond == 0 ? Amount.ofSeconds(Integer.MAX_VALUE) : amount;
      all.add(play(bench.clients(), games, most.pacing(perSecond), bench.server()));
      for (BenchGame game : games) {
        game.resign();
      }
    }
    return all;
  }

  /** Plays the moves that the games have, or as many as there is time for. */
  static Totals play(
      BenchClients clients, List<BenchGame> games, Pacing pacing, @Nullable ServerProcess server)
      throws RelayFailure {
    Playing playing = new Playing(games);
    Loop loop = new Loop(clients, pacing, playing, new Totals());
    playing.listen(loop);
    loop.run(games.stream().map(BenchGame::mover).toList(), 1, server);
    return loop.totals();
  }

  @Override
  public void close() {
    Bench.close(clients);
  }

  /** The moves of all games. A free client stands for a game whose next move may be sent. */
  private static final class Playing implements Loop.Operations {
    private final Deque<BenchGame> free;
    private final Map<BenchClient, UnderWay> underWay = new HashMap<>();
    private final List<BenchGame> games;

    /** A move that has been sent. */
    private static final class UnderWay {
      private final BenchGame game;
      private final SignedEvent move;
      private final long begun;
      private final BenchClient place;
      private boolean isAnswered;
      private boolean isDelivered;

      UnderWay(BenchGame game, long begun, BenchClient place) {
        this.game = game;
        this.move = game.nextMove();
        this.begun = begun;
        this.place = place;
      }
    }

    Playing(List<BenchGame> games) {
      this.games = games;
      this.free = new ArrayDeque<>(games);
    }

    void listen(Loop loop) {
      for (BenchGame game : games) {
        for (BenchClient client : List.of(game.mover(), game.waiter())) {
          Publishing.listen(client, message -> received(client, message, loop), loop);
        }
      }
    }

    @Override
    public boolean hasNext() {
      return !free.isEmpty();
    }

    @Override
    public void begin(BenchClient place, long begun, Loop loop) {
      BenchGame game = free.remove();
      UnderWay move = new UnderWay(game, begun, place);
      underWay.put(game.mover(), move);
      underWay.put(game.waiter(), move);
      move.move.sendBy(game.mover());
    }

    private void received(BenchClient client, Message message, Loop loop) {
      UnderWay sent = underWay.get(client);
      if (message.verb() == Verb.OK) {
        if (sent == null || message.answeredKey() != sent.move.key() || sent.isAnswered) {
          loop.totals().wrong("an OK for no move: " + SafeText.of(message.text()));
        } else if (!message.isAccepted()) {
          loop.fail("The relay refused a move: " + SafeText.of(message.text()));
        } else {
          sent.isAnswered = true;
          conclude(sent, loop);
        }
      } else if (message.verb() == Verb.EVENT) {
        if (sent == null
            || client != sent.game.waiter()
            || message.eventKey() != sent.move.key()
            || sent.isDelivered) {
          loop.totals().wrong("another event than the move: " + SafeText.of(message.text()));
        } else {
          sent.isDelivered = true;
          loop.totals().operation(System.nanoTime() - sent.begun);
          conclude(sent, loop);
        }
      }
    }

    private void conclude(UnderWay sent, Loop loop) {
      if (sent.isAnswered && sent.isDelivered) {
        underWay.remove(sent.game.mover());
        underWay.remove(sent.game.waiter());
        sent.game.turn();
        if (sent.game.hasMoves()) {
          free.add(sent.game);
        }
        loop.freed(sent.place);
      }
    }
  }
}
