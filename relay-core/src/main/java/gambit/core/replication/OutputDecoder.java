package gambit.core.replication;

import gambit.core.crypto.LazilySignedEvent;
import gambit.core.feature.ClientConnection;
import gambit.core.feature.Outgoing;
import gambit.core.feature.Outgoing.Fallback;
import gambit.core.feature.Submission;
import gambit.core.feature.WriteOutcome;
import gambit.core.model.Event;
import gambit.core.model.EventId;
import gambit.core.model.Hex;
import gambit.core.model.Kind;
import gambit.core.model.PubKey;
import gambit.core.replication.message.BinaryInput;
import gambit.core.replication.message.EffectType;
import gambit.core.replication.message.EntryEvents;
import gambit.core.store.StoredEvent;
import gambit.core.wire.RelayMessage.Ok;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Reads what {@link OutputEncoder} has written, as one node that has applied the entry's group.
 * Effects on other nodes and on connections that have closed are skipped. One thread.
 */
final class OutputDecoder {
  private static final WriteOutcome[] OUTCOMES = WriteOutcome.values();

  /** The least bytes of a fallback: a connection and a number. */
  private static final int FALLBACK_BYTES = 2;

  private final BinaryInput in;
  private final EntryEvents events = new EntryEvents();
  private final LocalClients local;
  private final List<Outgoing> output = new ArrayList<>();

  private OutputDecoder(byte[] effects, List<StoredEvent> added, LocalClients local) {
    this.in = new BinaryInput(effects);
    this.events.begin(added.stream().map(StoredEvent::event).toList());
    this.local = local;
  }

  /**
   * Reads the effects of an entry. Its outcomes and login requests have been carried out when this
   * returns, and its answers have removed their submissions.
   *
   * @param added the events that the entry's group has added, in its order
   * @return what the node's live lane delivers
   * @throws IllegalArgumentException when these are no effects, or the relay has another key
   */
  static List<Outgoing> decode(byte[] effects, List<StoredEvent> added, LocalClients local) {
    OutputDecoder decoder = new OutputDecoder(effects, added, local);
    while (!decoder.in.isAtEnd()) {
      decoder.readEffect();
    }
    return decoder.output;
  }

  private void readEffect() {
    switch (EffectType.read(in)) {
      case BROADCAST -> readBroadcast();
      case MULTICAST -> readMulticast();
      case OUTPUT_REPORT -> readOutputReport();
      case SUBSCRIPTION_CHECK -> output.add(new Outgoing.SubscriptionCheck(events.read(in)));
      case CURRENT -> output.add(readState());
      case STATE_REMOVAL ->
          output.add(new Outgoing.StateRemoval(in.takeText(), in.takeNumber(Kind.MAX)));
      case ANSWER -> readAnswer();
      case LATE_OK -> readLateOk();
      case LOGIN_REQUEST -> readLoginRequest();
      case OUTCOME -> readOutcome();
      case STATE -> readStateOfOneNode();
      case STATES_END -> {
        if (isForThisNode()) {
          local.statesArrived();
        }
      }
    }
  }

  private boolean isForThisNode() {
    return in.takeLong() == local.node();
  }

  private void readBroadcast() {
    Event event = events.read(in);
    List<Fallback> fallbacks = List.of();
    for (int i = in.takeCount(Long.BYTES); i > 0; i--) {
      boolean isHere = isForThisNode();
      List<Fallback> ofNode = readFallbacks(isHere);
      fallbacks = isHere ? ofNode : fallbacks;
    }
    output.add(new Outgoing.Broadcast(event, fallbacks));
  }

  private void readMulticast() {
    boolean isHere = isForThisNode();
    Event event = events.read(in);
    Set<ClientConnection> to = readConnections(isHere);
    List<Fallback> fallbacks = readFallbacks(isHere);
    long report = in.takeNumber();
    if (!isHere) {
      return;
    }
    if (!to.isEmpty() || !fallbacks.isEmpty()) {
      output.add(
          report == 0
              ? new Outgoing.Multicast(event, to, fallbacks)
              : new Outgoing.Multicast(event, to, fallbacks, reporting(report)));
    } else if (report != 0) {
      local.report(report, false);
    }
  }

  private Consumer<Boolean> reporting(long number) {
    return isSent -> local.report(number, isSent);
  }

  private void readOutputReport() {
    boolean isHere = isForThisNode();
    Set<ClientConnection> of = readConnections(isHere);
    long report = in.takeNumber();
    if (isHere && of.isEmpty()) {
      local.report(report, false);
    } else if (isHere) {
      output.add(new Outgoing.OutputReport(of, () -> local.report(report, true)));
    }
  }

  /** Returns those that are open, and none of another node. */
  private Set<ClientConnection> readConnections(boolean isHere) {
    Set<ClientConnection> connections = new HashSet<>();
    for (int i = in.takeCount(1); i > 0; i--) {
      ClientConnection connection = readConnection(isHere);
      if (connection != null) {
        connections.add(connection);
      }
    }
    return connections;
  }

  private List<Fallback> readFallbacks(boolean isHere) {
    List<Fallback> fallbacks = new ArrayList<>(0);
    for (int i = in.takeCount(FALLBACK_BYTES); i > 0; i--) {
      ClientConnection connection = readConnection(isHere);
      int number = (int) in.takeNumber();
      if (connection != null) {
        fallbacks.add(new Fallback(connection, number));
      }
    }
    return fallbacks;
  }

  private @Nullable ClientConnection readConnection(boolean isHere) {
    long number = in.takeNumber();
    return isHere ? local.receiver(number) : null;
  }

  private Outgoing.Current readState() {
    String key = in.takeText();
    int kind = in.takeNumber(Kind.MAX);
    Set<PubKey> about = Set.copyOf(in.takePubKeys());
    boolean ends = in.takeFlag();
    LazilySignedEvent state = local.signer().signLazily(in.takeEvent());
    return new Outgoing.Current(key, kind, about, () -> state, ends);
  }

  private void readStateOfOneNode() {
    boolean isHere = isForThisNode();
    Outgoing.Current state = readState();
    if (isHere) {
      output.add(state);
    }
  }

  private void readAnswer() {
    boolean isHere = isForThisNode();
    long connection = in.takeNumber();
    Ok ok = in.takeOk();
    if (isHere && Hex.isLowerCase(ok.id(), EventId.DIGITS)) {
      Submission answered = local.answered(connection, EventId.ofHex(ok.id()));
      if (answered != null) {
        output.add(new Outgoing.Answer(answered, ok));
      }
    }
  }

  private void readLateOk() {
    ClientConnection connection = readConnection(isForThisNode());
    Ok ok = in.takeOk();
    if (connection != null) {
      output.add(new Outgoing.LateOk(connection, ok));
    }
  }

  private void readLoginRequest() {
    boolean isHere = isForThisNode();
    long number = in.takeNumber();
    ClientConnection connection = isHere ? local.connection(number) : null;
    if (connection != null) {
      connection.requestLogin();
    }
  }

  private void readOutcome() {
    boolean isHere = isForThisNode();
    long request = in.takeNumber();
    WriteOutcome outcome = in.takeOneOf(OUTCOMES);
    if (isHere) {
      local.settled(request, outcome);
    }
  }
}
