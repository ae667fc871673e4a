package gambit.app.server.data;

import gambit.app.common.ErrorMessages;
import gambit.core.crypto.EventVerifier;
import gambit.core.crypto.Signer;
import gambit.core.files.Directories;
import gambit.core.files.DirectoryLock;
import gambit.core.store.EventStore;
import gambit.core.store.disk.DiskEventStore;
import gambit.core.store.disk.StoreRestore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The relay's data directory, locked for this process. {@code relay.key} holds the relay's secret
 * key, {@code house.key} that of the house player, {@code store} the events. A store with events
 * but without its key is refused: a new key would silently make it another relay.
 */
public final class DataDirectory implements AutoCloseable {
  /** Another process uses the directory, such as the running relay. */
  public static final class InUse extends StartFailure {
    private static final long serialVersionUID = 1;

    private InUse(String sentence) {
      super(sentence);
    }
  }

  private static final Logger LOG = LoggerFactory.getLogger(DataDirectory.class);
  private static final String FORMER_STORE = "former-store";

  private final Path path;
  private final DirectoryLock lock;

  /**
   * Locks the directory, and creates it if it does not exist.
   *
   * @throws InUse when it is locked by another process
   * @throws StartFailure when it cannot be created, or a restore into it was not completed
   */
  public DataDirectory(Path directory) throws StartFailure {
    if (directory.toString().isBlank()) {
      throw new StartFailure("--data: the name of the directory is empty.");
    }
    this.path = directory.toAbsolutePath().normalize();
    try {
      Directories.createPrivate(path);
      this.lock = new DirectoryLock(path, "gambit.lock");
    } catch (DirectoryLock.InUse e) {
      throw new InUse("--data: " + e.getMessage() + ".");
    } catch (IOException e) {
      throw new StartFailure("--data: cannot use " + path + ": " + ErrorMessages.of(e) + ".");
    }
    Path unfinished = path.resolve(StoreRestore.UNFINISHED_STORE);
    if (Files.exists(unfinished)) {
      lock.close();
      throw new StartFailure(
          "--data: a restore into "
              + path
              + " was not completed: repeat it (`gambit restore`), or delete "
              + unfinished
              + ".");
    }
  }

  /** Its absolute path. */
  public Path path() {
    return path;
  }

  /**
   * The directory and what is in it for which others than the owner have permissions, up to a
   * number; nothing in a directory for which they have none, and nothing that cannot be read.
   */
  public List<Path> openToOthers(int max) {
    List<Path> open = new ArrayList<>();
    addOpenToOthers(path, max, open);
    return open;
  }

  private static void addOpenToOthers(Path file, int max, List<Path> to) {
    try {
      if (to.size() == max || !Files.exists(file) || !Directories.isOpenToOthers(file)) {
        return;
      }
      to.add(file);
      if (Files.isDirectory(file, LinkOption.NOFOLLOW_LINKS)) {
        try (Stream<Path> found = Files.list(file)) {
          for (Path each : found.sorted().toList()) {
            addOpenToOthers(each, max, to);
          }
        }
      }
    } catch (IOException | UncheckedIOException e) {
      LOG.debug("Cannot read the permissions of {}, or what is in it", file, e);
    }
  }

  /** The file with the relay's secret key. */
  public Path keyFile() {
    return path.resolve("relay.key");
  }

  /**
   * Reads the relay's key; empty if there is no key file. An existing key file is never replaced.
   *
   * @throws StartFailure when the key file does not hold a key, or others can read it
   */
  public Optional<Signer> readKey() throws StartFailure {
    return new SecretKeyFile(keyFile(), false).read();
  }

  /**
   * Creates the key of a relay without one. A relay with events gets a new key only with {@code
   * --new-key}, because its stored games name the old key.
   */
  public Signer createKey(EventStore store, boolean isNewKeyAllowed) throws StartFailure {
    if (store.size() > 0 && !isNewKeyAllowed) {
      throw new StartFailure(
          "--data: there are events in "
              + path
              + " but no relay.key: restore "
              + keyFile()
              + " from its backup (`gambit key import`), or start once with --new-key to continue"
              + " with a new key; docs/operations/keys.md says what that means for games.");
    }
    return new SecretKeyFile(keyFile(), false).create();
  }

  /**
   * Opens the store. After a crash of the machine this may take minutes, in which only the
   * operators' port is open.
   */
  public DiskEventStore openStore(long minFreeBytes) throws StartFailure {
    Path directory = path.resolve("store");
    try {
      Directories.createPrivate(directory);
      return DiskEventStore.open(directory, InstantSource.system(), minFreeBytes);
    } catch (LinkageError e) {
      throw new StartFailure(
          "There is no native LMDB library for this machine ("
              + System.getProperty("os.name")
              + ", "
              + System.getProperty("os.arch")
              + "), or it cannot be unpacked to "
              + System.getProperty("java.io.tmpdir")
              + ".");
    } catch (IOException e) {
      throw new StartFailure(
          "--data: the store in " + directory + " cannot be used: " + ErrorMessages.withCause(e));
    }
  }

  /** Where a store is made from a snapshot of a cluster. */
  public Path joining() {
    return path.resolve("joining");
  }

  /**
   * Replaces the store, which is closed, by one that was made in {@link #joining}, and deletes what
   * was made from the former one. If the process ends meanwhile, there is no store, or one of them.
   */
  public void replaceStore(Path made) throws IOException {
    Path store = path.resolve("store");
    Directories.delete(path.resolve("search"));
    Directories.delete(joining().resolve(FORMER_STORE));
    Path former = joining().resolve(FORMER_STORE);
    if (Files.exists(store)) {
      Files.move(store, former, StandardCopyOption.ATOMIC_MOVE);
    }
    try {
      Files.move(made, store, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      if (Files.exists(former)) {
        Files.move(former, store, StandardCopyOption.ATOMIC_MOVE);
      }
      throw e;
    }
    Directories.sync(path);
    Directories.delete(joining());
  }

  /** Loads the native library that verifies signatures. */
  public static EventVerifier loadVerifier() throws StartFailure {
    try {
      return new EventVerifier();
    } catch (LinkageError | RuntimeException e) {
      throw new StartFailure(
          "There is no native secp256k1 library for this machine ("
              + System.getProperty("os.name")
              + ", "
              + System.getProperty("os.arch")
              + "); the relay cannot run without it.");
    }
  }

  /**
   * The house player's key, created when it is needed for the first time.
   *
   * @throws StartFailure when the key file does not hold a key, or cannot be written
   */
  public Signer houseKey() throws StartFailure {
    return new SecretKeyFile(path.resolve("house.key"), true).readOrCreate();
  }

  @Override
  public void close() {
    lock.close();
  }
}
