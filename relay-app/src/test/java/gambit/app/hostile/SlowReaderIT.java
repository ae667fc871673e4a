package gambit.app.hostile;

import static org.assertj.core.api.Assertions.assertThat;

import gambit.app.GambitProcess;
import gambit.core.crypto.Signer;
import gambit.core.model.Event;
import gambit.core.model.Tags;
import gambit.core.testkit.Client;
import gambit.core.testkit.Keys;
import gambit.core.testkit.RawSocket;
import gambit.core.testkit.ThoroughOnly;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** A hundred slow readers that never read, with megabytes queued for each. */
@ThoroughOnly
class SlowReaderIT {
  private static final Signer ALICE = Keys.of("alice");
  private static final int CLIENTS = 100;
  private static final int STORED_EVENTS = 200;
  private static final int LIVE_EVENTS = 300;
  private static final String CONTENT = "x".repeat(30_000);

  /** The limit on all outboxes together; all events for these clients are 1.5 GB. */
  private static final long MAX_OUTBOX_MEGABYTES = 128;

  /** The outbox of a disconnected client, until it is released. */
  private static final long UNRELEASED_MEGABYTES = 16;

  /** The heap, the relay's direct memory and the memory of Java itself. */
  private static final long MAX_RESIDENT_MEGABYTES = 512;

  @TempDir Path data;

  @Test
  @EnabledOnOs(value = OS.LINUX, disabledReason = "the peak of resident memory is in /proc")
  void slowReadersCostBoundedMemoryAndOtherClientsMissNoEvent() throws Exception {
    List<RawSocket> sleepers = new ArrayList<>();
    try (GambitProcess relay =
            GambitProcess.relayWith(
                GambitProcess.quick("-Xmx384m"),
                data,
                "--set",
                "limits.all_outbox_bytes=" + MAX_OUTBOX_MEGABYTES + "M");
        Client publisher = new Client(relay.url());
        Client reader = new Client(relay.url())) {
      for (int i = 0; i < STORED_EVENTS; i++) {
        publisher.publishAccepted(note("stored " + i));
      }
      for (int i = 0; i < CLIENTS; i++) {
        RawSocket sleeper = RawSocket.withSmallReceiveBuffer(relay.url());
        sleepers.add(sleeper);
        sleeper.sendText("[\"REQ\",\"all\",{\"limit\":5000}]");
      }
      reader.send("[\"REQ\",\"live\",{\"limit\":0}]").until("EOSE");
      for (int i = 0; i < LIVE_EVENTS; i++) {
        Event event = note("live " + i);
        publisher.publishAccepted(event);
        assertThat(reader.nextJson().get(2).get("id").asText()).isEqualTo(event.id().hex());
        if (i % 20 == 0) {
          assertThat(relay.metric("gambit_outbox_bytes"))
              .isLessThan(MAX_OUTBOX_MEGABYTES + UNRELEASED_MEGABYTES << 20);
        }
      }
      assertThat(relay.metric("gambit_connections")).isBetween(2.0, CLIENTS + 2.0);
      assertThat(relay.peakResidentMegabytes()).isLessThan(MAX_RESIDENT_MEGABYTES);
      System.out.println("Peak of resident memory: " + relay.peakResidentMegabytes() + " MB");
    } finally {
      for (RawSocket sleeper : sleepers) {
        sleeper.close();
      }
    }
  }

  private static Event note(String name) {
    return ALICE.sign(Instant.now().getEpochSecond(), 1, Tags.NONE, name + CONTENT);
  }
}
