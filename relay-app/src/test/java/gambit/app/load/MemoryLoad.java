package gambit.app.load;

import gambit.core.crypto.Signer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;

/**
 * The memory of connections and subscriptions in the relay. The heap is committed at the start, so
 * the growth of the process is memory beside the heap: Netty's buffers, threads and the like.
 * Socket buffers belong to the kernel and are not measured.
 */
final class MemoryLoad {
  private static final List<String> FIXED_HEAP =
      List.of("-XX:+UseParallelGC", "-Xms512m", "-Xmx512m", "-XX:+AlwaysPreTouch");

  private static final int CONNECTIONS = 4_000;
  private static final int WITH_MANY = 1_000;
  private static final int MANY = 20;
  private static final int WARM_UP = 500;

  private final BenchmarkContext bench;
  private final List<String> rows = new ArrayList<>();

  /** In bytes. */
  private record Memory(long heap, long beside) {
    static Memory of(RelayProcess relay) throws IOException {
      return new Memory(relay.liveHeap(), relay.resident());
    }
  }

  MemoryLoad(BenchmarkContext bench) {
    this.bench = bench;
  }

  void run() throws Exception {
    rows.add("| KB a connection | live on the heap | beside the heap | both |");
    measure("idle, no subscription", CONNECTIONS, 0);
    measure("idle, 1 subscription", CONNECTIONS, 1);
    measure("idle, " + MANY + " subscriptions", WITH_MANY, MANY);
    BenchmarkContext.table(rows);
  }

  private void measure(String what, int connections, int subscriptions) throws Exception {
    try (RelayProcess relay = bench.relay(FIXED_HEAP);
        LoadClients peers = new LoadClients(relay.address())) {
      connect(peers, WARM_UP, subscriptions).forEach(LoadClient::close);
      Memory before = Memory.of(relay);
      connect(peers, connections, subscriptions);
      Memory after = Memory.of(relay);
      double heap = (after.heap() - before.heap()) / 1024.0 / connections;
      double beside = (after.beside() - before.beside()) / 1024.0 / connections;
      rows.add(
          String.format(
              "| %s (%,d connections) | %.1f | %.1f | %.1f |",
              what, connections, heap, beside, heap + beside));
    }
  }

  private static List<LoadClient> connect(LoadClients peers, int connections, int subscriptions)
      throws Exception {
    List<LoadClient> clients = peers.connect(connections);
    List<List<String>> filters =
        Stream.generate(() -> Stream.generate(MemoryLoad::filter).limit(subscriptions).toList())
            .limit(connections)
            .toList();
    peers.subscribe(
        clients, subscriptions == 0 ? Collections.nCopies(connections, List.of()) : filters);
    return clients;
  }

  private static String filter() {
    String author = HexFormat.of().formatHex(Signer.randomSecret());
    return "{\"authors\":[\"" + author + "\"],\"kinds\":[1]}";
  }
}
