package gambit.app.command.management;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import gambit.app.common.CommandFailure;
import gambit.app.common.ConsoleCommand;
import gambit.app.common.DataOption;
import gambit.app.common.SafeText;
import gambit.app.server.reload.ControlFile;
import gambit.core.model.Bytes32;
import gambit.core.model.Hex;
import gambit.core.model.Kind;
import gambit.core.model.Nip19;
import gambit.core.model.PubKey;
import gambit.core.rate.ClientAddress;
import java.io.IOException;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** A command that calls methods of NIP-86 in the running relay of a data directory. */
@Command(
    exitCodeList = {
      "0:done",
      "1:the relay has refused it and nothing has changed, or no relay answers"
    })
public abstract class ManagementCommand extends ConsoleCommand {
  private static final ObjectMapper JSON = new ObjectMapper();

  @Mixin private DataOption data = new DataOption();

  /** Calls a method with texts and numbers; fails if no relay runs, or the relay refuses it. */
  final JsonNode call(String method, Object... params) throws CommandFailure {
    ObjectNode call = JSON.createObjectNode().put("method", method);
    ArrayNode list = call.putArray("params");
    for (Object param : params) {
      list.addPOJO(param);
    }
    ControlFile.Answer answer =
        ControlFile.ofRunning(data.directory()).post(ManagementChannel.PATH, call.toString());
    JsonNode json = read(answer.text());
    if (json.path("error").isTextual()) {
      throw new CommandFailure(sentence(json.get("error").textValue()));
    } else if (!answer.isSuccess()) {
      throw new CommandFailure(answer.text());
    }
    return json.path("result");
  }

  /** A text in the answer to a call, by its JSON pointer; empty if there is none. */
  public static Optional<String> text(String answer, String pointer) {
    JsonNode found = read(answer).at(pointer);
    return found.isTextual() ? Optional.of(found.textValue()) : Optional.empty();
  }

  private static JsonNode read(String text) {
    try {
      return JSON.readTree(text);
    } catch (IOException e) {
      return JSON.missingNode();
    }
  }

  private static String sentence(String error) {
    String upper = Character.toUpperCase(error.charAt(0)) + error.substring(1);
    return upper.endsWith(".") ? upper : upper + ".";
  }

  /** Prints a line; whatever controls a terminal in texts of admins is replaced. */
  final void printLine(String line) {
    print(SafeText.of(line, Integer.MAX_VALUE));
  }

  /** Prints a line for each of a list, or one if it is empty. */
  final void printEach(JsonNode list, String none, Function<JsonNode, String> line) {
    if (list.isEmpty()) {
      printLine(none);
    }
    list.forEach(each -> printLine(line.apply(each)));
  }

  /** Fields of an object in a format, times as text and reasons after a colon. */
  static String formatted(String format, JsonNode object, String... fields) {
    return format.formatted(Arrays.stream(fields).map(it -> text(object, it)).toArray());
  }

  private static String text(JsonNode object, String field) {
    String text = object.path(field).asText();
    return switch (field) {
      case "at", "newest" -> Instant.ofEpochSecond(object.path(field).asLong()).toString();
      case "reason" -> text.isEmpty() ? "" : ": " + text;
      default -> text;
    };
  }

  @Command(
      name = "audit",
      description = {"Lists the changes that admins and commands have made, the newest first."},
      footer = {"  gambit audit --max 20"})
  public static final class Audit extends ManagementCommand {
    @Option(
        names = "--max",
        paramLabel = "NUMBER",
        defaultValue = "100",
        description = "The most changes to list (default: 100; the relay keeps 10000).")
    private int max;

    @Override
    protected int run() throws CommandFailure {
      printEach(
          call("audit", max),
          "No changes.",
          entry ->
              formatted(
                  "%s  %s  %s  %s  %s%s",
                  entry, "number", "at", "by", "action", "target", "reason"));
      return 0;
    }
  }

