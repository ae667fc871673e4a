package gambit.core.replication;

import gambit.core.feature.Outgoing;
import gambit.core.feature.SubscriptionListener;
import gambit.core.live.Delivery;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/**
 * Delivers changed output of commits.
 *
 * @param change receives the output of each commit
 */
record BrokenDelivery(Delivery real, UnaryOperator<List<Outgoing>> change) implements Delivery {
  @Override
  public boolean offer(Set<?> owners, List<Outgoing> outgoing) {
    return real.offer(owners, outgoing);
  }

  @Override
  public void release(List<Outgoing> outgoing) {
    real.release(outgoing);
  }

  @Override
  public void release(List<Outgoing> outgoing, long lastOffset, Runnable done) {
    real.release(change.apply(outgoing), lastOffset, done);
  }

  @Override
  public void forgetStates() {
    real.forgetStates();
  }

  @Override
  public void forgetEarlierStates() {
    real.forgetEarlierStates();
  }

  @Override
  public void execute(Runnable task) {
    real.execute(task);
  }

  @Override
  public void notifyOfSubscription(Consumer<SubscriptionListener> call) {
    real.notifyOfSubscription(call);
  }
}
