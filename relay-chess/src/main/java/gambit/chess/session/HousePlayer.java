package gambit.chess.session;

import gambit.core.model.PubKey;
import java.util.List;
import java.util.Map;

/**
 * The relay's own player, as its information document names it. Immutable.
 *
 * @param levels the strengths at which it can be invited to play
 */
public record HousePlayer(PubKey key, List<Integer> levels) {
  /** A house player; the list is copied. */
  public HousePlayer {
    levels = List.copyOf(levels);
  }

  Map<String, Object> description() {
    return Map.of("pubkey", key.hex(), "levels", levels);
  }
}
