package gambit.core.net;

import gambit.core.limit.CurrentLimits;
import gambit.core.limit.MemoryBound;
import gambit.core.rate.ClientAddress;
import gambit.core.rate.RateLimiter;
import gambit.core.session.Connection;
import gambit.core.session.Conversation;
import gambit.core.session.Lifecycle;
import gambit.core.session.Peer;
import io.netty.channel.Channel;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.util.concurrent.EventExecutor;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What all channels of the port share: the settings in force, which are read whenever they are
 * applied, bounds on what all clients use, and mutable state. Without TLS, {@code tls} is null.
 */
record Endpoint(
    Conversations conversations,
    AtomicReference<PortSettings> settings,
    PortExtensions extensions,
    OperatorToken operator,
    CurrentLimits limits,
    RateLimiter rates,
    MemoryBound outboxes,
    MemoryBound incompleteMessages,
    Clients clients,
    DeferredMessages deferred,
    ServerMetrics metrics,
    @Nullable TlsHandshakes tls,
    Lifecycle lifecycle) {
  interface Conversations {
    /** The handshake of the channel is being sent. */
    Conversation over(
        Channel channel, Connection.ReadControl reading, Peer client, WebSocketOutbox outbox);
  }

  Peer peer(ClientAddress address, HttpRequest request) {
    boolean isOperator = operator.isIn(request.headers());
    return new Peer(
        address, isOperator, isOperator && OperatorToken.statesVerified(request.headers()));
  }

  PortSettings settingsNow() {
    return Objects.requireNonNull(settings.get());
  }

  /**
   * The channels with messages that were read and are deferred to a later turn of the event loop. A
   * fence waits for them ({@link #afterCurrent}). There are few: messages are deferred only where
   * much compressed input arrives at once. Thread-safe.
   */
  static final class DeferredMessages {
    /** One channel's deferred messages, from when they are deferred until all are handled. */
    static final class Deferral {}

    private final Map<Deferral, EventExecutor> deferrals = new ConcurrentHashMap<>();

    Deferral begin(EventExecutor loop) {
      Deferral deferral = new Deferral();
      deferrals.put(deferral, loop);
      return deferral;
    }

    /** Removes a deferral: all its messages are handled, or never will be. */
    void end(Deferral deferral) {
      deferrals.remove(deferral);
    }

    /**
     * Runs a task when all messages that are deferred on an event loop now are handled; later
     * deferrals do not count. On that event loop.
     */
    void afterCurrent(EventExecutor loop, Runnable task) {
      Set<Deferral> current =
          deferrals.entrySet().stream()
              .filter(it -> it.getValue() == loop)
              .map(Map.Entry::getKey)
              .collect(Collectors.toSet());
      await(loop, current, task);
    }

    private void await(EventExecutor loop, Set<Deferral> left, Runnable task) {
      left.retainAll(deferrals.keySet());
      if (left.isEmpty()) {
        task.run();
      } else {
        loop.schedule(() -> await(loop, left, task), 0, TimeUnit.NANOSECONDS);
      }
    }
  }
}
