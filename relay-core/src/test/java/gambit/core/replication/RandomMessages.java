package gambit.core.replication;

import gambit.core.feature.Commit;
import gambit.core.feature.Row;
import gambit.core.model.Filter;
import gambit.core.rate.ClientAddress;
import gambit.core.replication.BusMessage.Ephemeral;
import gambit.core.replication.BusMessage.FenceRequest;
import gambit.core.replication.BusMessage.Goodbye;
import gambit.core.replication.BusMessage.Heartbeat;
import gambit.core.replication.BusMessage.LinkMessage;
import gambit.core.replication.BusMessage.Resign;
import gambit.core.replication.BusMessage.ResyncRequest;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Supplier;

/** Random messages between nodes, of every type. */
final class RandomMessages {
  private final RandomValues random;
  private final List<Supplier<BusMessage>> messages =
      List.of(
          this::heartbeat,
          () -> new Ephemeral(random().event()),
          () -> new FenceRequest(random().number()),
          () -> new ResyncRequest(random().anyNumber()),
          Goodbye::new,
          () -> new Resign(random().number(), random().number()));
  private final List<Supplier<LinkPayload>> payloads =
      List.of(
          () -> new LinkPayload.Hello(random().flag()),
          this::open,
          () -> new LinkPayload.Login(connection(), random().set(3, random()::key)),
          () -> new LinkPayload.Closed(connection()),
          this::submit,
          () -> new LinkPayload.CommitRequest(random().number(), commit()),
          () -> new LinkPayload.SubscriptionOpened(connection(), filters()),
          () -> new LinkPayload.SubscriptionChecked(connection(), filters()),
          () -> new LinkPayload.SubscriptionClosed(connection(), filters()),
          () -> new LinkPayload.Report(random().number(), random().flag()));

  RandomMessages(Random random) {
    this.random = new RandomValues(random);
  }

  private RandomValues random() {
    return random;
  }

  /** One message of each type, and of the link's messages one with each payload. */
  List<BusMessage> oneOfEach() {
    List<BusMessage> all = new ArrayList<>();
    messages.forEach(it -> all.add(it.get()));
    payloads.forEach(it -> all.add(link(it.get())));
    return all;
  }

  BusMessage any() {
    List<BusMessage> all = oneOfEach();
    return all.get(random.below(all.size()));
  }

  private LinkMessage link(LinkPayload payload) {
    return new LinkMessage(random.anyNumber(), random.number(), payload);
  }

  private Heartbeat heartbeat() {
    Map<Long, Long> sessions = new HashMap<>();
    for (int i = random.below(3); i > 0; i--) {
      sessions.put(random.anyNumber(), random.anyNumber());
    }
    return new Heartbeat(
        random.text(),
        random.flag(),
        random.flag(),
        random.number(),
        random.number(),
        random.anyNumber(),
        random.number(),
        sessions);
  }

  private LinkPayload open() {
    return new LinkPayload.Open(
        connection(),
        new ClientAddress(random.flag(), random.anyNumber()),
        random.flag(),
        random.set(3, random::key));
  }

  private LinkPayload submit() {
    return new LinkPayload.Submit(
        random.number(),
        connection(),
        random.natural(),
        random.flag(),
        random.flag(),
        random.event());
  }

  private Commit commit() {
    return new Commit(
        random.list(3, random::event),
        random.list(3, random::id),
        random.list(3, random::id),
        random.list(
            3, () -> new Row(random.text(), random.someBytes(), random.maybe(random::someBytes))));
  }

  private List<Filter> filters() {
    return random.list(3, random::filter);
  }

  private long connection() {
    return random.anyNumber();
  }
}
