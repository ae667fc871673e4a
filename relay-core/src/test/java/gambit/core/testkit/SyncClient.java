package gambit.core.testkit;

import com.fasterxml.jackson.databind.JsonNode;
import gambit.core.model.Event;
import gambit.core.model.EventId;
import gambit.core.negentropy.ItemSet;
import gambit.core.negentropy.ListItemSet;
import gambit.core.negentropy.Mediator;
import gambit.core.negentropy.NegentropyException;
import gambit.core.negentropy.Position;
import gambit.core.negentropy.Responder;
import java.util.Collection;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Compares a set of events with those of a relay by NIP-77, over a client's socket, on which
 * nothing else must arrive meanwhile.
 */
public final class SyncClient implements Mediator.Differences {
  private static final int MAX_MESSAGE_BYTES = 60_000;

  private final Set<EventId> onlyThere = new TreeSet<>();
  private final Set<EventId> onlyHere = new TreeSet<>();
  private String error = "";
  private long bytes;
  private int messages;

  private SyncClient() {}

  /** Compares events with those that match the filter, a JSON object. */
  public static SyncClient compare(Client client, String filter, Collection<Event> own) {
    List<Position> items = own.stream().map(it -> new Position(it.createdAt(), it.id())).toList();
    return compare(client, filter, ListItemSet.of(items));
  }

  /** Compares a set with the events that match the filter, a JSON object. */
  public static SyncClient compare(Client client, String filter, ListItemSet own) {
    SyncClient sync = new SyncClient();
    try {
      sync.run(client, filter, own);
    } catch (NegentropyException e) {
      throw new AssertionError("the relay's answer is malformed", e);
    }
    return sync;
  }

  /**
   * The first message of a client without events: a fingerprint of everything, which no set has.
   */
  public static String firstMessage() {
    return HexFormat.of().formatHex(new Mediator(MAX_MESSAGE_BYTES, new SyncClient()).start());
  }

  private void run(Client client, String filter, ListItemSet own) throws NegentropyException {
    Mediator mediator = new Mediator(MAX_MESSAGE_BYTES, this);
    Optional<byte[]> next = Optional.of(mediator.start());
    String begin = "[\"NEG-OPEN\",\"sync\"," + filter + ",\"";
    while (next.isPresent()) {
      String message = begin + HexFormat.of().formatHex(next.get()) + "\"]";
      client.send(message);
      begin = "[\"NEG-MSG\",\"sync\",\"";
      JsonNode frame = client.nextJson();
      messages++;
      bytes += message.length() + frame.toString().length();
      if (!frame.get(0).asText().equals("NEG-MSG")) {
        error = frame.get(2).asText();
        return;
      }
      byte[] answer = HexFormat.of().parseHex(frame.get(2).asText());
      next = mediator.toSecond(answer);
      if (next.isPresent()) {
        next = mediator.toFirst(answer(own, next.get(), MAX_MESSAGE_BYTES));
      }
    }
    client.send("[\"NEG-CLOSE\",\"sync\"]");
  }

  @Override
  public void onlyAtFirst(EventId id) {
    onlyThere.add(id);
  }

  @Override
  public void onlyAtSecond(EventId id) {
    onlyHere.add(id);
  }

  /** The ids that only the relay has. */
  public Set<EventId> onlyThere() {
    return onlyThere;
  }

  /** The ids that the relay does not have. */
  public Set<EventId> onlyHere() {
    return onlyHere;
  }

  /** The reason of a NEG-ERR, or an empty text. */
  public String error() {
    return error;
  }

  /** The number of messages that the relay has answered. */
  public int messages() {
    return messages;
  }

  /** The length of all messages in both directions. */
  public long bytes() {
    return bytes;
  }

  /** The whole answer of a set to a message. */
  public static byte[] answer(ItemSet items, byte[] message, int maxBytes)
      throws NegentropyException {
    Responder responder = new Responder(items, message, maxBytes);
    responder.advance(Integer.MAX_VALUE);
    return responder.answer();
  }
}
