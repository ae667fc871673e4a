package gambit.chess.session;

import gambit.core.feature.Submission;
import gambit.core.model.Event;
import gambit.core.model.EventId;
import gambit.core.model.RelayUrls;
import gambit.core.wire.Reason;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Which chess events are for this relay, now, and for this game: freshness and the tags that narrow
 * an event, so that a captured one cannot be used elsewhere or later. Pure.
 */
record Admission(Duration maxClockSkew, RelayUrls urls) {

  /** Why the event is not taken; its sender may send it again under other circumstances. */
  Optional<Reason> objection(Submission submission, @Nullable EventId currentGame) {
    Event event = submission.event();
    long skew = Math.abs(event.createdAt() - submission.arrivedAt().getEpochSecond());
    if (skew > maxClockSkew.toSeconds()) {
      return Optional.of(
          Reason.invalid(
              "created_at is more than " + maxClockSkew.toSeconds() + " s from the relay's clock"));
    }
    List<String> relays =
        event.tags().named("relay").map(tag -> tag.size() > 1 ? tag.get(1) : "").toList();
    if (!relays.isEmpty() && relays.stream().noneMatch(urls::include)) {
      return Optional.of(Reason.invalid("this event is for another relay"));
    }
    Optional<String> game = game(event);
    if (game.isPresent() && (currentGame == null || !game.get().equals(currentGame.hex()))) {
      return Optional.of(Reason.invalid("this event is for another game"));
    }
    return Optional.empty();
  }

  /** The game that the event names: the e tag marked root, else the first one without a mark. */
  private static Optional<String> game(Event event) {
    List<List<String>> tags = event.tags().named("e").filter(tag -> tag.size() > 1).toList();
    return tags.stream()
        .filter(tag -> mark(tag).equals("root"))
        .findFirst()
        .or(() -> tags.stream().filter(tag -> mark(tag).isEmpty()).findFirst())
        .map(tag -> tag.get(1));
  }

  private static String mark(List<String> tag) {
    return tag.size() > 3 ? tag.get(3) : "";
  }
}
