package gambit.core.replication;

import gambit.core.model.Event;
import gambit.core.model.EventId;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The binary form of the effects of an entry, one after the other. Each event is written once, and
 * named by its place from then on: the first places are those of the events that the entry's group
 * adds. One thread.
 */
final class EffectCodec {
  private static final int INITIAL_BYTES = 4096;

  private final RecordCodec<Effect> codec =
      new RecordCodec<>(Effect.class, new RecordCodec.Form<>(this::writeEvent, this::readEvent));
  private final List<Event> events = new ArrayList<>();
  private final Map<EventId, Integer> places = new HashMap<>();
  private final ByteArrayOutputStream out = new ByteArrayOutputStream(INITIAL_BYTES);

  /** Begins the effects of another entry, whose group adds some events. */
  void begin(List<Event> added) {
    events.clear();
    places.clear();
    added.forEach(this::place);
    out.reset();
  }

  private void place(Event event) {
    places.putIfAbsent(event.id(), events.size());
    events.add(event);
  }

  void write(Effect effect) {
    codec.write(effect, out);
  }

  int size() {
    return out.size();
  }

  byte[] toArray() {
    return out.toByteArray();
  }

  List<Effect> read(byte[] effects) {
    return codec.readAll(ByteBuffer.wrap(effects));
  }

  private void writeEvent(Event event, ByteArrayOutputStream to) {
    int place = places.getOrDefault(event.id(), -1);
    RecordCodec.NUMBER.write(place + 1L, to);
    if (place < 0) {
      RecordCodec.EVENT.write(event, to);
      place(event);
    }
  }

  private Event readEvent(ByteBuffer in) {
    long place = RecordCodec.NUMBER.read(in) - 1;
    if (place >= 0 && place < events.size()) {
      return events.get((int) place);
    } else if (place != -1) {
      throw new IllegalArgumentException("no event has the place " + place);
    }
    Event event = RecordCodec.EVENT.read(in);
    place(event);
    return event;
  }
}