  @Command(
      name = "bans",
      description = {"Lists the decisions in force, with what replaces settings."},
      footer = {"  gambit bans --data /var/lib/gambit"})
  public static final class Bans extends ManagementCommand {
    @Override
    protected int run() throws CommandFailure {
      JsonNode result = call("decisions");
      printEach(
          result.path("decisions"),
          "No decisions.",
          decision ->
              formatted(
                  "%-8s%s  %s  by %s%s", decision, "verdict", "subject", "at", "by", "reason"));
      for (Map.Entry<String, JsonNode> text : result.path("texts").properties()) {
        printLine("relay." + text.getKey() + " is replaced by: " + text.getValue().asText());
      }
      for (Map.Entry<String, JsonNode> list : result.path("settings").properties()) {
        String value = list.getValue().asText();
        if (!value.isEmpty() && !value.equals("0")) {
          String unit = list.getValue().isInt() ? " keys" : "";
          printLine("The settings have admission." + list.getKey() + ": " + value + unit);
        }
      }
      return 0;
    }
  }

  @Command(
      name = "reports",
      description = {
        "Lists the reported authors and events (NIP-56) on which nobody has decided, those with the most"
            + " reporters first.",
        "'gambit ban' and 'gambit allow' decide, and take them from the list."
      },
      footer = {"  gambit reports --data /var/lib/gambit"})
  public static final class Reports extends ManagementCommand {
    @Override
    protected int run() throws CommandFailure {
      JsonNode queue = call("reports");
      if (queue.isEmpty()) {
        printLine("No reports.");
      }
      for (JsonNode reported : queue) {
        printLine(formatted("%s  %s  (last %s)", reported, "subject", "summary", "newest"));
        reported.path("reporters").forEach(reporter -> printLine("  by " + reporter.asText()));
      }
      return 0;
    }
  }

  @Command(
      name = "manage",
      description = {
        "Calls a method of NIP-86 in the running relay, and prints its result.",
        "'gambit manage supportedmethods' lists the methods."
      },
      footer = {"  gambit manage changerelayname \"My relay\"", "  gambit manage listbannedevents"})
  public static final class Manage extends ManagementCommand {
    private static final Set<String> WITH_NUMBERS =
        Set.of("allowkind", "disallowkind", "audit", "createinvite");

    @Parameters(index = "0", paramLabel = "METHOD", description = "The name of the method.")
    private String method = "";

    @Parameters(
        index = "1..*",
        paramLabel = "PARAM",
        description =
            "Its parameters; for allowkind, disallowkind, audit and createinvite, digits are a number.")
    private List<String> params = List.of();

    @Override
    protected int run() throws CommandFailure {
      boolean takesNumbers = WITH_NUMBERS.contains(method);
      Object[] values =
          params.stream()
              .map(
                  it ->
                      takesNumbers && it.matches("[0-9]{1,9}") ? (Object) Integer.valueOf(it) : it)
              .toArray();
      printLine(call(method, values).toString());
      return 0;
    }
  }

  abstract static class Decision extends ManagementCommand {
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

    /** The methods of NIP-86 for what is decided on; an address can only be banned. */
    record Target(String ban, String allow, Object parameter) {}

    /** Makes the decision; returns what was done, in a word. */
    abstract String decide(Target on, String why) throws CommandFailure;

    @Override
    protected final int run() throws CommandFailure {
      printLine(decide(target(), reason) + ": " + target);
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
  }

  @Command(
      name = "ban",
      description = {
        "Bans an author, an event, a kind or an IP address in the running relay, at once.",
        "A banned event is removed. Stored events of a banned author stay. A client at a banned"
            + " address is disconnected."
      },
      footer = {
        "  gambit ban npub1... --reason spam",
        "  gambit ban nevent1...",
        "  gambit ban 203.0.113.7"
      })
  public static final class Ban extends Decision {
    @Override
    String decide(Target on, String why) throws CommandFailure {
      call(on.ban(), on.parameter(), why);
      return "Banned";
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
      footer = {"  gambit allow note1..."})
  public static final class Allow extends Decision {
    @Override
    String decide(Target on, String why) throws CommandFailure {
      if (on.allow().isEmpty()) {
        throw new CommandFailure("An address can only be banned; gambit unban lifts its ban.");
      }
      call(on.allow(), on.parameter(), why);
      return "Allowed";
    }
  }

  @Command(
      name = "unban",
      description = {
        "Lifts a ban in the running relay, or the decision to allow something: the settings decide"
            + " on it again."
      },
      footer = {"  gambit unban npub1..."})
  public static final class Unban extends Decision {
    @Override
    String decide(Target on, String why) throws CommandFailure {
      call("lift", on.ban(), on.parameter(), why);
      return "Lifted";
    }
  }
}
