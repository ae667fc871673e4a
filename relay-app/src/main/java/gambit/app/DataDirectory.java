package gambit.app;

import gambit.app.operator.ErrorMessages;
import gambit.core.crypto.Signer;
import gambit.core.store.disk.Directories;
import gambit.core.store.disk.DirectoryLock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The relay's data directory, locked for this process. {@code relay.key} holds the relay's secret
 * key, {@code house.key} that of the house player, {@code store} the events.
 */
final class DataDirectory implements AutoCloseable {
  private final Path path;
  private final DirectoryLock lock;

  /**
   * Locks the directory, and creates it if it does not exist.
   *
   * @throws StartFailure when the directory cannot be created or is locked by another process
   */
  DataDirectory(Path directory) throws StartFailure {
    if (directory.toString().isBlank()) {
      throw new StartFailure("--data: the name of the directory is empty.");
    }
    this.path = directory.toAbsolutePath().normalize();
    try {
      boolean isNew = Files.notExists(path);
      Files.createDirectories(path);
      if (isNew) {
        Directories.syncParent(path);
      }
      this.lock = new DirectoryLock(path, "gambit.lock");
    } catch (DirectoryLock.InUse e) {
      throw new StartFailure("--data: " + e.getMessage() + ".");
    } catch (IOException e) {
      throw new StartFailure("--data: cannot use " + path + ": " + ErrorMessages.of(e) + ".");
    }
  }

  Path path() {
    return path;
  }

  Path keyFile() {
    return path.resolve("relay.key");
  }

  /**
   * Reads the relay's key; empty if there is no key file. An existing key file is never replaced.
   *
   * @throws StartFailure when the key file does not hold a key, or others can read it
   */
  Optional<Signer> readKey() throws StartFailure {
    return new SecretKeyFile(keyFile(), false).read();
  }

  /**
   * Creates the relay's key; it is synced to disk before this returns.
   *
   * @throws StartFailure when the file cannot be written
   */
  Signer createKey() throws StartFailure {
    return new SecretKeyFile(keyFile(), false).create();
  }

  /**
   * The house player's key, created when it is needed for the first time.
   *
   * @throws StartFailure when the key file does not hold a key, or cannot be written
   */
  Signer houseKey() throws StartFailure {
    return new SecretKeyFile(path.resolve("house.key"), true).readOrCreate();
  }

  @Override
  public void close() {
    lock.close();
  }
}
