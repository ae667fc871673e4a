package gambit.core.net;

import io.netty.channel.IoEventLoop;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.ServerChannel;
import io.netty.channel.SingleThreadIoEventLoop;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.Future;
import io.netty.util.internal.OutOfDirectMemoryError;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Netty's event loops, with their fatal errors reported. Netty only logs an error that ends an
 * event loop, which then serves no connection, and the errors of its tasks.
 */
public final class EventLoops extends MultiThreadIoEventLoopGroup {
  private volatile boolean ending;

  /** Like the relay's own port, so that a process has one sort of event loop only. */
  public static IoHandlerFactory io() {
    return Epoll.isAvailable() ? EpollIoHandler.newFactory() : NioIoHandler.newFactory();
  }

  public static Class<? extends ServerChannel> serverChannel() {
    return Epoll.isAvailable() ? EpollServerSocketChannel.class : NioServerSocketChannel.class;
  }

  /**
   * Starts all threads, so that a lack of threads is detected now. A fatal error is passed to
   * {@code onDeath} on the loop's thread.
   */
  public EventLoops(String name, int count, IoHandlerFactory io, Consumer<Throwable> onDeath) {
    super(count, new DefaultThreadFactory(name), io, onDeath);
    forEach(loop -> loop.execute(() -> {}));
  }

  @Override
  @SuppressWarnings("unchecked") // the constructor's argument
  protected IoEventLoop newChild(Executor executor, IoHandlerFactory io, Object... given) {
    return new Loop(this, executor, io, (Consumer<Throwable>) given[0]);
  }

  @Override
  public Future<?> shutdownGracefully(long quietPeriod, long timeout, TimeUnit unit) {
    ending = true;
    return super.shutdownGracefully(quietPeriod, timeout, unit);
  }

  static final class Loop extends SingleThreadIoEventLoop {
    private final EventLoops group;
    private final Consumer<Throwable> onDeath;
    final EventLoopDrains drains;

    Loop(EventLoops group, Executor executor, IoHandlerFactory io, Consumer<Throwable> onDeath) {
      super(group, executor, io);
      this.group = group;
      this.onDeath = onDeath;
      this.drains = new EventLoopDrains(this);
    }

    @Override
    public void execute(Runnable task) {
      super.execute(() -> runReporting(task));
    }

    private void runReporting(Runnable task) {
      try {
        task.run();
      } catch (Error e) {
        if (FatalErrors.fatalIn(e) != null) {
          onDeath.accept(e);
        }
        throw e;
      }
    }

    @Override
    protected void run() {
      try {
        super.run();
      } catch (Throwable e) {
        onDeath.accept(e);
        throw e;
      }
      // A loop that is shut down between two checks of its state leaves its connections open.
      ioHandler().prepareToDestroy();
      if (!group.ending) {
        onDeath.accept(new IllegalStateException("an event loop was shut down"));
      }
    }
  }

  /** Distinguishes errors that end the process from those that end one connection. */
  static final class FatalErrors {
    private FatalErrors() {}

    static @Nullable Error fatalIn(@Nullable Throwable cause) {
      for (Throwable each = cause; each != null; each = each.getCause()) {
        if (each instanceof Error error && !isOfDirectMemory(error)) {
          return error;
        }
      }
      return null;
    }

    /** Whether direct memory is exhausted, which Netty or Java bounds; the heap is not affected. */
    static boolean isOfDirectMemory(Throwable error) {
      return error instanceof OutOfDirectMemoryError
          || (error instanceof OutOfMemoryError
              && String.valueOf(error.getMessage()).contains("direct buffer memory"));
    }
  }
}
