package gambit.core.replication;

import java.time.Duration;
import java.util.List;

/** A shared log that passes everything on, for defects to override. */
class BrokenLog implements SharedLog {
  private final SharedLog real;

  BrokenLog(SharedLog real) {
    this.real = real;
  }

  @Override
  public Range range() throws LogUnavailable {
    return real.range();
  }

  @Override
  public void append(long last, byte[] entry) throws Overtaken, LogUnavailable {
    real.append(last, entry);
  }

  @Override
  public List<byte[]> read(long from, Duration wait) throws EntriesGone, LogUnavailable {
    return real.read(from, wait);
  }

  @Override
  public int maxEntryBytes() {
    return real.maxEntryBytes();
  }

  @Override
  public void close() {
    real.close();
  }
}
