package gambit.chess.simulation;

import gambit.core.feature.Commit;
import gambit.core.feature.Outgoing;
import gambit.core.feature.Row;
import gambit.core.model.Event;
import gambit.core.model.PubKey;
import java.util.Collection;
import java.util.HexFormat;
import java.util.function.Supplier;

/**
 * With {@code -Dgambit.trace=}, prints every line that contains the text, such as a player's key.
 */
final class Trace {
  private final String wanted = System.getProperty("gambit.trace", "");
  private final ManualTime time;

  Trace(ManualTime time) {
    this.time = time;
  }

  void add(String what, Event event) {
    print(() -> what + " " + event);
  }

  void add(String what, Commit commit) {
    if (!wanted.isEmpty()) {
      StringBuilder line = new StringBuilder(what);
      commit.events().forEach(event -> line.append(' ').append(event));
      for (Row row : commit.rows()) {
        String key = HexFormat.of().formatHex(row.key());
        String value = row.value() == null ? "" : HexFormat.of().formatHex(row.value());
        line.append(' ').append(row.table()).append(' ').append(key).append('=').append(value);
      }
      print(line::toString);
    }
  }

  void told(Outgoing item) {
    if (item instanceof Outgoing.Answer answer) {
      print(
          () ->
              "OK to "
                  + answer.to().event()
                  + " at "
                  + answer.to().connection()
                  + ": "
                  + answer.ok());
    } else if (item instanceof Outgoing.Current current) {
      print(() -> "state " + current.state().get().unsigned() + (current.ends() ? " ends" : ""));
    } else {
      print(() -> "told " + item);
    }
  }

  void closed(SimulatedConnection socket, Collection<PubKey> players) {
    print(() -> socket + " closed, of " + players);
  }

  private void print(Supplier<String> line) {
    if (!wanted.isEmpty()) {
      String text = line.get();
      if (text.contains(wanted)) {
        System.out.println(time.instant() + " " + text);
      }
    }
  }
}
