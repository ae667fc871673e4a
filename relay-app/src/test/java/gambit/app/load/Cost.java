package gambit.app.load;

import gambit.app.load.RelayProcess.Cpu;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * The cost of a number of operations for the relay.
 *
 * @param cpu of its process, in nanoseconds
 * @param kernel the part of it spent in the kernel, mostly for sockets and files
 * @param live the part of it spent on the live lane
 * @param wall elapsed time, in nanoseconds
 */
record Cost(long cpu, long kernel, long live, long wall, long operations) {

  /** The work to be measured; returns the number of operations. */
  interface Work {
    long run() throws Exception;
  }

  static Cost of(RelayProcess relay, Work work) throws Exception {
    long wall = System.nanoTime();
    Cpu before = relay.cpu();
    long operations = work.run();
    Cpu after = relay.cpu();
    return new Cost(
        after.all() - before.all(),
        after.kernel() - before.kernel(),
        after.live() - before.live(),
        System.nanoTime() - wall,
        operations);
  }

  /** CPU for each operation, in microseconds. */
  double micros() {
    return cpu / 1e3 / operations;
  }

  double kernelMicros() {
    return kernel / 1e3 / operations;
  }

  double liveMicros() {
    return live / 1e3 / operations;
  }

  double perSecond() {
    return operations / (wall / 1e9);
  }

  static <T> double median(List<T> runs, ToDoubleFunction<T> of) {
    double[] sorted = runs.stream().mapToDouble(of).sorted().toArray();
    int middle = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }
}
