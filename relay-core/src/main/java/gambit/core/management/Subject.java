package gambit.core.management;

import gambit.core.model.EventId;
import gambit.core.model.Nip19;
import gambit.core.model.PubKey;
import gambit.core.rate.ClientAddress;

/** What a decision is about. Immutable. */
sealed interface Subject {
  /** The subject as NIP-86 writes it. */
  String value();

  /** The subject as people read it. */
  default String text() {
    if (this instanceof Author author) {
      return Nip19.npub(author.key());
    }
    String type =
        this instanceof OneEvent ? "event " : this instanceof OneKind ? "kind " : "address ";
    return type + value();
  }

  record Author(PubKey key) implements Subject {
    @Override
    public String value() {
      return key.hex();
    }
  }

  record OneEvent(EventId id) implements Subject {
    @Override
    public String value() {
      return id.hex();
    }
  }

  record OneKind(int kind) implements Subject {
    @Override
    public String value() {
      return Integer.toString(kind);
    }
  }

  record Address(ClientAddress address) implements Subject {
    @Override
    public String value() {
      return address.toString();
    }
  }
}
