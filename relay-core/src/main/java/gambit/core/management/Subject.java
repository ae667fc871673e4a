package gambit.core.management;

import gambit.core.model.EventId;
import gambit.core.model.Kind;
import gambit.core.model.Npub;
import gambit.core.model.PubKey;
import gambit.core.rate.ClientAddress;

/** What a decision is about. Immutable. */
public sealed interface Subject {
  /** The subject as people read it. */
  String text();

  /** An author, by public key. */
  record Author(PubKey key) implements Subject {
    @Override
    public String text() {
      return Npub.of(key);
    }
  }

  /** An event, stored or not. */
  record OneEvent(EventId id) implements Subject {
    @Override
    public String text() {
      return "event " + id.hex();
    }
  }

  /** All events of a kind. */
  record OneKind(int kind) implements Subject {
    /**
     * Creates the subject.
     *
     * @throws IllegalArgumentException when the number is not a kind
     */
    public OneKind {
      if (kind < 0 || kind > Kind.MAX) {
        throw new IllegalArgumentException(kind + " is not a kind: a number from 0 to " + Kind.MAX);
      }
    }

    @Override
    public String text() {
      return "kind " + kind;
    }
  }

  /** The clients at an address. */
  record Address(ClientAddress address) implements Subject {
    @Override
    public String text() {
      return "address " + address;
    }
  }
}
