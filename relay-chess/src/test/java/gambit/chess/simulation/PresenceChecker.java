package gambit.chess.simulation;

import gambit.chess.dialect.GameRef;
import gambit.chess.dialect.RelayEvents;
import gambit.chess.rules.Side;
import gambit.core.feature.Outgoing;
import gambit.core.model.Tags;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;

/**
 * Compares the published presences with the running games and the bindings, when nothing is under
 * way.
 */
final class PresenceChecker {
  private final ManualTime time;
  private final ExpectedBindings bindings;
  private final Map<String, Tags> published = new HashMap<>(); // by game

  PresenceChecker(ManualTime time, ExpectedBindings bindings) {
    this.time = time;
    this.bindings = bindings;
  }

  void published(Outgoing.Current presence) {
    Tags tags = presence.state().get().unsigned().tags();
    published.put(presence.key(), tags);
    require(tags.first("d").orElse("").equals(presence.key()), presence.key());
    require(tags.first("watching").orElse("").equals("0"), presence.key());
  }

  void removed(Outgoing.StateRemoval removal) {
    require(
        removal.kind() == RelayEvents.PRESENCE_KIND && published.remove(removal.key()) != null,
        removal.key());
  }

  /** Nothing is under way. Connections may lag until the next publication. */
  void quiet(Collection<GameRef> running) {
    require(published.size() == running.size(), "some game that does not run");
    boolean isPending =
        time.isSet(key -> key.getClass().getName().endsWith(".GamePresences$PublicationKey"));
    for (GameRef game : running) {
      String id = game.id().hex();
      Tags tags = published.get(id);
      require(tags != null, id);
      if (!isPending) {
        for (Side side : Side.values()) {
          String word = tags.first(RelayEvents.colour(side)).orElse("");
          boolean isPresent = bindings.isPresent(game.player(side));
          require(word.equals(isPresent ? "present" : "away"), id);
        }
      }
    }
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
