package gambit.app.demo;

import com.fasterxml.jackson.databind.JsonNode;
import gambit.core.crypto.EventVerifier;
import gambit.core.model.Event;
import gambit.core.wire.ClientMessage;
import gambit.core.wire.MessageReader;
import java.nio.charset.StandardCharsets;

/** Turns what came in an EVENT frame into an event that is known to be what its author signed. */
final class ReceivedEvent {
  private static final MessageReader READER =
      new MessageReader(Integer.MAX_VALUE, 1, kind -> false);

  private ReceivedEvent() {}

  static Event verified(JsonNode json, EventVerifier verifier) throws DemoFailed {
    byte[] frame = ("[\"EVENT\"," + json + "]").getBytes(StandardCharsets.UTF_8);
    if (!(READER.read(frame, frame.length) instanceof ClientMessage.Publish received)) {
      throw new DemoFailed("The relay sent something that is no event: " + json);
    }
    Event event = received.event();
    if (!verifier.hasRightId(event) || !verifier.hasRightSignature(event)) {
      throw new DemoFailed("The relay sent an event whose signature is wrong: " + json);
    }
    return event;
  }
}
