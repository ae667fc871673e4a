package gambit.app.games;

import static org.assertj.core.api.Assertions.assertThat;

import gambit.core.testkit.Client;
import java.net.URI;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Many players that play random games over some connections, and the models of their games. One
 * thread drives it; each connection has a thread.
 */
public final class RandomGames implements AutoCloseable {
  /** What players choose to do. */
  public enum Behaviour {
    /** Players do nothing that ends a game. */
    WITHOUT_ENDINGS,
    /** Games end, and their players search for new ones. */
    WITH_ENDINGS,
    /** Every player resigns, and searches for no other game. */
    RESIGNING
  }

  private static final int IDS_PER_FILTER = 200;

  private final RelayStarts starts = new RelayStarts();
  private final Map<String, ObservedGame> games = new ConcurrentHashMap<>();
  private final Map<String, RandomPlayer> players = new HashMap<>();
  private final List<PlayerConnection> connections = new ArrayList<>();
  private final CyclicBarrier allReconnected;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final List<Future<?>> playing = new ArrayList<>();
  private volatile Behaviour behaviour = Behaviour.WITHOUT_ENDINGS;
  private volatile Runnable progress = () -> {};

  /** Creates connections with the given number of players each, not connected to a relay yet. */
  public RandomGames(int connections, int players, Random random) {
    allReconnected = new CyclicBarrier(connections);
    for (int i = 0; i < connections; i++) {
      PlayerConnection connection = new PlayerConnection(this);
      for (int j = 0; j < players; j++) {
        RandomPlayer player = new RandomPlayer(i * players + j, connection, random.nextLong());
        connection.add(player);
        this.players.put(player.pubkey(), player);
      }
      this.connections.add(connection);
    }
  }

  /** Records that the relay is about to be started. */
  public void relayStarts() {
    starts.add();
  }

  RelayStarts starts() {
    return starts;
  }

  Behaviour behaviour() {
    return behaviour;
  }

  void progress() {
    progress.run();
  }

  /** Waits until all connections have reached this point. */
  void awaitOthers() {
    try {
      allReconnected.await(5, TimeUnit.MINUTES);
    } catch (InterruptedException | BrokenBarrierException | TimeoutException e) {
      throw new AssertionError(e);
    }
  }

  ObservedGame game(String id) {
    return games.get(id);
  }

  /**
   * The model of a state's game; a new model if the game is unknown.
   *
   * @param before whether the game began before the last start of the relay
   */
  ObservedGame game(GameState state, boolean before) {
    return games.computeIfAbsent(
        state.game(),
        id -> {
          assertThat(state.ply()).as("ply of the unknown game " + state).isZero();
          int start = before ? starts.count() - 1 : starts.count();
          RandomPlayer white = players.get(state.players().get(0));
          return new ObservedGame(id, white.control(), white.isRated(), starts, start);
        });
  }

  /**
   * Connects again and compares all games with the relay's.
   *
   * @param key the relay's public key, in hex
   */
  public void reconnect(URI relay, String key) throws Exception {
    List<Future<?>> opening = new ArrayList<>();
    for (PlayerConnection connection : connections) {
      opening.add(threads.submit(() -> connection.open(relay, key)));
    }
    for (Future<?> one : opening) {
      one.get();
    }
  }

  /** Starts to play; returns after this number of messages, or when a connection has ended. */
  public void play(Behaviour behaviour, int frames) throws Exception {
    this.behaviour = behaviour;
    CountDownLatch left = new CountDownLatch(frames);
    progress = left::countDown;
    playing.clear();
    for (PlayerConnection connection : connections) {
      playing.add(
          threads.submit(
              () -> {
                try {
                  connection.play();
                } catch (RuntimeException | Error e) {
                  allReconnected.reset(); // the other connections must not wait for this one
                  throw e;
                } finally {
                  end(left);
                }
              }));
    }
    assertThat(left.await(5, TimeUnit.MINUTES)).as("games continue").isTrue();
  }

  private static void end(CountDownLatch latch) {
    while (latch.getCount() > 0) {
      latch.countDown();
    }
  }

  /** Waits until every connection has lost the relay, or all games have ended. */
  public void awaitEnd() throws Exception {
    List<ExecutionException> failures =
        new ArrayList<>(); // those of connections that only waited come last
    for (Future<?> one : playing) {
      try {
        one.get();
      } catch (ExecutionException e) {
        boolean waited = e.getCause().getCause() instanceof BrokenBarrierException;
        failures.add(waited ? failures.size() : 0, e);
      }
    }
    if (!failures.isEmpty()) {
      ExecutionException first = failures.remove(0);
      failures.forEach(first::addSuppressed);
      throw first;
    }
  }

  /** Whether a game is rated, and has so many moves that nobody can abort it. */
  public boolean hasRatedGame() {
    return games.values().stream().anyMatch(ObservedGame::willBeRated);
  }

  /** Checks that every game has ended once, with one record of the moves played. */
  public void checkRecords(URI relay) {
    List<String> ids = List.copyOf(games.keySet());
    try (Client client = new Client(relay)) {
      for (int i = 0; i < ids.size(); i += IDS_PER_FILTER) {
        List<String> some = ids.subList(i, Math.min(i + IDS_PER_FILTER, ids.size()));
        GameRecord.of(client, some).forEach((id, records) -> games.get(id).checkRecords(records));
      }
    }
  }

  /** One recorded game for each way to end. */
  public Collection<String> recordedGames() {
    Map<String, String> recordedGames = new HashMap<>();
    games.forEach((id, score) -> recordedGames.put(GameState.endOf(score.end()), id));
    recordedGames.keySet().removeIf(end -> end.startsWith("*"));
    return recordedGames.values();
  }

  @Override
  public void close() {
    threads.shutdownNow();
  }
}
