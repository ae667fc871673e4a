package gambit.core.frames;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import gambit.core.crypto.Signer;
import gambit.core.feature.ClientConnection;
import gambit.core.feature.Feature;
import gambit.core.feature.ReadGuard;
import gambit.core.feature.RelayBuilder;
import gambit.core.limit.LimitValues;
import gambit.core.model.Event;
import gambit.core.model.Filter;
import gambit.core.model.KindSet;
import gambit.core.model.Tags;
import gambit.core.testkit.Client;
import gambit.core.testkit.FaultyStore;
import gambit.core.testkit.Keys;
import gambit.core.testkit.TestRelay;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Events that arrive while a subscription changes from stored to live events, or is replaced. */
class StoredToLiveTest {
  private static final Signer ALICE = Keys.of("alice");
  private static final Signer BOB = Keys.of("bob");
  private static final int PROFILE = 0;
  private static final int EPHEMERAL = 20_001;

  /** Stops the live lane at an event of its kind. */
  private static final class Stopper implements Feature, ReadGuard {
    private static final int KIND = 20_007;
    private final CountDownLatch stopped = new CountDownLatch(1);
    private final CountDownLatch gate = new CountDownLatch(1);

    @Override
    public void install(RelayBuilder relay) {
      relay.guard(this);
    }

    @Override
    public KindSet kinds() {
      return KindSet.of(KIND);
    }

    @Override
    public boolean mayRead(Event event, ClientConnection reader) {
      stopped.countDown();
      try {
        gate.await();
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
      return true;
    }

    @Override
    public boolean mayFind(Filter filter, ClientConnection reader) {
      return true;
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"[\"CLOSE\",\"a\"]", "[\"REQ\",\"a\",{\"kinds\":[20001],\"limit\":0}]"})
  void eventsAcknowledgedBeforeACloseOrAReplacingReqAreDelivered(String over)
      throws InterruptedException {
    Stopper stopper = new Stopper();
    try (TestRelay relay = new TestRelay(stopper);
        Client client = relay.connect();
        Client other = relay.connect()) {
      client.send("[\"REQ\",\"a\",{\"kinds\":[" + EPHEMERAL + "]}]").until("EOSE");
      other.send("[\"REQ\",\"stop\",{\"kinds\":[" + Stopper.KIND + "]}]").until("EOSE");
      other.publish(BOB, relay.now(), Stopper.KIND, "");
      stopper.stopped.await();
      client.publish(ALICE, relay.now(), EPHEMERAL, "before");
      client.send(over);
      client.send("[]");
      assertThat(client.next()).as("all is read").startsWith("[\"NOTICE\"");
      stopper.gate.countDown();
      assertThat(List.of(client.next(), client.next()))
          .anyMatch(frame -> frame.startsWith("[\"EVENT\",\"a\""))
          .anyMatch(frame -> frame.startsWith("[\"OK\""));
    }
  }

  @Test
  void newVersionDoesNotExceedTheLimitOfASatisfiedFilter() {
    FaultyStore store = new FaultyStore();
    try (TestRelay relay = new TestRelay(LimitValues.DEFAULT, store);
        Client client = relay.connect();
        Client reader = relay.connect()) {
      Event stored = client.publishAccepted(ALICE.sign(relay.now(), PROFILE, Tags.NONE, ""));
      store.blockQueries();
      reader.send("[\"REQ\",\"a\",{\"kinds\":[0],\"limit\":1}]");
      store.awaitBlockedQuery();
      Event newcomer = client.publishAccepted(BOB.sign(relay.now(), PROFILE, Tags.NONE, ""));
      store.unblockQueries();
      assertThat(reader.next()).isEqualTo("[\"EVENT\",\"a\"," + stored + "]");
      assertThat(reader.next()).startsWith("[\"EOSE\"");
      assertThat(reader.next()).isEqualTo("[\"EVENT\",\"a\"," + newcomer + "]");
    }
  }

  @Test
  void replacementOfAStoredEventPrecedesEose() {
    FaultyStore store = new FaultyStore();
    try (TestRelay relay = new TestRelay(LimitValues.DEFAULT, store);
        Client client = relay.connect();
        Client reader = relay.connect()) {
      client.publishAccepted(ALICE.sign(relay.now() - 1, PROFILE, Tags.NONE, "before"));
      Event newer = ALICE.sign(relay.now(), PROFILE, Tags.NONE, "after");
      store.blockCommitReturns();
      client.publish(newer);
      await().until(() -> store.contains(newer.id()));
      reader.send("[\"REQ\",\"a\",{\"kinds\":[0]}]");
      for (int i = 0; i < 2; i++) { // first after the query, then after its end
        reader.send("[\"COUNT\",\"c\",{\"kinds\":[7]}]");
        assertThat(reader.next()).isEqualTo("[\"COUNT\",\"c\",{\"count\":0}]");
      }
      store.unblockCommitReturns();
      assertThat(reader.next()).isEqualTo("[\"EVENT\",\"a\"," + newer + "]");
      assertThat(reader.next()).startsWith("[\"EOSE\"");
    }
  }
}
