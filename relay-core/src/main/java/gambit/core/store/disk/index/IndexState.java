package gambit.core.store.disk.index;

import gambit.core.files.Directories;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Records whether the index on disk can be trusted. The file {@code index-state} contains {@code
 * clean}, or the id of the boot in which the index was opened. During that boot, nothing that a
 * killed process has written is lost.
 */
public final class IndexState {
  private static final String CLEAN = "clean";
  private static final String OPEN = "open ";
  private static final Path BOOT_ID = Path.of("/proc/sys/kernel/random/boot_id");

  private final Path file;
  private final String bootId;

  public IndexState(Path directory, String bootId) {
    this.file = directory.resolve("index-state");
    this.bootId = bootId;
  }

  /** The id of the current boot of the machine; empty if the system has none. */
  public static String bootId() {
    try {
      return Files.readString(BOOT_ID, StandardCharsets.UTF_8).strip();
    } catch (IOException e) {
      return "";
    }
  }

  public boolean isTrustworthy() throws IOException {
    if (!Files.exists(file)) {
      return false;
    }
    String found = Files.readString(file, StandardCharsets.UTF_8).strip();
    return found.equals(CLEAN) || (!bootId.isEmpty() && found.equals(OPEN + bootId));
  }

  void setOpen() throws IOException {
    write(OPEN + bootId);
  }

  public void setClean() throws IOException {
    write(CLEAN);
  }

  private void write(String state) throws IOException {
    Directories.replacePrivate(file, (state + "\n").getBytes(StandardCharsets.UTF_8));
  }

  void setMissing() throws IOException {
    Files.deleteIfExists(file);
    Directories.syncParent(file);
  }
}
