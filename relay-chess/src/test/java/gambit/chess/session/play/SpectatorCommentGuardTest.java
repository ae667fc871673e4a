package gambit.chess.session.play;

import static org.assertj.core.api.Assertions.assertThat;

import gambit.chess.dialect.GameRef;
import gambit.chess.dialect.RefereeEvents;
import gambit.chess.dialect.nip100.Nip100;
import gambit.core.feature.ClientConnection;
import gambit.core.model.Event;
import gambit.core.model.EventId;
import gambit.core.model.Tags;
import gambit.core.testkit.AllocationLimit;
import gambit.core.testkit.Keys;
import java.lang.reflect.Proxy;
import java.util.List;
import org.junit.jupiter.api.Test;

class SpectatorCommentGuardTest {
  private static final int DELIVERIES = 1_000;

  /** An event is decoded once, and the guard is asked for each client that receives it. */
  @Test
  void aNoteThatNamesNoEventIsDeliveredWithoutAllocation() {
    Nip100 dialect = new Nip100(new RefereeEvents(Keys.of("relay"), "wss://relay.example/"));
    KnownGames games = new KnownGames(List.of(dialect));
    games.gameStarted(
        new GameRef(
            EventId.ofHex("aa".repeat(32)),
            new GameRef.Seat(Keys.of("alice").pubkey(), dialect),
            new GameRef.Seat(Keys.of("bob").pubkey(), dialect),
            false,
            null));
    String carol = Keys.of("carol").pubkey().hex();
    Event note =
        Keys.of("dave")
            .sign(1, 1, new Tags(List.of(List.of("p", carol), List.of("t", "chess"))), "hello");
    SpectatorCommentGuard guard = games.commentGuard();
    ClientConnection reader =
        (ClientConnection)
            Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {ClientConnection.class},
                (proxy, method, arguments) -> null);
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
}
