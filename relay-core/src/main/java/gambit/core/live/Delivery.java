package gambit.core.live;

import gambit.core.feature.Outgoing;
import gambit.core.feature.SubscriptionListener;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/** Delivers output in the order in which it is given. Any thread; no method blocks. */
public interface Delivery {

  /**
   * Delivers output that needs no commit; false, without effect, when there is no room, or the
   * owners have their share of it.
   */
  boolean offer(Set<?> owners, List<Outgoing> outgoing);

  /** Delivers output that another bound has admitted. */
  void release(List<Outgoing> outgoing);

  /** Delivers the output of a commit, which ends with that offset; {@code done} is called then. */
  void release(List<Outgoing> outgoing, long lastOffset, Runnable done);

  /**
   * All current states become those of an earlier leader, which the new one confirms, replaces or
   * ends. One that it confirms, with an event of the same id, is not delivered again. Until {@link
   * #forgetEarlierStates}, subscriptions find them as before.
   */
  void forgetStates();

  /** Forgets the states of an earlier leader that the new one has not confirmed. */
  void forgetEarlierStates();

  /** Runs a task on the live lane, after the output that was given before. */
  void execute(Runnable task);

  /** Notifies the listeners of a subscription at another node. */
  void notifyOfSubscription(Consumer<SubscriptionListener> call);
}
