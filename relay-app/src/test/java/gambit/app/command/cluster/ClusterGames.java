package gambit.app.command.cluster;

import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** Many games at once between players at random nodes, with spectators at all nodes. */
final class ClusterGames implements AutoCloseable {
  private static final int GROUPS = 10;

  private final List<RelayNode> nodes;
  private final Violations violations;
  private final GameBook book;
  private final int count;
  private final long thinkingMillis;
  private final List<PlayerGroup> groups = new ArrayList<>();
  private final List<Spectator> spectators = new ArrayList<>();
  private final Map<String, Integer> refusals = new ConcurrentHashMap<>();
  private final ScheduledExecutorService timer = Executors.newScheduledThreadPool(4);
  private volatile boolean isEnding;

  /**
   * Begins to play.
   *
   * @param movesPerSecond in all games together, on the average
   */
  ClusterGames(
      List<RelayNode> nodes, Violations violations, int count, int movesPerSecond, Random random) {
    this.nodes = nodes;
    this.violations = violations;
    this.book = new GameBook(violations);
    this.count = count;
    this.thinkingMillis = count * 1_000L / movesPerSecond;
    for (RelayNode node : nodes) {
      Spectator spectator = new Spectator(this, node);
      spectators.add(spectator);
      timer.scheduleWithFixedDelay(spectator::connect, 0, 500, TimeUnit.MILLISECONDS);
    }
    int players = 2 * count / GROUPS;
    for (int i = 0; i < GROUPS; i++) {
      groups.add(new PlayerGroup(this, i * players, players, timer, random.nextLong()));
    }
  }

  /** Waits until nearly all games run, as seen at all nodes. */
  void awaitGames() {
    await("games begin")
        .atMost(Duration.ofMinutes(2))
        .until(() -> spectators.stream().allMatch(it -> it.running() >= count * 9 / 10));
  }

  RelayNode anyNode(Random random) {
    return nodes.get(random.nextInt(nodes.size()));
  }

  GameBook book() {
    return book;
  }

  Violations violations() {
    return violations;
  }

  boolean isEnding() {
    return isEnding;
  }

  long thinkingTime(Random random) {
    return isEnding ? random.nextInt(500) : random.nextLong(longestThinking() + 1);
  }

  long longestThinking() {
    return 2 * thinkingMillis;
  }

  /** A request was refused. */
  void refused(String text) {
    refusals.merge(text, 1, Integer::sum);
  }

  /** Lets all games end by resignation, and waits until every node shows that. */
  void end() {
    isEnding = true;
    await("games end")
        .atMost(Duration.ofMinutes(2))
        .pollInterval(Duration.ofMillis(200))
        .until(() -> spectators.stream().allMatch(it -> it.running() == 0));
  }

  /** What was done, for people. */
  String summary() {
    return book.gameCount()
        + " games, "
        + book.finished()
        + " of them finished, "
        + book.moves()
        + " moves accepted, refusals "
        + new TreeMap<>(refusals);
  }

  /** The games that run, as seen at each node. */
  List<Integer> running() {
    return spectators.stream().map(Spectator::running).toList();
  }

  @Override
  public void close() {
    timer.shutdownNow();
    groups.forEach(PlayerGroup::close);
    spectators.forEach(Spectator::close);
  }
}
