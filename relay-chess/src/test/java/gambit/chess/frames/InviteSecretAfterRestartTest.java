package gambit.chess.frames;

import static org.assertj.core.api.Assertions.assertThat;

import gambit.chess.session.ChessFeature;
import gambit.chess.session.ChosenLots;
import gambit.chess.session.play.ChessSettings;
import gambit.core.model.Event;
import gambit.core.model.Sha256;
import gambit.core.model.Tags;
import gambit.core.store.disk.DiskEventStore;
import gambit.core.testkit.Client;
import gambit.core.testkit.Keys;
import gambit.core.testkit.TestRelay;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An invite that was pending before a restart still needs the secret of its link. */
class InviteSecretAfterRestartTest {
  private static final Instant START = Instant.parse("2026-01-01T12:00:00Z");
  private static final String SECRET = "friend";

  private @TempDir Path directory;
  private DiskEventStore store;

  @Test
  void restoredInviteIsAcceptedWithItsSecretOnly() throws IOException {
    Event invite;
    try (TestRelay relay = start(START);
        Client alice = relay.connect()) {
      String hash = HexFormat.of().formatHex(Sha256.of(SECRET));
      String expiration = "" + START.plusSeconds(600).getEpochSecond();
      invite =
          signed(
              relay,
              "alice",
              "invite",
              List.of(List.of("expiration", expiration), List.of("unlisted", hash)));
      alice.publishAccepted(invite);
    }
    store.close();
    try (TestRelay relay = start(START.plusSeconds(30));
        Client carol = relay.connect();
        Client bob = relay.connect()) {
      List<String> named = List.of("e", invite.id().hex());
      Event without = signed(relay, "carol", "accept", List.of(named));
      assertThat(carol.answerTo(without))
          .isEqualTo("restricted: this invite needs the secret of its link");
      bob.publishAccepted(
          signed(relay, "bob", "accept", List.of(named, List.of("secret", SECRET))));
    }
    store.close();
  }

  private TestRelay start(Instant at) throws IOException {
    store = DiskEventStore.open(directory, InstantSource.fixed(at), 0);
    return new TestRelay(
        store, at, new ChessFeature(ChessSettings.DEFAULT, ChosenLots.FIRST_IS_WHITE));
  }

  private static Event signed(
      TestRelay relay, String player, String content, List<List<String>> tags) {
    return Keys.of(player).sign(relay.now(), 5000, new Tags(tags), content);
  }
}
