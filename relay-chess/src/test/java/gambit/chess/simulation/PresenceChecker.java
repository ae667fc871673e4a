package gambit.chess.simulation;

import gambit.chess.dialect.GameRef;
import gambit.chess.dialect.RefereeEvents;
import gambit.chess.rules.Side;
import gambit.core.feature.Outgoing;
import gambit.core.model.Tags;
import java.util.HashMap;
import java.util.Map;

/**
 * Compares the published presences with the running games and the bindings, when nothing is under
 * way.
 */
final class PresenceChecker {
  private final ManualTime time;
  private final ExpectedBindings bindings;
  private final Map<String, Presence> published = new HashMap<>(); // by game

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
        time.isSet(key -> key.getClass().getName().endsWith(".GamePresences$PublicationKey"));
    running.forEach(
        (id, game) -> {
          Presence presence = published.get(id);
          require(presence != null && (isPending || presence.equals(due(game))), id);
        });
  }

  private Presence due(GameRef game) {
    return new Presence(
        bindings.isPresent(game.white().player()), bindings.isPresent(game.black().player()));
  }

  /** Another leader publishes the presences again; those at games that do not run are forgotten. */
  void tookOver(Map<String, GameRef> running) {
    published.keySet().retainAll(running.keySet());
  }

  void crashed() {
    published.clear();
  }

  private void require(boolean holds, String game) {
    InvariantChecker.check(
        holds,
        Invariant.PRESENCE_OF_EVERY_RUNNING_GAME,
        () -> "the presence at " + game + " is " + published.get(game));
  }
}
