package gambit.core.nip;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonStreamContext;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import gambit.core.feature.Feature;
import gambit.core.feature.RelayBuilder;
import gambit.core.feature.Submission;
import gambit.core.model.Event;
import gambit.core.model.Kind;
import gambit.core.model.PubKey;
import gambit.core.wire.Reason;
import java.io.IOException;
import java.util.Optional;
import java.util.Set;

/**
 * NIP-70: an event with the tag {@code ["-"]} is accepted only from its author, who must have
 * logged in, and not embedded in a repost; from nobody if clients cannot log in (NIP-42).
 */
record ProtectedEvents(boolean logins) implements Feature {
  private static final String TAG = "-";

  /** Has no bounds, so that an embedded event is recognized whatever it contains. */
  private static final JsonFactory JSON =
      JsonFactory.builder()
          .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES) // a table that clients could fill
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNestingDepth(Integer.MAX_VALUE)
                  .maxNameLength(Integer.MAX_VALUE)
                  .maxNumberLength(Integer.MAX_VALUE)
                  .maxStringLength(Integer.MAX_VALUE)
                  .build())
          .build();

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
    if (!event.tags().has(TAG) || keys.contains(event.pubkey())) {
      return Optional.empty();
    }
    if (!logins) {
      return Optional.of(Reason.blocked("this relay takes no protected events"));
    }
    String text = "this event may only be published by its author";
    return Optional.of(keys.isEmpty() ? Reason.authRequired(text) : Reason.restricted(text));
  }

  private static boolean embedsProtected(String content) {
    if (!content.stripLeading().startsWith("{")) { // cheaper than the parser's exception
      return false;
    }
    boolean found = false;
    try (JsonParser in = JSON.createParser(content)) {
      do {
        in.nextToken();
        found |= in.currentToken() == JsonToken.VALUE_STRING && isProtectingTag(in);
      } while (!in.getParsingContext().inRoot());
      return found;
    } catch (IOException e) {
      return false; // the content is not an event
    }
  }

  /** Whether a text is the first one of an array in the array {@code tags} of the outer object. */
  private static boolean isProtectingTag(JsonParser in) throws IOException {
    JsonStreamContext tag = in.getParsingContext();
    JsonStreamContext tags = tag.getParent();
    return tag.inArray()
        && tag.getCurrentIndex() == 0
        && tags.inArray()
        && "tags".equals(tags.getParent().getCurrentName())
        && tags.getParent().getParent().inRoot()
        && in.getText().equals(TAG);
  }
}
