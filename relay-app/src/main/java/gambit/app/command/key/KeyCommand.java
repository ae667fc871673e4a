package gambit.app.command.key;

import gambit.app.common.CommandOutput;
import gambit.app.common.DataOption;
import gambit.app.common.ErrorMessages;
import gambit.app.common.OutputFile;
import gambit.app.common.PrivateFile;
import gambit.core.crypto.Signer;
import gambit.core.model.Hex;
import gambit.core.model.Npub;
import gambit.core.model.Nsec;
import gambit.core.model.PubKey;
import gambit.core.store.disk.Directories;
import gambit.core.store.disk.DirectoryLock;
import java.io.Console;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * {@code gambit key}: the secret keys of a data directory. A secret is never an argument, which
 * other users of the machine could read, and an existing key is never replaced. Exit status 0:
 * done; 1: refused, with the reason; 2: wrong usage.
 */
@Command(
    name = "key",
    description = "Shows, imports and exports the relay's secret key, or its house player's.",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "(show | import | export)",
    exitCodeListHeading = "%nExit status:%n",
    exitCodeList = {"0:done", "1:refused, with the reason in a sentence", "2:wrong usage"},
    footerHeading = "%nExample:%n",
    footer = "  gambit key show --data /var/lib/gambit")
public final class KeyCommand implements Runnable {
  /** The longest input that is read: a key with some white space. */
  private static final int MAX_INPUT_BYTES = 1_000;

  @Spec private CommandSpec spec;

  /** Called by picocli, which then sets the fields. */
  public KeyCommand() {
    spec = CommandSpec.create();
  }

  @Override
  public void run() {
    throw new ParameterException(
        spec.commandLine(), "A subcommand is missing: show, import or export.");
  }

  /** Which key file. */
  static final class Place {
    @Mixin private DataOption data = new DataOption();

    @Option(names = "--house", description = "The house player's key instead of the relay's.")
    private boolean isOfHouse;

    Path directory() {
      return data.directory();
    }

    Path file() {
      return directory().resolve(isOfHouse ? "house.key" : "relay.key");
    }

    KeyPair read() throws Refusal {
      try {
        Optional<String> text = PrivateFile.read(file());
        return KeyPair.parse(
            text.orElseThrow(() -> new Refusal("There is no " + file() + ".")), "" + file());
      } catch (PrivateFile.Unusable e) {
        throw new Refusal(String.valueOf(e.getMessage()));
      } catch (IOException e) {
        throw new Refusal("Cannot read " + file() + ": " + ErrorMessages.of(e) + ".");
      }
    }
  }

  /** A secret key, with its public key. */
  private static final class KeyPair {
    private final byte[] secret;
    private final PubKey pubkey;

    private KeyPair(byte[] secret) {
      this.secret = secret;
      this.pubkey = new Signer(secret).pubkey();
    }

    static KeyPair parse(String text, String source) throws Refusal {
      try {
        byte[] secret =
            Hex.isLowerCase(text, 64)
                ? HexFormat.of().parseHex(text)
                : Nsec.parse(text)
                    .orElseThrow(
                        () ->
                            new Refusal(
                                source + ": neither an nsec nor 64 lower-case hex digits."));
        return new KeyPair(secret);
      } catch (IllegalArgumentException e) {
        throw new Refusal(source + ": not a key of secp256k1.");
      }
    }
  }

  /** Why the command does nothing. */
  private static final class Refusal extends Exception {
    private static final long serialVersionUID = 1;

    Refusal(String message) {
      super(message);
    }
  }

  private interface Action {
    void run() throws Refusal;
  }

  private static int attempt(CommandSpec spec, Action action) {
    try {
      action.run();
      return 0;
    } catch (Refusal e) {
      return CommandOutput.failed(spec, 1, String.valueOf(e.getMessage()));
    }
  }

  @Command(
      name = "show",
      description = "Prints the public key, as npub and in hex, and the key's file.",
      mixinStandardHelpOptions = true,
      exitCodeListHeading = "%nExit status:%n",
      exitCodeList = {"0:done", "1:refused, with the reason in a sentence", "2:wrong usage"},
      footerHeading = "%nExample:%n",
      footer = "  gambit key show --data /var/lib/gambit")
  int show(@Mixin Place place) {
    return attempt(
        spec,
        () -> {
          KeyPair key = place.read();
          CommandOutput.print(spec, Npub.of(key.pubkey), key.pubkey.hex(), "" + place.file());
        });
  }

  /** Where an exported key goes. */
  static final class ExportTarget {
    @Option(
        names = "--to",
        paramLabel = "FILE",
        required = true,
        description = "A new file, which only its owner may read.")
    private @Nullable Path file;

