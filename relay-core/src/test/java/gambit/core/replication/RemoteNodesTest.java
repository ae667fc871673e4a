package gambit.core.replication;

import static org.assertj.core.api.Assertions.assertThat;

import gambit.core.feature.ClientConnection;
import gambit.core.feature.Commit;
import gambit.core.feature.ConnectionListener;
import gambit.core.feature.Row;
import gambit.core.feature.SubscriptionListener;
import gambit.core.model.Event;
import gambit.core.model.Filter;
import gambit.core.model.PubKey;
import gambit.core.model.Tags;
import gambit.core.rate.ClientAddress;
import gambit.core.testkit.Keys;
import gambit.core.testkit.TestTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What a leader knows of other nodes, by their messages and their silence. */
class RemoteNodesTest {
  private static final long LEADER = 8;
  private static final long NODE = 7;
  private static final long OTHER = 9;
  private static final long CLIENT = 3; // the number of a connection
  private static final Event EVENT = Keys.of("alice").sign(1_700_000_000, 1, Tags.NONE, "");
  private static final PubKey ALICE = EVENT.pubkey();
  private static final List<Filter> FILTERS = List.of(filter(1));
  private static final List<Filter> MORE = List.of(filter(2));
  private static final String TABLE = "decisions";

  private final TestTime time = new TestTime();
  private final LeaderHalf leader = new LeaderHalf(LEADER, time);
  private final RemoteNodes nodes = leader.nodes();
  private final List<String> calls = new ArrayList<>(); // of the listeners
  private long session;
  private long number;
  private long newest = 100; // node

  RemoteNodesTest() {
    leader.listen(
        new ConnectionListener() {
          @Override
          public void authenticated(ClientConnection connection, PubKey key) {
            calls.add("authenticated");
          }

          @Override
          public void closed(ClientConnection connection) {
            calls.add(connection.isOpen() ? "closed too early" : "closed");
          }
        });
    leader.listen(
        new SubscriptionListener() {
          @Override
          public void opened(ClientConnection connection, List<Filter> filters) {
            calls.add("opened " + kind(filters));
          }

          @Override
          public void closed(ClientConnection connection, List<Filter> filters) {
            calls.add("closed " + kind(filters));
          }

          @Override
          public void subscribed(ClientConnection connection, List<Filter> filters) {
            calls.add("subscribed " + kind(filters));
          }
        });
    leader.rows().add(TABLE, rows -> calls.add("rows " + rows.size()));
  }

  private static Filter filter(int kind) {
    return new Filter(null, null, Set.of(kind), Map.of(), null, null, null);
  }

  private static int kind(List<Filter> filters) {
    return filters.equals(FILTERS) ? 1 : 2;
  }

  private void handle(long node, LinkPayload payload) {
    Clocks.Moment now = new Clocks.Moment(time.instant(), time.instant());
    nodes.handle(node, new BusMessage.LinkMessage(session, ++number, payload), now);
  }

  private void handle(LinkPayload payload) {
    handle(NODE, payload);
  }

  private void begin(long node) {
    session++;
    number = 0;
    handle(node, new LinkPayload.Hello(false));
  }

  private void open(long node) {
    handle(node, new LinkPayload.Open(CLIENT, new ClientAddress(false, 1), false, Set.of(ALICE)));
  }

  /** A node whose client has logged in and subscribed. */
  private void connect(long node) {
    begin(node);
    open(node);
    handle(node, new LinkPayload.SubscriptionOpened(CLIENT, FILTERS));
    takeCalls();
  }

  private void heard(long node) {
    nodes.heard(
        node,
        new BusMessage.Heartbeat("n", false, false, 1, 1, session, number, Map.of()),
        time.instant());
  }

  private void pass(Duration duration) {
    time.advance(duration);
  }

  private List<String> takeCalls() {
    leader.run();
    List<String> taken = List.copyOf(calls);
    calls.clear();
    return taken;
  }

  private static LinkPayload.CommitRequest commit(long request, int bytes) {
    return new LinkPayload.CommitRequest(
        request,
        new Commit(List.of(), List.of(), List.of(new Row(TABLE, new byte[1], new byte[bytes]))));
  }

  @Test
  void featuresAreNotifiedOfRowsThatAnotherNodeHasChangedOnceTheyAreCommitted() {
    connect(NODE);
    handle(commit(1, 10));
    assertThat(calls).isEmpty();
    assertThat(takeCalls()).containsExactly("rows 1");
    handle(commit(1, 10)); // asked again
    assertThat(takeCalls()).isEmpty();
  }

