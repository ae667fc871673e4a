package gambit.app.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Which answers of a relay are wrong. */
class AnswersTest {
  private static final String SPACES = " ";

  private final DataSet data = new DataSet(5, 3);
  private final List<Draft> events = data.drafts().next(3);
  private final BenchClients clients = new BenchClients(URI.create("ws://127.0.0.1:1"));
  private final Totals totals = new Totals();
  private final BenchClient client =
      new BenchClient(new EmbeddedChannel(), new CompletableFuture<>());

  @AfterEach
  void close() {
    clients.close();
  }

  private Loop loop(Loop.Operations operations) {
    return new Loop(clients, Pacing.closed(System.nanoTime(), 0).upTo(0), operations, totals);
  }

  private static Message message(String text) {
    return Message.of(Unpooled.copiedBuffer(text, StandardCharsets.UTF_8));
  }

  private String event(String subscription, int number, String space) {
    return "[\"EVENT\","
        + space
        + "\""
        + subscription
        + "\",{\"content\":\"\\\"id\\\":\\\"\",\"id\":"
        + space
        + "\""
        + events.get(number).id().hex()
        + "\"}]";
  }

  /** The number of wrong answers if these messages follow a REQ for the first two events. */
  private long wrong(boolean isOrdered, String... messages) {
    long[] expected = {events.get(0).id().prefix(), events.get(1).id().prefix()};
    Asking asking = new Asking(List.of(new BenchQuery("{}", expected, isOrdered)), 1);
    Loop loop = loop(asking);
    asking.begin(client, System.nanoTime(), loop);
    Stream.of(messages).forEach(text -> asking.received(client, message(text), loop));
    return totals.wrongCount();
  }

  @Test
  void theExpectedEventsInTheirOrderAreRight() {
    assertThat(wrong(true, event("q0", 0, ""), event("q0", 1, SPACES), "[\"EOSE\",\"q0\"]"))
        .isZero();
    assertThat(totals.values()).containsEntry(Measure.FOUND, 2.0);
    assertThat(totals.operations()).isEqualTo(1);
  }

  @Test
  void anotherOrderIsWrongForOneFilterOnly() {
    String[] reversed = {event("q0", 1, ""), event("q0", 0, ""), "[\"EOSE\", \"q0\"]"};
    assertThat(wrong(false, reversed)).isZero();
    assertThat(wrong(true, reversed)).isEqualTo(1);
  }

  @Test
  void aMissingEventIsWrong() {
    assertThat(wrong(true, event("q0", 0, ""), "[\"EOSE\",\"q0\"]")).isEqualTo(1);
    assertThat(totals.firstWrong()).startsWith("1 events instead of 2");
  }

  @Test
  void anotherEventIsWrong() {
    assertThat(wrong(false, event("q0", 0, ""), event("q0", 2, ""), "[\"EOSE\",\"q0\"]"))
        .isEqualTo(1);
  }

  @Test
  void anEventTwiceIsWrong() {
    assertThat(wrong(false, event("q0", 0, ""), event("q0", 0, ""), "[\"EOSE\",\"q0\"]"))
        .isEqualTo(1);
  }

  @Test
  void anEventAfterTheEndIsWrong() {
    assertThat(
            wrong(
                true,
                event("q0", 0, ""),
                event("q0", 1, ""),
                "[\"EOSE\",\"q0\"]",
                event("q0", 1, "")))
        .isEqualTo(1);
  }

  /** An event is published to two subscribers; then these subscribers receive it. */
  private Totals delivered(int... subscribers) {
    SignedEvent event = SignedEvent.of(events.get(0), events.get(0).sign().toString());
    BitSet both = BitSet.valueOf(new long[] {3});
    List<SignedEvent> source = new ArrayList<>(List.of(event));
    Publishing publishing =
        new Publishing(
            () -> source.isEmpty() ? null : source.remove(0), sent -> both, sent -> false);
    Loop loop = loop(publishing);
    List<BenchClient> two =
        Stream.generate(() -> new BenchClient(new EmbeddedChannel(), new CompletableFuture<>()))
            .limit(2)
            .toList();
    publishing.listen(List.of(client), two, loop);
    publishing.begin(client, System.nanoTime(), loop);
    publishing.answered(message("[\"OK\",\"" + events.get(0).id().hex() + "\",true,\"\"]"), loop);
    for (int subscriber : subscribers) {
      publishing.delivered(message(event("s", 0, "")), subscriber, loop);
    }
    return totals;
  }

  @Test
  void aDeliveryToEachSubscriberIsRight() {
    Totals all = delivered(1, 0);
    assertThat(all.wrongCount()).isZero();
    assertThat(all.operations()).isEqualTo(2);
  }

  @Test
  void aSecondDeliveryToASubscriberIsWrong() {
    assertThat(delivered(0, 0).wrongCount()).isEqualTo(1);
  }

  @Test
  void aDeliveryAfterAllIsWrong() {
    assertThat(delivered(0, 1, 1).wrongCount()).isEqualTo(1);
  }
}
