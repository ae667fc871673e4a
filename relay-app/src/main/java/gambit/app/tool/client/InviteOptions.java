package gambit.app.tool.client;

import gambit.chess.game.TimeControl;
import gambit.chess.rules.Side;
import gambit.core.model.PubKey;
import gambit.core.model.Tags;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The terms of an invite to be sent. Immutable.
 *
 * @param opponent the invited player, or null for an invite that anybody may accept
 * @param time the time control, or null for the relay's default
 * @param ours the side of this client's player, or null to have it drawn by lot
 * @param level the strength requested of a bot, or 0
 */
public record InviteOptions(
    @Nullable PubKey opponent, @Nullable TimeControl time, @Nullable Side ours, int level) {
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
