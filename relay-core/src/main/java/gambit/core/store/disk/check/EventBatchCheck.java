package gambit.core.store.disk.check;

import gambit.core.crypto.EventVerifier;
import gambit.core.model.Event;
import gambit.core.store.disk.log.Records;
import gambit.core.store.disk.log.Segment;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Verifies the ids and signatures of events in batches. One thread, with helper threads for each
 * batch.
 */
final class EventBatchCheck {
  private static final int EVENTS_PER_BATCH = 2_048;

  private final EventVerifier verifier;
  private final FaultSink faultSink;
  private final List<EventRecord> batch = new ArrayList<>(EVENTS_PER_BATCH);

  interface FaultSink {
    void fault(Segment segment, int at, long offset, String fault);
  }

  private record EventRecord(Segment segment, int at, long offset) {}

  EventBatchCheck(EventVerifier verifier, FaultSink faultSink) {
    this.verifier = verifier;
    this.faultSink = faultSink;
  }

  /** Adds an event's record; verifies the batch if it is full. */
  void add(Segment segment, int at, long offset) {
    batch.add(new EventRecord(segment, at, offset));
    if (batch.size() == EVENTS_PER_BATCH) {
      verifyAll();
    }
  }

  /** Verifies the events added since the last batch. */
  void verifyAll() {
    List<String> faults =
        IntStream.range(0, batch.size()).parallel().mapToObj(i -> faultOf(batch.get(i))).toList();
    for (int i = 0; i < faults.size(); i++) {
      if (!faults.get(i).isEmpty()) {
        EventRecord bad = batch.get(i);
        faultSink.fault(bad.segment(), bad.at(), bad.offset(), faults.get(i));
      }
    }
    batch.clear();
  }

  private String faultOf(EventRecord it) {
    ByteBuffer in = it.segment().view();
    try {
      Event event = Records.event(in, it.at(), it.offset()).event();
      if (!verifier.hasValidId(event)) {
        return "its id is invalid";
      }
      return verifier.hasValidSignature(event) ? "" : "its signature is invalid";
    } catch (RuntimeException e) {
      return "its fields do not fit into it";
    }
  }
}
