package gambit.core.replication;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import gambit.core.crypto.EventVerifier;
import gambit.core.crypto.LazilySignedEvent;
import gambit.core.feature.ClientConnection;
import gambit.core.feature.Outgoing;
import gambit.core.feature.Outgoing.Fallback;
import gambit.core.feature.Submission;
import gambit.core.model.Event;
import gambit.core.model.PackedEvent;
import gambit.core.model.Tags;
import gambit.core.rate.ClientAddress;
import gambit.core.store.StoredEvent;
import gambit.core.testkit.Keys;
import gambit.core.wire.Reason;
import gambit.core.wire.RelayMessage.Ok;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What one follower does for each type of effect, and what is not sent. */
class EffectsTest {
  private static final Event NOTE = Keys.of("alice").sign(1, 1, Tags.NONE, "note");
  private static final Event REPLY = Keys.of("bob").sign(2, 1, Tags.NONE, "reply");

  private final RemoteReports reports = new RemoteReports(0);
  private final OutputEncoder encoder = new OutputEncoder(reports, 1 << 20);
  private final FakeLocalClients side = new FakeLocalClients(7, reports);
  private final FakeConnection client = side.open(1);
  private final List<Outgoing> put = new ArrayList<>();
  private final RemoteConnection remote = remote(7, 1);

  private RemoteConnection remote(long node, long number) {
    return new RemoteConnection(
        new Effect.Client(node, number), new ClientAddress(false, 1), false, put::addAll);
  }

  private List<Outgoing> exchange(Outgoing... output) {
    OutputEncoder.Split split = encoder.split(List.of(output), List.of(), 0);
    return side.decode(effects(split), List.of());
  }

  private static byte[] effects(OutputEncoder.Split split) {
    assertThat(split.parts()).hasSize(1);
    return split.parts().get(0);
  }

  private static Submission submission(Event event, ClientConnection from) {
    return new Submission(event, from, Instant.EPOCH, false, false, it -> {});
  }

  @Test
  void outputForLocalClientsHasNoEffects() {
    FakeConnection local = new FakeConnection("local");
    List<Outgoing> output =
        List.of(
            new Outgoing.Answer(submission(NOTE, local), Ok.accepted(NOTE, "")),
            new Outgoing.LateOk(local, Ok.accepted(NOTE, "")),
            new Outgoing.Multicast(NOTE, Set.of(local), List.of(new Fallback(local, 1))),
            new Outgoing.OutputReport(Set.of(local), () -> {}));
    OutputEncoder.Split split = encoder.split(output, List.of(), 0);
    assertThat(effects(split)).isEmpty();
    assertThat(split.local()).isEqualTo(output);
  }

  @Test
  void answersRemoveTheOldestSubmissionOfTheConnectionWithThatId() {
    FakeConnection other = side.open(2);
    Submission first = submission(NOTE, client);
    Submission second = submission(NOTE, client);
    List.of(submission(REPLY, client), submission(NOTE, other), first, second)
        .forEach(side::forwarded);
    remote.answer(NOTE, Ok.accepted(NOTE, ""));
    remote.answer(NOTE, Ok.duplicate(NOTE, Reason.duplicate("known")));
    remote.answer(NOTE, Ok.duplicate(NOTE, Reason.duplicate("once more")));
    List<Outgoing> answers = exchange(put.toArray(Outgoing[]::new));
    assertThat(answers).hasSize(2);
    assertThat(((Outgoing.Answer) answers.get(0)).to()).isSameAs(first);
    assertThat(((Outgoing.Answer) answers.get(1)).to()).isSameAs(second);
    assertThat(((Outgoing.Answer) answers.get(1)).ok().text()).isEqualTo("duplicate: known");
  }

  @Test
  void answerToASubmissionThatIsNotKnownHasNoEffect() {
    Outgoing.Answer answer =
        new Outgoing.Answer(submission(NOTE, remote), Ok.accepted("another text", ""));
    assertThat(exchange(answer)).isEmpty();
    assertThat(exchange(new Outgoing.Answer(submission(NOTE, remote), Ok.accepted(NOTE, ""))))
        .isEmpty();
  }

  @Test
  void whatTheLeaderSendsToAConnectionArrivesAtItsNode() {
    remote.send(Ok.refused(NOTE, Reason.error("too late")));
    remote.requestLogin();
    assertThat(exchange(put.toArray(Outgoing[]::new)))
        .containsExactly(new Outgoing.LateOk(client, Ok.refused(NOTE, Reason.error("too late"))));
    assertThat(client.loginRequests()).isEqualTo(1);
  }

