package gambit.app.hostile;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/** Clients that are closed together. */
final class ClientGroup<T extends AutoCloseable> implements AutoCloseable, Iterable<T> {
  private final List<T> clients = new ArrayList<>();

  T add(T client) {
    clients.add(client);
    return client;
  }

  @Override
  public Iterator<T> iterator() {
    return clients.iterator();
  }

  @Override
  public void close() {
    for (T client : clients) {
      try {
        client.close();
      } catch (Exception e) {
        throw new AssertionError("a client cannot be closed", e);
      }
    }
  }
}
