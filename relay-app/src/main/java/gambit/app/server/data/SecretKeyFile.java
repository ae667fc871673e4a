package gambit.app.server.data;

import gambit.app.common.ErrorMessages;
import gambit.app.common.PrivateFile;
import gambit.core.crypto.Signer;
import gambit.core.files.Directories;
import gambit.core.model.Hex;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.Optional;

/**
 * A file of the data directory with a secret key: 64 hex digits that only the owner may read. An
 * existing file is never replaced. Immutable; any thread.
 *
 * @param path an absolute path
 * @param isOfHouse whether it is the key of the house player, not that of the relay
 */
record SecretKeyFile(Path path, boolean isOfHouse) {

  SecretKeyFile {
    path = path.toAbsolutePath().normalize();
  }

  Optional<Signer> read() throws StartFailure {
    try {
      Optional<String> text = PrivateFile.read(path);
      if (text.isEmpty()) {
        return Optional.empty();
      }
      String hex = text.get();
      if (!Hex.isLowerCase(hex, 64)) {
        throw new StartFailure(
            "--data: %s does not hold 64 hex digits; restore it from its backup%s."
                .formatted(path, withoutBackup(hex.isEmpty())));
      }
      return Optional.of(new Signer(HexFormat.of().parseHex(hex)));
    } catch (PrivateFile.Unusable e) {
      throw new StartFailure("--data: " + e.getMessage());
    } catch (IllegalArgumentException e) {
      throw new StartFailure("--data: " + path + " does not hold a key of secp256k1.");
    } catch (IOException e) {
      throw new StartFailure("--data: cannot use " + path + ": " + ErrorMessages.of(e) + ".");
    }
  }

  private String withoutBackup(boolean isEmpty) {
    if (isOfHouse) {
      return ", or delete it: the house player is then another player, and its running games are"
          + " lost";
    }
    return isEmpty ? ", or delete it if this relay has never run" : "";
  }

  /** Creates a new key; it is synced to disk before this returns. */
  Signer create() throws StartFailure {
    try {
      PrivateFile.create(path, HexFormat.of().formatHex(Signer.randomSecret()));
      Path directory = path.getParent();
      if (directory != null) {
        Directories.sync(directory);
      }
    } catch (IOException e) {
      throw new StartFailure("--data: cannot write " + path + ": " + ErrorMessages.of(e) + ".");
    }
    return read().orElseThrow(() -> new StartFailure("--data: " + path + " has been removed."));
  }

  Signer readOrCreate() throws StartFailure {
    Optional<Signer> existing = read();
    return existing.isPresent() ? existing.get() : create();
  }
}
