package gambit.chess.session.jester;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import gambit.chess.rules.Side;
import gambit.chess.session.ChessFeature;
import gambit.chess.session.jester.JesterModel.Written;
import gambit.chess.session.play.ChessSettings;
import gambit.core.store.EventStore;
import gambit.core.testkit.Client;
import gambit.core.testkit.MemoryEventStore;
import gambit.core.testkit.TestRelay;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/**
 * Random games of kind 30 over the whole relay, whose events are lost, repeated, late and in any
 * order, with restarts in between. What the relay answers and shows is compared with {@link
 * JesterModel}.
 */
class RandomJesterGamesTest {
  private static final Instant START = Instant.parse("2026-01-01T12:00:00Z");

  @Property(tries = 5)
  void honestGameIsTheSameInEveryOrder(@ForAll long seed) {
    try (Run run = new Run(seed)) {
      run.playHonestly();
    }
  }

  @Property(tries = 4)
  void hostilePlayersChangeNothingButTheirOwnMoves(@ForAll long seed) {
    try (Run run = new Run(seed)) {
      run.playWithHostilePlayers();
    }
  }

  /** One game. */
  private static final class Run implements AutoCloseable {
    private final Random random;
    private final JesterWriter writer;
    private final JesterModel model;
    private final EventStore store = new MemoryEventStore(64 << 20);
    private TestRelay relay = new TestRelay(store, START, chess());
    private List<Client> clients = List.of(relay.connect(), relay.connect());

    Run(long seed) {
      random = new Random(seed);
      writer = new JesterWriter(random);
      model = writer.model();
    }

    private static ChessFeature chess() {
      return new ChessFeature(ChessSettings.DEFAULT);
    }

    private void restart() {
      Instant later = relay.time().instant().plusSeconds(random.nextInt(1000));
      close();
      relay = new TestRelay(store, later, chess());
      clients = List.of(relay.connect(), relay.connect());
    }

    @Override
    public void close() {
      clients.forEach(Client::close);
      relay.close();
    }

    void playHonestly() {
      JesterModel planned = writer.model();
      List<Written> game = writer.honestGame(planned);
      boolean isLossy = random.nextBoolean();
      List<Written> arriving = new ArrayList<>();
      for (Written event : game) {
        boolean isLost = isLossy && random.nextInt(20) == 0;
        arriving.addAll(Collections.nCopies(isLost ? 0 : 1 + random.nextInt(4) / 3, event));
      }
      Collections.shuffle(arriving, random);
      int beforeStart = random.nextInt(1 + arriving.size());
      deliverHonestly(arriving.subList(0, beforeStart));
      clients.get(0).publishAccepted(writer.start());
      deliverHonestly(arriving.subList(beforeStart, arriving.size()));
      arriving.forEach(model::take);
      if (!isLossy) {
        assertThat(model.shown()).isEqualTo(planned.shown());
      }
      awaitShown();
    }

    /** In batches over two connections, without waiting for the answers in between. */
    private void deliverHonestly(List<Written> events) {
      List<Written> left = new ArrayList<>(events);
      while (!left.isEmpty()) {
        List<Written> batch = left.subList(0, Math.min(left.size(), 1 + random.nextInt(5)));
        for (int i = 0; i < batch.size(); i++) {
          clients.get(i % 2).publish(batch.get(i).event());
        }
        for (int i = 0; i < batch.size(); i++) {
          JsonNode answer = clients.get(i % 2).nextJson();
          boolean isLate = answer.get(3).asText().startsWith("invalid: this game is over: ");
          assertThat(answer.get(2).asBoolean() || isLate)
              .as(answer + " for " + batch.get(i))
              .isTrue();
        }
        batch.clear();
        if (random.nextInt(10) == 0) {
          restart();
        }
      }
    }

    void playWithHostilePlayers() {
      clients.get(0).publishAccepted(writer.start());
      Side honest = writer.anySide();
      boolean isHonest = random.nextBoolean(); // or both are hostile
      List<Written> travelling = new ArrayList<>();
      List<Written> arrived = new ArrayList<>();
      for (int i = 0; i < 120; i++) {
        boolean isWaiting = travelling.stream().noneMatch(it -> isHonest && writer.is(it, honest));
        if (isHonest && isWaiting && !model.isOver() && model.turn() == honest) {
          travelling.add(writer.nextMove(model));
        } else {
          Side side = isHonest ? honest.opponent() : writer.anySide();
          travelling.add(writer.hostileEvent(model, side));
        }
        while (!travelling.isEmpty() && random.nextInt(3) > 0) {
          Written next = travelling.remove(random.nextInt(travelling.size()));
          boolean isOfHonest = isHonest && writer.is(next, honest);
          if (isOfHonest || random.nextInt(10) > 0) { // of others, some are lost
            arrived.add(next);
            boolean isRefused = !deliver(next);
            assertThat(isOfHonest && isRefused && !model.isOver()).as("" + next).isFalse();
          }
        }
        if (!arrived.isEmpty() && random.nextInt(4) == 0) {
          deliver(arrived.get(random.nextInt(arrived.size())));
        }
        if (random.nextInt(40) == 0) {
          restart();
        }
      }
      awaitShown();
    }

    /** Returns whether the relay has taken the event, as the model does. */
    private boolean deliver(Written event) {
      boolean expected = model.take(event);
      Client client = clients.get(random.nextInt(2));
      client.publish(event.event());
      JsonNode answer = client.nextJson();
      assertThat(answer.get(2).asBoolean())
          .as("%s for %s in %s", answer, event, model.shown())
          .isEqualTo(expected);
      return expected;
    }

    /** The relay judges what waits after its answers. */
    private void awaitShown() {
      await().untilAsserted(() -> assertThat(shown()).isEqualTo(model.shown()));
    }

    private String shown() {
      Client client = clients.get(0);
      String id = writer.start().id().hex();
      String states = "{\"kinds\":[20302],\"#d\":[\"" + id + "\"]}";
      client.send("[\"REQ\",\"game\"," + states + ",{\"kinds\":[64],\"#e\":[\"" + id + "\"]}]");
      List<JsonNode> frames = client.until("EOSE");
      client.send("[\"CLOSE\",\"game\"]");
      return frames.stream()
          .filter(frame -> frame.get(0).asText().equals("EVENT"))
          .map(frame -> shown(frame.get(2)))
          .distinct() // a state that is published meanwhile comes twice
          .collect(Collectors.joining(" and "));
    }

    private String shown(JsonNode event) {
      if (event.get("kind").asInt() == 64) {
        List<String> plies =
            tags(event, "plies").stream().map(id -> moveOf(writer.written(id))).toList();
        return tags(event, "result").get(0)
            + " "
            + tags(event, "termination").get(0)
            + " "
            + tags(event, "ending").stream()
                .map(id -> model.colour(writer.written(id)))
                .sorted() // of two offers at once, each may be the acceptance
                .collect(Collectors.joining(" "))
            + " "
            + plies;
      }
      List<String> draw = tags(event, "draw");
      String offered = draw.isEmpty() ? "" : " draw " + draw.get(0);
      return tags(event, "ply").get(0) + " " + event.get("content").asText() + offered;
    }

    private static String moveOf(Written event) {
      return event.history().get(event.history().size() - 1);
    }

    /** The values of all tags of a name. */
    private static List<String> tags(JsonNode event, String name) {
      List<String> values = new ArrayList<>();
      for (JsonNode tag : event.get("tags")) {
        for (int i = 1; tag.get(0).asText().equals(name) && i < tag.size(); i++) {
          values.add(tag.get(i).asText());
        }
      }
      return values;
    }
  }
}
