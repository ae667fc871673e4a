package gambit.chess.simulation;

import gambit.chess.game.Termination;
import gambit.chess.rating.Category;
import gambit.chess.rating.Rating;
import gambit.chess.session.play.StoredRatings.PlayerRatings;
import gambit.core.model.PubKey;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * One run: players play until a number of games has ended, and then until nothing is left. The seed
 * determines everything.
 */
final class Simulation {
  private static final long DAY = 24L * 60 * 60 * 1000;

  /** The approximate maximum time between a player's actions, in milliseconds. */
  private static final long THINKS = 3_000;

  /** The minimum of players of which one may have several live games; it is the first. */
  private static final int MIN_PLAYERS_WITH_HOUSE = 50;

  private static final int FIRST_ACTS_ONE_IN = 12;

  private final SplittableRandom chance;
  private final SimulatedRelay simulatedRelay;
  private final RandomActions randomActions;
  private final long pace;
  private int crashes;
  private int takeovers;

  Simulation(long seed, int players, InjectedBug injectedBug) {
    this.chance = new SplittableRandom(seed);
    this.simulatedRelay = new SimulatedRelay(chance, injectedBug);
    this.pace = 1 + THINKS / players;
    this.randomActions = new RandomActions(simulatedRelay, chance);
    boolean hasHouse = players >= MIN_PLAYERS_WITH_HOUSE;
    if (hasHouse) {
      simulatedRelay.players.add(new SimulatedPlayer(SimulatedRelay.HOUSE, chance));
    }
    for (int i = hasHouse ? 1 : 0; i < players; i++) {
      byte[] key = new byte[32];
      chance.nextBytes(key);
      simulatedRelay.players.add(new SimulatedPlayer(new PubKey(key), chance));
      simulatedRelay.rate(new PubKey(key), earlierRatings(i));
    }
    simulatedRelay.crash();
  }

  /** Ratings in all categories, of which about half are on the leaderboards. */
  private PlayerRatings earlierRatings(int player) {
    Rating rating =
        new Rating(
            145_000 + player * 3_919 % 10_000,
            4_500 + player * 613 % 6_000,
            60_000,
            30,
            simulatedRelay.time.millis() / 1000);
    PlayerRatings ratings = PlayerRatings.NONE;
    for (Category category : Category.values()) {
      ratings = ratings.with(category, rating);
    }
    return ratings;
  }

  /** The result of the run. */
  record Outcome(
      Map<Termination, Integer> endings,
      long answers,
      int crashes,
      int takeovers,
      int mostGamesOfAPlayer,
      int mostSlowGamesOfAPlayer,
      long ratedGames) {}

  Outcome run(int games) {
    InvariantChecker checker = simulatedRelay.checker;
    int weather = 0;
    for (long step = 0; checker.ended() < games; step++) {
      if (step % 2_000 == 0) {
        weather = chance.nextInt(6);
        change(weather);
      }
      randomActions.act(next());
      if (weather < 3 || chance.nextInt(20) == 0) {
        simulatedRelay.settle();
      } else {
        for (int i = chance.nextInt(8); i > 0; i--) {
          something();
        }
      }
      passTime();
      if (chance.nextInt(5_000) == 0) {
        crash();
      } else if (chance.nextInt(60 + 10 * takeovers) == 0) { // rarer, since each reads more rows
        simulatedRelay.takeOver(chance.nextBoolean());
        takeovers++;
      }
    }
    change(0);
    leave();
    return new Outcome(
        checker.endings(),
        checker.commands.answers(),
        crashes,
        takeovers,
        checker.mostGamesOfAPlayer(),
        checker.mostSlowGamesOfAPlayer(),
        checker.ratings.games());
  }

  /** The next player to act: more often the first one, who may have several games. */
  private SimulatedPlayer next() {
    List<SimulatedPlayer> players = simulatedRelay.players;
    boolean isFirst = chance.nextInt(FIRST_ACTS_ONE_IN) == 0;
    return players.get(isFirst ? 0 : chance.nextInt(players.size()));
  }

  /** Starts and stops faults. */
  private void change(int weather) {
    simulatedRelay.full = weather == 4;
    simulatedRelay.failing = weather == 2 || weather == 5 ? 100 : 0;
    simulatedRelay.busy = weather == 1 || weather == 5 ? 50 : 0;
    simulatedRelay.settle(); // the output of both ways keeps its order
    simulatedRelay.sendsAtOnce = chance.nextBoolean();
  }

  /** One of the relay's threads takes a step, if it has a task. */
  private void something() {
    boolean done =
        switch (chance.nextInt(9)) {
          case 0, 1, 2 -> simulatedRelay.handOn();
          case 3, 4, 5 -> simulatedRelay.work();
          case 6 -> simulatedRelay.commit();
          case 7 -> simulatedRelay.tellCommitted();
          default -> simulatedRelay.time.ring();
        };
    if (!done && chance.nextInt(200) == 0) {
      simulatedRelay.time.ringEarly();
    }
  }

  private void passTime() {
    int lot = chance.nextInt(10_000);
    long millis;
    if (lot == 0) {
      millis = chance.nextLong(60_000);
    } else if (lot == 1) {
      millis = Math.max(0, simulatedRelay.time.untilNext());
    } else {
      millis = chance.nextLong(pace);
    }
    simulatedRelay.time.move(millis);
  }

  private void crash() {
    simulatedRelay.players.forEach(player -> player.sockets.clear());
    simulatedRelay.crash();
    simulatedRelay.time.move(chance.nextLong(5_000));
    crashes++;
  }

  /** All players leave, and all deadlines pass. */
  private void leave() {
    simulatedRelay.players.forEach(randomActions::resignUntimedGames);
    for (SimulatedPlayer player : simulatedRelay.players) {
      player.sockets.forEach(simulatedRelay::close);
      player.sockets.clear();
    }
    simulatedRelay.settle();
    for (int i = 0; i < 100_000 && simulatedRelay.time.alarms() > 0; i++) {
      simulatedRelay.time.move(simulatedRelay.time.untilNext());
      simulatedRelay.settle();
    }
    simulatedRelay.time.move(40 * DAY);
    simulatedRelay.settle();
    simulatedRelay.checker.over();
    randomActions.checkThatNoMoveIsAwaited();
  }
}
