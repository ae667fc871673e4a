package gambit.core.replication;

import gambit.core.feature.ClientConnection;
import gambit.core.model.Event;
import gambit.core.model.PubKey;
import gambit.core.rate.ClientAddress;
import gambit.core.wire.RelayMessage;
import java.util.Set;

/** A client's connection to the node of a test, which counts login requests. */
class FakeConnection implements ClientConnection {
  private final String name;
  private int loginRequests;
  private boolean isOpen = true;
  private Set<PubKey> keys = Set.of();

  FakeConnection(String name) {
    this.name = name;
  }

  int loginRequests() {
    return loginRequests;
  }

  void close() {
    isOpen = false;
  }

  void logIn(PubKey key) {
    keys = Set.of(key);
  }

  @Override
  public boolean isOpen() {
    return isOpen;
  }

  @Override
  public ClientAddress address() {
    return new ClientAddress(false, 1);
  }

  @Override
  public Set<PubKey> keys() {
    return keys;
  }

  @Override
  public boolean isOperator() {
    return false;
  }

  @Override
  public void requestLogin() {
    loginRequests++;
  }

  @Override
  public void answer(Event event, RelayMessage.Ok ok) {
    throw new AssertionError("only the live lane delivers");
  }

  @Override
  public void send(RelayMessage message) {
    throw new AssertionError("only the live lane delivers");
  }

  @Override
  public void afterOutput(Runnable task) {
    throw new AssertionError("only the live lane delivers");
  }

  @Override
  public String toString() {
    return name;
  }
}
