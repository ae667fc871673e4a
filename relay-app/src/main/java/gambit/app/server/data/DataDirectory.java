package gambit.app.server.data;

import gambit.app.common.CommandFailure;
import gambit.app.common.ErrorMessages;
import gambit.app.common.PrivateFile;
import gambit.core.crypto.EventVerifier;
import gambit.core.crypto.Signer;
import gambit.core.files.Directories;
import gambit.core.files.DirectoryLock;
import gambit.core.model.Hex;
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
import java.util.HexFormat;
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
  public static final class InUse extends CommandFailure {
    private InUse(String sentence) {
      super(sentence);
    }
  }

  private static final Logger LOG = LoggerFactory.getLogger(DataDirectory.class);
  private static final String FORMER_STORE = "former-store";

  private final Path path;
  private final DirectoryLock lock;

  public DataDirectory(Path directory) throws CommandFailure {
    if (directory.toString().isBlank()) {
      throw new CommandFailure("--data: the name of the directory is empty.");
    }
    this.path = directory.toAbsolutePath().normalize();
    try {
      Directories.createPrivate(path);
      this.lock = new DirectoryLock(path, "gambit.lock");
    } catch (DirectoryLock.InUse e) {
      throw new InUse("--data: " + e.getMessage() + ".");
    } catch (IOException e) {
      throw new CommandFailure("--data: cannot use " + path + ": " + ErrorMessages.of(e) + ".");
    }
    Path unfinished = path.resolve(StoreRestore.UNFINISHED_STORE);
    if (Files.exists(unfinished)) {
      lock.close();
      throw new CommandFailure(
          ("--data: a restore into %s was not completed: repeat it (`gambit restore`), or"
                  + " delete %s.")
              .formatted(path, unfinished));
    }
  }

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

  public Path keyFile() {
    return path.resolve("relay.key");
  }

  public Optional<Signer> readKey() throws CommandFailure {
    return new SecretKeyFile(keyFile(), false).read();
  }

  /**
   * Creates the key of a relay without one. A relay with events gets a new key only with {@code
   * --new-key}, because its stored games name the old key.
   */
  public Signer createKey(EventStore store, boolean isNewKeyAllowed) throws CommandFailure {
    if (store.size() > 0 && !isNewKeyAllowed) {
      throw new CommandFailure(
          ("--data: there are events in %s but no relay.key: restore %s from its backup"
                  + " (`gambit key import`), or start once with --new-key to continue with a new"
                  + " key; docs/operations/keys.md says what that means for games.")
              .formatted(path, keyFile()));
    }
    return new SecretKeyFile(keyFile(), false).create();
  }

  /**
   * Opens the store. After a crash of the machine this may take minutes, in which only the
   * operators' port is open.
   */
  public DiskEventStore openStore(long minFreeBytes) throws CommandFailure {
    Path directory = path.resolve("store");
    try {
      Directories.createPrivate(directory);
      return DiskEventStore.open(directory, InstantSource.system(), minFreeBytes);
    } catch (LinkageError e) {
      throw new CommandFailure(
          ("There is no native LMDB library for this machine (%s, %s), or it cannot be"
                  + " unpacked to %s.")
              .formatted(
                  System.getProperty("os.name"),
                  System.getProperty("os.arch"),
                  System.getProperty("java.io.tmpdir")));
    } catch (IOException e) {
      throw new CommandFailure(
          "--data: the store in " + directory + " cannot be used: " + ErrorMessages.withCause(e));
    }
  }

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

  public static EventVerifier loadVerifier() throws CommandFailure {
    try {
      return new EventVerifier();
    } catch (LinkageError | RuntimeException e) {
      throw new CommandFailure(
          ("There is no native secp256k1 library for this machine (%s, %s); the relay"
                  + " cannot run without it.")
              .formatted(System.getProperty("os.name"), System.getProperty("os.arch")));
    }
  }

  public Signer houseKey() throws CommandFailure {
    return new SecretKeyFile(path.resolve("house.key"), true).readOrCreate();
  }

  @Override
  public void close() {
    lock.close();
  }

  /**
   * A file with a secret key, that of the relay or of its house player: 64 hex digits that only the
   * owner may read. An existing file is never replaced.
   */
  private record SecretKeyFile(Path path, boolean isOfHouse) {

    SecretKeyFile {
      path = path.toAbsolutePath().normalize();
    }

    Optional<Signer> read() throws CommandFailure {
      Optional<String> text = PrivateFile.read(path, "--data: ");
      if (text.isEmpty()) {
        return Optional.empty();
      }
      String hex = text.get();
      if (!Hex.isLowerCase(hex, 64)) {
        throw new CommandFailure(
            "--data: %s does not hold 64 hex digits; restore it from its backup%s."
                .formatted(path, withoutBackup(hex.isEmpty())));
      }
      try {
        return Optional.of(new Signer(HexFormat.of().parseHex(hex)));
      } catch (IllegalArgumentException e) {
        throw new CommandFailure("--data: " + path + " does not hold a key of secp256k1.");
      }
    }

    private String withoutBackup(boolean isEmpty) {
      if (isOfHouse) {
        return ", or delete it: the house player is then another player, and its running games are"
            + " lost";
      }
      return isEmpty ? ", or delete it if this relay has never run" : "";
    }

    Signer create() throws CommandFailure {
      try {
        PrivateFile.create(path, HexFormat.of().formatHex(Signer.randomSecret()));
        Directories.syncParent(path);
      } catch (IOException e) {
        throw new CommandFailure("--data: cannot write " + path + ": " + ErrorMessages.of(e) + ".");
      }
      return read().orElseThrow(() -> new CommandFailure("--data: " + path + " has been removed."));
    }

    Signer readOrCreate() throws CommandFailure {
      Optional<Signer> existing = read();
      return existing.isPresent() ? existing.get() : create();
    }
  }
}
