package gambit.core.management;

import gambit.core.model.EventId;
import gambit.core.model.Npub;
import gambit.core.model.PubKey;
import gambit.core.rate.ClientAddress;

/** What a decision is about. Immutable. */
sealed interface Subject {
  /** The subject as people read it. */
  String text();

  /** The subject as NIP-86 writes it. */
  String value();

  /** An author, by public key. */
  record Author(PubKey key) implements Subject {
    @Override
    public String text() {
      return Npub.of(key);
    }

    @Override
    public String value() {
      return key.hex();
    }
  }

  /** An event, stored or not. */
  record OneEvent(EventId id) implements Subject {
    @Override
    public String text() {
      return "event " + id.hex();
    }

    @Override
    public String value() {
      return id.hex();
    }
  }

  /** All events of a kind. */
  record OneKind(int kind) implements Subject {
    @Override
    public String text() {
      return "kind " + kind;
    }

    @Override
    public String value() {
      return Integer.toString(kind);
    }
  }

  /** The clients at an address. */
  record Address(ClientAddress address) implements Subject {
    @Override
    public String text() {
      return "address " + address;
    }

    @Override
    public String value() {
      return address.toString();
    }
  }
}
