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

  /** A larger buffer is given back when it is cleared. */
  private static final int MAX_KEPT_BYTES = 1 << 20;

  private final RecordCodec<Effect> codec =
      new RecordCodec<>(Effect.class, new RecordCodec.Form<>(this::writeEvent, this::readEvent));
  private final List<Event> events = new ArrayList<>();
  private final Map<EventId, Integer> places = new HashMap<>();
  private ByteArrayOutputStream out = new ByteArrayOutputStream(INITIAL_BYTES);
  private int placed; // how many have an entry in places
  private int next; // the place after that of the last event that was written

  /** Begins the effects of another entry, whose group adds some events. */
  void begin(List<Event> added) {
    events.clear();
    events.addAll(added);
    places.clear();
    placed = 0;
    next = 0;
    if (out.size() > MAX_KEPT_BYTES) {
      out = new ByteArrayOutputStream(INITIAL_BYTES);
    }
    out.reset();
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
    int place = placeOf(event);
    RecordCodec.NUMBER.write(place + 1L, to);
    if (place < 0) {
      RecordCodec.EVENT.write(event, to);
      place = events.size();
      events.add(event);
    }
    next = place + 1;
  }

  /** Most are written in their order, and one of them several times in turn. */
  private int placeOf(Event event) {
    if (next < events.size() && events.get(next).equals(event)) {
      return next;
    }
    if (next > 0 && events.get(next - 1).equals(event)) {
      return next - 1;
    }
    for (; placed < events.size(); placed++) {
      places.putIfAbsent(events.get(placed).id(), placed);
    }
    return places.getOrDefault(event.id(), -1);
  }

  private Event readEvent(ByteBuffer in) {
    long place = RecordCodec.NUMBER.read(in) - 1;
    if (place >= 0 && place < events.size()) {
      return events.get((int) place);
    } else if (place != -1) {
      throw new IllegalArgumentException("no event has the place " + place);
    }
    Event event = RecordCodec.EVENT.read(in);
    events.add(event);
    return event;
  }
}
