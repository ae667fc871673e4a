package gambit.app.command.ratings;

import gambit.app.command.ratings.RelayEvents.Head;
import gambit.app.tool.client.ChessKinds;
import gambit.app.tool.verify.RecordCheck;
import gambit.chess.lot.Lot;
import gambit.chess.rating.Category;
import gambit.chess.rating.RatedRecord;
import gambit.core.crypto.EventVerifier;
import gambit.core.model.Event;
import gambit.core.model.EventId;
import gambit.core.model.Hex;
import gambit.core.model.PubKey;
import gambit.core.model.Tags;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Sorts events by the relay that has signed them, verifies them one by one, and passes over all
 * that are not about ratings. Thread-safe.
 */
final class EventCollector {
  /** Anybody can sign records; those of further keys are passed over. */
  private static final int MAX_RELAYS = 1000;

  private final Optional<PubKey> only;
  private final EventVerifier verifier;
  private final Map<PubKey, RelayEvents> relays = new ConcurrentHashMap<>();

  /** Takes the events of one relay, or of all. */
  EventCollector(Optional<PubKey> only, EventVerifier verifier) {
    this.only = only;
    this.verifier = verifier;
  }

  /** The events by the key of their relay. */
  Map<PubKey, RelayEvents> relays() {
    return relays;
  }

  void take(Event event) {
    Tags tags = event.tags();
    switch (event.kind()) {
      case ChessKinds.RECORD -> {
        if (RatedRecord.isRated(event) || tags.has("rated")) {
          takeSigned(event, tags.first("seq"), this::takeRecord);
        }
      }
      case ChessKinds.HEAD -> takeSigned(event, tags.first("d"), this::takeHead);
      case ChessKinds.LOTS ->
          takeSigned(event, Optional.empty(), (chain, relay) -> relay.addLots(chain));
      case ChessKinds.LOBBY -> {
        Optional<List<String>> lot = tags.named(Lot.TAG).findFirst();
        if (lot.isPresent() && event.content().equals("gameisfound")) {
          takeSigned(event, Optional.empty(), (found, relay) -> relay.addLot(found, lot.get()));
        }
      }
      case ChessKinds.PROPOSAL -> {
        if (event.content().equals("takeback") && tags.has("proof")) {
          takeSigned(event, Optional.empty(), this::takeTakeback);
        }
      }
      default -> {} // not about ratings
    }
  }

  private interface Taker {
    void take(Event event, RelayEvents relay);
  }

  private void takeSigned(Event event, Optional<String> seq, Taker taker) {
    if (!only.map(event.pubkey()::equals).orElse(relays.size() < MAX_RELAYS)) {
      return;
    }
    RelayEvents relay = relays.computeIfAbsent(event.pubkey(), RelayEvents::new);
    try {
      if (!verifier.hasValidId(event)) {
        throw new IllegalArgumentException("its id is not its hash");
      } else if (!verifier.hasValidSignature(event)) {
        throw new IllegalArgumentException("it is not signed by the key that it names");
      }
      taker.take(event, relay);
    } catch (IllegalArgumentException e) {
      long place = seq.filter(it -> it.matches("[0-9]{1,15}")).map(Long::valueOf).orElse(0L);
      String what = event.kind() == ChessKinds.RECORD ? "Record " : "Event ";
      relay.add(new Difference(place, what + place + ", " + event.id() + ": " + e.getMessage()));
    }
  }

  private void takeRecord(Event event, RelayEvents relay) {
    RatedRecord record = RatedRecord.of(event);
    RecordCheck check;
    try {
      check = RecordCheck.of(event, verifier);
    } catch (RecordCheck.Fault fault) {
      throw new IllegalArgumentException(fault.sentence());
    }
    Optional<Category> category = Category.of(check.time());
    if (category.isEmpty()) {
      throw new IllegalArgumentException("an untimed game is not rated");
    } else if (category.get() != record.category()) {
      throw new IllegalArgumentException(
          "its category: expected "
              + category.get().word()
              + " for the time control "
              + check.time().text()
              + ", found "
              + record.category().word());
    } else if (event.tags().values("t").noneMatch(record.category().topic()::equals)) {
      throw new IllegalArgumentException("it has no tag t with " + record.category().topic());
    } else if (check.plies() < 2) {
      throw new IllegalArgumentException("not both players have moved");
    }
    relay.add(record, check.game());
  }

  private void takeHead(Event event, RelayEvents relay) {
    Tags tags = event.tags();
    String seq = tags.first("d").orElse("");
    String record = tags.first("e").orElse("");
    String ratings = tags.first("ratings").orElse("");
    if (!seq.matches("[1-9][0-9]{0,14}")
        || !Hex.isLowerCase(record, 64)
        || !Hex.isLowerCase(ratings, 64)) {
      throw new IllegalArgumentException("it is not a head of a chain");
    }
    relay.add(
        new Head(
            event.id(), event.createdAt(), Long.parseLong(seq), EventId.ofHex(record), ratings));
  }

  private void takeTakeback(Event event, RelayEvents relay) {
    event
        .tags()
        .root()
        .filter(id -> Hex.isLowerCase(id, 64))
        .map(EventId::ofHex)
        .ifPresent(relay::addTakeback);
  }
}
