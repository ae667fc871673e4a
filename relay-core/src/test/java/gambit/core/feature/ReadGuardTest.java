package gambit.core.feature;

import static org.assertj.core.api.Assertions.assertThat;

import gambit.core.crypto.Signer;
import gambit.core.model.Event;
import gambit.core.model.Filter;
import gambit.core.model.KindSet;
import gambit.core.model.PubKey;
import gambit.core.model.Tags;
import gambit.core.testkit.Client;
import gambit.core.testkit.Keys;
import gambit.core.testkit.TestRelay;
import gambit.core.wire.RelayMessage;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What read guards and listeners know of a reader: the connection, and each of its logins. */
class ReadGuardTest {
  /** Number of stored events that a query sends in one turn. */
  private static final int TURN = 300;

  private static final Signer ALICE = Keys.of("alice");
  private static final Signer BOB = Keys.of("bob");
  private static final int WALL = 7000;
  private static final int TICKET = 20_001;

  /** Shows a wall to the connections over which a ticket came. */
  private static final class Wall implements Feature, ReadGuard {
    private final Set<ClientConnection> spectators = ConcurrentHashMap.newKeySet();

    @Override
    public void install(RelayBuilder relay) {
      relay.guard(this);
      relay.gate(
          submission -> {
            if (submission.event().kind() == TICKET) {
              spectators.add(submission.connection());
            }
            return Optional.empty();
          });
    }

    @Override
    public KindSet kinds() {
      return KindSet.of(WALL);
    }

    @Override
    public boolean mayRead(Event event, ClientConnection reader) {
      return spectators.contains(reader);
    }

    @Override
    public boolean mayFind(Filter filter, ClientConnection reader) {
      return spectators.contains(reader);
    }
  }

  @Test
  void guardMayDecideByConnectionInsteadOfLogin() {
    try (TestRelay relay = new TestRelay(new Wall());
        Client spectator = relay.connect();
        Client player = relay.connect()) {
      Event said = player.publishAccepted(ALICE.sign(relay.now(), WALL, Tags.NONE, "well played"));
      spectator.send("[\"REQ\",\"wall\",{\"kinds\":[" + WALL + "]}]");
      assertThat(spectator.next()).startsWith("[\"CLOSED\",\"wall\",\"auth-required: ");
      spectator.publishAccepted(BOB.sign(relay.now(), TICKET, Tags.NONE, ""));
      for (Client client : new Client[] {spectator, player}) {
        client.send("[\"COUNT\",\"all\",{}]");
        assertThat(client.nextJson().get(2).get("count").asInt())
            .isEqualTo(client == spectator ? 1 : 0);
        client.send("[\"REQ\",\"all\",{}]");
      }
      assertThat(spectator.next()).isEqualTo("[\"EVENT\",\"all\"," + said + "]");
      spectator.until("EOSE");
      assertThat(player.next()).startsWith("[\"EOSE\"");
      Event again = player.publishAccepted(ALICE.sign(relay.now(), WALL, Tags.NONE, "again"));
      assertThat(spectator.next()).isEqualTo("[\"EVENT\",\"all\"," + again + "]");
      player.publish(ALICE.sign(relay.now(), 1, Tags.NONE, "for everybody"));
      assertThat(player.until("EVENT").toString()).doesNotContain("again");
    }
  }

  @Test
  void connectionListenerIsNotifiedOfALoginAfterItsOkWasSent() {
    ConnectionListener listener =
        new ConnectionListener() {
          @Override
          public void authenticated(ClientConnection connection, PubKey key) {
            connection.send(
                new RelayMessage.Notice(key + " of " + connection.keys().size() + " keys"));
          }

          @Override
          public void closed(ClientConnection connection) {}
        };
    try (TestRelay relay = new TestRelay(builder -> builder.listen(listener));
        Client client = relay.connect()) {
      String challenge = client.nextChallenge();
      int keys = 0;
      for (Signer signer : new Signer[] {ALICE, BOB}) {
        Event login = Client.loginEvent(signer, relay.now(), TestRelay.URL, challenge);
        client.send("[\"AUTH\"," + login + "]");
        keys++;
        assertThat(client.next()).startsWith("[\"OK\",\"" + login.id() + "\",true");
        assertThat(client.next())
            .isEqualTo("[\"NOTICE\",\"" + signer.pubkey() + " of " + keys + " keys\"]");
      }
      Event refused = Client.loginEvent(Keys.of("carol"), relay.now(), TestRelay.URL, "another");
      assertThat(client.answerTo("AUTH", refused)).startsWith("invalid: ");
    }
  }

  /** Hides all events after a number of calls. */
  private static final class Curtain implements Feature, ReadGuard {
    private final AtomicInteger shown = new AtomicInteger();
    private final int most;

    Curtain(int most) {
      this.most = most;
    }

    @Override
    public void install(RelayBuilder relay) {
      relay.guard(this);
    }

    @Override
    public KindSet kinds() {
      return KindSet.of(WALL, WALL + 1);
    }

    @Override
    public boolean mayRead(Event event, ClientConnection reader) {
      return shown.incrementAndGet() <= most;
    }

    @Override
    public boolean mayFind(Filter filter, ClientConnection reader) {
      return true;
    }
  }

  @Test
  void eventReadAheadAndHiddenBeforeTheNextTurnIsNotSent() {
    int readAhead = TURN + 5; // the turn ends before these five are sent
    try (TestRelay relay = new TestRelay(new Curtain(readAhead));
        Client client = relay.connect()) {
      for (int i = 0; i < TURN + 40; i++) {
        client.publish(ALICE, relay.now() - i, WALL + i % 2, "");
        assertThat(client.next()).endsWith(",true,\"\"]");
      }
      client.send("[\"REQ\",\"q\",{\"kinds\":[" + WALL + "]},{\"kinds\":[" + (WALL + 1) + "]}]");
      assertThat(client.until("EOSE")).hasSize(TURN + 1);
    }
  }
}