  @Test
  void effectsOnAnotherNodeAreSkipped() {
    RemoteConnection elsewhere = remote(8, 1);
    elsewhere.send(Ok.accepted(NOTE, ""));
    elsewhere.requestLogin();
    elsewhere.afterOutput(() -> {});
    put.add(new Outgoing.Multicast(NOTE, Set.of(elsewhere), List.of()));
    put.add(new Outgoing.Answer(submission(NOTE, elsewhere), Ok.accepted(NOTE, "")));
    side.forwarded(submission(NOTE, client));
    assertThat(exchange(put.toArray(Outgoing[]::new))).isEmpty();
    assertThat(client.loginRequests()).isZero();
    assertThat(side.takeCalls()).isEmpty();
    assertThat(side.answered(1, NOTE.id())).isNotNull();
  }

  @Test
  void eventOfTheGroupIsNamedByItsPlaceAndAnotherIsSentOnce() {
    List<Event> added = List.of(REPLY, NOTE);
    List<Outgoing> output =
        List.of(
            new Outgoing.Broadcast(REPLY, List.of()),
            new Outgoing.Broadcast(NOTE, List.of()),
            new Outgoing.SubscriptionCheck(REPLY));
    byte[] known = effects(encoder.split(output, added, 0));
    assertThat(known).hasSize(3 + 2 + 3);
    int note = PackedEvent.sizeInBytes(NOTE) + 2;
    assertThat(effects(encoder.split(output, List.of(REPLY), 0))).hasSize(known.length + note);
    assertThat(effects(encoder.split(output, List.of(NOTE), 0)).length)
        .isBetween(known.length + note, known.length + 2 * note);
    List<StoredEvent> stored = added.stream().map(it -> new StoredEvent(1, it, 1)).toList();
    List<Outgoing> decoded = side.decode(known, stored);
    assertThat(((Outgoing.Broadcast) decoded.get(0)).event()).isSameAs(REPLY);
    assertThat(((Outgoing.Broadcast) decoded.get(1)).event()).isSameAs(NOTE);
    assertThatIllegalArgumentException().isThrownBy(() -> side.decode(known, stored.subList(0, 1)));
  }

  @Test
  void stateIsBuiltOnceByTheLeaderAndSignedByEachNode() {
    List<String> built = new ArrayList<>();
    LazilySignedEvent state = Keys.of("relay").signLazily(3, 20_302, Tags.NONE, "state");
    Outgoing.Current current =
        new Outgoing.Current(
            "game",
            20_302,
            Set.of(NOTE.pubkey()),
            () -> {
              built.add("state");
              return state;
            },
            true);
    OutputEncoder.Split split = encoder.split(List.of(current), List.of(), 0);
    assertThat(((Outgoing.Current) split.local().get(0)).state().get()).isSameAs(state);
    Outgoing.Current received = (Outgoing.Current) side.decode(effects(split), List.of()).get(0);
    Event signed = received.state().get().signed();
    assertThat(built).hasSize(1);
    assertThat(signed.id()).isEqualTo(state.id());
    assertThat(signed.content()).isEqualTo("state");
    assertThat(new EventVerifier().hasValidSignature(signed)).isTrue();
    assertThat(received.state().get().signed()).isSameAs(signed);
  }

  @Test
  void stateByAnotherKeyIsRefused() {
    LazilySignedEvent state = Keys.of("another relay").signLazily(3, 20_302, Tags.NONE, "state");
    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> exchange(new Outgoing.Current("game", 20_302, Set.of(), () -> state, false)))
        .withMessage("the event is by another key than this relay's");
  }

  @Test
  void multicastWithoutAConsumerExpectsNoReport() {
    exchange(new Outgoing.Multicast(NOTE, Set.of(remote), List.of()));
    assertThat(reports.size()).isZero();
  }

  @Test
  void multicastToClosedConnectionsIsReportedByTheLeader() {
    List<Boolean> sent = new ArrayList<>();
    remote.close();
    OutputEncoder.Split split =
        encoder.split(
            List.of(new Outgoing.Multicast(NOTE, Set.of(remote), List.of(), sent::add)),
            List.of(),
            0);
    assertThat(effects(split)).isEmpty();
    assertThat(split.local()).hasSize(1);
    ((Outgoing.Multicast) split.local().get(0)).whetherSent().accept(false);
    assertThat(sent).containsExactly(false);
  }
}
