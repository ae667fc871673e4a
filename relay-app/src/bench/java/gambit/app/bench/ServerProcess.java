package gambit.app.bench;

import gambit.app.tool.client.RelayFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * What Linux tells about the relay's process: CPU in steps of 10 ms, and memory. Immutable, and any
 * thread may ask.
 */
final class ServerProcess {
  private static final long TICK_MICROS = 10_000;

  /** The fields of {@code stat} after the name, counted from 0. */
  private static final int USER = 11;

  private static final int KERNEL = 12;

  private final Path directory;

  /** CPU so far in microseconds: all of it, and the part spent in the kernel. */
  record Cpu(long all, long kernel) {
    Cpu minus(Cpu before) {
      return new Cpu(all - before.all, kernel - before.kernel);
    }

    Cpu plus(Cpu other) {
      return new Cpu(all + other.all, kernel + other.kernel);
    }
  }

  /** Memory in bytes: resident, and the part of it that is not of files. */
  record Memory(long resident, long anonymous) {}

  ServerProcess(long pid) throws RelayFailure {
    this(Path.of("/proc", Long.toString(pid)));
  }

  ServerProcess(Path directory) throws RelayFailure {
    this.directory = directory;
    cpu();
    memory();
  }

  Cpu cpu() throws RelayFailure {
    String stat = String.join(" ", read("stat"));
    String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
    long kernel = Long.parseLong(fields[KERNEL]) * TICK_MICROS;
    return new Cpu(Long.parseLong(fields[USER]) * TICK_MICROS + kernel, kernel);
  }

  Memory memory() throws RelayFailure {
    List<String> status = read("status");
    return new Memory(bytes(status, "VmRSS:"), bytes(status, "RssAnon:"));
  }

  private static long bytes(List<String> status, String name) {
    return status.stream()
            .filter(line -> line.startsWith(name))
            .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
            .sum()
        << 10;
  }

  private List<String> read(String name) throws RelayFailure {
    try {
      return Files.readAllLines(directory.resolve(name));
    } catch (IOException e) {
      throw new RelayFailure(
          "--pid: nothing can be read in "
              + directory
              + "; is this the relay's process, on Linux?");
    }
  }
}
