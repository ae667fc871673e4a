package gambit.core.replication;

import gambit.core.feature.Outgoing;
import gambit.core.feature.SubscriptionListener;
import gambit.core.live.Delivery;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Delivers output, with interruptions of the writer's thread around the output of commits.
 *
 * @param interrupt may let the others go on
 */
record InterruptedDelivery(Delivery live, Runnable interrupt) implements Delivery {
  @Override
  public boolean offer(Set<?> owners, List<Outgoing> outgoing) {
    return live.offer(owners, outgoing);
  }

  @Override
  public void release(List<Outgoing> outgoing) {
    live.release(outgoing);
  }

  @Override
  public void release(List<Outgoing> outgoing, long lastOffset, Runnable done) {
    interrupt.run();
    live.release(outgoing, lastOffset, done);
    interrupt.run();
  }

  @Override
  public void forgetStates() {
    live.forgetStates();
    interrupt.run();
  }

  @Override
  public void forgetEarlierStates() {
    live.forgetEarlierStates();
  }

  @Override
  public void execute(Runnable task) {
    live.execute(task);
  }

  @Override
  public void notifyOfSubscription(Consumer<SubscriptionListener> call) {
    live.notifyOfSubscription(call);
  }
}
