package gambit.core.store.disk;

import gambit.core.store.disk.log.Disk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;

/**
 * A disk in memory that tracks what was synced. Its power can be cut at any operation; random
 * sectors and names that were not synced are then lost. An operation can also fail.
 */
public final class FaultyDisk implements Disk {
  private static final int SECTOR_BYTES = 512;

  /** The power was cut. */
  public static final class PowerCut extends Error {}

  /** Which syncs a faulty disk ignores. */
  public enum SyncFault {
    NONE,
    FILES_ARE_NOT_SYNCED,
    NAMES_ARE_NOT_SYNCED
  }

  private record Write(int at, byte[] bytes) {}

  /** A file's content as programs see it, and as it is on the medium. */
  private static final class Inode {
    private byte[] content = new byte[0];
    private byte[] durable = new byte[0];
    private final List<Write> unsynced = new ArrayList<>();

    void sync() {
      durable = content.clone();
      unsynced.clear();
    }

    /** The file after a power cut, with random sectors of unsynced writes. */
    Inode afterPowerCut(Random random) {
      Inode after = new Inode();
      after.durable =
          random.nextBoolean() ? durable.clone() : Arrays.copyOf(durable, content.length);
      for (Write write : unsynced) {
        int from = 0;
        while (from < write.bytes.length) {
          int to =
              Math.min(from + SECTOR_BYTES - (write.at + from) % SECTOR_BYTES, write.bytes.length);
          if (random.nextBoolean() && write.at + to <= after.durable.length) {
            System.arraycopy(write.bytes, from, after.durable, write.at + from, to - from);
          }
          from = to;
        }
      }
      after.content = after.durable.clone();
      return after;
    }
  }

  /** An unsynced change of names: one name gets an inode, another is removed. */
  private record NameChange(String name, Inode inode, String gone) {
    void applyTo(Map<String, Inode> names) {
      names.remove(gone);
      if (!name.isEmpty()) {
        names.put(name, inode);
      }
    }
  }

  private final Map<String, Inode> names = new HashMap<>();
  private final Map<String, Inode> durableNames = new HashMap<>();
  private final List<NameChange> unsyncedNames = new ArrayList<>();
  private final SyncFault syncFault;
  private final Set<Integer> failingOperations = new TreeSet<>();
  private final Set<String> unreadable = new TreeSet<>();
  private List<String> nextNames = List.of();
  private int operations;
  private long bytesRead;
  private int cutPowerAt = Integer.MAX_VALUE;
  private long maxFileBytes = Long.MAX_VALUE;
  private long usableBytes = Long.MAX_VALUE;
  private Runnable onCreate = () -> {};

  public FaultyDisk(SyncFault lie) {
    this.syncFault = lie;
  }

  /** Cuts the power at that operation, counted from 1. */
  public FaultyDisk cutPowerAt(int operation) {
    cutPowerAt = operation;
    return this;
  }

  /** Makes that operation fail, counted from 1. */
  public FaultyDisk failAt(int operation) {
    failingOperations.add(operation);
    return this;
  }

  /** The number of operations so far. */
  public int operations() {
    return operations;
  }

  /** The number of bytes that were read from files so far, other than from their views. */
  public long bytesRead() {
    return bytesRead;
  }

  /** Makes the next listing of the directory wrong, as one during which files are replaced. */
  public void setNextNames(List<String> wrong) {
    nextNames = wrong;
  }

  /** Makes reads of a file fail, as on a medium with a bad sector; its view can be read. */
  public void failReadsOf(String name) {
    unreadable.add(name);
  }

  /** Limits the size of new files. */
  public void setMaxFileBytes(long bytes) {
    maxFileBytes = bytes;
  }

  /** Sets the reported number of usable bytes. */
  public void setUsableBytes(long bytes) {
    usableBytes = bytes;
  }

  /** Runs an action when the next file is created. */
  public void onNextCreate(Runnable action) {
    onCreate = action;
  }

  /** Whether a file contains that text. */
  public boolean holds(String text) {
    return names.values().stream()
        .anyMatch(it -> new String(it.content, StandardCharsets.ISO_8859_1).contains(text));
  }

