package gambit.chess.dialect;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import gambit.chess.dialect.PlayerEvent.BindingRule;
import gambit.chess.dialect.PlayerEvent.TargetState;
import gambit.chess.game.Command;
import gambit.chess.game.FinishedGame;
import gambit.chess.game.GameEvent;
import gambit.chess.game.OngoingGame;
import gambit.chess.rules.Move;
import gambit.chess.rules.Side;
import gambit.chess.session.ChessFeatures;
import gambit.core.crypto.Signer;
import gambit.core.model.Event;
import gambit.core.model.Tags;
import gambit.core.testkit.Client;
import gambit.core.testkit.Keys;
import gambit.core.testkit.TestRelay;
import gambit.core.wire.Reason;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Another dialect is one class, without changes elsewhere. */
class ThirdDialectTest {
  private static final String REFUSED = "invalid: not your turn";

  /** Kind 7100: "hello" looks for a game, "bye" resigns, all else is a move. */
  private static final class Tiny implements Dialect {
    private static final int KIND = 7100;
    private static final int NOTICE = 7101;

    private final RefereeEvents relay;

    private Tiny(RefereeEvents relay) {
      this.relay = relay;
    }

    @Override
    public String name() {
      return "tiny";
    }

    @Override
    public String entry() {
      return "say hello first";
    }

    @Override
    public String gameTag() {
      return "a game tag";
    }

    @Override
    public boolean has(Trait trait) {
      return false;
    }

    @Override
    public boolean isCandidate(Event event) {
      return event.kind() == KIND;
    }

    @Override
    public PlayerEvent read(Event event) {
      boolean isHello = event.content().equals("hello");
      return new PlayerEvent(
          event,
          this,
          request(event.content()),
          isHello ? BindingRule.BINDS : BindingRule.REQUIRES_BOUND,
          Optional.empty(),
          TargetState.ANY);
    }

    private static Request request(String word) {
      return switch (word) {
        case "hello" -> new Request.Connect(null, false);
        case "bye" -> new Request.Plain(Command.Type.RESIGN);
        default ->
            Move.parse(word)
                .<Request>map(move -> new Request.Play(position -> Optional.of(move), false))
                .orElseGet(() -> new Request.Malformed(Reason.invalid("hello, bye or a move")));
      };
    }

    @Override
    public Reply granted(Event event, List<GameEvent> happened) {
      return Reply.accepted("fine", List.of());
    }

    @Override
    public Optional<Event> published(
        GameRef game, Event event, OngoingGame before, List<GameEvent> happened, long now) {
      return Optional.of(event);
    }

    @Override
    public Reply searching(Event event, boolean already, long now) {
      return Reply.accepted("wait", List.of());
    }

    @Override
    public List<Notification> started(GameRef game, Side side, long now) {
      return notices(game, "you are " + side.name(), now);
    }

    @Override
    public Notification shown(GameRef game, OngoingGame playing, Side side, long now) {
      return notices(game, playing.position().fen(), now).get(0);
    }

    @Override
    public Notification ended(GameRef game, FinishedGame over, Side side) {
      return notices(game, over.result().text(), over.endedAt()).get(0);
    }

    private List<Notification> notices(GameRef game, String content, long now) {
      return List.of(
          new Notification(relay.sign(NOTICE, RefereeEvents.about(game), content, now), null));
    }
  }

  private final TestRelay relay =
      new TestRelay(ChessFeatures.withDialects(List.of(Nip100::new, Tiny::new)));

  @Test
  void twoPlayersPlayAGameInADialectOfOneClass() {
    try (relay;
        Client alice = relay.connect();
        Client bob = relay.connect()) {
      assertThat(relay.information().get("chess").get("dialects").toString())
          .isEqualTo("[\"nip100\",\"tiny\",\"jester\"]");
      follow(alice);
      follow(bob);
      say(alice, "alice", "hello", "wait");
      say(bob, "bob", "hello", "wait");
      assertThat(content(alice)).isEqualTo("you are WHITE");
      assertThat(content(bob)).isEqualTo("you are BLACK");
      say(alice, "alice", "e2e4", "fine");
      assertThat(content(bob)).isEqualTo("e2e4");
      assertThat(content(alice)).isEqualTo("e2e4");
      assertThat(alice.answerTo(event("alice", "d2d4"))).isEqualTo(REFUSED);
      say(bob, "bob", "e7e5", "fine");
      assertThat(content(alice)).isEqualTo("e7e5");
      assertThat(content(bob)).isEqualTo("e7e5");
      say(alice, "alice", "bye", "fine");
      assertThat(content(bob)).isEqualTo("bye");
      assertThat(content(bob)).isEqualTo("0-1");
    }
  }

  @Test
  void playersOfTwoDialectsPlayEachOther() {
    try (relay;
        Client alice = relay.connect();
        Client bob = relay.connect()) {
      follow(alice);
      say(alice, "alice", "hello", "wait");
      Event connect = event(Keys.of("bob"), 5000, "connect");
      assertThat(bob.answerTo(connect)).isEmpty();
      assertThat(content(alice)).isEqualTo("you are WHITE");
      assertThat(bob.next()).startsWith("[\"EVENT\",5000,");
      assertThat(bob.nextJson().get(3).asText()).isEqualTo("black");
      say(alice, "alice", "e2e4", "fine");
      assertThat(bob.nextJson().get(2).get("content").asText()).isEqualTo("e2e4");
    }
  }

  private void follow(Client client) {
    client.send("[\"REQ\",\"tiny\",{\"kinds\":[7100,7101]}]").until("EOSE");
  }

  private void say(Client client, String player, String content, String answer) {
    Event event = event(player, content);
    client.publish(event);
    JsonNode ok = client.nextJson();
    assertThat(ok.get(0).asText()).isEqualTo("OK");
    assertThat(ok.get(3).asText()).isEqualTo(answer);
  }

  private static String content(Client client) {
    return client.nextJson().get(2).get("content").asText();
  }

  private Event event(String player, String content) {
    return event(Keys.of(player), Tiny.KIND, content);
  }

  private Event event(Signer key, int kind, String content) {
    return key.sign(relay.now(), kind, new Tags(List.of(List.of("alt", content))), content);
  }
}
