package gambit.chess.simulation;

import gambit.chess.dialect.GameRef;
import gambit.chess.dialect.RefereeEvents;
import gambit.chess.rules.Side;
import gambit.core.feature.Outgoing;
import gambit.core.model.Tags;
import java.util.HashMap;
import java.util.Map;

/**
 * Compares the published presences, at games and of players, with the running games and the
 * bindings, when nothing is under way.
 */
final class PresenceChecker {
  private final ManualTime time;
  private final ExpectedBindings bindings;
  private final Map<String, Presence> published = new HashMap<>(); // by game

  /** By key, the players who are here. */
  private final Map<String, String> players = new HashMap<>();

  /** Whether each player of a game is present. */
  private record Presence(boolean white, boolean black) {}

  PresenceChecker(ManualTime time, ExpectedBindings bindings) {
    this.time = time;
    this.bindings = bindings;
  }

  void published(Outgoing.Current current) {
    String game = current.key();
    Tags tags = current.state().get().unsigned().tags();
    published.put(game, new Presence(isPresent(tags, Side.WHITE), isPresent(tags, Side.BLACK)));
    require(tags.first("d").orElse("").equals(game), game);
    require(tags.first("watching").orElse("").equals("0"), game);
  }

  void playerPublished(Outgoing.Current current) {
    String status = current.state().get().unsigned().tags().first("status").orElse("");
    String before =
        current.ends() ? players.remove(current.key()) : players.put(current.key(), status);
    checkPlayers(
        !status.equals(before) && current.ends() == status.equals("offline"), current.key());
  }

  private static boolean isPresent(Tags tags, Side side) {
    String word = tags.first(RefereeEvents.colour(side)).orElse("");
    InvariantChecker.check(
        word.equals("present") || word.equals("away"),
        Invariant.PRESENCE_OF_EVERY_RUNNING_GAME,
        () -> "a player is " + word);
    return word.equals("present");
  }

  void removed(Outgoing.StateRemoval removal) {
    require(
        removal.kind() == RefereeEvents.PRESENCE_KIND && published.remove(removal.key()) != null,
        removal.key());
  }

  /** Nothing is under way. Connections may lag until the next publication. */
  void quiet(Map<String, GameRef> running) {
    require(published.size() == running.size(), "some game that does not run");
    boolean isPending =
        time.isSet(key -> key.getClass().getName().endsWith(".Presences$PublicationKey"));
    running.forEach(
        (id, game) -> {
          Presence presence = published.get(id);
          require(presence != null && (isPending || presence.equals(due(game))), id);
        });
    if (!time.isSet(key -> key.getClass().getName().endsWith(".Presences$PlayersKey"))) {
      Map<String, String> due = new HashMap<>();
      bindings.present().forEach(player -> due.put(player.hex(), "online"));
      running.values().stream()
          .filter(game -> !game.isSlow())
          .forEach(
              game -> {
                due.put(game.white().player().hex(), "playing");
                due.put(game.black().player().hex(), "playing");
              });
      checkPlayers(players.equals(due), "" + due);
    }
  }

  private Presence due(GameRef game) {
    return new Presence(
        bindings.isPresent(game.white().player()), bindings.isPresent(game.black().player()));
  }

  /** Another leader publishes the presences again; those at games that do not run are forgotten. */
  void tookOver(Map<String, GameRef> running) {
    published.keySet().retainAll(running.keySet());
    players.clear();
  }

  void crashed() {
    published.clear();
    players.clear();
  }

  private void checkPlayers(boolean holds, String about) {
    InvariantChecker.check(
        holds, Invariant.PRESENCE_OF_EVERY_PLAYER, () -> players + " are here, not: " + about);
  }

  private void require(boolean holds, String game) {
    InvariantChecker.check(
        holds,
        Invariant.PRESENCE_OF_EVERY_RUNNING_GAME,
        () -> "the presence at " + game + " is " + published.get(game));
  }
}
