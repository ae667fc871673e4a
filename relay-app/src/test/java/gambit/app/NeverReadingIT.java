package gambit.app;

import static org.assertj.core.api.Assertions.assertThat;

import gambit.core.crypto.Signer;
import gambit.core.model.Event;
import gambit.core.model.Tags;
import gambit.core.testkit.Client;
import gambit.core.testkit.Keys;
import gambit.core.testkit.RawSocket;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** A hundred clients that never read, each owed megabytes. */
class NeverReadingIT {
  private static final Signer ALICE = Keys.of("alice");
  private static final int CLIENTS = 100;
  private static final int STORED = 200;
  private static final int LIVE = 300;
  private static final String CONTENT = "x".repeat(30_000);

  /** What may wait for them together, of a gigabyte and a half that they are owed. */
  private static final long OUTBOXES_MEGABYTES = 128;

  /** What one that was disconnected is just giving back. */
  private static final long GIVING_BACK_MEGABYTES = 16;

  /** The heap, the relay's direct memory and what Java itself takes. */
  private static final long STATED_MEGABYTES = 512;

  @TempDir Path data;

  @Test
  @EnabledOnOs(value = OS.LINUX, disabledReason = "only Linux tells the peak of resident memory")
  void costABoundedAmountOfMemoryAndNobodyElseAnEvent() throws Exception {
    List<RawSocket> sleepers = new ArrayList<>();
    try (Program relay =
            Program.relayWith(
                List.of("-Xmx384m"),
                data,
                "--set",
                "limits.all_outbox_bytes=" + OUTBOXES_MEGABYTES + "M");
        Client publisher = new Client(relay.url());
        Client reader = new Client(relay.url())) {
      for (int i = 0; i < STORED; i++) {
        publisher.publishAccepted(note("stored " + i));
      }
      for (int i = 0; i < CLIENTS; i++) {
        RawSocket sleeper = RawSocket.withSmallReceiveBuffer(relay.url());
        sleepers.add(sleeper);
        sleeper.sendText("[\"REQ\",\"all\",{\"limit\":5000}]");
      }
      reader.send("[\"REQ\",\"live\",{\"limit\":0}]").until("EOSE");
      for (int i = 0; i < LIVE; i++) {
        Event event = note("live " + i);
        publisher.publishAccepted(event);
        assertThat(reader.nextJson().get(2).get("id").asText()).isEqualTo(event.id().hex());
        if (i % 20 == 0) {
          assertThat(relay.metric("gambit_outbox_bytes"))
              .isLessThan(OUTBOXES_MEGABYTES + GIVING_BACK_MEGABYTES << 20);
        }
      }
      assertThat(relay.metric("gambit_connections")).isBetween(2.0, CLIENTS + 2.0);
      assertThat(relay.peakResidentMegabytes()).isLessThan(STATED_MEGABYTES);
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
