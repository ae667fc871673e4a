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
 * Clubs of players, and all the games that they have played. One thread drives it, the clubs have
 * one each.
 */
public final class Arena implements AutoCloseable {
  /** How wild the players are. */
  public enum Mood {
    /** Games go on: nobody resigns or agrees to a draw. */
    PATIENT,
    /** Games end, and others begin. */
    FICKLE,
    /** Everybody resigns, and looks for no other game. */
    TIRED
  }

  private static final int IDS_OF_A_FILTER = 200;

  private final Starts starts = new Starts();
  private final Map<String, Score> games = new ConcurrentHashMap<>();
  private final Map<String, Player> players = new HashMap<>();
  private final List<Club> clubs = new ArrayList<>();
  private final CyclicBarrier allBack;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final List<Future<?>> playing = new ArrayList<>();
  private volatile Mood mood = Mood.PATIENT;
  private volatile Runnable progress = () -> {};

  /** So many clubs with so many players each, who have not met a relay yet. */
  public Arena(int clubs, int players, Random random) {
    allBack = new CyclicBarrier(clubs);
    for (int i = 0; i < clubs; i++) {
      Club club = new Club(this);
      for (int j = 0; j < players; j++) {
        Player player = new Player(i * players + j, club, random.nextLong());
        club.add(player);
        this.players.put(player.pubkey(), player);
      }
      this.clubs.add(club);
    }
  }

  /** The relay is about to be started. */
  public void relayStarts() {
    starts.add();
  }

  Starts starts() {
    return starts;
  }

  Mood mood() {
    return mood;
  }

  void progress() {
    progress.run();
  }

  /** Waits until all clubs do. */
  void awaitOthers() {
    try {
      allBack.await(5, TimeUnit.MINUTES);
    } catch (InterruptedException | BrokenBarrierException | TimeoutException e) {
      throw new AssertionError(e);
    }
  }

  Score game(String id) {
    return games.get(id);
  }

  /**
   * The game of a state, which is a new one if it is not known.
   *
   * @param before whether that has begun before this start of the relay
   */
  Score game(State state, boolean before) {
    return games.computeIfAbsent(
        state.game(),
        id -> {
          assertThat(state.ply()).as("ply of the unknown game " + state).isZero();
          int start = before ? starts.count() - 1 : starts.count();
          return new Score(id, players.get(state.players().get(0)).control(), starts, start);
        });
  }

  /**
   * Compares all games with what the relay has of them.
   *
   * @param key the relay's, in hex
   */
  public void comeBack(URI relay, String key) throws Exception {
    List<Future<?>> opening = new ArrayList<>();
    for (Club club : clubs) {
      opening.add(threads.submit(() -> club.open(relay, key)));
    }
    for (Future<?> one : opening) {
      one.get();
    }
  }

  /** Begins to play, and returns when so many frames have come, or a club plays no more. */
  public void play(Mood mood, int frames) throws Exception {
    this.mood = mood;
    CountDownLatch left = new CountDownLatch(frames);
    progress = left::countDown;
    playing.clear();
    for (Club club : clubs) {
      playing.add(
          threads.submit(
              () -> {
                try {
                  club.play();
                } catch (RuntimeException | Error e) {
                  allBack.reset(); // nobody need wait for this one any more
                  throw e;
                } finally {
                  end(left);
                }
              }));
    }
    assertThat(left.await(5, TimeUnit.MINUTES)).as("games go on").isTrue();
  }

  private static void end(CountDownLatch latch) {
    while (latch.getCount() > 0) {
      latch.countDown();
    }
  }

  /** Waits until the relay is gone for every club, or everybody was tired and has ended. */
  public void awaitEnd() throws Exception {
    List<ExecutionException> failures = new ArrayList<>(); // of clubs that only waited, last
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

  /** Checks that every game has ended once, with one record of the moves that were played. */
  public void checkRecords(URI relay) {
    List<String> ids = List.copyOf(games.keySet());
    try (Client client = new Client(relay)) {
      for (int i = 0; i < ids.size(); i += IDS_OF_A_FILTER) {
        List<String> some = ids.subList(i, Math.min(i + IDS_OF_A_FILTER, ids.size()));
        GameRecord.of(client, some).forEach((id, records) -> games.get(id).checkRecords(records));
      }
    }
  }

  /** Some finished games that have a record, for each way to end one. */
  public Collection<String> finished() {
    Map<String, String> finished = new HashMap<>();
    games.forEach((id, score) -> finished.put(State.endOf(score.end()), id));
    finished.keySet().removeIf(end -> end.startsWith("*"));
    return finished.values();
  }

  @Override
  public void close() {
    threads.shutdownNow();
  }
}
