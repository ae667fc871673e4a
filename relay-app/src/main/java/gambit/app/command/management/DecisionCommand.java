package gambit.app.command.management;

import com.fasterxml.jackson.databind.JsonNode;
import gambit.app.common.CommandFailure;
import gambit.core.model.Bytes32;
import gambit.core.model.Hex;
import gambit.core.model.Kind;
import gambit.core.model.Nip19;
import gambit.core.model.PubKey;
import gambit.core.rate.ClientAddress;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** A command that decides on an author, an event, a kind or an address. */
public abstract class DecisionCommand extends ManagementCommand {
  @Parameters(
      paramLabel = "TARGET",
      description =
          "An author (npub, nprofile), an event (note, nevent), hex digits of either, a kind (a"
              + " number), or an IP address.")
  private String target = "";

  @Option(
      names = "--reason",
      paramLabel = "TEXT",
      description = "A reason for the audit log and the list of bans.")
  private String reason = "";

  private final String done;

  private DecisionCommand(String done) {
    this.done = done;
  }

  /**
   * What is decided on: the methods of NIP-86 for it, and their first parameter.
   *
   * @param allow empty for an address, which can only be banned
   */
  record Target(String ban, String allow, Object parameter) {}

  abstract void decide(Target on, String why) throws CommandFailure;

  @Override
  protected final int run() throws CommandFailure {
    decide(target(), reason);
    printLine(done + target);
    return 0;
  }

  /** Reads the argument. The relay finds out whether hex digits are of an event or an author. */
  private Target target() throws CommandFailure {
    Optional<Bytes32> named = Nip19.parse(target);
    if (named.isPresent()) {
      return named.get() instanceof PubKey ? author(named.get().hex()) : event(named.get().hex());
    } else if (Hex.isLowerCase(target, 64)) {
      JsonNode type = call("identify", target);
      if (type.isNull()) {
        throw new CommandFailure(
            target
                + ": no event here has this id or author; write it as npub or note, since these"
                + " digits can be either.");
      }
      return type.asText().equals("event") ? event(target) : author(target);
    } else if (target.matches("[0-9]{1,5}") && Integer.parseInt(target) <= Kind.MAX) {
      return new Target("disallowkind", "allowkind", Integer.valueOf(target));
    } else if (ClientAddress.parse(target).isPresent()) {
      return new Target("blockip", "", target);
    }
    throw new CommandFailure(
        target
            + ": expected npub, nprofile, note, nevent, 64 hex digits, a kind (0 to 65535) or an"
            + " IP address.");
  }

  private static Target author(String hex) {
    return new Target("banpubkey", "allowpubkey", hex);
  }

  private static Target event(String hex) {
    return new Target("banevent", "allowevent", hex);
  }

  @Command(
      name = "ban",
      description = {
        "Bans an author, an event, a kind or an IP address in the running relay, at once.",
        "A banned event is removed. Stored events of a banned author stay. A client at a banned"
            + " address is disconnected."
      },
      footerHeading = "%nExample:%n",
      footer = {
        "  gambit ban npub1... --reason spam",
        "  gambit ban nevent1...",
        "  gambit ban 203.0.113.7"
      })
  public static final class Ban extends DecisionCommand {
    Ban() {
      super("Banned: ");
    }

    @Override
    void decide(Target on, String why) throws CommandFailure {
      call(on.ban(), on.parameter(), why);
    }
  }

  @Command(
      name = "allow",
      description = {
        "Allows an author, an event or a kind in the running relay, and takes it from the queue of"
            + " reports.",
        "It is accepted where only listed ones are, and a ban of it is lifted. Where everything is"
            + " accepted, nothing else changes."
      },
      footerHeading = "%nExample:%n",
      footer = {"  gambit allow note1..."})
  public static final class Allow extends DecisionCommand {
    Allow() {
      super("Allowed: ");
    }

    @Override
    void decide(Target on, String why) throws CommandFailure {
      if (on.allow().isEmpty()) {
        throw new CommandFailure("An address can only be banned; gambit unban lifts its ban.");
      }
      call(on.allow(), on.parameter(), why);
    }
  }

  @Command(
      name = "unban",
      description = {
        "Lifts a ban in the running relay, or the decision to allow something: the settings decide"
            + " on it again."
      },
      footerHeading = "%nExample:%n",
      footer = {"  gambit unban npub1..."})
  public static final class Unban extends DecisionCommand {
    Unban() {
      super("Lifted: ");
    }

    @Override
    void decide(Target on, String why) throws CommandFailure {
      call("lift", on.ban(), on.parameter(), why);
    }
  }
}
