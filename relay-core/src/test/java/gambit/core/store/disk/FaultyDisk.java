package gambit.core.store.disk;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;

/**
 * A disk in memory that knows what was synced. Its power can be cut at any operation, after which
 * of the rest some sectors and some names are there and others are not; or an operation fails.
 */
final class FaultyDisk implements Disk {
  private static final int SECTOR = 512;

  /** The power was cut: nothing more happens. */
  static final class PowerCut extends Error {
    private static final long serialVersionUID = 1;
  }

  /** What a disk does that lies about it. */
  enum Lie {
    NONE,
    FILES_ARE_NOT_SYNCED,
    NAMES_ARE_NOT_SYNCED
  }

  private record Write(int at, byte[] bytes) {}

  /** A file's content, as programs see it and as it is on the medium. */
  private static final class Inode {
    private byte[] seen = new byte[0];
    private byte[] durable = new byte[0];
    private final List<Write> unsynced = new ArrayList<>();

    void sync() {
      durable = seen.clone();
      unsynced.clear();
    }

    /** What is there after a power cut: of what was not synced, any sectors. */
    Inode afterPowerCut(Random random) {
      Inode after = new Inode();
      after.durable = random.nextBoolean() ? durable.clone() : Arrays.copyOf(durable, seen.length);
      for (Write write : unsynced) {
        int from = 0;
        while (from < write.bytes.length) {
          int to = Math.min(from + SECTOR - (write.at + from) % SECTOR, write.bytes.length);
          if (random.nextBoolean() && write.at + to <= after.durable.length) {
            System.arraycopy(write.bytes, from, after.durable, write.at + from, to - from);
          }
          from = to;
        }
      }
      after.seen = after.durable.clone();
      return after;
    }
  }

  /** A change of names that was not synced: one name gets an inode, another one goes. */
  private record Naming(String name, Inode inode, String gone) {
    void applyTo(Map<String, Inode> names) {
      names.remove(gone);
      if (!name.isEmpty()) {
        names.put(name, inode);
      }
    }
  }

  private final Map<String, Inode> names = new HashMap<>();
  private final Map<String, Inode> durableNames = new HashMap<>();
  private final List<Naming> unsyncedNamings = new ArrayList<>();
  private final Lie lie;
  private final Set<Integer> failing = new TreeSet<>();
  private int operations;
  private int cutAt = Integer.MAX_VALUE;
  private long largest = Long.MAX_VALUE;
  private long usable = Long.MAX_VALUE;
  private Runnable whenCreated = () -> {};

  FaultyDisk(Lie lie) {
    this.lie = lie;
  }

  /** The power is cut at that operation, counted from 1. */
  FaultyDisk cutAt(int operation) {
    cutAt = operation;
    return this;
  }

  /** That operation fails, counted from 1. */
  FaultyDisk failAt(int operation) {
    failing.add(operation);
    return this;
  }

  /** How many operations there were. */
  int operations() {
    return operations;
  }

  /** From now on there is room for files of that size at most. */
  void setLargest(long bytes) {
    largest = bytes;
  }

  /** From now on so many bytes can still be written, it says. */
  void setUsable(long bytes) {
    usable = bytes;
  }

  /** Does something when the next file is created. */
  void whenNextIsCreated(Runnable action) {
    whenCreated = action;
  }

  /** Whether that text is in a file. */
  boolean holds(String text) {
    return names.values().stream()
        .anyMatch(it -> new String(it.seen, StandardCharsets.ISO_8859_1).contains(text));
  }

  /** The disk when the machine is up again. */
  FaultyDisk afterPowerCut(Random random) {
    FaultyDisk after = new FaultyDisk(lie);
    Map<Inode, Inode> copies = new HashMap<>();
    Map<String, Inode> there = new HashMap<>(durableNames);
    for (Naming naming : unsyncedNamings) {
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

  /** The disk when only the process has ended: all that was written is there. */
  FaultyDisk afterKill() {
    FaultyDisk after = new FaultyDisk(lie);
    after.names.putAll(names);
    after.durableNames.putAll(durableNames);
    after.unsyncedNamings.addAll(unsyncedNamings);
    return after;
  }

  /** Counts an operation; what it does not do any more, its caller does not either. */
  private void operate() throws IOException {
    operations++;
    if (operations >= cutAt) {
      throw new PowerCut();
    }
    if (failing.contains(operations)) {
      throw new IOException("operation " + operations + " fails on purpose");
    }
  }

  private void name(String name, Inode inode, String gone) {
    Naming naming = new Naming(name, inode, gone);
    naming.applyTo(names);
    unsyncedNamings.add(naming);
  }

  @Override
  public List<String> names() {
    return List.copyOf(names.keySet());
  }

  @Override
  public File create(String name, long size) throws IOException {
    operate();
    if (size > largest) {
      throw new IOException("there is no room on purpose");
    }
    Runnable action = whenCreated;
    whenCreated = () -> {};
    action.run();
    Inode inode = new Inode();
    inode.seen = new byte[(int) size];
    name(name, inode, "");
    return new FaultyFile(inode);
  }

  @Override
  public File open(String name) throws IOException {
    operate();
    Inode inode = names.get(name);
    if (inode == null) {
      throw new IOException("there is no " + name);
    }
    return new FaultyFile(inode);
  }

  @Override
  public void rename(String from, String to) throws IOException {
    operate();
    name(to, names.get(from), from);
  }

  @Override
  public void delete(String name) throws IOException {
    operate();
    name("", new Inode(), name);
  }

  @Override
  public void sync() throws IOException {
    operate();
    if (lie != Lie.NAMES_ARE_NOT_SYNCED) {
      unsyncedNamings.clear();
      durableNames.clear();
      durableNames.putAll(names);
    }
  }

  @Override
  public long usableBytes() {
    return usable;
  }

  private final class FaultyFile implements File {
    private final Inode inode;

    FaultyFile(Inode inode) {
      this.inode = inode;
    }

    @Override
    public long size() {
      return inode.seen.length;
    }

    @Override
    public void resize(long size) throws IOException {
      operate();
      inode.seen = Arrays.copyOf(inode.seen, (int) size);
    }

    @Override
    public void write(ByteBuffer from, long at) throws IOException {
      byte[] bytes = new byte[from.remaining()];
      from.get(bytes);
      inode.unsynced.add(new Write((int) at, bytes)); // a power cut may leave a part of it
      try {
        operate();
      } catch (IOException e) { // what fails may have been done all the same
        System.arraycopy(bytes, 0, inode.seen, (int) at, bytes.length);
        throw e;
      }
      System.arraycopy(bytes, 0, inode.seen, (int) at, bytes.length);
    }

    @Override
    public void sync() throws IOException {
      operate();
      if (lie != Lie.FILES_ARE_NOT_SYNCED) {
        inode.sync();
      }
    }

    @Override
    public ByteBuffer view() {
      return ByteBuffer.wrap(inode.seen).asReadOnlyBuffer();
    }

    @Override
    public void close() {}
  }
}
