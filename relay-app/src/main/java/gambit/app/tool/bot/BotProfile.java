package gambit.app.tool.bot;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
import gambit.app.tool.client.PlayerClient;
import gambit.core.model.Event;
import gambit.core.model.Tags;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** The profile of a bot (kind 0), which says that it is one (NIP-24). Immutable. */
public record BotProfile(String name, String about) {
  private static final int KIND = 0;

  String content() {
    return "{\"name\":\"%s\",\"about\":\"%s\",\"bot\":true}".formatted(quoted(name), quoted(about));
  }

  private static String quoted(String text) {
    return String.valueOf(JsonStringEncoder.getInstance().quoteAsString(text));
  }

  void publish(PlayerClient client, LimitedRefusals refusals) {
    String filter = "{\"kinds\":[0],\"authors\":[\"" + client.pubkey().hex() + "\"],\"limit\":1}";
    client
        .query(filter)
        .thenCompose(
            found ->
                isCurrent(found)
                    ? CompletableFuture.completedFuture("")
                    : client.publish(KIND, Tags.NONE, content()))
        .whenComplete(
            (ok, failure) -> {
              if (failure != null) {
                Throwable cause = failure.getCause() == null ? failure : failure.getCause();
                refusals.refused("the profile", String.valueOf(cause.getMessage()));
              }
            });
  }

  private boolean isCurrent(List<Event> found) {
    return found.stream()
        .max(Comparator.comparingLong(Event::createdAt))
        .filter(event -> event.content().equals(content()))
        .isPresent();
  }
}
