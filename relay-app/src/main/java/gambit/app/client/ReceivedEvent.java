package gambit.app.client;

import gambit.core.model.Event;
import gambit.core.wire.ClientMessage;
import gambit.core.wire.MessageReader;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** Reads what others call an event, as strictly as the relay does. */
public final class ReceivedEvent {
  private static final MessageReader READER =
      new MessageReader(Integer.MAX_VALUE, 1, kind -> false);

  private ReceivedEvent() {}

  /** The event of a JSON text, or nothing; its id and signature are not checked. */
  public static Optional<Event> read(String json) {
    byte[] frame = ("[\"EVENT\"," + json + "]").getBytes(StandardCharsets.UTF_8);
    return READER.read(frame, frame.length) instanceof ClientMessage.Publish received
        ? Optional.of(received.event())
        : Optional.empty();
  }
}
