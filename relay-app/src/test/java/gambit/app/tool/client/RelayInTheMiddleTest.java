package gambit.app.tool.client;

import static gambit.app.tool.client.RecordingPlayer.of;
import static org.assertj.core.api.Assertions.assertThat;

import gambit.app.LocalRelay;
import gambit.app.tool.client.GameCommands.Act;
import gambit.app.tool.client.PlayerClient.InviteOptions;
import gambit.chess.game.TimeControl;
import gambit.chess.rules.Move;
import gambit.chess.rules.Side;
import gambit.core.crypto.Signer;
import gambit.core.feature.EventHandler;
import gambit.core.feature.Feature;
import gambit.core.feature.Outgoing;
import gambit.core.feature.RelayBuilder;
import gambit.core.feature.Submission;
import gambit.core.limit.LimitValues;
import gambit.core.model.Event;
import gambit.core.model.EventId;
import gambit.core.model.PubKey;
import gambit.core.model.Tags;
import gambit.core.testkit.Client;
import gambit.core.testkit.MemoryEventStore;
import gambit.core.testkit.TestRelay;
import java.net.URI;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A hostile relay, which a player has opened, forwards the player's events to a genuine one over a
 * connection of its own.
 */
class RelayInTheMiddleTest {
  private static final TimeControl BLITZ = TimeControl.parse("300+3").orElseThrow();
  private static final EventId INVITE = EventId.ofHex("11".repeat(32));
  private static final String FOR_ANOTHER_RELAY = "invalid: this event is for another relay";

  private final Signer key = Signer.random();
  private final HostileRelay hostile = new HostileRelay(key.pubkey());

  @Test
  void nothingThatThePlayerSignsThereHasAnEffectAtTheGenuineRelay(@TempDir Path data) {
    try (LocalRelay genuine = new LocalRelay(data, 0);
        RecordingPlayer accomplice = new RecordingPlayer(genuine.uri());
        Client forwarding = new Client(genuine.uri());
        TestRelay relay =
            new TestRelay(
                LimitValues.DEFAULT,
                new MemoryEventStore(64 << 20),
                InstantSource.system(),
                hostile);
        RecordingPlayer player = new RecordingPlayer(relay.uri(), key)) {
      of(accomplice.client.search(BLITZ));
      of(player.client.search(BLITZ));
      hostile.announceGame(accomplice.client.pubkey());
      doEverything(player.client, player.awaitGame());
      assertThat(hostile.forwardable)
          .extracting(Event::content)
          .contains("connect", "invite", "accept", "e2e4", "offer", "takeback", "abort", "resign");
      // It can bind its connection with an event of another client of the player, written from the
      // draft.
      assertThat(forwarding.answerTo(sign(5000, "cancelsearch"))).isEmpty();
      for (Event event : hostile.forwardable) {
        assertThat(forwarding.answerTo(event)).as("" + event).isEqualTo(FOR_ANOTHER_RELAY);
      }
      assertThat(accomplice.began).isEmpty();
      assertThat(hostile.loginsFor).isNotEmpty().containsOnly(named(relay.uri()));
    }
  }

  @Test
  void eventsNameTheRelayAsOpenedWithoutWhatMayBeSecret() {
    assertThat(
            RelayPlace.of(URI.create("wss://user:secret@Relay.example:443/a?token=x")).loginUrl())
        .isEqualTo("wss://Relay.example:443/a");
  }

  private static void doEverything(PlayerClient client, GameView game) {
    assertThat(game.terms().ours()).isEqualTo(Side.WHITE);
    of(client.invite(new InviteOptions(null, null, null, 0)));
    of(client.accept(INVITE, ""));
    of(client.rematch(game));
    of(client.move(game, Move.parse("e2e4").orElseThrow(), false));
    for (Act act : Act.values()) {
      of(client.act(game, act));
    }
  }

  private Event sign(int kind, String content) {
    return key.sign(InstantSource.system().instant().getEpochSecond(), kind, Tags.NONE, content);
  }

  private static String named(URI url) {
    return "ws://127.0.0.1:" + url.getPort() + "/";
  }

  /** Takes logins and chess events of one player, and answers that they are accepted. */
  private static final class HostileRelay implements Feature, EventHandler {
    private final PubKey victim;
    private final List<Event> forwardable = new CopyOnWriteArrayList<>();
    private final List<String> loginsFor = new CopyOnWriteArrayList<>();
    private @Nullable RelayBuilder relay;

    private HostileRelay(PubKey victim) {
      this.victim = victim;
    }

    @Override
    public void install(RelayBuilder relay) {
      this.relay = relay;
      relay.handleEvents(this);
      relay.logins(
          (login, challenge, now) -> {
            loginsFor.add(login.tags().first("relay").orElse(""));
            return Optional.empty();
          },
          () -> true);
    }

    @Override
    public Optional<ClaimedEvent> claim(Event event) {
      boolean isVictims = event.pubkey().equals(victim) && event.kind() / 10 == 500;
      return isVictims ? Optional.of(this::take) : Optional.empty();
    }

    private void take(Submission submission) {
      forwardable.add(submission.event());
      send(submission.accepted(""));
    }

    /** Announces a game, so that the player's client plays it. */
    void announceGame(PubKey opponent) {
      Tags tags =
          new Tags(
              List.of(
                  List.of("p", victim.hex(), "", "white"),
                  List.of("p", opponent.hex(), "", "black"),
                  List.of("time", BLITZ.text())));
      long now = InstantSource.system().instant().getEpochSecond();
      Event found = relay().signer().sign(now, 5000, tags, "gameisfound");
      send(new Outgoing.Broadcast(found, List.of()));
    }

    private void send(Outgoing outgoing) {
      relay().publisher().send(List.of(outgoing));
    }

    private RelayBuilder relay() {
      if (relay == null) {
        throw new IllegalStateException("not installed");
      }
      return relay;
    }
  }
}
