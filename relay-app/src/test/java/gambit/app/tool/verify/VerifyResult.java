package gambit.app.tool.verify;

import gambit.core.limit.LimitValues;
import gambit.core.model.Event;
import gambit.core.store.Transaction;
import gambit.core.testkit.MemoryEventStore;
import gambit.core.testkit.TestRelay;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.util.List;
import picocli.CommandLine;

/** The output and exit status of {@code gambit verify}. */
public record VerifyResult(int status, String output, String errors) {

  /** The lines of a section. */
  List<String> section(String title) {
    return output
        .lines()
        .dropWhile(line -> !line.equals(title))
        .skip(1)
        .takeWhile(line -> line.startsWith("  "))
        .toList();
  }

  /** Runs {@code gambit verify}. */
  static VerifyResult of(String... arguments) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int status =
        new CommandLine(new VerifyCommand())
            .setOut(new PrintWriter(out))
            .setErr(new PrintWriter(err))
            .execute(arguments);
    return new VerifyResult(status, out.toString(), err.toString());
  }

  public static VerifyResult of(String game, URI relay) {
    return of(game, "--relay", relay.toString());
  }

  /** Runs the command with a relay that stores these events only. */
  static VerifyResult on(List<Event> stored, String game) {
    try (TestRelay relay = relay(stored)) {
      return of(game, relay.uri());
    }
  }

  /** A relay that stores these events only, unchecked. */
  static TestRelay relay(List<Event> stored) {
    return relay(stored, LimitValues.DEFAULT);
  }

  /** The same relay with other limits. */
  static TestRelay relay(List<Event> stored, LimitValues limits) {
    MemoryEventStore store = new MemoryEventStore(64 << 20);
    try (Transaction transaction = store.begin()) {
      stored.forEach(event -> transaction.append(event, Transaction.NEVER));
      transaction.commit();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
    return new TestRelay(limits, store);
  }
}
