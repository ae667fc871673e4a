package gambit.app.server.nats;

import gambit.core.log.LimitedLog;
import gambit.core.replication.Bus;
import io.nats.client.Dispatcher;
import io.nats.client.Message;
import java.util.HexFormat;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The bus on subjects of NATS: {@code NAME.node.RECEIVER} for one node and {@code NAME.all.SENDER}
 * for all, with the numbers of the nodes in hex. A node is sought by an empty message that asks for
 * a reply: the server itself replies on {@code NAME.absent.SENDER.RECEIVER} if no connection
 * receives that node's messages, and nobody otherwise. Its thread {@code bus-sender} passes
 * messages to the connection, and is the only one that waits for it; one thread of the connection
 * receives. Up to {@link #MAX_QUEUED_BYTES} wait in either direction, further messages are lost.
 */
public final class NatsBus implements Bus {
  /** The most bytes that wait to be sent, and that wait to be received. */
  static final int MAX_QUEUED_BYTES = 32 << 20;

  private static final int MAX_RECEIVED_MESSAGES = 100_000;

  private static final LimitedLog LOG = LimitedLog.of(NatsBus.class);

  private static final int NO_RESPONDERS = 503;
  private static final byte[] NOTHING = new byte[0];

  /** A message; the reply's subject is null unless a node is sought. */
  @SuppressWarnings("ArrayRecordComponent") // nobody compares messages
  private record Outbound(String subject, @Nullable String reply, byte[] message) {}

  private final NatsConnection connection;
  private final String name;
  private final int maxMessageBytes;
  private final Thread sender = new Thread(this::sendAll, "bus-sender");
  private final BlockingQueue<Outbound> queue = new LinkedBlockingQueue<>();
  private final Semaphore room = new Semaphore(MAX_QUEUED_BYTES); // in the queue, in bytes
  private volatile boolean isClosed;
  private final AtomicLong lost = new AtomicLong();
  private @Nullable Dispatcher dispatcher;
  private volatile @Nullable String own; // its number, once it listens

  /** The bus, over a connection that is not closed with it. */
  public NatsBus(NatsConnection connection, ClusterSettings settings) {
    this.connection = connection;
    this.name = settings.name();
    this.maxMessageBytes = (int) Math.min(connection.library().getMaxPayload(), MAX_QUEUED_BYTES);
    sender.setDaemon(true);
    sender.start();
  }

  private static String hex(long node) {
    return HexFormat.of().toHexDigits(node);
  }

  private String subjectOfNode(long node) {
    return name + ".node." + hex(node);
  }

  @Override
  public synchronized void listen(long node, Receiver receiver) {
    if (dispatcher != null) {
      throw new IllegalStateException("the bus has a receiver");
    }
    own = hex(node);
    dispatcher = connection.library().createDispatcher(message -> pass(message, receiver));
    dispatcher.setPendingLimits(MAX_RECEIVED_MESSAGES, MAX_QUEUED_BYTES);
    dispatcher
        .subscribe(subjectOfNode(node))
        .subscribe(name + ".all.*")
        .subscribe(name + ".absent." + own + ".*");
  }

  /** Passes a message on; the library would ignore what the receiver throws. */
  private void pass(Message message, Receiver receiver) {
    try {
      if (message.isStatusMessage()) {
        String subject = message.getSubject();
        if (message.getStatus().getCode() == NO_RESPONDERS) {
          receiver.absent(
              HexFormat.fromHexDigitsToLong(
                  subject, subject.lastIndexOf('.') + 1, subject.length()));
        }
      } else if (message.getData().length > 0) {
        receiver.receive(message.getData());
      }
    } catch (RuntimeException | Error e) {
      connection.fail(e);
    }
  }

  @Override
  public void send(long node, byte[] message) {
    enqueue(subjectOfNode(node), null, message);
  }

  @Override
  public void sendToAll(byte[] message) {
    enqueue(name + ".all." + own(), null, message);
  }

  @Override
  public void seek(long node) {
    enqueue(subjectOfNode(node), name + ".absent." + own() + "." + hex(node), NOTHING);
  }

  private String own() {
    String number = own;
    if (number == null) {
      throw new IllegalStateException("a node that does not listen has no number");
    }
    return number;
  }

  private void enqueue(String subject, @Nullable String reply, byte[] message) {
    if (message.length > maxMessageBytes) {
      throw new IllegalArgumentException("a message of " + message.length + " bytes");
    }
    if (isClosed || !room.tryAcquire(message.length)) {
      lost.incrementAndGet();
      LOG.warn("A message for other nodes was dropped, because too many wait to be sent");
      return;
    }
    queue.add(new Outbound(subject, reply, message));
  }

  private void sendAll() {
    try {
      while (true) {
        Outbound next = queue.take();
        room.release(next.message.length);
        try {
          connection.library().publish(next.subject, next.reply, next.message);
        } catch (IllegalStateException e) {
          lost.incrementAndGet();
          LOG.warn(
              "A message for other nodes was lost, since there is no connection to NATS, or it is"
                  + " too slow");
        }
      }
    } catch (InterruptedException e) {
      // it is being closed
    } catch (RuntimeException | Error e) {
      connection.fail(e);
    }
  }

  long lost() {
    return lost.get();
  }

  @Override
  public int maxMessageBytes() {
    return maxMessageBytes;
  }

  @Override
  public synchronized void close() {
    isClosed = true;
    sender.interrupt();
    if (dispatcher != null && connection.isConnected()) {
      connection.library().closeDispatcher(dispatcher);
    }
  }
}
