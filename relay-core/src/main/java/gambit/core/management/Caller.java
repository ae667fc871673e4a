package gambit.core.management;

import gambit.core.model.Npub;
import gambit.core.model.PubKey;
import gambit.core.rate.ClientAddress;

/** Who makes a call. Immutable. */
public sealed interface Caller {
  /** How the audit log names the caller. */
  String name();

  /** Somebody with access to the relay's data directory, at a command line. */
  record Operator() implements Caller {
    @Override
    public String name() {
      return "operator";
    }
  }

  /**
   * An admin of the settings.
   *
   * @param client the address from which the request has come
   * @param login the id of the event that authorizes the request (NIP-98)
   */
  record Admin(PubKey key, ClientAddress client, String login) implements Caller {
    @Override
    public String name() {
      return Npub.of(key);
    }
  }
}
