package gambit.chess.session.play;

import static org.assertj.core.api.Assertions.assertThat;

import gambit.chess.dialect.GameRef;
import gambit.chess.dialect.Nip100;
import gambit.chess.dialect.RefereeEvents;
import gambit.core.feature.ClientConnection;
import gambit.core.model.Event;
import gambit.core.model.EventId;
import gambit.core.model.PubKey;
import gambit.core.model.Tags;
import gambit.core.testkit.AllocationLimit;
import gambit.core.testkit.Keys;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class CommentGuardTest {
  private static final int DELIVERIES = 1_000;
  private static final String GAME = "aa".repeat(32);

  private final Nip100 dialect =
      new Nip100(new RefereeEvents(Keys.of("relay"), "wss://relay.example/"));
  private final KnownGames games = new KnownGames(List.of(dialect));

  @BeforeEach
  void aliceAndBobPlay() {
    games.gameStarted(
        new GameRef(
            EventId.ofHex(GAME),
            new GameRef.Seat(Keys.of("alice").pubkey(), dialect),
            new GameRef.Seat(Keys.of("bob").pubkey(), dialect),
            false,
            null));
  }

  /** An event is decoded once, and the guard is asked for each client that receives it. */
  @Test
  void aNoteThatNamesNoEventIsDeliveredWithoutAllocation() {
    String carol = Keys.of("carol").pubkey().hex();
    Event note =
        Keys.of("dave")
            .sign(1, 1, new Tags(List.of(List.of("p", carol), List.of("t", "chess"))), "hello");
    CommentGuard guard = games.commentGuard();
    ClientConnection reader = reader(Set.of());
    assertThat(guard.kinds().contains(1)).isTrue();
    int readable =
        AllocationLimit.requireAtMost(
            DELIVERIES,
            () -> {
              int count = 0;
              for (int i = 0; i < DELIVERIES; i++) {
                count += guard.mayRead(note, reader) ? 1 : 0;
              }
              return count;
            });
    assertThat(readable).isEqualTo(DELIVERIES);
  }

  /** Anybody can send a player's event to a follower again: it does not prove who reads. */
  @Test
  void anEventForwardedByAFollowerHidesButShowsNothing() {
    CommentGuard guard = games.commentGuard();
    ClientConnection reader = reader(Set.of());
    Event fromSpectator = comment("dave");
    Event fromPlayer = comment("alice");
    assertThat(guard.mayRead(fromSpectator, reader)).isTrue();
    assertThat(guard.mayRead(fromPlayer, reader)).isFalse();
    guard.forwarded(Keys.of("bob").pubkey(), reader);
    assertThat(guard.mayRead(fromSpectator, reader)).isFalse();
    assertThat(guard.mayRead(fromPlayer, reader)).isFalse();
    ClientConnection player = reader(Set.of(Keys.of("bob").pubkey()));
    assertThat(guard.mayRead(fromPlayer, player)).isTrue();
    games.gameEnded(EventId.ofHex(GAME));
    assertThat(guard.mayRead(fromSpectator, reader)).isTrue();
    assertThat(guard.mayRead(fromPlayer, reader)).isTrue();
  }

  private static Event comment(String author) {
    return Keys.of(author).sign(1, 1111, new Tags(List.of(List.of("E", GAME))), "hello");
  }

  /** A connection that has logged in with some keys. */
  private static ClientConnection reader(Set<PubKey> keys) {
    return (ClientConnection)
        Proxy.newProxyInstance(
            CommentGuardTest.class.getClassLoader(),
            new Class<?>[] {ClientConnection.class},
            (proxy, method, arguments) ->
                switch (method.getName()) {
                  case "keys" -> keys;
                  case "isOpen" -> true;
                  case "hashCode" -> System.identityHashCode(proxy);
                  case "equals" -> proxy == arguments[0];
                  default -> null;
                });
  }
}
