package gambit.core.feature;

import static org.assertj.core.api.Assertions.assertThat;

import gambit.core.model.Event;
import gambit.core.model.Filter;
import gambit.core.model.Tags;
import gambit.core.nip.StandardNips;
import gambit.core.testkit.Client;
import gambit.core.testkit.Keys;
import gambit.core.testkit.TestRelay;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** A feature that is notified of subscriptions, over a real socket. */
class SubscriptionListenerTest {
  private static final Event NOTE = Keys.of("relay").sign(1, 1, Tags.NONE, "hi");

  /** Asks every subscriber to log in. */
  private static final class Doorman implements Feature, SubscriptionListener {
    private final BlockingQueue<ClientConnection> subscribed = new LinkedBlockingQueue<>();
    private final BlockingQueue<String> openOrClosed = new LinkedBlockingQueue<>();
    private Publisher publisher;
    private boolean takesLogins;

    @Override
    public void install(RelayBuilder relay) {
      publisher = relay.publisher();
      takesLogins = relay.takesLogins();
      relay.listenToSubscriptions(this);
    }

    @Override
    public void subscribed(ClientConnection connection, List<Filter> filters) {
      connection.requestLogin();
      subscribed.add(connection);
      throw new IllegalStateException("a bug of a feature does the subscription no harm");
    }

    @Override
    public void opened(ClientConnection connection, List<Filter> filters) {
      openOrClosed.add("opened " + filters.get(0).kinds());
    }

    @Override
    public void closed(ClientConnection connection, List<Filter> filters) {
      openOrClosed.add("closed " + filters.get(0).kinds());
    }

    /** The next subscriptions that have opened or closed, with the kinds of their first filter. */
    private List<String> changes(int count) throws InterruptedException {
      List<String> changes = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        changes.add(openOrClosed.poll(Client.TIMEOUT.toMillis(), TimeUnit.MILLISECONDS));
      }
      return changes;
    }

    private ClientConnection next() throws InterruptedException {
      return subscribed.poll(Client.TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
    }
  }

  private final Doorman doorman = new Doorman();

  @Test
  void requestForALoginSendsTheChallengeOnceAndNotAfterALogin() {
    try (TestRelay relay = new TestRelay(new StandardNips(Set.of(), false, 0), doorman);
        Client client = relay.connect();
        Client other = relay.connect()) {
      assertThat(doorman.takesLogins).isTrue();
      subscribe(client, "a", "{}");
      subscribe(client, "b", "{}");
      assertThat(client.unreadChallenges()).isEqualTo(1);
      client.login(relay.now(), Keys.of("alice"));
      subscribe(client, "c", "{}");
      assertThat(client.unreadChallenges()).isZero();
      subscribe(other, "a", "{\"kinds\":[4]}"); // a refused REQ is no subscription
      assertThat(doorman.subscribed).hasSize(3);
    }
  }

  @Test
  void noLoginIsRequestedWithoutNip42() {
    try (TestRelay relay = new TestRelay(new StandardNips(Set.of(4, 42, 59), true, 0), doorman);
        Client client = relay.connect()) {
      assertThat(doorman.takesLogins).isFalse();
      subscribe(client, "a", "{}");
      assertThat(client.unreadChallenges()).isZero();
    }
  }

  @Test
  void checkReportsEachMatchingSubscriptionAndSendsNothing() throws Exception {
    try (TestRelay relay = new TestRelay(doorman);
        Client wants = relay.connect();
        Client other = relay.connect()) {
      subscribe(wants, "a", "{\"kinds\":[1]}");
      ClientConnection connection = doorman.next();
      subscribe(other, "a", "{\"kinds\":[2]}");
      doorman.next();
      doorman.publisher.send(List.of(new Outgoing.SubscriptionCheck(NOTE)));
      assertThat(doorman.next()).isSameAs(connection);
      subscribe(wants, "b", "{\"kinds\":[1]}"); // the check was before: nothing but its EOSE comes
      assertThat(doorman.next()).isSameAs(connection);
      assertThat(doorman.subscribed).isEmpty();
    }
  }

  @Test
  void everySubscriptionIsReportedOpenedAndClosedOnce() throws Exception {
    try (TestRelay relay = new TestRelay(doorman);
        Client client = relay.connect()) {
      subscribe(client, "a", "{\"kinds\":[1]}");
      doorman.publisher.send(List.of(new Outgoing.SubscriptionCheck(NOTE)));
      subscribe(client, "a", "{\"kinds\":[2]}"); // replaces the first one
      subscribe(client, "b", "{\"kinds\":[3]}");
      client.send("[\"CLOSE\",\"a\"]");
      client.send("[\"CLOSE\",\"a\"]");
      client.leave();
      assertThat(doorman.changes(6))
          .containsExactly(
              "opened [1]", "closed [1]", "opened [2]", "opened [3]", "closed [2]", "closed [3]");
      assertThat(doorman.openOrClosed).isEmpty();
    }
  }

  @Test
  void multicastReportsWhetherAFrameWasSent() throws Exception {
    try (TestRelay relay = new TestRelay(doorman);
        Client client = relay.connect()) {
      subscribe(client, "a", "{\"kinds\":[2]}");
      ClientConnection connection = doorman.next();
      assertThat(isSent(connection, List.of())).as("no subscription matches").isFalse();
      assertThat(isSent(connection, List.of(new Outgoing.Fallback(connection, 5000)))).isTrue();
      assertThat(client.next()).startsWith("[\"EVENT\",5000,");
      subscribe(client, "b", "{\"kinds\":[1]}");
      assertThat(isSent(connection, List.of())).isTrue();
      assertThat(client.next()).startsWith("[\"EVENT\",\"b\",");
    }
  }

  private boolean isSent(ClientConnection to, List<Outgoing.Fallback> fallbacks) throws Exception {
    BlockingQueue<Boolean> sent = new LinkedBlockingQueue<>();
    doorman.publisher.send(List.of(new Outgoing.Multicast(NOTE, Set.of(to), fallbacks, sent::add)));
    return sent.poll(Client.TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
  }

  private static void subscribe(Client client, String name, String filter) {
    client.send("[\"REQ\",\"" + name + "\"," + filter + "]");
    String frame = client.next();
    while (!frame.startsWith("[\"EOSE\"") && !frame.startsWith("[\"CLOSED\"")) {
      frame = client.next();
    }
  }
}