  /** The disk after a reboot. */
  public FaultyDisk afterPowerCut(Random random) {
    FaultyDisk after = new FaultyDisk(syncFault);
    Map<Inode, Inode> copies = new HashMap<>();
    Map<String, Inode> there = new HashMap<>(durableNames);
    for (NameChange naming : unsyncedNames) {
      if (random.nextBoolean()) {
        naming.applyTo(there);
      }
    }
    there.forEach(
        (name, inode) ->
            after.names.put(name, copies.computeIfAbsent(inode, it -> it.afterPowerCut(random))));
    after.names.values().forEach(Inode::sync);
    after.durableNames.putAll(after.names);
    return after;
  }

  /** The disk after the process was killed: all writes are there. */
  public FaultyDisk afterKill() {
    FaultyDisk after = new FaultyDisk(syncFault);
    after.names.putAll(names);
    after.durableNames.putAll(durableNames);
    after.unsyncedNames.addAll(unsyncedNames);
    return after;
  }

  /** Counts an operation; throws if the power is cut or the operation fails. */
  private void countOperation() throws IOException {
    operations++;
    if (operations >= cutPowerAt) {
      throw new PowerCut();
    }
    if (failingOperations.contains(operations)) {
      throw new IOException("operation " + operations + " fails on purpose");
    }
  }

  private void name(String name, Inode inode, String gone) {
    NameChange naming = new NameChange(name, inode, gone);
    naming.applyTo(names);
    unsyncedNames.add(naming);
  }

  @Override
  public List<String> names() {
    List<String> wrong = nextNames;
    nextNames = List.of();
    return wrong.isEmpty() ? List.copyOf(names.keySet()) : wrong;
  }

  @Override
  public File create(String name, long size) throws IOException {
    countOperation();
    if (size > maxFileBytes) {
      throw new IOException("no room on purpose");
    }
    Runnable action = onCreate;
    onCreate = () -> {};
    action.run();
    Inode inode = new Inode();
    inode.content = new byte[(int) size];
    name(name, inode, "");
    return new FaultyFile(inode);
  }

  @Override
  public File open(String name) throws IOException {
    countOperation();
    Inode inode = names.get(name);
    if (inode == null) {
      throw new NoSuchFileException(name);
    }
    return new FaultyFile(inode);
  }

  @Override
  public void rename(String from, String to) throws IOException {
    countOperation();
    name(to, names.get(from), from);
  }

  @Override
  public void delete(String name) throws IOException {
    countOperation();
    name("", new Inode(), name);
  }

  @Override
  public void sync() throws IOException {
    countOperation();
    if (syncFault != SyncFault.NAMES_ARE_NOT_SYNCED) {
      unsyncedNames.clear();
      durableNames.clear();
      durableNames.putAll(names);
    }
  }

  @Override
  public long usableBytes() {
    return usableBytes;
  }

  private final class FaultyFile implements File {
    private final Inode inode;

    FaultyFile(Inode inode) {
      this.inode = inode;
    }

    @Override
    public long size() {
      return inode.content.length;
    }

    @Override
    public void resize(long size) throws IOException {
      countOperation();
      inode.content = Arrays.copyOf(inode.content, (int) size);
    }

    @Override
    public int read(ByteBuffer to, long at) throws IOException {
      for (String name : unreadable) {
        if (names.get(name) == inode) {
          throw new IOException("bad sector on purpose");
        }
      }
      int length = (int) Math.min(to.remaining(), inode.content.length - at);
      if (length <= 0) {
        return -1;
      }
      to.put(inode.content, (int) at, length);
      bytesRead += length;
      return length;
    }

    @Override
    public void write(ByteBuffer from, long at) throws IOException {
      byte[] bytes = new byte[from.remaining()];
      from.get(bytes);
      inode.unsynced.add(new Write((int) at, bytes)); // a power cut may keep a part of it
      try {
        countOperation();
      } catch (IOException e) { // a failed write may have been done
        System.arraycopy(bytes, 0, inode.content, (int) at, bytes.length);
        throw e;
      }
      System.arraycopy(bytes, 0, inode.content, (int) at, bytes.length);
    }

    @Override
    public void sync() throws IOException {
      countOperation();
      if (syncFault != SyncFault.FILES_ARE_NOT_SYNCED) {
        inode.sync();
      }
    }

    @Override
    public ByteBuffer view() {
      return ByteBuffer.wrap(inode.content).asReadOnlyBuffer();
    }

    @Override
    public void close() {}
  }
}
