package gambit.core.ingest;

import gambit.core.crypto.Signer;
import gambit.core.model.Event;
import gambit.core.model.Filter;
import gambit.core.model.Kind;
import gambit.core.model.PubKey;
import gambit.core.model.Tags;
import gambit.core.store.Transaction;
import java.nio.charset.StandardCharsets;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Copies of events that their authors delete (NIP-09) although they prove what the relay has
 * signed, such as the moves of a recorded game. A copy is a generic repost (NIP-18) by the relay:
 * its content is the event, its tags {@code e}, {@code k} and {@code p} are the event's id, kind
 * and author. It has the event's {@code created_at}, so that the requests to vanish (NIP-62) that
 * cover the event cover the copy, and deleting the event again makes the same copy. Thread-safe.
 */
final class EvidenceCopies {
  /** The kinds of the players' events of games; others are not copied. */
  private static final Set<String> KINDS = Set.of("30", "5001", "5002", "5003");

  static final int MAX_COPIES = 50;

  /** The most bytes of the copies of one commit, if they are several. */
  private static final int MAX_BYTES = 256 * 1024;

  private final Signer signer;
  private volatile Predicate<Event> isEvidence = event -> false;

  EvidenceCopies(Signer signer) {
    this.signer = signer;
  }

  void keep(Predicate<Event> evidence) {
    isEvidence = event -> KINDS.contains("" + event.kind()) && evidence.test(event);
  }

  /**
   * Adds the copies, which are not stored yet, of the evidence that a deletion deletes; false if
   * they are more than one commit may store.
   */
  boolean ofDeleted(Transaction transaction, Event deletion, List<Event> to) {
    long bytes = 0;
    Iterator<Event> deleted =
        Deletions.deletedById(transaction, deletion).filter(isEvidence).iterator();
    while (deleted.hasNext()) {
      Event copy = copyOf(deleted.next());
      if (transaction.byId(copy.id()).isEmpty()) {
        bytes += copy.json().length;
        if (to.size() == MAX_COPIES || (!to.isEmpty() && bytes > MAX_BYTES)) {
          return false;
        }
        to.add(copy);
      }
    }
    return true;
  }

  private Event copyOf(Event deleted) {
    Tags tags =
        new Tags(
            List.of(
                List.of("e", deleted.id().hex()),
                List.of("k", "" + deleted.kind()),
                List.of("p", deleted.pubkey().hex())));
    String content = new String(deleted.json(), StandardCharsets.UTF_8);
    return signer.sign(deleted.createdAt(), Kind.GENERIC_REPOST, tags, content);
  }

  /** Whether an event is a copy, whichever key the relay had, or a repost like one. */
  static boolean isCopy(Event event) {
    return event.kind() == Kind.GENERIC_REPOST
        && event.tags().values("k").anyMatch(KINDS::contains);
  }

  static Filter ofAuthor(PubKey author, long until) {
    return new Filter(
        null,
        null,
        Set.of(Kind.GENERIC_REPOST),
        Map.of('p', Set.of(author.hex()), 'k', KINDS),
        null,
        until,
        null);
  }
}