  @Test
  void featuresAreNotNotifiedOfRowsForWhichThereWasNoRoom() {
    connect(NODE);
    handle(commit(1, LeaderHalf.COMMIT_BYTES));
    assertThat(takeCalls()).isEmpty();
  }

  @Test
  void nodeOfWhichNothingIsHeardHasGoneWithItsClients() {
    connect(NODE);
    pass(RemoteNodes.TIMEOUT);
    nodes.removeSilent(time.instant(), Instant.EPOCH);
    assertThat(takeCalls()).isEmpty();
    heard(NODE);
    pass(RemoteNodes.TIMEOUT);
    nodes.removeSilent(time.instant(), Instant.EPOCH);
    assertThat(takeCalls()).isEmpty();
    pass(Duration.ofMillis(1));
    nodes.removeSilent(time.instant(), Instant.EPOCH);
    assertThat(takeCalls()).containsExactly("closed", "closed 1");
    assertThat(nodes.sessions()).isEmpty();
  }

  @Test
  void noNodeHasGoneBecauseAllHaveStoodStill() {
    connect(NODE);
    pass(RemoteNodes.TIMEOUT.multipliedBy(3));
    Instant awake = time.instant();
    nodes.removeSilent(awake, awake);
    pass(RemoteNodes.TIMEOUT.minusMillis(1));
    nodes.removeSilent(time.instant(), awake);
    assertThat(takeCalls()).isEmpty();
    pass(Duration.ofMillis(1));
    nodes.removeSilent(time.instant(), awake);
    assertThat(takeCalls()).containsExactly("closed", "closed 1");
  }

  @Test
  void connectionsOfAnEarlierSessionHaveClosedForTheFeatures() {
    connect(NODE);
    begin(NODE);
    assertThat(takeCalls()).containsExactly("closed", "closed 1");
    open(NODE);
    handle(new LinkPayload.SubscriptionOpened(CLIENT, MORE));
    assertThat(takeCalls()).containsExactly("authenticated", "opened 2", "subscribed 2");
    handle(new LinkPayload.Closed(CLIENT));
    assertThat(takeCalls()).containsExactly("closed", "closed 2");
  }

  @Test
  void fencesAndReportsDoNotWaitForANodeThatHasGone() {
    connect(OTHER);
    connect(NODE);
    List<String> passed = new ArrayList<>();
    nodes.afterArrivals(() -> passed.add("fence"));
    leader.reports().expect(Set.of(NODE), isSent -> passed.add("report " + isSent));
    nodes.gone(NODE);
    assertThat(passed).containsExactly("report false");
    nodes.gone(OTHER);
    assertThat(passed).containsExactly("report false", "fence");
  }

  @Test
  void messageIsHandledOnceAndInOrder() {
    begin(NODE);
    open(NODE);
    assertThat(takeCalls()).containsExactly("authenticated");
    number--;
    open(NODE); // the same again
    assertThat(takeCalls()).isEmpty();
    assertThat(leader.takeSent()).isEmpty();
    number++; // one is lost
    handle(new LinkPayload.Login(CLIENT, Set.of(ALICE)));
    assertThat(takeCalls()).as("the node has gone").containsExactly("closed");
    assertThat(leader.takeSent())
        .containsExactly(new LeaderHalf.Sent(NODE, new BusMessage.ResyncRequest(session)));
  }

  @Test
  void lossOfTheLastMessageIsNoticedByTheSecondHeartbeat() {
    connect(NODE);
    number++;
    heard(NODE);
    assertThat(leader.takeSent()).as("it may be under way").isEmpty();
    heard(NODE);
    assertThat(leader.takeSent())
        .containsExactly(new LeaderHalf.Sent(NODE, new BusMessage.ResyncRequest(session)));
  }

  @Test
  void nodeThatComesBackIsAskedForNothingTwiceUnlessAThousandHaveGoneSince() {
    connect(NODE);
    handle(submit(1));
    for (int i = 0; i < 2; i++) {
      nodes.gone(NODE);
      comeAndGo(RemoteNodes.MAX_DEPARTED - 1);
      begin(NODE);
      handle(submit(1));
      assertThat(leader.claimed()).hasSize(1);
    }
    nodes.gone(NODE);
    comeAndGo(RemoteNodes.MAX_DEPARTED);
    begin(NODE);
    handle(submit(1));
    assertThat(leader.claimed()).hasSize(2);
  }

  private void comeAndGo(int count) {
    for (int i = 0; i < count; i++) {
      begin(++newest);
      nodes.gone(newest);
    }
  }

  private static LinkPayload.Submit submit(long request) {
    return new LinkPayload.Submit(request, CLIENT, 0, false, false, EVENT);
  }
}
