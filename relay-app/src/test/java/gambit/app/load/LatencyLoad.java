package gambit.app.load;

import gambit.core.crypto.Signer;
import gambit.core.model.Event;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/**
 * The latency from one client through the disk to another one on an idle relay, and the latency of
 * the disk alone for as many bytes at the same rate.
 */
final class LatencyLoad {
  private static final int EVENTS = 2_000;
  private static final int PER_SECOND = 200;
  private static final int CONTENT = 280;
  private static final int RECORD = 700;
  private static final int WARM_UP = 20_000;
  private static final int TIMEOUT_SECONDS = 60;

  private final BenchmarkContext bench;
  private final Signer author = Signer.random();
  private final List<Latencies> relayed = new ArrayList<>();
  private final List<Latencies> synced = new ArrayList<>();

  LatencyLoad(BenchmarkContext bench) {
    this.bench = bench;
  }

  void run() throws Exception {
    try (RelayProcess relay = bench.relay();
        LoadClients peers = new LoadClients(relay.address())) {
      LoadClient publisher = peers.connect();
      Publishing.publish(
          peers,
          List.of(publisher),
          1,
          notes(WARM_UP).stream().map(BenchmarkContext::frame).toList());
      LoadClient subscriber = peers.connect();
      peers.subscribe(List.of(subscriber), List.of(List.of("{\"kinds\":[1],\"limit\":0}")));
      for (int i = 0; i < bench.runs(); i++) {
        synced.add(syncs());
        relayed.add(
            PacedPublishing.publish(peers, publisher, subscriber, notes(EVENTS), PER_SECOND)
                .get(TIMEOUT_SECONDS, TimeUnit.SECONDS));
      }
    }
    BenchmarkContext.table(
        List.of(
            String.format(
                "| idle, %,d events, %d/s | p50, ms | p99, ms | max, ms |", EVENTS, PER_SECOND),
            row("publish → subscriber", relayed),
            row("the disk alone: write and fdatasync", synced)));
  }

  private List<Event> notes(int count) {
    return Stream.generate(() -> BenchmarkContext.note(author, CONTENT)).limit(count).toList();
  }

  private Latencies syncs() throws IOException {
    Latencies latencies = new Latencies();
    Path file = Files.createTempFile(bench.directory(), "relay-load-", ".log");
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.WRITE, StandardOpenOption.DELETE_ON_CLOSE)) {
      channel.write(ByteBuffer.allocate(EVENTS * RECORD)); // preallocated like the relay's log
      channel.force(true);
      for (int i = 0; i < EVENTS; i++) {
        LockSupport.parkNanos(1_000_000_000L / PER_SECOND);
        long begun = System.nanoTime();
        channel.write(ByteBuffer.allocate(RECORD), (long) i * RECORD);
        channel.force(false);
        latencies.add(System.nanoTime() - begun);
      }
    }
    return latencies;
  }

  private static String row(String what, List<Latencies> runs) {
    return String.format(
        "| %s | %.2f | %.2f | %.2f |",
        what,
        Cost.median(runs, it -> it.at(0.5)),
        Cost.median(runs, it -> it.at(0.99)),
        Cost.median(runs, it -> it.at(1)));
  }
}
