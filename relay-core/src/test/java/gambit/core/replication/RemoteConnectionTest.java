package gambit.core.replication;

import static org.assertj.core.api.Assertions.assertThat;

import gambit.core.feature.Outgoing;
import gambit.core.model.Event;
import gambit.core.model.Tags;
import gambit.core.rate.ClientAddress;
import gambit.core.testkit.Keys;
import gambit.core.wire.RelayMessage.Ok;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What the leader sends to a connection that has closed. */
class RemoteConnectionTest {
  private final List<Outgoing> sent = new ArrayList<>();
  private final RemoteConnection connection =
      new RemoteConnection(
          new Effect.Client(7, 1), new ClientAddress(false, 1), false, sent::addAll);

  @Test
  void answerGoesToTheNodeThatWaitsForItAndNothingElseDoes() {
    connection.close();
    Event event = Keys.of("alice").sign(1, 1, Tags.NONE, "note");
    connection.requestLogin();
    assertThat(sent).isEmpty();
    Ok ok = Ok.accepted(event, "");
    connection.answer(event, ok);
    assertThat(sent).containsExactly(new Effect.Answer(new Effect.Client(7, 1), ok));
  }
}
