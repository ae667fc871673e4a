package gambit.core.wire;

import gambit.core.model.ByteBuilder;
import gambit.core.model.Event;
import gambit.core.model.JsonStrings;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The complete list of what the relay says (NIP-01, 42, 45, 67). {@link #frame()} is its text on
 * the wire.
 */
public sealed interface RelayMessage {

  /** The text frame that says this. */
  Frame frame();

  /** Whether it tells the client to authenticate (NIP-42). */
  default boolean asksForLogin() {
    return false;
  }

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
    public boolean asksForLogin() {
      return Reason.Prefix.AUTH_REQUIRED.isPrefixOf(text);
    }

    @Override
    public Frame frame() {
      ByteBuilder out = new ByteBuilder(96 + text.length());
      out.addAscii("[\"OK\",");
      JsonStrings.append(out, id);
      out.addAscii(accepted ? ",true," : ",false,");
      JsonStrings.append(out, text);
      out.add(']');
      return new Frame(out.toArray());
    }
  }

  /** {@code ["AUTH", challenge]} (NIP-42). */
  record Challenge(String challenge) implements RelayMessage {
    @Override
    public Frame frame() {
      return strings("AUTH", challenge);
    }
  }

  /**
   * {@code ["EOSE", subscription]}: all that was stored has been sent; with a third element {@code
   * ["finish"]} or {@code ["more"]} if there is a hint whether it was all that there is (NIP-67).
   */
  record EndOfStored(String subscription, @Nullable Completeness hint) implements RelayMessage {
    @Override
    public Frame frame() {
      ByteBuilder out = new ByteBuilder(128);
      out.addAscii("[\"EOSE\",");
      JsonStrings.append(out, subscription);
      out.addAscii(hint == null ? "]" : ",[\"" + hint.word + "\"]]");
      return new Frame(out.toArray());
    }
  }

  /** Whether the stored events that were sent are all that match (NIP-67). */
  enum Completeness {
    FINISH("finish"),
    MORE("more");

    private final String word;

    Completeness(String word) {
      this.word = word;
    }
  }

  /** {@code ["COUNT", query, {"count": n}]}, with the registers if there are any (NIP-45). */
  record Counted(String query, long count, Optional<String> sketch) implements RelayMessage {
    @Override
    public Frame frame() {
      ByteBuilder out = new ByteBuilder(128);
      out.addAscii("[\"COUNT\",");
      JsonStrings.append(out, query);
      out.addAscii(",{\"count\":" + count);
      sketch.ifPresent(hex -> out.addAscii(",\"hll\":\"" + hex + "\""));
      out.addAscii("}]");
      return new Frame(out.toArray());
    }
  }

  /** {@code ["CLOSED", subscription, reason]}. */
  record Closed(String subscription, Reason reason) implements RelayMessage {
    @Override
    public boolean asksForLogin() {
      return reason.prefix() == Reason.Prefix.AUTH_REQUIRED;
    }

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
    ByteBuilder out = new ByteBuilder(128);
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