    @Option(names = "--stdout", required = true, description = "Standard output.")
    private boolean isStdout;
  }

  @Command(
      name = "export",
      description = "Writes the secret key, as nsec, into a new private file, or prints it.",
      mixinStandardHelpOptions = true,
      exitCodeListHeading = "%nExit status:%n",
      exitCodeList = {"0:done", "1:refused, with the reason in a sentence", "2:wrong usage"},
      footerHeading = "%nExample:%n",
      footer = "  gambit key export --data /var/lib/gambit --to relay.nsec")
  int export(
      @Mixin Place place, @ArgGroup(exclusive = true, multiplicity = "1") ExportTarget target) {
    return attempt(
        spec,
        () -> {
          String nsec = Nsec.of(place.read().secret);
          Path file = target.file;
          if (target.isStdout || file == null) {
            CommandOutput.printError(
                spec,
                "Whoever has this line can act with this key: keep it out of logs and of the"
                    + " shell's history.");
            CommandOutput.print(spec, nsec);
            return;
          }
          Path absolute = file.toAbsolutePath().normalize();
          if (Files.isRegularFile(absolute)) {
            throw new Refusal(absolute + " exists, and is not replaced.");
          }
          try {
            OutputFile.write(absolute, nsec + "\n");
          } catch (IOException e) {
            throw new Refusal("Cannot write " + absolute + ": " + ErrorMessages.of(e) + ".");
          }
          CommandOutput.print(spec, "Exported the key into " + absolute + ".");
        });
  }

  @Command(
      name = "import",
      description =
          "Reads a secret key, an nsec or 64 hex digits, and makes it the key of a data directory"
              + " without one. The relay must be stopped.",
      mixinStandardHelpOptions = true,
      exitCodeListHeading = "%nExit status:%n",
      exitCodeList = {"0:done", "1:refused, with the reason in a sentence", "2:wrong usage"},
      footerHeading = "%nExample:%n",
      footer = "  gambit key import --data /var/lib/gambit --from relay.nsec")
  int importKey(
      @Mixin Place place,
      @Option(
              names = "--from",
              paramLabel = "FILE",
              description = "A file that only its owner may read (default: standard input).")
          @Nullable Path from) {
    return attempt(
        spec,
        () -> {
          requireNoKey(place);
          KeyPair key = from == null ? readInput() : readFile(from.toAbsolutePath().normalize());
          importInto(place, key);
          CommandOutput.print(
              spec, "Imported " + Npub.of(key.pubkey) + " into " + place.file() + ".");
        });
  }

  private static void requireNoKey(Place place) throws Refusal {
    if (Files.exists(place.file())) {
      throw new Refusal(
          place.file() + " exists and is never replaced; move it away first if that is meant.");
    }
  }

  private static void importInto(Place place, KeyPair key) throws Refusal {
    try {
      Directories.createPrivate(place.directory());
      DirectoryLock lock = new DirectoryLock(place.directory(), "gambit.lock");
      try (lock) {
        requireNoKey(place);
        PrivateFile.create(place.file(), HexFormat.of().formatHex(key.secret));
        Directories.syncParent(place.file());
      }
    } catch (DirectoryLock.InUse e) {
      throw new Refusal("--data: " + e.getMessage() + "; stop the relay first.");
    } catch (IOException e) {
      throw new Refusal(
          "--data: cannot use " + place.directory() + ": " + ErrorMessages.of(e) + ".");
    }
  }

  private static KeyPair readFile(Path file) throws Refusal {
    try {
      Optional<String> text = PrivateFile.read(file);
      return KeyPair.parse(
          text.orElseThrow(() -> new Refusal("--from: there is no " + file + ".")),
          "--from: " + file);
    } catch (PrivateFile.Unusable e) {
      throw new Refusal("--from: " + e.getMessage());
    } catch (IOException e) {
      throw new Refusal("--from: cannot read " + file + ": " + ErrorMessages.of(e) + ".");
    }
  }

  /** Reads standard input; a terminal does not show the key that is typed. */
  private static KeyPair readInput() throws Refusal {
    Console terminal = CommandOutput.terminal();
    if (terminal != null) {
      char[] typed = terminal.readPassword("Secret key (nsec or hex), which is not shown: ");
      return KeyPair.parse(typed == null ? "" : new String(typed).strip(), "The typed line");
    }
    try {
      InputStream in = System.in;
      String text = new String(in.readNBytes(MAX_INPUT_BYTES), StandardCharsets.US_ASCII);
      return KeyPair.parse(text.strip(), "Standard input");
    } catch (IOException e) {
      throw new Refusal("Cannot read standard input: " + ErrorMessages.of(e) + ".");
    }
  }
}
