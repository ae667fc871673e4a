package gambit.core.wire;

import gambit.core.model.Bytes;
import gambit.core.model.Event;
import gambit.core.model.JsonStrings;

/** The complete list of what the relay says (NIP-01). {@link #frame()} is its text on the wire. */
public sealed interface RelayMessage {

  /** The text frame that says this. */
  Frame frame();

  /** {@code ["EVENT", label, event]}: the event's own bytes, shared by all its receivers. */
  record Found(FrameLabel label, Event event) implements RelayMessage {
    @Override
    public Frame frame() {
      return new Frame(label.head(), event);
    }
  }

  /** {@code ["OK", id, accepted, text]}. The id is the sender's text, whatever it was. */
  record Ok(String id, boolean accepted, String text) implements RelayMessage {
    public static Ok accepted(Event event, String text) {
      return new Ok(event.id().hex(), true, text);
    }

    public static Ok refused(Event event, Reason reason) {
      return new Ok(event.id().hex(), false, reason.toString());
    }

    @Override
    public Frame frame() {
      Bytes out = new Bytes(96 + text.length());
      out.addAscii("[\"OK\",");
      JsonStrings.append(out, id);
      out.addAscii(accepted ? ",true," : ",false,");
      JsonStrings.append(out, text);
      out.add(']');
      return new Frame(out.toArray());
    }
  }

  /** {@code ["EOSE", subscription]}: all that was stored has been sent. */
  record EndOfStored(String subscription) implements RelayMessage {
    @Override
    public Frame frame() {
      return strings("EOSE", subscription);
    }
  }

  /** {@code ["CLOSED", subscription, reason]}. */
  record Closed(String subscription, Reason reason) implements RelayMessage {
    @Override
    public Frame frame() {
      return strings("CLOSED", subscription, reason.toString());
    }
  }

  /** {@code ["NOTICE", text]}. */
  record Notice(String text) implements RelayMessage {
    @Override
    public Frame frame() {
      return strings("NOTICE", text);
    }
  }

  private static Frame strings(String... values) {
    Bytes out = new Bytes(128);
    char before = '[';
    for (String value : values) {
      out.add(before);
      JsonStrings.append(out, value);
      before = ',';
    }
    out.add(']');
    return new Frame(out.toArray());
  }
}
