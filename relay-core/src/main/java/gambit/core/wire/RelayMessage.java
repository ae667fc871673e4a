package gambit.core.wire;

import gambit.core.model.ByteBuilder;
import gambit.core.model.Event;
import gambit.core.model.JsonStrings;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A message from the relay: the complete list (NIP-01, 42, 45, 67, 77, and those that features
 * add). {@link #frame()} encodes it.
 */
public sealed interface RelayMessage {

  Frame frame();

  /** The reason of a refusal; empty if the message refuses nothing. */
  default Optional<Reason> refusal() {
    return Optional.empty();
  }

  /** Whether the message requires the client to log in (NIP-42). */
  default boolean asksForLogin() {
    return refusal().filter(it -> it.prefix() == Reason.Prefix.AUTH_REQUIRED).isPresent();
  }

  /** Whether the message refuses or ends a request for events. */
  default boolean endsQuery() {
    return refusal().isPresent() && !(this instanceof Ok);
  }

  /** {@code ["EVENT", label, event]}; the event's bytes are shared by all its receivers. */
  record EventMessage(FrameLabel label, Event event) implements RelayMessage {
    @Override
    public Frame frame() {
      return label.frame(event);
    }
  }

  /**
   * {@code ["OK", id, accepted, text]}. The id is the text that the sender used.
   *
   * @param reason the reason of a refusal, or why an accepted event had no effect of its own
   * @param note the text where there is no reason, such as a player's colour
   */
  record Ok(String id, boolean accepted, Optional<Reason> reason, String note)
      implements RelayMessage {

    /** An event is accepted, with a note that may be empty. */
    public static Ok accepted(String id, String note) {
      return new Ok(id, true, Optional.empty(), note);
    }

    public static Ok refused(String id, Reason reason) {
      return new Ok(id, false, Optional.of(reason), "");
    }

    public static Ok accepted(Event event, String note) {
      return accepted(event.id().hex(), note);
    }

    /** An event is accepted that was accepted before. */
    public static Ok duplicate(Event event, Reason reason) {
      return new Ok(event.id().hex(), true, Optional.of(reason), "");
    }

    public static Ok refused(Event event, Reason reason) {
      return refused(event.id().hex(), reason);
    }

    public String text() {
      return reason.map(Reason::toString).orElse(note);
    }

    @Override
    public Optional<Reason> refusal() {
      return accepted ? Optional.empty() : reason;
    }

    @Override
    public Frame frame() {
      ByteBuilder out = new ByteBuilder(128);
      out.addAscii("[\"OK\",");
      JsonStrings.append(out, id);
      out.addAscii(accepted ? ",true," : ",false,");
      JsonStrings.append(out, text());
      out.add(']');
      return new Frame(out.toArray(), null);
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
   * {@code ["EOSE", subscription]}: the end of the stored events. A hint adds {@code ["finish"]} or
   * {@code ["more"]} as third element (NIP-67).
   */
  record EndOfStored(String subscription, @Nullable Completeness hint) implements RelayMessage {
    @Override
    public Frame frame() {
      String end = hint == null ? "]" : ",[\"" + hint.name().toLowerCase(Locale.ROOT) + "\"]]";
      return array(end, "EOSE", subscription);
    }
  }

  /** Whether the stored events that were sent are all that match (NIP-67). */
  enum Completeness {
    FINISH,
    MORE
  }

  /** {@code ["COUNT", query, {"count": n}]}, with the HyperLogLog registers if present (NIP-45). */
  record Counted(String query, long count, Optional<String> sketch) implements RelayMessage {
    @Override
    public Frame frame() {
      String hll = sketch.map(hex -> ",\"hll\":\"" + hex + "\"").orElse("");
      return array(",{\"count\":" + count + hll + "}]", "COUNT", query);
    }
  }

  /** {@code ["CLOSED", subscription, reason]}. */
  record Closed(String subscription, Reason reason) implements RelayMessage {
    @Override
    public Optional<Reason> refusal() {
      return Optional.of(reason);
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

  /**
   * {@code [verb, id, text…]}: a message that a feature adds; a reason refuses or ends a request.
   */
  record FeatureAnswer(List<String> strings, Optional<Reason> refusal) implements RelayMessage {
    public FeatureAnswer {
      strings = List.copyOf(strings);
    }

    /** {@code [verb, id, text…]}. */
    public static FeatureAnswer of(String verb, String id, String... texts) {
      List<String> strings = new ArrayList<>(List.of(verb, id));
      strings.addAll(List.of(texts));
      return new FeatureAnswer(strings, Optional.empty());
    }

    /** {@code [verb, id, reason]}. */
    public static FeatureAnswer refused(String verb, String id, Reason reason) {
      return new FeatureAnswer(List.of(verb, id, reason.toString()), Optional.of(reason));
    }

    @Override
    public Frame frame() {
      return RelayMessage.strings(strings.toArray(String[]::new));
    }
  }

  /**
   * {@code ["NEG-ERR", id, reason]}, and the maximum number of events if it is exceeded (NIP-77).
   */
  record SyncError(String id, Reason reason, @Nullable Integer maxItems) implements RelayMessage {
    @Override
    public Optional<Reason> refusal() {
      return Optional.of(reason);
    }

    @Override
    public Frame frame() {
      return array(maxItems == null ? "]" : "," + maxItems + "]", "NEG-ERR", id, reason.toString());
    }
  }

  private static Frame strings(String... values) {
    return array("]", values);
  }

  /** A JSON array of strings with another end, which is ASCII. */
  private static Frame array(String end, String... values) {
    ByteBuilder out = new ByteBuilder(128);
    char before = '[';
    for (String value : values) {
      out.add(before);
      JsonStrings.append(out, value);
      before = ',';
    }
    out.addAscii(end);
    return new Frame(out.toArray(), null);
  }
}
