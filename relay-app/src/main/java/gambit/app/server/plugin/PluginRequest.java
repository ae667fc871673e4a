package gambit.app.server.plugin;

import gambit.core.feature.AsyncEventGate.Verdict;
import gambit.core.feature.ClientConnection;
import gambit.core.feature.Submission;
import gambit.core.model.EventId;
import gambit.core.model.PubKey;
import gambit.core.rate.ClientAddress;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** An event that awaits the plugin's verdict. Guarded by the lock of {@link PluginRunner}. */
final class PluginRequest {
  private final Submission submission;
  private final Consumer<Verdict> receiver;
  private final long queuedAt;
  private long sentAt;
  private @Nullable Verdict verdict;

  PluginRequest(Submission submission, Consumer<Verdict> receiver, long queuedAt) {
    this.submission = submission;
    this.receiver = receiver;
    this.queuedAt = queuedAt;
  }

  EventId id() {
    return submission.event().id();
  }

  ClientConnection connection() {
    return submission.connection();
  }

  long queuedAt() {
    return queuedAt;
  }

  long sentAt() {
    return sentAt;
  }

  void sent(long now) {
    sentAt = now;
  }

  @Nullable Verdict verdict() {
    return verdict;
  }

  void decided(Verdict received) {
    verdict = received;
  }

  void deliver(Verdict delivered) {
    receiver.accept(delivered);
  }

  byte[] line() {
    byte[] event = submission.event().json();
    ClientAddress address = connection().address();
    byte[] before = ascii("{\"type\":\"new\",\"event\":");
    byte[] after =
        ascii(
            ",\"receivedAt\":"
                + submission.arrivedAt().getEpochSecond()
                + ",\"sourceType\":\""
                + (address.isIpv6() ? "IP6" : "IP4")
                + "\",\"sourceInfo\":\""
                + text(address)
                + "\""
                + authed(connection().keys())
                + "}\n");
    byte[] line = new byte[before.length + event.length + after.length];
    System.arraycopy(before, 0, line, 0, before.length);
    System.arraycopy(event, 0, line, before.length, event.length);
    System.arraycopy(after, 0, line, before.length + event.length, after.length);
    return line;
  }

  /** The protocol has room for one key with which the client has logged in: rather the author's. */
  private String authed(Set<PubKey> keys) {
    PubKey author = submission.event().pubkey();
    return keys.stream()
        .sorted((a, b) -> Boolean.compare(b.equals(author), a.equals(author)))
        .findFirst()
        .map(key -> ",\"authed\":\"" + key.hex() + "\"")
        .orElse("");
  }

  /**
   * The address without the length of its prefix: of an IPv6 address the relay keeps the /64. The
   * /64 of the loopback address has no other address in use.
   */
  private static String text(ClientAddress address) {
    if (address.isIpv6() && address.bits() == 0) {
      return "::1";
    }
    return address.toString().replaceFirst("(:0)+/64$", "::");
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
