package gambit.core.replication;

import static org.assertj.core.api.Assertions.assertThat;

import gambit.core.crypto.Signer;
import gambit.core.feature.ClientConnection;
import gambit.core.feature.Commit;
import gambit.core.feature.ConnectionListener;
import gambit.core.feature.Row;
import gambit.core.feature.Submission;
import gambit.core.feature.SubscriptionListener;
import gambit.core.model.Event;
import gambit.core.model.Filter;
import gambit.core.model.PubKey;
import gambit.core.model.Tags;
import gambit.core.testkit.Keys;
import gambit.core.testkit.TestTime;
import gambit.core.wire.RelayMessage;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The leader knows the open connections of a follower, and no others. */
class LeaderLinkTest {
  private static final Signer ALICE = Keys.of("alice");
  private static final Instant NOW = Instant.ofEpochSecond(1_700_000_000);
  private static final long NODE = 7;
  private static final long LEADER = 8;
  private static final int MAX_MESSAGE_BYTES = 10_000;
  private static final Event EVENT = ALICE.sign(NOW.getEpochSecond(), 1, Tags.NONE, "note");

  private static final Filter ALL = new Filter(null, null, null, Map.of(), null, null, null);

  private final SentMessages sent = new SentMessages();
  private final LeaderLink link =
      new LeaderLink(sent, NODE, Optional::empty, InstantSource.fixed(NOW));
  private final FakeConnection connection = new FakeConnection("client");

  /** The messages to the leader. */
  private static final class SentMessages implements Bus {
    private final List<LinkPayload> payloads = new ArrayList<>();

    @Override
    public void listen(long node, Receiver receiver) {}

    @Override
    public void send(long node, byte[] message) {
      assertThat(message).hasSizeLessThanOrEqualTo(MAX_MESSAGE_BYTES);
      payloads.add(((BusMessage.LinkMessage) BusMessage.decode(message).message()).payload());
    }

    @Override
    public void sendToAll(byte[] message) {}

    @Override
    public int maxMessageBytes() {
      return MAX_MESSAGE_BYTES;
    }

    @Override
    public void close() {}
  }

  private static Submission submission(ClientConnection connection) {
    return new Submission(EVENT, connection, NOW, false, false, it -> {});
  }

  /** A feature whose leader must know each subscription. */
  private static final SubscriptionListener CONCERNED =
      new SubscriptionListener() {
        @Override
        public boolean concernsLeader(ClientConnection connection, List<Filter> filters) {
          return true;
        }

        @Override
        public void subscribed(ClientConnection connection, List<Filter> filters) {}
      };

  private List<Class<?>> begun() {
    sent.payloads.clear();
    link.begin(LEADER);
    return sent.payloads.stream().<Class<?>>map(Object::getClass).toList();
  }

  @Test
  void subscriptionThatConcernsNoFeatureIsNotTold() {
    List<Filter> filters = List.of(ALL);
    link.begin(LEADER);
    link.opened(connection, filters);
    link.subscribed(connection, filters);
    link.closed(connection, filters);
    assertThat(begun()).containsExactly(LinkPayload.Hello.class);
  }

  @Test
  void subscriptionThatIsCheckedLaterIsToldWithItsConnection() {
    List<Filter> filters = List.of(ALL);
    link.opened(connection, filters);
    link.subscribed(connection, filters);
    link.begin(LEADER);
    sent.payloads.clear();
    link.subscribed(connection, filters);
    assertThat(sent.payloads).hasSize(2);
    assertThat(sent(LinkPayload.Open.class)).hasSize(1);
    assertThat(sent(LinkPayload.SubscriptionChecked.class)).hasSize(1);
  }

  @Test
  void openConnectionIsKnownUntilItCloses() {
    link.add(CONCERNED);
    link.opened(connection, List.of(ALL));
    assertThat(begun())
        .containsExactly(
            LinkPayload.Hello.class, LinkPayload.Open.class, LinkPayload.SubscriptionOpened.class);
    connection.close();
    link.closed(connection);
    assertThat(begun()).containsExactly(LinkPayload.Hello.class);
  }

  @Test
  void connectionThatHasClosedIsNotKnownByWhatItHadBegun() {
    connection.close();
    link.closed(connection);
    link.opened(connection, List.of(ALL));
    link.authenticated(connection, ALICE.pubkey());
    assertThat(link.forward(submission(connection), false, false)).isTrue();
    assertThat(begun()).containsExactly(LinkPayload.Hello.class, LinkPayload.Submit.class);
  }

  @Test
  void eventOfAConnectionThatHasClosedWaitsForItsAnswer() {
    link.begin(LEADER);
    connection.close();
    link.forward(submission(connection), false, false);
    LinkPayload.Submit request = (LinkPayload.Submit) sent.payloads.get(sent.payloads.size() - 1);
    assertThat(link.waiting()).isEqualTo(1);
    assertThat(link.answered(request.connection(), EVENT.id())).isNotNull();
    assertThat(link.waiting()).isZero();
  }

  private <T extends LinkPayload> List<T> sent(Class<T> type) {
    return sent.payloads.stream().filter(type::isInstance).map(type::cast).toList();
  }

