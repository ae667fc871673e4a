package gambit.app.bench;

import gambit.core.crypto.Signer;
import gambit.core.model.Event;
import gambit.core.model.EventEncoder;
import gambit.core.model.EventId;
import gambit.core.model.Tags;

/**
 * An event before it is signed. Immutable.
 *
 * @param author the author's number
 * @param createdAt in seconds of Unix time
 */
record Draft(
    int author, Signer signer, EventId id, long createdAt, int kind, Tags tags, String content) {

  static Draft of(int author, Signer signer, long createdAt, int kind, Tags tags, String content) {
    EventId id = EventEncoder.idOf(signer.pubkey(), createdAt, kind, tags, content);
    return new Draft(author, signer, id, createdAt, kind, tags, content);
  }

  Event sign() {
    return signer.sign(createdAt, kind, tags, content);
  }
}
