package gambit.app.tool.sync;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import gambit.core.model.Event;
import gambit.core.model.Filter;
import gambit.core.wire.ClientMessage;
import gambit.core.wire.MessageReader;
import java.nio.charset.StandardCharsets;

/**
 * The events to be synchronized: a filter of NIP-01 without {@code limit}, and the first and the
 * last second of {@code created_at}. Immutable.
 */
public record SyncFilter(ObjectNode conditions, long since, long until) {
  /** The last second of a window without an end: 2^53 - 1, the largest number of every JSON. */
  public static final long FOREVER = (1L << 53) - 1;

  private static final ObjectMapper JSON =
      new ObjectMapper().enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);
  private static final MessageReader READER =
      new MessageReader(Integer.MAX_VALUE, 1, kind -> false);

  /** Reads a filter; a failure says what was expected. */
  public static SyncFilter parse(String text) {
    String expected = "expected a filter in JSON, such as {\"kinds\":[1,64]}";
    byte[] request = ("[\"REQ\",\"sync\"," + text + "]").getBytes(StandardCharsets.UTF_8);
    ClientMessage message = READER.read(request, request.length);
    if (message instanceof ClientMessage.BadSubscribe bad) {
      throw new IllegalArgumentException(expected + ": " + bad.reason().text());
    } else if (!(message instanceof ClientMessage.Subscribe subscribe)) {
      throw new IllegalArgumentException(expected);
    } else if (subscribe.filters().get(0).limit() != null) {
      throw new IllegalArgumentException("expected a filter without a limit");
    } else {
      return of(text, subscribe.filters().get(0));
    }
  }

  private static SyncFilter of(String text, Filter filter) {
    try {
      ObjectNode conditions = (ObjectNode) JSON.readTree(text);
      Long since = filter.since();
      Long until = filter.until();
      conditions.remove("since");
      conditions.remove("until");
      return new SyncFilter(
          conditions,
          since == null ? 0 : since,
          until == null ? FOREVER : Math.min(until, FOREVER));
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("expected JSON", e);
    }
  }

  public SyncFilter within(long first, long last) {
    return new SyncFilter(conditions, Math.max(first, since), Math.min(last, until));
  }

  public boolean includesTimeOf(Event event) {
    return event.createdAt() >= since && event.createdAt() <= until;
  }

  /** The filter as JSON; the window's ends are left out where they restrict nothing. */
  public String json() {
    return withWindow().toString();
  }

  public String json(int limit) {
    return withWindow().put("limit", limit).toString();
  }

  private ObjectNode withWindow() {
    ObjectNode all = conditions.deepCopy();
    if (since > 0) {
      all.put("since", since);
    }
    if (until < FOREVER) {
      all.put("until", until);
    }
    return all;
  }

  @Override
  public String toString() {
    return json();
  }
}
