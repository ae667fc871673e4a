package gambit.core.ingest;

import static org.assertj.core.api.Assertions.assertThat;

import gambit.core.crypto.Signer;
import gambit.core.model.Event;
import gambit.core.model.Tags;
import gambit.core.testkit.Client;
import gambit.core.testkit.Keys;
import gambit.core.testkit.TestRelay;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Deletion requests (NIP-09), over a real socket. */
class DeletionsTest {
  private static final Signer ALICE = Keys.of("alice");
  private static final Signer BOB = Keys.of("bob");
  private static final String DELETED = "blocked: the event was deleted by its author";

  private final TestRelay relay = new TestRelay();
  private final Client client = relay.connect();
  private final long now = relay.now();

  @AfterEach
  void end() {
    client.close();
    relay.close();
  }

  @Test
  void eventDeletedByItsAuthorIsNotServedAndCannotBeStoredAgain() {
    Event note = client.publishAccepted(ALICE.sign(now, 1, Tags.NONE, "note"));
    Event deletion = client.publishAccepted(deletion(ALICE, now, "e", note.id().hex()));
    assertThat(client.queryIds("{}")).containsExactly(deletion.id().hex());
    assertThat(client.answerTo(note)).isEqualTo(DELETED);
  }

  @Test
  void eventDeletedBeforeItArrivesIsRefused() {
    Event note = ALICE.sign(now, 1, Tags.NONE, "note");
    client.publishAccepted(deletion(ALICE, now, "e", note.id().hex()));
    assertThat(client.answerTo(note)).isEqualTo(DELETED);
  }

  @Test
  void deletionOfAnotherAuthorsEventIsAcceptedAndHasNoEffect() {
    Event note = ALICE.sign(now, 1, Tags.NONE, "note");
    client.publishAccepted(deletion(BOB, now, "e", note.id().hex()));
    client.publishAccepted(note);
    client.publishAccepted(deletion(BOB, now + 1, "e", note.id().hex()));
    assertThat(client.queryIds("{\"kinds\":[1]}")).containsExactly(note.id().hex());
  }

  @Test
  void addressIsDeletedUpToTheTimeOfTheRequest() {
    Tags d = new Tags(List.of(List.of("d", "x:y")));
    Event first = client.publishAccepted(ALICE.sign(now - 10, 30_023, d, "first"));
    String address = "30023:" + ALICE.pubkey().hex() + ":x:y";
    client.publishAccepted(deletion(BOB, now, "a", address));
    assertThat(client.queryIds("{\"kinds\":[30023]}")).containsExactly(first.id().hex());
    client.publishAccepted(deletion(ALICE, now - 5, "a", address));
    assertThat(client.queryIds("{\"kinds\":[30023]}")).isEmpty();
    assertThat(client.answerTo(ALICE.sign(now - 5, 30_023, d, "second"))).isEqualTo(DELETED);
    Event third = client.publishAccepted(ALICE.sign(now - 4, 30_023, d, "third"));
    assertThat(client.queryIds("{\"kinds\":[30023]}")).containsExactly(third.id().hex());
    client.publishAccepted(
        deletion(ALICE, now - 7, "a", address)); // an older request takes nothing back
    assertThat(client.queryIds("{\"kinds\":[30023]}")).containsExactly(third.id().hex());
    assertThat(client.answerTo(ALICE.sign(now - 6, 30_023, d, "fourth"))).isEqualTo(DELETED);
  }

  @Test
  void replaceableEventIsDeletedByItsAddress() {
    client.publishAccepted(ALICE.sign(now, 10_002, Tags.NONE, "relays"));
    client.publishAccepted(deletion(ALICE, now, "a", "10002:" + ALICE.pubkey().hex() + ":"));
    assertThat(client.queryIds("{\"kinds\":[10002]}")).isEmpty();
    client.publishAccepted(ALICE.sign(now, 0, Tags.NONE, "profile"));
    client.publishAccepted(deletion(ALICE, now, "a", "0:" + ALICE.pubkey().hex() + ":x"));
    client.publishAccepted(deletion(ALICE, now, "a", "1:" + ALICE.pubkey().hex() + ":"));
    client.publishAccepted(deletion(ALICE, now, "a", "no address"));
    assertThat(client.queryIds("{\"kinds\":[0]}")).hasSize(1);
  }

  @Test
  void deletionOfADeletionHasNoEffect() {
    Event note = client.publishAccepted(ALICE.sign(now, 1, Tags.NONE, "note"));
    Event deletion = client.publishAccepted(deletion(ALICE, now, "e", note.id().hex()));
    client.publishAccepted(deletion(ALICE, now, "e", deletion.id().hex()));
    assertThat(client.queryIds("{\"kinds\":[5]}")).hasSize(2);
    assertThat(client.answerTo(note)).isEqualTo(DELETED);
  }

  @Test
  void giftWrapIsDeletedByItsRecipient() {
    client.login(now, BOB);
    Tags forBob = new Tags(List.of(List.of("p", BOB.pubkey().hex())));
    Event wrap = client.publishAccepted(Keys.of("once").sign(now, 1059, forBob, "sealed"));
    client.publishAccepted(deletion(ALICE, now, "e", wrap.id().hex()));
    assertThat(client.queryIds("{\"kinds\":[1059]}")).hasSize(1);
    client.publishAccepted(deletion(BOB, now, "e", wrap.id().hex()));
    assertThat(client.queryIds("{\"kinds\":[1059]}")).isEmpty();
    assertThat(client.answerTo(wrap)).isEqualTo(DELETED);
    Event early = Keys.of("once").sign(now, 1059, forBob, "early");
    client.publishAccepted(deletion(BOB, now, "e", early.id().hex()));
    assertThat(client.answerTo(early)).isEqualTo(DELETED);
  }

  private static Event deletion(Signer author, long at, String tag, String what) {
    return author.sign(at, 5, new Tags(List.of(List.of(tag, what))), "");
  }
}