  @Test
  void loginIsToldOfAConnectionThatIsKnown() {
    link.begin(LEADER);
    connection.logIn(ALICE.pubkey());
    link.authenticated(connection, ALICE.pubkey());
    assertThat(sent(LinkPayload.Open.class).get(0).keys()).containsExactly(ALICE.pubkey());
    assertThat(sent(LinkPayload.Login.class).get(0).keys()).containsExactly(ALICE.pubkey());
  }

  @Test
  void statesAreAskedForUntilTheyHaveArrived() {
    begun();
    assertThat(sent(LinkPayload.Hello.class).get(0).needsStates()).isTrue();
    begun();
    assertThat(sent(LinkPayload.Hello.class).get(0).needsStates()).isTrue();
    link.statesArrived();
    begun();
    assertThat(sent(LinkPayload.Hello.class).get(0).needsStates()).isFalse();
  }

  @Test
  void connectionWithAnAnswerOfAHandlerIsAPlayersForEachLaterSession() {
    link.begin(LEADER);
    link.forward(submission(connection), true, false);
    long number = sent(LinkPayload.Open.class).get(0).connection();
    assertThat(link.begin(LEADER + 1)).as("nothing was decided").isEmpty();
    assertThat(link.answered(number, EVENT.id())).isNotNull();
    assertThat(link.begin(LEADER + 2)).containsExactly(connection);
    assertThat(begun()).containsExactly(LinkPayload.Hello.class);
    assertThat(link.connection(number)).isEmpty();
  }

  @Test
  void connectionWithAnEventOnWhichTheSameLeaderMayDecideIsAPlayers() {
    link.begin(LEADER);
    link.forward(submission(connection), true, false);
    assertThat(link.begin(LEADER)).containsExactly(connection);
    assertThat(link.waiting()).as("the event is decided").isOne();
  }

  @Test
  void connectionThatGetsOutputOfTheLeadersFeaturesIsAPlayers() {
    link.begin(LEADER);
    link.authenticated(connection, ALICE.pubkey());
    long number = sent(LinkPayload.Open.class).get(0).connection();
    assertThat(link.connection(number)).containsSame(connection);
    assertThat(link.begin(LEADER)).as("it may be asked to log in").isEmpty();
    assertThat(link.receiver(number)).containsSame(connection);
    assertThat(link.awaitLead()).containsExactly(connection);
  }

  @Test
  void connectionThatPublishesOrdinaryEventsIsNoPlayers() {
    link.begin(LEADER);
    link.forward(submission(connection), false, false);
    assertThat(link.begin(LEADER)).isEmpty();
    link.answered(sent(LinkPayload.Open.class).get(0).connection(), EVENT.id());
    assertThat(link.begin(LEADER)).isEmpty();
  }

  @Test
  void eventThatNoMessageCanContainIsRefusedAndLaterOnesAreForwarded() {
    link.begin(LEADER);
    Event large = ALICE.sign(NOW.getEpochSecond(), 1, Tags.NONE, "x".repeat(MAX_MESSAGE_BYTES));
    List<String> answers = new ArrayList<>();
    ClientConnection answering =
        new FakeConnection("client") {
          @Override
          public void answer(Event event, RelayMessage.Ok ok) {
            answers.add(ok.text());
          }
        };
    assertThat(
            link.forward(
                new Submission(large, answering, NOW, false, false, it -> {}), false, false))
        .isTrue();
    assertThat(answers).containsExactly("error: the event is too large for the cluster");
    assertThat(link.waiting()).isZero();
    link.forward(submission(connection), false, false);
    assertThat(sent(LinkPayload.Submit.class)).hasSize(1);
  }

  @Test
  void commitThatNoMessageCanContainIsRefusedHoweverManyRowsItHas() {
    link.begin(LEADER);
    for (int rows : List.of(1, 10, 200)) {
      int refused = 0;
      for (int bytes = MAX_MESSAGE_BYTES / 2; bytes <= MAX_MESSAGE_BYTES; bytes += 100) {
        Row row = new Row("t", new byte[1], new byte[bytes / rows]);
        Commit commit = new Commit(List.of(), List.of(), Collections.nCopies(rows, row));
        try {
          link.forward(commit, outcome -> List.of(), outcome -> {});
        } catch (IllegalArgumentException e) {
          refused++;
        }
      }
      assertThat(refused).as("of commits with %s rows", rows).isPositive();
    }
    assertThat(sent(LinkPayload.CommitRequest.class)).hasSize(link.waiting());
  }

  @Test
  void everythingWaitsForANodeThatIsToLead() {
    link.begin(LEADER);
    link.awaitLead();
    sent.payloads.clear();
    connection.logIn(ALICE.pubkey());
    link.authenticated(connection, ALICE.pubkey());
    link.forward(submission(connection), false, false);
    assertThat(sent.payloads).isEmpty();
    List<String> logins = new ArrayList<>();
    LeaderHalf half = new LeaderHalf(NODE, new TestTime());
    half.listen(
        new ConnectionListener() {
          @Override
          public void authenticated(ClientConnection it, PubKey key) {
            logins.add(it + " is " + (key.equals(ALICE.pubkey()) ? "Alice" : "somebody"));
          }

          @Override
          public void closed(ClientConnection it) {}
        });
    link.lead(half.surroundings(Runnable::run), half.live());
    assertThat(logins).containsExactly("client is Alice");
    assertThat(half.claimed()).extracting(Submission::event).containsExactly(EVENT);
    assertThat(link.forward(submission(connection), false, false)).isFalse();
  }
}
