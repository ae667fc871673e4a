package gambit.core.net;

import io.netty.channel.IoEventLoop;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.SingleThreadIoEventLoop;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.Future;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Netty's event loops, none of which ends unheard. One that ends of an error takes no connection
 * any more, and Netty only logs it; an error of a task is only logged as well. Here both are told.
 */
final class EventLoops extends MultiThreadIoEventLoopGroup {
  private volatile boolean ending;

  /**
   * Starts them all: later there might be no thread to be had.
   *
   * @param name what their threads are called, with a number
   * @param onDeath hears of errors, on the loop's thread
   */
  EventLoops(String name, int count, IoHandlerFactory io, Consumer<Throwable> onDeath) {
    super(count, new DefaultThreadFactory(name), io, onDeath);
    forEach(loop -> loop.execute(() -> {}));
  }

  @Override
  @SuppressWarnings("unchecked") // what the constructor has given
  protected IoEventLoop newChild(Executor executor, IoHandlerFactory io, Object... given) {
    return new Loop(this, executor, io, (Consumer<Throwable>) given[0]);
  }

  @Override
  public Future<?> shutdownGracefully(long quietPeriod, long timeout, TimeUnit unit) {
    ending = true;
    return super.shutdownGracefully(quietPeriod, timeout, unit);
  }

  private static final class Loop extends SingleThreadIoEventLoop {
    private final EventLoops group;
    private final Consumer<Throwable> onDeath;

    Loop(EventLoops group, Executor executor, IoHandlerFactory io, Consumer<Throwable> onDeath) {
      super(group, executor, io);
      this.group = group;
      this.onDeath = onDeath;
    }

    @Override
    public void execute(Runnable task) {
      super.execute(
          () -> {
            try {
              task.run();
            } catch (Error e) {
              if (FatalErrors.fatalIn(e) != null) {
                onDeath.accept(e);
              }
              throw e;
            }
          });
    }

    @Override
    protected void run() {
      try {
        super.run();
      } catch (Throwable e) {
        onDeath.accept(e);
        throw e;
      }
      // One that is shut down between two looks at its state would leave its connections open.
      ioHandler().prepareToDestroy();
      if (!group.ending) {
        onDeath.accept(new IllegalStateException("an event loop was shut down"));
      }
    }
  }
}
