package gambit.chess.hostile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import gambit.chess.session.ChessFeature;
import gambit.chess.session.ChosenLots;
import gambit.chess.session.play.ChessSettings;
import gambit.core.model.Event;
import gambit.core.model.Tags;
import gambit.core.testkit.Client;
import gambit.core.testkit.Keys;
import gambit.core.testkit.TestRelay;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Clients fill the lobby with invites and time controls. */
class LargeLobbyTest {
  private static final int MAX = 100;

  private final TestRelay relay =
      new TestRelay(new ChessFeature(ChessSettings.DEFAULT, ChosenLots.FIRST_IS_WHITE));

  @AfterEach
  void end() {
    relay.close();
  }

  @Test
  void oldestInvitesBeyondAHundredAreLeftOutAndTheLobbyRestsBetweenEvents() {
    try (Client viewer = relay.connect();
        Client authors = relay.connect()) {
      subscribe(viewer);
      List<String> ids = new ArrayList<>();
      for (int i = 0; i < MAX + 20; i++) {
        ids.add(0, publish(authors, "author " + i / 10, "invite", "nonce", "" + i).id().hex());
      }
      relay.time().awaitAlarms(MAX + 20); // of the last invite, too
      assertThat(second(Duration.ofSeconds(1), viewer, "invite")).isEqualTo(ids.subList(0, MAX));
      publish(authors, "author 0", "reject", "e", ids.get(MAX + 19));
      String newest = publish(authors, "author 0", "invite", "nonce", "newest").id().hex();
      relay.time().awaitUpdates(1);
      relay.time().awaitAlarms(MAX + 20);
      relay.time().advance(Duration.ofSeconds(5));
      relay.time().awaitUpdates(1); // it still rests
      List<String> listed = second(Duration.ofSeconds(1), viewer, "invite");
      assertThat(listed).hasSize(MAX).startsWith(newest, ids.get(0));
    }
  }

  @Test
  void timeControlsWithTheFewestPlayersBeyondAHundredAreLeftOut() {
    try (Client viewer = relay.connect();
        Client some = relay.connect();
        Client others = relay.connect()) {
      subscribe(viewer);
      IntStream.range(0, 2 * MAX - 10)
          .forEach(
              i ->
                  publish(
                      i < MAX ? some : others, "player " + i, "connect", "time", "" + (1000 + i)));
      await().until(() -> relay.metrics().read("chess_searching") == 2 * MAX - 10);
      List<String> times = second(Duration.ofSeconds(1), viewer, "waiting");
      assertThat(times)
          .isEqualTo(IntStream.range(1000, 1000 + MAX).mapToObj(time -> "" + time).toList());
    }
  }

  private void subscribe(Client viewer) {
    viewer.send("[\"REQ\",\"lobby\",{\"kinds\":[20305]}]");
    viewer.until("EOSE");
  }

  /** The second elements of the tags with that name, of the lobby published after some time. */
  private List<String> second(Duration time, Client viewer, String name) {
    relay.time().awaitUpdates(1);
    relay.time().advance(time);
    JsonNode lobby = viewer.nextJson().get(2);
    List<String> values = new ArrayList<>();
    for (JsonNode tag : lobby.get("tags")) {
      if (tag.get(0).asText().equals(name)) {
        values.add(tag.get(1).asText());
      }
    }
    return values;
  }

  private Event publish(Client client, String player, String content, String... tag) {
    Tags tags = new Tags(List.of(List.of(tag)));
    Event event = Keys.of(player).sign(relay.now(), 5000, tags, content);
    client.publishAccepted(event);
    return event;
  }
}
