package gambit.app.bench;

import gambit.app.tool.client.RelayFailure;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.SplittableRandom;

/**
 * New notes by one connection, delivered to subscribers: to all of them, or each to the one that
 * has subscribed to its author.
 */
final class FanOutLine implements Line {
  private static final int WRITING_AUTHORS = 100;
  private static final double EVENTS_PER_SECOND_AT_FIRST = 1_000;

  private final Bench bench;
  private final String name;
  private final int subscriptions;
  private final int underWay;
  private final double perSecond;
  private final boolean isByAuthor;
  private final EventSource source;
  private final List<BenchClient> publishers = new ArrayList<>();
  private List<BenchClient> subscribers = List.of();
  private int onOneConnection = 1;
  private double expectedPerSecond;

  private FanOutLine(
      Bench bench,
      String name,
      int subscriptions,
      int underWay,
      double perSecond,
      boolean isByAuthor) {
    this.bench = bench;
    this.name = name;
    this.subscriptions = subscriptions;
    this.underWay = underWay;
    this.perSecond = perSecond;
    this.isByAuthor = isByAuthor;
    this.source = bench.notes(isByAuthor ? Math.min(WRITING_AUTHORS, subscriptions) : 0);
    this.expectedPerSecond = perSecond == 0 ? EVENTS_PER_SECOND_AT_FIRST : perSecond;
  }

  /** Each event to all subscribers, at a fixed rate; an operation is a delivery. */
  static Line paced(Bench bench, String name, int subscribers, double perSecond) {
    return new FanOutLine(bench, name, subscribers, Integer.MAX_VALUE, perSecond, false);
  }

  /** Each event to all subscribers, with some under way. */
  static Line pipelined(Bench bench, String name, int subscribers, int underWay) {
    return new FanOutLine(bench, name, subscribers, underWay, 0, false);
  }

  /** Each event to one of many subscriptions, each by another author. */
  static Line byAuthor(Bench bench, String name, int underWay) {
    return new FanOutLine(bench, name, bench.options().subscriptions(), underWay, 0, true);
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public String parameter() {
    return Integer.toString(subscriptions);
  }

  @Override
  public void open() throws RelayFailure {
    publishers.add(bench.clients().connect());
    onOneConnection = isByAuthor ? Math.min(20, bench.limits().subscriptions()) : 1;
    List<List<String>> filters = new ArrayList<>();
    List<String> all = filters();
    for (int from = 0; from < all.size(); from += onOneConnection) {
      filters.add(all.subList(from, Math.min(from + onOneConnection, all.size())));
    }
    subscribers = bench.clients().connectSubscribers(filters.size());
    Subscribing.open(bench.clients(), subscribers, filters);
  }

  private List<String> filters() {
    String live = ",\"since\":" + (System.currentTimeMillis() / 1000 - 1) + ",\"limit\":1}";
    if (!isByAuthor) {
      return Collections.nCopies(
          subscriptions, "{\"kinds\":[" + SyntheticTraffic.NOTE + "]" + live);
    }
    SplittableRandom strangers = new SplittableRandom(bench.data().seed() + 2);
    List<String> filters = new ArrayList<>();
    for (int i = 0; i < subscriptions; i++) {
      String author =
          i < WRITING_AUTHORS
              ? bench.data().authors().hex(i)
              : HexFormat.of().formatHex(Authors.bytes(strangers));
      filters.add("{\"authors\":[\"" + author + "\"]" + live);
    }
    return filters;
  }

  @Override
  public Totals run(Amount amount) throws RelayFailure {
    source.prepare(amount.events(expectedPerSecond));
    Totals totals = new Totals();
    Publishing publishing = new Publishing(source::next, this::receivers, event -> false);
    Loop loop = new Loop(bench.clients(), amount.pacing(perSecond), publishing, totals);
    publishing.listen(publishers, subscribers, loop);
    loop.run(publishers, Math.min(underWay, MAX_UNDER_WAY), bench.server());
    double events = (double) totals.operations() / (isByAuthor ? 1 : subscriptions);
    expectedPerSecond = perSecond == 0 ? events / (totals.nanos() / 1e9) : perSecond;
    Subscribing.settle(bench.clients(), subscribers, totals);
    return totals;
  }

  /** In an open loop, more than ever wait. */
  private static final int MAX_UNDER_WAY = 10_000;

  private BitSet receivers(SignedEvent event) {
    BitSet receivers = new BitSet(subscribers.size());
    if (isByAuthor) {
      receivers.set(event.author() / onOneConnection);
    } else {
      receivers.set(0, subscribers.size());
    }
    return receivers;
  }

  @Override
  public void close() {
    Bench.close(publishers);
    Bench.close(subscribers);
  }
}
