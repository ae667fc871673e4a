package gambit.core.nip;

import gambit.core.feature.ClientSession;
import gambit.core.feature.ClientSession.EventReceiver;
import gambit.core.feature.Feature;
import gambit.core.feature.MessageHandler;
import gambit.core.feature.RelayBuilder;
import gambit.core.model.Event;
import gambit.core.model.Filter;
import gambit.core.model.Hex;
import gambit.core.model.PubKey;
import gambit.core.model.Sha256;
import gambit.core.rate.RateLimits.Verb;
import gambit.core.wire.ClientMessage.FeatureMessage;
import gambit.core.wire.MessageForm;
import gambit.core.wire.MessageForm.Argument;
import gambit.core.wire.Reason;
import gambit.core.wire.RelayMessage;
import java.math.BigInteger;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * NIP-45: exact counts of stored events and current states, with a HyperLogLog for the filters for
 * which its offset is clearly defined: one filter with one tag condition of one value. If COUNT is
 * not answered, it is refused, but known.
 */
record EventCounts(boolean counts) implements Feature {
  @Override
  public void install(RelayBuilder relay) {
    if (counts) {
      relay.supports(45);
    }
    MessageForm form = MessageForm.of("COUNT", Argument.FILTERS);
    relay.messages(Map.of(form, Verb.COUNT), session -> new CountHandler(session, counts));
  }

  private record CountHandler(ClientSession session, boolean counts) implements MessageHandler {
    @Override
    public void receive(FeatureMessage message) {
      if (counts) {
        session.query(
            message.verb(),
            message.filters(),
            true,
            new RunningCount(session, message.id(), sketch(message.filters())));
      } else {
        refuse(message.verb(), message.id(), Reason.unsupported("this relay does not count"));
      }
    }

    @Override
    public void refuse(String verb, String id, Reason reason) {
      session.send(new RelayMessage.Closed(id, reason));
    }
  }

  private static @Nullable HyperLogLog sketch(List<Filter> filters) {
    if (filters.size() != 1 || filters.get(0).tags().size() != 1) {
      return null;
    }
    var values = filters.get(0).tags().values().iterator().next();
    return values.size() == 1 ? HyperLogLog.forTagValue(values.iterator().next()) : null;
  }

  private static final class RunningCount implements EventReceiver {
    private final ClientSession session;
    private final String id;
    private final @Nullable HyperLogLog sketch;
    private long events;

    RunningCount(ClientSession session, String id, @Nullable HyperLogLog sketch) {
      this.session = session;
      this.id = id;
      this.sketch = sketch;
    }

    @Override
    public boolean take(Event event) {
      events++;
      if (sketch != null) {
        sketch.add(event.pubkey());
      }
      return true;
    }

    @Override
    public void complete() {
      Optional<String> registers = Optional.ofNullable(sketch).map(HyperLogLog::hex);
      session.send(new RelayMessage.Counted(id, events, registers));
    }

    @Override
    public void refused(Reason reason) {
      session.send(new RelayMessage.Closed(id, reason));
    }
  }

  /**
   * An estimate of the number of distinct keys: 256 registers that clients merge with those of
   * other relays (NIP-45, "HyperLogLog"). One thread at a time.
   */
  static final class HyperLogLog {
    private static final Pattern ADDRESS = Pattern.compile("[0-9]{1,5}:([0-9a-f]{64}):");

    private final int offset;
    private final byte[] registers = new byte[256];

    /** Empty registers; the byte of a key at the offset selects the register. */
    HyperLogLog(int offset) {
      this.offset = offset;
    }

    /** Empty registers for the events whose tag has this value. */
    static HyperLogLog forTagValue(String tagValue) {
      return new HyperLogLog(Character.digit(hexOf(tagValue).charAt(32), 16) + 8);
    }

    /** An id or a key itself, the key of an address, or the hash of any other value. */
    private static String hexOf(String tagValue) {
      if (Hex.isLowerCase(tagValue, 64)) {
        return tagValue;
      }
      Matcher address = ADDRESS.matcher(tagValue);
      return address.lookingAt() ? address.group(1) : HexFormat.of().formatHex(Sha256.of(tagValue));
    }

    void add(PubKey key) {
      byte[] bytes = key.bytes();
      int after = bytes.length - offset - 1;
      int zeros = Byte.SIZE * after - new BigInteger(1, bytes, offset + 1, after).bitLength();
      int register = bytes[offset] & 0xff;
      registers[register] = (byte) Math.max(registers[register] & 0xff, zeros + 1);
    }

    String hex() {
      return HexFormat.of().formatHex(registers);
    }
  }
}
