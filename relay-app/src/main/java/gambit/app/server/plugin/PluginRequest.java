package gambit.app.server.plugin;

import gambit.core.feature.AsyncEventGate.Verdict;
import gambit.core.feature.Submission;
import gambit.core.model.PubKey;
import gambit.core.rate.ClientAddress;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** An event that awaits the plugin's verdict. Guarded by the {@link PluginRunner}. */
final class PluginRequest {
  /** More than the bytes of a line around its event. */
  private static final int FRAME_BYTES = 256;

  final Submission submission;
  final Consumer<Verdict> receiver;
  final long queuedAt;
  long sentAt;
  @Nullable Verdict verdict; // until it can be delivered

  PluginRequest(Submission submission, Consumer<Verdict> receiver, long queuedAt) {
    this.submission = submission;
    this.receiver = receiver;
    this.queuedAt = queuedAt;
  }

  byte[] line() {
    byte[] event = submission.event().json();
    ClientAddress address = submission.connection().address();
    ByteArrayOutputStream line = new ByteArrayOutputStream(event.length + FRAME_BYTES);
    line.writeBytes(ascii("{\"type\":\"new\",\"event\":"));
    line.writeBytes(event);
    line.writeBytes(
        ascii(
            ",\"receivedAt\":%s,\"sourceType\":\"%s\",\"sourceInfo\":\"%s\"%s}\n"
                .formatted(
                    submission.arrivedAt().getEpochSecond(),
                    address.isIpv6() ? "IP6" : "IP4",
                    text(address),
                    authed(submission.connection().keys()))));
    return line.toByteArray();
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
    return address.isIpv6() && address.bits() == 0
        ? "::1"
        : address.toString().replaceFirst("(:0)+/64$", "::");
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
