package gambit.app.tool.client;

import gambit.chess.game.TimeControl;
import gambit.chess.rules.Side;
import gambit.core.model.PubKey;
import gambit.core.model.Tags;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The terms of an invite to be sent. Immutable; begin with {@link #OPEN}.
 *
 * @param opponent the invited player, or null for an invite that anybody may accept
 * @param time the time control, or null for the relay's default
 * @param ours the side of this client's player, or null to have it drawn by lot
 * @param level the strength requested of a bot, or 0
 */
public record InviteOptions(
    @Nullable PubKey opponent, @Nullable TimeControl time, @Nullable Side ours, int level) {
  /** An invite that anybody may accept, with the defaults of the relay. */
  public static final InviteOptions OPEN = new InviteOptions(null, null, null, 0);

  public InviteOptions to(PubKey player) {
    return new InviteOptions(player, time, ours, level);
  }

  public InviteOptions withTime(@Nullable TimeControl control) {
    return new InviteOptions(opponent, control, ours, level);
  }

  public InviteOptions as(@Nullable Side side) {
    return new InviteOptions(opponent, time, side, level);
  }

  public InviteOptions withLevel(int strength) {
    return new InviteOptions(opponent, time, ours, strength);
  }

  Tags tags() {
    List<List<String>> tags = new ArrayList<>();
    if (opponent != null) {
      tags.add(List.of("p", opponent.hex()));
    }
    if (time != null) {
      tags.add(List.of("time", time.text()));
    }
    if (ours != null) {
      tags.add(List.of("color", EventTags.word(ours)));
    }
    if (level > 0) {
      tags.add(List.of("level", "" + level));
    }
    return new Tags(tags);
  }
}
