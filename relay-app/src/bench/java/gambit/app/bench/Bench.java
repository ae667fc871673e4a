package gambit.app.bench;

import gambit.app.tool.client.RelayLimits;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * What the lines share: the relay, its clients, the data set with its oracle, and new events. One
 * thread.
 */
final class Bench {
  /** Authors of the replaceable events that lines publish, so that none of the data set goes. */
  private static final int REPLACING_AUTHORS = 500;

  private final BenchOptions options;
  private final BenchClients clients;
  private final RelayLimits limits;
  private final @Nullable ServerProcess server;
  private final DataSet data;
  private final Oracle oracle;
  private final boolean isRefereed;
  private final SyntheticTraffic traffic;

  /**
   * The relay with its stored data set.
   *
   * @param server null if it is not known
   * @param isRefereed whether the relay referees games of chess
   */
  Bench(
      BenchOptions options,
      BenchClients clients,
      RelayLimits limits,
      @Nullable ServerProcess server,
      DataSet data,
      Oracle oracle,
      boolean isRefereed) {
    this.options = options;
    this.clients = clients;
    this.limits = limits;
    this.server = server;
    this.data = data;
    this.oracle = oracle;
    this.isRefereed = isRefereed;
    long mark = System.currentTimeMillis();
    this.traffic =
        new SyntheticTraffic(
            mark,
            data.authors(),
            new Authors(~data.seed(), REPLACING_AUTHORS),
            Long.toString(mark, 36) + " ");
  }

  BenchOptions options() {
    return options;
  }

  BenchClients clients() {
    return clients;
  }

  RelayLimits limits() {
    return limits;
  }

  @Nullable ServerProcess server() {
    return server;
  }

  DataSet data() {
    return data;
  }

  Oracle oracle() {
    return oracle;
  }

  boolean isRefereed() {
    return isRefereed;
  }

  /** New events of all kinds. */
  EventSource events() {
    return new EventSource(traffic::next);
  }

  /** New notes; of one of the first authors each, all equally often, if there is a number. */
  EventSource notes(int authors) {
    SplittableRandom random = new SplittableRandom(data.seed());
    return new EventSource(
        authors == 0
            ? time -> traffic.next(time, SyntheticTraffic.NOTE)
            : time -> traffic.note(time, random.nextInt(authors)));
  }

  /** New events that no newer one replaces. */
  EventSource lastingEvents() {
    return new EventSource(
        time -> {
          Draft next = traffic.next(time);
          while (SyntheticTraffic.isReplaceable(next.kind())) {
            next = traffic.next(time);
          }
          return next;
        });
  }

  static void close(List<BenchClient> connected) {
    connected.forEach(BenchClient::beginClosing);
    connected.forEach(BenchClient::close);
  }
}
