package gambit.app.bench;

import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What was counted in a run, or in several together. One thread at a time. */
final class Totals {
  private final Latencies latencies = new Latencies();
  private long operations;
  private long nanos;
  private ServerProcess.@Nullable Cpu cpu;
  private long answers;
  private long found;
  private long wrong;
  private String firstWrong = "";
  private @Nullable Long bytes;

  /** An operation has ended. */
  void operation(long nanos) {
    operations++;
    latencies.add(nanos);
  }

  /** An answer with this number of events has been checked. */
  void answer(int events) {
    answers++;
    found += events;
  }

  /** The oracle refutes an answer. */
  void wrong(String reason) {
    if (wrong++ == 0) {
      firstWrong = reason;
    }
  }

  void took(long elapsedNanos, ServerProcess.@Nullable Cpu spent) {
    nanos += elapsedNanos;
    cpu = spent == null ? null : cpu == null ? spent : cpu.plus(spent);
  }

  /** Memory of the relay, or its growth in all. */
  void bytes(long count) {
    bytes = count;
  }

  /** Adds another run. */
  void add(Totals other) {
    latencies.add(other.latencies);
    operations += other.operations;
    took(other.nanos, other.cpu);
    answers += other.answers;
    found += other.found;
    firstWrong = wrong == 0 ? other.firstWrong : firstWrong;
    wrong += other.wrong;
  }

  long operations() {
    return operations;
  }

  long wrongCount() {
    return wrong;
  }

  String firstWrong() {
    return firstWrong;
  }

  double perSecond() {
    return nanos == 0 ? 0 : operations / (nanos / 1e9);
  }

  long nanos() {
    return nanos;
  }

  /** The measures that these counts give. */
  Map<Measure, Double> values() {
    Map<Measure, Double> values = new EnumMap<>(Measure.class);
    ServerProcess.Cpu spent = cpu;
    if (operations > 0) {
      values.put(Measure.PER_S, perSecond());
      if (spent != null) {
        values.put(Measure.CPU_US, (double) spent.all() / operations);
        values.put(Measure.KERNEL_US, (double) spent.kernel() / operations);
      }
      values.put(Measure.WRONG, (double) wrong);
    }
    latencies.addTo(values);
    if (answers > 0) {
      values.put(Measure.FOUND, (double) found / answers);
    }
    Long memory = bytes;
    if (memory != null) {
      values.put(Measure.BYTES, (double) memory / Math.max(1, operations));
    }
    return values;
  }
}
