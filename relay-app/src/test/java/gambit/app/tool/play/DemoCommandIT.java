package gambit.app.tool.play;

import static org.assertj.core.api.Assertions.assertThat;

import gambit.app.CommandResult;
import gambit.app.LocalRelay;
import gambit.core.feature.ClientConnection;
import gambit.core.feature.EventHandler;
import gambit.core.feature.Feature;
import gambit.core.feature.Outgoing;
import gambit.core.feature.RelayBuilder;
import gambit.core.feature.Submission;
import gambit.core.limit.LimitValues;
import gambit.core.model.Event;
import gambit.core.model.Tags;
import gambit.core.testkit.Client;
import gambit.core.testkit.Keys;
import gambit.core.testkit.MemoryEventStore;
import gambit.core.testkit.TestRelay;
import gambit.core.testkit.ThoroughOnly;
import gambit.core.wire.RelayMessage.Ok;
import java.net.URI;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code gambit demo} with a running relay and with faulty relays. */
class DemoCommandIT {

  @Test
  void demoPlaysAFamousGameToMateOnARunningRelay(@TempDir Path data) {
    try (LocalRelay relay = new LocalRelay(data, 0)) {
      CommandResult demo = CommandResult.of("demo", "" + relay.uri());
      assertThat(demo.status()).isZero();
      assertThat(demo.output())
          .startsWith("Morphy against the Duke of Brunswick")
          .contains("17. d1d8")
          .endsWith("Checkmate: both players were notified.");
      assertThat(demo.errors()).isEmpty();
    }
  }

  /** The relay draws the colours. */
  @ThoroughOnly
  @Test
  void demoSucceedsForEitherAssignmentOfColoursOnARelayThatRequiresItsName(@TempDir Path data) {
    try (LocalRelay relay = new LocalRelay(data, 0, "chess.require_relay_tag=true")) {
      for (int i = 0; i < 8; i++) {
        CommandResult demo = CommandResult.of("demo", "" + relay.uri());
        assertThat(demo.status()).as(demo.errors()).isZero();
      }
    }
  }

  @Test
  void demoReportsARelayWithoutAReferee() throws Exception {
    try (TestRelay relay = withRealTime()) {
      assertThat(failureWith(relay.uri()))
          .isEqualTo("No referee answered within 10 s: is this a Gambit relay?");
    }
  }

  @Test
  void demoAbortsTheGameWhenItIsPairedWithAStranger(@TempDir Path data) {
    try (LocalRelay relay = new LocalRelay(data, 0);
        Client stranger = new Client(relay.uri())) {
      stranger.publish(Keys.of("stranger"), System.currentTimeMillis() / 1000, 5000, "connect");
      stranger.next();
      assertThat(failureWith(relay.uri()))
          .startsWith("A stranger was paired with the demonstration");
      assertThat(stranger.nextJson().get(2).get("content").asText()).isEqualTo("gameisfound");
      assertThat(stranger.next()).matches(".*,true,\"(white|black)\"]");
      assertThat(stranger.nextJson().get(2).get("content").asText()).isEqualTo("gameaborted");
    }
  }

  @Test
  void anUnreachableRelayIsReported() {
    CommandResult demo = CommandResult.of("demo", "ws://localhost:1");
    assertThat(demo.status()).isEqualTo(1);
    assertThat(demo.errors())
        .isEqualTo("Cannot connect to ws://localhost:1: is the relay running there?");
  }

  @ParameterizedTest
  @ValueSource(strings = {"same colour", "two games", "another mover", "another move", "goodbye"})
  void demoDetectsARefereeWithContradictoryMessages(String lie) throws Exception {
    try (TestRelay relay = withRealTime(new LyingReferee(lie))) {
      assertThat(failureWith(relay.uri())).matches("(The |Expected ).*");
    }
  }

  /** The error message of the demonstration, which fails with this relay. */
  private static String failureWith(URI relay) {
    CommandResult demo = CommandResult.of("demo", "" + relay);
    assertThat(demo.status()).isEqualTo(1);
    return demo.errors();
  }

  private static TestRelay withRealTime(Feature... features) {
    return new TestRelay(
        LimitValues.DEFAULT, new MemoryEventStore(64 << 20), InstantSource.system(), features);
  }

  /** A referee that pairs the first two players and deviates from the protocol in one way. */
  private static final class LyingReferee implements Feature, EventHandler {
    private final String lie;
    private final List<Submission> players = new ArrayList<>();
    private RelayBuilder relay;

    LyingReferee(String lie) {
      this.lie = lie;
    }

    @Override
    public void install(RelayBuilder builder) {
      relay = builder;
      builder.handleEvents(this);
    }

    @Override
    public Optional<ClaimedEvent> claim(Event event) {
      boolean isChess = event.kind() >= 5000 && event.kind() <= 5003;
      return isChess ? Optional.of(this::handle) : Optional.empty();
    }

    private synchronized void handle(Submission submission) {
      List<Outgoing> answers = new ArrayList<>(List.of(submission.accepted("")));
      if (submission.event().content().equals("connect")) {
        players.add(submission);
        if (players.size() == 2) {
          begin(answers);
        }
      } else if (submission.event().kind() == 5001) {
        forward(submission, answers);
      }
      relay.publisher().send(answers);
    }

    private void begin(List<Outgoing> answers) {
      Event game = sign(5000, "gameisfound", "1");
      Event other = lie.equals("two games") ? sign(5000, "gameisfound", "2") : game;
      answers.add(framed(game, players.get(0).connection(), 5000));
      answers.add(colour(players.get(0), "white"));
      answers.add(framed(other, players.get(1).connection(), 5000));
      answers.add(colour(players.get(1), lie.equals("same colour") ? "white" : "black"));
    }

    private void forward(Submission move, List<Outgoing> answers) {
      Submission opponent = players.get(players.get(0).connection() == move.connection() ? 1 : 0);
      Event forwarded =
          switch (lie) {
            case "another mover" -> sign(5001, move.event().content(), "");
            case "another move" -> sign(5001, "a2a3", "");
            case "goodbye" -> sign(5000, "opponentresigned", "");
            default -> move.event();
          };
      answers.add(framed(forwarded, opponent.connection(), 5002));
    }

    private Event sign(int kind, String content, String nonce) {
      long now = relay.time().instant().getEpochSecond();
      return relay.signer().sign(now, kind, new Tags(List.of(List.of("nonce", nonce))), content);
    }

    private static Outgoing framed(Event event, ClientConnection to, int number) {
      return new Outgoing.Multicast(event, Set.of(to), List.of(new Outgoing.Fallback(to, number)));
    }

    private static Outgoing colour(Submission connect, String colour) {
      Ok ok = Ok.accepted(connect.event(), colour);
      return new Outgoing.LateOk(connect.connection(), ok);
    }
  }
}
