package gambit.chess.simulation;

import gambit.chess.game.Termination;
import gambit.core.model.PubKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * One run: so many players until so many games have ended, and then until nothing is left. What
 * happens is a function of the seed.
 */
final class Simulation {
  private static final long DAY = 24L * 60 * 60 * 1000;

  /** For how long a player sits still at most, about, in milliseconds. */
  private static final long THINKS = 3_000;

  private final SplittableRandom chance;
  private final World world;
  private final Script script;
  private final long pace;
  private int crashes;

  Simulation(long seed, int players, Sabotage sabotage) {
    this.chance = new SplittableRandom(seed);
    this.world = new World(chance, sabotage);
    this.pace = 1 + THINKS / players;
    this.script = new Script(world, chance);
    for (int i = 0; i < players; i++) {
      byte[] key = new byte[32];
      chance.nextBytes(key);
      world.players.add(new Player(new PubKey(key), chance));
    }
  }

  /** What came of it. */
  record Outcome(Map<Termination, Integer> endings, long answers, int crashes) {}

  Outcome run(int games) {
    Ledger ledger = world.ledger;
    int weather = 0;
    for (long step = 0; ledger.ended() < games; step++) {
      if (step % 2_000 == 0) {
        weather = chance.nextInt(6);
        change(weather);
      }
      script.act(world.players.get(chance.nextInt(world.players.size())));
      if (weather < 3 || chance.nextInt(20) == 0) {
        world.settle();
      } else {
        for (int i = chance.nextInt(8); i > 0; i--) {
          something();
        }
      }
      passTime();
      if (chance.nextInt(5_000) == 0) {
        crash();
      }
    }
    change(0);
    leave();
    return new Outcome(ledger.endings(), ledger.commands.answers(), crashes);
  }

  /** Faults come and go. */
  private void change(int weather) {
    world.full = weather == 4;
    world.failing = weather == 2 || weather == 5 ? 100 : 0;
    world.busy = weather == 1 || weather == 5 ? 50 : 0;
  }

  /** Any one of the relay's threads takes a step, if it has something to do. */
  private void something() {
    boolean done =
        switch (chance.nextInt(9)) {
          case 0, 1, 2 -> world.handOn();
          case 3, 4, 5 -> world.work();
          case 6 -> world.commit();
          case 7 -> world.tellCommitted();
          default -> world.time.ring();
        };
    if (!done && chance.nextInt(200) == 0) {
      world.time.ringEarly();
    }
  }

  private void passTime() {
    int lot = chance.nextInt(10_000);
    if (lot == 0) {
      world.time.move(chance.nextLong(60_000));
    } else if (lot == 1) {
      world.time.move(Math.max(0, world.time.untilNext()));
    } else {
      world.time.move(chance.nextLong(pace));
    }
  }

  private void crash() {
    List<Socket> sockets = new ArrayList<>();
    for (Player player : world.players) {
      sockets.addAll(player.sockets);
      player.sockets.clear();
    }
    world.crash(sockets);
    world.time.move(chance.nextLong(5_000));
    crashes++;
  }

  /** Everybody leaves, and all time passes. */
  private void leave() {
    for (Player player : world.players) {
      player.sockets.forEach(world::close);
      player.sockets.clear();
    }
    world.settle();
    for (int i = 0; i < 100_000 && world.time.alarms() > 0; i++) {
      world.time.move(world.time.untilNext());
      world.settle();
    }
    world.time.move(40 * DAY);
    world.settle();
    world.ledger.over();
    script.checkThatNoMoveIsAwaited();
  }
}
