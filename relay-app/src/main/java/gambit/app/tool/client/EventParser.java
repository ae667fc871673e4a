package gambit.app.tool.client;

import gambit.core.model.Event;
import gambit.core.wire.ClientMessage;
import gambit.core.wire.MessageReader;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** Parses an event that a relay sent, as strictly as the relay parses events of clients. */
public final class EventParser {
  private static final MessageReader READER =
      new MessageReader(Integer.MAX_VALUE, 1, kind -> false);

  private EventParser() {}

  /** The event of a JSON text, or empty if it is malformed; id and signature are not checked. */
  public static Optional<Event> parse(String json) {
    byte[] frame = ("[\"EVENT\"," + json + "]").getBytes(StandardCharsets.UTF_8);
    return READER.read(frame, frame.length) instanceof ClientMessage.Publish received
        ? Optional.of(received.event())
        : Optional.empty();
  }
}
