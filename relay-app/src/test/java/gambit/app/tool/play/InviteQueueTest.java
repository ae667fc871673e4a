package gambit.app.tool.play;

import static org.assertj.core.api.Assertions.assertThat;

import gambit.app.tool.client.ReceivedInvite;
import gambit.app.tool.play.InviteDialogue.InviteQueue;
import gambit.core.crypto.Signer;
import gambit.core.model.Event;
import gambit.core.model.Tags;
import org.junit.jupiter.api.Test;

class InviteQueueTest {
  private static final long NOW = 1_700_000_000;

  private final InviteQueue invites = new InviteQueue();

  private static ReceivedInvite invite(long expiration) {
    Event event = Signer.random().sign(NOW, 5000, Tags.NONE, "invite");
    return new ReceivedInvite(event.id(), event.pubkey(), null, null, null, 0, expiration);
  }

  @Test
  void anInviteThatComesMeanwhileDoesNotReplaceTheOneThatIsAskedAbout() {
    ReceivedInvite ofFriend = invite(0);
    ReceivedInvite ofStranger = invite(0);
    invites.add(ofFriend, NOW);
    assertThat(invites.askNext(NOW)).isEqualTo(ofFriend);
    invites.add(ofStranger, NOW + 1);
    assertThat(invites.askNext(NOW + 1)).isNull();
    assertThat(invites.asked(NOW + 1)).isEqualTo(ofFriend);
    invites.answered();
    assertThat(invites.asked(NOW + 2)).isNull();
    assertThat(invites.askNext(NOW + 2)).isEqualTo(ofStranger);
    invites.answered();
    assertThat(invites.askNext(NOW + 3)).isNull();
  }

  @Test
  void anExpiredInviteMakesRoomForTheNextOneWhenNoAnswerToItCanBeOnItsWay() {
    ReceivedInvite expiring = invite(NOW + 60);
    ReceivedInvite next = invite(NOW + 300);
    invites.add(expiring, NOW);
    invites.add(next, NOW);
    assertThat(invites.askNext(NOW)).isEqualTo(expiring);
    assertThat(invites.askNext(NOW + 70)).isNull();
    assertThat(invites.asked(NOW + 70)).isEqualTo(expiring);
    assertThat(invites.asked(NOW + 71)).isNull();
    assertThat(invites.askNext(NOW + 71)).isEqualTo(next);
  }

  @Test
  void aDirectInviteWithoutAnExpirationLastsADay() {
    ReceivedInvite unlimited = invite(0);
    invites.add(unlimited, NOW);
    invites.askNext(NOW);
    assertThat(invites.asked(NOW + 86_400)).isEqualTo(unlimited);
    assertThat(invites.asked(NOW + 86_411)).isNull();
  }

  @Test
  void invitesBeyondTheBoundAreDroppedUntilOthersHaveExpired() {
    for (int i = 0; i < InviteQueue.MAX_WAITING; i++) {
      assertThat(invites.add(invite(NOW + 60), NOW)).isTrue();
    }
    assertThat(invites.add(invite(0), NOW)).isFalse();
    ReceivedInvite later = invite(0);
    assertThat(invites.add(later, NOW + 71)).isTrue();
    assertThat(invites.askNext(NOW + 71)).isEqualTo(later);
  }

  @Test
  void aGameThatBeginsEndsAllQuestions() {
    invites.add(invite(0), NOW);
    invites.add(invite(0), NOW);
    invites.askNext(NOW);
    invites.clear();
    assertThat(invites.asked(NOW)).isNull();
    assertThat(invites.askNext(NOW)).isNull();
  }
}
