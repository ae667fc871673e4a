package gambit.app.command.data;

import gambit.app.common.CommandFailure;
import gambit.app.common.ConsoleCommand;
import gambit.app.common.DataOption;
import gambit.app.common.ErrorMessages;
import gambit.app.common.OutputFile;
import gambit.app.common.PrivateFile;
import gambit.app.tool.client.KeyFile;
import gambit.core.crypto.Signer;
import gambit.core.files.Directories;
import gambit.core.files.DirectoryLock;
import gambit.core.model.Nip19;
import gambit.core.model.PubKey;
import java.io.Console;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * {@code gambit key}: the secret keys of a data directory. A secret is never an argument, which
 * other users of the machine could read, and an existing key is never replaced.
 */
@Command(
    name = "key",
    description = "Shows, imports and exports the relay's secret key, or its house player's.",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "(show | import | export)",
    subcommands = {KeyCommand.Show.class, KeyCommand.Import.class, KeyCommand.Export.class},
    exitCodeListHeading = "%nExit status:%n",
    exitCodeList = {"0:done", "1:refused, with the reason in a sentence"},
    footer = "  gambit key show --data /var/lib/gambit")
public final class KeyCommand {
  /** The longest input that is read: a key with some white space. */
  private static final int MAX_INPUT_BYTES = 1_000;

  @Command(exitCodeList = {"0:done", "1:refused, with the reason in a sentence"})
  abstract static class OnKeyFile extends ConsoleCommand {
    @Mixin private DataOption data = new DataOption();

    @Option(names = "--house", description = "The house player's key instead of the relay's.")
    private boolean isOfHouse;

    final Path directory() {
      return data.directory();
    }

    final Path file() {
      return directory().resolve(isOfHouse ? "house.key" : "relay.key");
    }
  }

  private static PubKey pubkey(byte[] secret) {
    return new Signer(secret).pubkey();
  }

  /** Reads a file, which an option names: with a colon and a space, or empty for none. */
  private static byte[] read(Path file, String option) throws CommandFailure {
    String begun = option.isEmpty() ? "There" : option + "there";
    return KeyFile.readSecret(file, option)
        .orElseThrow(() -> new CommandFailure(begun + " is no " + file + "."));
  }

  @Command(
      name = "show",
      description = "Prints the public key, as npub and in hex, and the key's file.",
      footer = "  gambit key show --data /var/lib/gambit")
  static final class Show extends OnKeyFile {
    @Override
    protected int run() throws CommandFailure {
      PubKey key = pubkey(read(file(), ""));
      print(Nip19.npub(key), key.hex(), "" + file());
      return 0;
    }
  }

  @Command(
      name = "export",
      description = "Writes the secret key, as nsec, into a new private file, or prints it.",
      footer = "  gambit key export --data /var/lib/gambit --to relay.nsec")
  static final class Export extends OnKeyFile {
    @ArgGroup(exclusive = true, multiplicity = "1")
    private Target target = new Target();

    static final class Target {
      @Option(
          names = "--to",
          paramLabel = "FILE",
          required = true,
          description = "A new file, which only its owner may read.")
      private @Nullable Path file;

      @Option(names = "--stdout", required = true, description = "Standard output.")
      private boolean isStdout;
    }

    @Override
    protected int run() throws CommandFailure {
      String nsec = Nip19.nsec(read(file(), ""));
      Path file = target.file;
      if (target.isStdout || file == null) {
        printError(
            "Whoever has this line can act with this key: keep it out of logs and of the shell's"
                + " history.");
        print(nsec);
        return 0;
      }
      Path absolute = file.toAbsolutePath().normalize();
      if (Files.isRegularFile(absolute)) {
        throw new CommandFailure(absolute + " exists, and is not replaced.");
      }
      try {
        OutputFile.write(absolute, nsec + "\n");
      } catch (IOException e) {
        throw new CommandFailure("Cannot write " + absolute + ": " + ErrorMessages.of(e) + ".");
      }
      print("Exported the key into " + absolute + ".");
      return 0;
    }
  }

  @Command(
      name = "import",
      description =
          "Reads a secret key, an nsec or 64 hex digits, and makes it the key of a data directory"
              + " without one. The relay must be stopped.",
      footer = "  gambit key import --data /var/lib/gambit --from relay.nsec")
  static final class Import extends OnKeyFile {
    @Option(
        names = "--from",
        paramLabel = "FILE",
        description = "A file that only its owner may read (default: standard input).")
    private @Nullable Path from;

    @Override
    protected int run() throws CommandFailure {
      requireNoKey();
      byte[] secret =
          from == null ? readInput() : read(from.toAbsolutePath().normalize(), "--from: ");
      try {
        Directories.createPrivate(directory());
        DirectoryLock lock = new DirectoryLock(directory(), "gambit.lock");
        try (lock) {
          requireNoKey();
          PrivateFile.create(file(), HexFormat.of().formatHex(secret));
          Directories.syncParent(file());
        }
      } catch (DirectoryLock.InUse e) {
        throw new CommandFailure("--data: " + e.getMessage() + "; stop the relay first.");
      } catch (IOException e) {
        throw new CommandFailure(
            "--data: cannot use " + directory() + ": " + ErrorMessages.of(e) + ".");
      }
      print("Imported " + Nip19.npub(pubkey(secret)) + " into " + file() + ".");
      return 0;
    }

    private void requireNoKey() throws CommandFailure {
      if (Files.exists(file())) {
        throw new CommandFailure(
            file() + " exists and is never replaced; move it away first if that is meant.");
      }
    }

    /** Reads standard input; a terminal does not show the key that is typed. */
    private static byte[] readInput() throws CommandFailure {
      Console terminal = terminal();
      if (terminal != null) {
        char[] typed = terminal.readPassword("Secret key (nsec or hex), which is not shown: ");
        return KeyFile.parse(typed == null ? "" : new String(typed).strip(), "The typed line");
      }
      try {
        byte[] read = System.in.readNBytes(MAX_INPUT_BYTES);
        return KeyFile.parse(new String(read, StandardCharsets.US_ASCII).strip(), "Standard input");
      } catch (IOException e) {
        throw new CommandFailure("Cannot read standard input: " + ErrorMessages.of(e) + ".");
      }
    }
  }
}
