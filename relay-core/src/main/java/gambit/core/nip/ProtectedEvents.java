package gambit.core.nip;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import gambit.core.feature.Feature;
import gambit.core.feature.RelayBuilder;
import gambit.core.feature.Submission;
import gambit.core.model.Event;
import gambit.core.model.Kind;
import gambit.core.model.PubKey;
import gambit.core.wire.Reason;
import java.util.Optional;
import java.util.Set;

/**
 * NIP-70: an event with the tag {@code ["-"]} is taken from its author only, who has to be logged
 * in, and not inside of a repost.
 *
 * @param logins whether anybody can be logged in (NIP-42); if not, none is taken
 */
record ProtectedEvents(boolean logins) implements Feature {
  private static final String TAG = "-";
  private static final JsonMapper JSON = new JsonMapper();

  @Override
  public void install(RelayBuilder relay) {
    relay.supports(70);
    relay.gate(this::objection);
  }

  private Optional<Reason> objection(Submission submission) {
    Event event = submission.event();
    if (Kind.isRepost(event.kind()) && embedsProtected(event.content())) {
      return Optional.of(Reason.blocked("a protected event must not be embedded in a repost"));
    }
    Set<PubKey> keys = submission.connection().keys();
    if (event.tags().named(TAG).findAny().isEmpty() || keys.contains(event.pubkey())) {
      return Optional.empty();
    }
    if (!logins) {
      return Optional.of(Reason.blocked("this relay takes no protected events"));
    }
    String text = "this event may only be published by its author";
    return Optional.of(keys.isEmpty() ? Reason.authRequired(text) : Reason.restricted(text));
  }

  private static boolean embedsProtected(String content) {
    try {
      for (JsonNode tag : JSON.readTree(content).path("tags")) {
        if (tag.path(0).asText().equals(TAG)) {
          return true;
        }
      }
      return false;
    } catch (JsonProcessingException e) {
      return false; // no event at all
    }
  }
}
