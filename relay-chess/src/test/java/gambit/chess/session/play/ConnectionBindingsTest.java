package gambit.chess.session.play;

import static org.assertj.core.api.Assertions.assertThat;

import gambit.chess.dialect.Dialect;
import gambit.chess.dialect.Ephemeral;
import gambit.chess.dialect.Nip100;
import gambit.chess.dialect.RefereeEvents;
import gambit.core.crypto.Signer;
import gambit.core.feature.ClientConnection;
import gambit.core.model.PubKey;
import java.lang.reflect.Proxy;
import org.junit.jupiter.api.Test;

class ConnectionBindingsTest {
  private static final PubKey PLAYER = new PubKey(new byte[32]);
  private static final RefereeEvents EVENTS =
      new RefereeEvents(new Signer(secret()), "wss://relay.example.com");
  private static final Dialect NIP100 = new Nip100(EVENTS);
  private static final Dialect EPHEMERAL = new Ephemeral(EVENTS);

  private final ConnectionBindings bindings =
      new ConnectionBindings(
          new ConnectionBindings.PresenceListener() {
            @Override
            public void playerConnected(PubKey player) {}

            @Override
            public void playerDisconnected(PubKey player) {}

            @Override
            public void connectionsChanged(PubKey player) {}
          });
  private final ClientConnection first = connection();
  private final ClientConnection second = connection();

  @Test
  void dialectIsThatOfThePlayersLastEventOverAnyConnection() {
    bindings.bind(PLAYER, first);
    bindings.bind(PLAYER, second);
    bindings.recordDialect(PLAYER, first, NIP100);
    bindings.recordDialect(PLAYER, second, EPHEMERAL);
    bindings.remove(second);
    assertThat(bindings.dialectOf(PLAYER)).isSameAs(EPHEMERAL);
    bindings.remove(first);
    assertThat(bindings.dialectOf(PLAYER)).isNull();
  }

  @Test
  void numberedFramesAreUnderstoodOnTheConnectionsThatHaveUsedThem() {
    bindings.bind(PLAYER, first);
    bindings.bind(PLAYER, second);
    bindings.recordDialect(PLAYER, first, NIP100);
    assertThat(bindings.understandsNumbers(PLAYER, first)).isTrue();
    assertThat(bindings.understandsNumbers(PLAYER, second)).isFalse();
  }

  private static byte[] secret() {
    byte[] secret = new byte[32];
    secret[31] = 7;
    return secret;
  }

  /** A connection of which only the identity matters. */
  private static ClientConnection connection() {
    return (ClientConnection)
        Proxy.newProxyInstance(
            ClientConnection.class.getClassLoader(),
            new Class<?>[] {ClientConnection.class},
            (self, method, args) ->
                switch (method.getName()) {
                  case "equals" -> self == args[0];
                  case "hashCode" -> System.identityHashCode(self);
                  default -> throw new UnsupportedOperationException(method.getName());
                });
  }
}
