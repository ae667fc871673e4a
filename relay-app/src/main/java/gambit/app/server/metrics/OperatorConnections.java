package gambit.app.server.metrics;

import io.netty.channel.Channel;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * The open connections to the operators' port, at most {@value #MAX}. Beyond that, the one that has
 * waited for a request for the longest time is closed; if all are being answered, the new one is.
 * On the event loop of the port.
 */
final class OperatorConnections {
  static final int MAX = 64;

  private final Set<Channel> waiting = new LinkedHashSet<>(); // the longest first
  private final Set<Channel> answering = new LinkedHashSet<>();

  boolean open(Channel channel) {
    if (waiting.size() + answering.size() >= MAX) {
      Iterator<Channel> longest = waiting.iterator();
      if (!longest.hasNext()) {
        channel.close();
        return false;
      }
      Channel closed = longest.next();
      longest.remove();
      closed.close();
    }
    waiting.add(channel);
    return true;
  }

  void answering(Channel channel) {
    waiting.remove(channel);
    answering.add(channel);
  }

  void waiting(Channel channel) {
    answering.remove(channel);
    waiting.add(channel);
  }

  void closed(Channel channel) {
    waiting.remove(channel);
    answering.remove(channel);
  }
}
