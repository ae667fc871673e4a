package gambit.app.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gambit.app.tool.client.ReceivedMessage;
import gambit.app.tool.client.RelayFailure;
import gambit.core.crypto.EventVerifier;
import gambit.core.model.Event;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The events that a relay is measured with. */
class DataSetTest {
  private static final int EVENTS = 500;

  private static List<String> ids(long seed, int events) {
    return new DataSet(seed, events)
        .drafts().next(Integer.MAX_VALUE).stream().map(draft -> draft.id().hex()).toList();
  }

  private static List<String> json(DataSet data, Path file) throws RelayFailure {
    List<String> all = new ArrayList<>();
    data.forEach(file, (drafts, json) -> all.addAll(json));
    return all;
  }

  @Test
  void theSameSeedMakesTheSameEvents() {
    assertThat(ids(3, EVENTS)).hasSize(EVENTS).isEqualTo(ids(3, EVENTS));
    assertThat(ids(3, EVENTS)).doesNotContainAnyElementsOf(ids(4, EVENTS));
  }

  @Test
  void aSmallerDataSetIsTheBeginningOfALargerOne() {
    assertThat(ids(3, EVENTS)).startsWith(ids(3, 100).toArray(String[]::new));
  }

  @Test
  void everyEventIsValidAndHasASecondOfItsOwn() throws Exception {
    EventVerifier verifier = new EventVerifier();
    List<Event> events =
        json(new DataSet(3, EVENTS), null).stream()
            .map(json -> ReceivedMessage.parseEvent(json).orElseThrow())
            .toList();
    assertThat(events).allMatch(verifier::hasValidId).allMatch(verifier::hasValidSignature);
    assertThat(events).extracting(Event::createdAt).doesNotHaveDuplicates();
    assertThat(events).allMatch(event -> event.createdAt() <= DataSet.END);
    assertThat(events).extracting(Event::kind).contains(0, 1, 3, 6, 7, 9735, 30_023);
  }

  @Test
  void theLargestDataSetEndsBeforeTheEventsOfTheLines() {
    assertThat(new DataSet(3, 1).drafts().next(1).get(0).createdAt() + 20L * DataSet.MAX_EVENTS)
        .isLessThan(DataSet.END);
  }

  @Test
  void aKeptDataSetIsReadInsteadOfSigned(@TempDir Path directory) throws Exception {
    Path file = directory.resolve("events.jsonl");
    List<String> signed = json(new DataSet(3, EVENTS), file);
    assertThat(Files.readAllLines(file)).isEqualTo(signed);
    assertThat(json(new DataSet(3, EVENTS), file)).isEqualTo(signed); // signatures are random
    assertThat(json(new DataSet(3, 100), file)).isEqualTo(signed.subList(0, 100));
  }

  @Test
  void aKeptDataSetOfAnotherSeedOrOfFewerEventsIsRefused(@TempDir Path directory) throws Exception {
    Path file = directory.resolve("events.jsonl");
    json(new DataSet(3, 10), file);
    assertThatThrownBy(() -> json(new DataSet(4, 10), file)).hasMessageContaining("another seed");
    assertThatThrownBy(() -> json(new DataSet(3, 11), file))
        .hasMessageContaining("fewer than 11 events");
  }

  /** A relay delivers the same event once, and a fan-out would wait for the second one for ever. */
  @Test
  void newEventsOfOneSecondDiffer() {
    Authors one = new Authors(1, 1);
    SyntheticTraffic traffic = new SyntheticTraffic(1, one, one, "mark ");
    assertThat(Stream.generate(() -> traffic.next(DataSet.END).id()).limit(5_000))
        .doesNotHaveDuplicates();
  }
}
