package gambit.core.nip;

import gambit.core.feature.ClientSession;
import gambit.core.feature.ClientSession.Reconciliation;
import gambit.core.feature.Feature;
import gambit.core.feature.MessageHandler;
import gambit.core.feature.RelayBuilder;
import gambit.core.lane.Deadlines;
import gambit.core.rate.RateLimits.Verb;
import gambit.core.wire.ClientMessage.FeatureMessage;
import gambit.core.wire.MessageForm;
import gambit.core.wire.MessageForm.Argument;
import gambit.core.wire.Reason;
import gambit.core.wire.RelayMessage;
import gambit.core.wire.RelayMessage.FeatureAnswer;
import java.time.Duration;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * NIP-77: clients compare their events with the stored ones by the negentropy protocol, and so
 * learn the ids of those that only one side has. A sync without a message for two minutes is ended.
 * If clients may not sync, the operator's own commands still may.
 */
record NegentropySync(boolean syncs) implements Feature {
  static final Duration IDLE_TIME = Duration.ofMinutes(2);

  private static final String OPEN = "NEG-OPEN";
  private static final String MESSAGE = "NEG-MSG";
  private static final String CLOSE = "NEG-CLOSE";

  @Override
  public void install(RelayBuilder relay) {
    if (syncs) {
      relay.supports(77);
    }
    relay.messages(
        Map.of(
            MessageForm.of(OPEN, Argument.FILTER, Argument.TEXT),
            Verb.REQ,
            MessageForm.of(MESSAGE, Argument.TEXT),
            Verb.REQ,
            MessageForm.of(CLOSE),
            Verb.CLOSE),
        session -> new SyncHandler(session, relay.deadlines(), syncs));
  }

  /** The syncs of one connection by their ids. Confined to the connection's event loop. */
  private static final class SyncHandler implements MessageHandler {
    private final ClientSession session;
    private final Deadlines deadlines;
    private final boolean syncs;
    private final Map<String, OpenSync> open = new HashMap<>();

    SyncHandler(ClientSession session, Deadlines deadlines, boolean syncs) {
      this.session = session;
      this.deadlines = deadlines;
      this.syncs = syncs;
    }

    @Override
    public void receive(FeatureMessage message) {
      String id = message.id();
      OpenSync sync = open.get(id);
      if (message.verb().equals(MESSAGE)) {
        if (sync == null) {
          refuse(MESSAGE, id, Reason.closed("no sync with this id is open"));
        } else {
          receive(sync, message.texts().get(0));
        }
        return;
      }
      if (sync != null) {
        sync.close();
      }
      if (message.verb().equals(OPEN)) {
        open(message);
      }
    }

    private void open(FeatureMessage message) {
      if (!syncs && !session.isOperator()) {
        refuse(OPEN, message.id(), Reason.unsupported("this relay does not sync"));
        return;
      }
      OpenSync sync = new OpenSync(message.id());
      open.put(sync.id, sync);
      Reconciliation begun = session.reconcile(OPEN, message.filters().get(0), sync);
      if (open.get(sync.id) == sync) { // not refused
        sync.reconciliation = begun;
        receive(sync, message.texts().get(0));
      }
    }

    private void receive(OpenSync sync, String hex) {
      byte[] bytes;
      try {
        bytes = HexFormat.of().parseHex(hex);
      } catch (IllegalArgumentException e) {
        refuse(MESSAGE, sync.id, Reason.invalid("the message must be hex digits"));
        return;
      }
      deadlines.set(sync, IDLE_TIME, () -> session.execute(sync::endIdle));
      Objects.requireNonNull(sync.reconciliation).receive(bytes);
    }

    /** Any refusal ends the sync. */
    @Override
    public void refuse(String verb, String id, Reason reason) {
      OpenSync sync = open.get(id);
      if (sync != null) {
        sync.close();
      }
      session.send(new RelayMessage.SyncError(id, reason, null));
    }

    @Override
    public void closed() {
      List.copyOf(open.values()).forEach(OpenSync::close);
    }

    private final class OpenSync implements Reconciliation.Receiver {
      private final String id;
      private @Nullable Reconciliation reconciliation; // null before it begins

      OpenSync(String id) {
        this.id = id;
      }

      @Override
      public void answer(byte[] message) {
        deadlines.set(this, IDLE_TIME, () -> session.execute(this::endIdle));
        session.send(FeatureAnswer.of(MESSAGE, id, HexFormat.of().formatHex(message)));
      }

      @Override
      public void refused(Reason reason, @Nullable Integer maxItems) {
        close();
        session.send(new RelayMessage.SyncError(id, reason, maxItems));
      }

      void endIdle() {
        if (open.get(id) == this) {
          refused(Reason.closed("no message for too long"), null);
        }
      }

      void close() {
        open.remove(id, this);
        deadlines.cancel(this);
        if (reconciliation != null) {
          reconciliation.close();
        }
      }
    }
  }
}
