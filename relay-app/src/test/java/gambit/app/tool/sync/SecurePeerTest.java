package gambit.app.tool.sync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gambit.app.tool.client.RelayFailure;
import gambit.app.tool.client.RelayPlace;
import gambit.app.tool.sync.MoveCounts.Fate;
import gambit.app.tool.sync.PeerSettings.Direction;
import gambit.core.limit.LimitValues;
import gambit.core.model.Event;
import gambit.core.model.Tags;
import gambit.core.net.PortSettings.TransportSettings;
import gambit.core.net.ServerTls;
import gambit.core.testkit.Client;
import gambit.core.testkit.Keys;
import gambit.core.testkit.TestCertificate;
import gambit.core.testkit.TestRelay;
import java.net.URI;
import org.junit.jupiter.api.Test;

/** Synchronizations with a peer that has TLS. */
class SecurePeerTest {
  private static final TestCertificate CERTIFICATE = TestCertificate.ofLocalhost();
  private static final Event NOTE = Keys.of("alice").sign(1000, 1, Tags.NONE, "a note");

  private static SyncRun sync(TestRelay here, RelayPlace peer) throws RelayFailure {
    RelayPlace own = RelayPlace.of(here.uri()).withHeaders(TestRelay.operatorHeaders());
    try (RelayPair pair = new RelayPair(own, peer, null, RelayPair.SILENCE)) {
      SyncRun run =
          new SyncRun(
              pair, Direction.UP, 0, new SyncRun.RefusedByRelays(), MoveCounts.MoveObserver.NONE);
      run.run(SyncFilter.parse("{}"), 0);
      return run;
    }
  }

  @Test
  void eventsAreMovedToAPeerOnlyIfItsCertificateIsTrusted() throws Exception {
    try (TestRelay here = new TestRelay();
        Client operator = here.connectOperator();
        TestRelay there =
            new TestRelay(
                LimitValues.DEFAULT, TransportSettings.DEFAULT, new ServerTls(CERTIFICATE.tls()))) {
      operator.publishAccepted(NOTE);
      URI named = URI.create("wss://localhost:" + there.uri().getPort());
      assertThatThrownBy(() -> sync(here, RelayPlace.of(named))) // by Java's authorities
          .isInstanceOf(RelayFailure.class)
          .hasMessageStartingWith("Cannot connect to " + named + ": TLS: ");
      SyncRun run = sync(here, new RelayPlace(named, TestRelay.URL, CERTIFICATE.trusting()));
      assertThat(run.upCounts().get(Fate.STORED)).isEqualTo(1);
    }
  }
}
