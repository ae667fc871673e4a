package gambit.core.replication;

import gambit.core.feature.ClientConnection;
import gambit.core.feature.Outgoing;
import gambit.core.model.Event;
import gambit.core.model.Filter;
import gambit.core.model.PubKey;
import gambit.core.rate.ClientAddress;
import gambit.core.wire.RelayMessage;
import gambit.core.wire.RelayMessage.Ok;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/**
 * A client's connection to another node, as the leader's features see it. What they send to it
 * becomes an effect on that node, in the order of the leader's output.
 */
final class RemoteConnection implements ClientConnection {
  private final Effect.Client client;
  private final ClientAddress address;
  private final boolean isOperator;
  private final Consumer<List<Outgoing>> output;
  private final List<List<Filter>> subscriptions = new ArrayList<>(1);
  private volatile Set<PubKey> keys = Set.of();
  private volatile boolean isOpen = true;

  RemoteConnection(
      Effect.Client client,
      ClientAddress address,
      boolean isOperator,
      Consumer<List<Outgoing>> output) {
    this.client = client;
    this.address = address;
    this.isOperator = isOperator;
    this.output = output;
  }

  Effect.Client client() {
    return client;
  }

  /** Its open subscriptions that concern the leader. The writer's thread only. */
  List<List<Filter>> subscriptions() {
    return subscriptions;
  }

  @Override
  public boolean isOpen() {
    return isOpen;
  }

  void close() {
    isOpen = false;
  }

  @Override
  public ClientAddress address() {
    return address;
  }

  @Override
  public Set<PubKey> keys() {
    return keys;
  }

  /** The client has logged in with a key; false if that is known. The writer's thread only. */
  boolean addKey(PubKey key) {
    Set<PubKey> more = new HashSet<>(keys);
    boolean isNew = more.add(key);
    keys = Set.copyOf(more);
    return isNew;
  }

  @Override
  public boolean isOperator() {
    return isOperator;
  }

  private void put(Outgoing.RemoteEffect effect) {
    if (isOpen) {
      output.accept(List.of(effect));
    }
  }

  /** {@inheritDoc} Its node waits for the answer, even if the client has gone. */
  @Override
  public void answer(Event event, Ok ok) {
    output.accept(List.of(new Effect.Answer(client, ok)));
  }

  @Override
  public void requestLogin() {
    put(new Effect.LoginRequest(client));
  }

  @Override
  public void send(RelayMessage message) {
    if (!(message instanceof Ok ok)) {
      throw new IllegalArgumentException("the leader sends only OKs to other nodes' clients");
    }
    put(new Effect.LateOk(client, ok));
  }

  @Override
  public void afterOutput(Runnable task) {
    output.accept(List.of(new Outgoing.OutputReport(Set.of(this), task)));
  }
}
