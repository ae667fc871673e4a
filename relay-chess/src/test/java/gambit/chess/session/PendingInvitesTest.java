package gambit.chess.session;

import static org.assertj.core.api.Assertions.assertThat;

import gambit.chess.dialect.InviteTerms;
import gambit.chess.dialect.SecretHash;
import gambit.chess.game.TimeControl;
import gambit.chess.rules.Position;
import gambit.chess.rules.Side;
import gambit.chess.session.play.ColourNotifications;
import gambit.core.feature.Row;
import gambit.core.model.EventId;
import gambit.core.model.PubKey;
import gambit.core.model.Sha256;
import gambit.core.rate.ClientAddress;
import gambit.core.testkit.Keys;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class PendingInvitesTest {
  private static final ClientAddress HERE = new ClientAddress(false, 1);
  private static final PubKey ALICE = Keys.of("alice").pubkey();
  private static final PubKey BOB = Keys.of("bob").pubkey();
  private static final ColourNotifications CONNECTS = new ColourNotifications();

  private final PendingInvites pending = new PendingInvites();

  @Test
  void inviteCountsOnceHoweverOftenItIsRestored() {
    PendingInvite invite = invite(1, null, null);
    for (int i = 0; i < 3; i++) {
      pending.add(invite);
      pending.add(invite);
      assertThat(pending.countFrom(HERE)).isEqualTo(1);
      assertThat(pending.countBy(ALICE)).isEqualTo(1);
      assertThat(pending.size()).isEqualTo(1);
      assertThat(pending.remove(invite)).isTrue();
      assertThat(pending.remove(invite)).isFalse();
      assertThat(pending.countFrom(HERE)).isZero();
      assertThat(pending.countBy(ALICE)).isZero();
      assertThat(pending.hasInvitesBy(ALICE)).isFalse();
    }
  }

  @Test
  void invitesOfAnAddressAreCountedIndividually() {
    pending.add(invite(1, null, null));
    pending.add(invite(2, BOB, null));
    pending.remove(invite(1, null, null));
    assertThat(pending.countFrom(HERE)).isEqualTo(1);
    assertThat(pending.countBy(ALICE)).isEqualTo(1);
    assertThat(pending.hasInvitesBy(ALICE)).isTrue();
    assertThat(pending.countFrom(new ClientAddress(false, 2))).isZero();
  }

  @Test
  void rematchIsFoundByItsGameAndAskedPlayer() {
    PendingInvite rematch = invite(1, BOB, id(7));
    pending.add(invite(2, BOB, null));
    pending.add(rematch);
    assertThat(pending.rematch(id(7), BOB, 0)).contains(rematch);
    assertThat(pending.rematch(id(8), BOB, 0)).isEmpty();
    assertThat(pending.rematch(id(7), ALICE, 0)).isEmpty();
    assertThat(pending.rematch(id(7), BOB, 1_800_000_000_000L)).as("expired").isEmpty();
    pending.remove(rematch);
    assertThat(pending.rematch(id(7), BOB, 0)).isEmpty();
  }

  @Test
  void rowIsReadBackAsItsInvite() {
    for (PendingInvite invite :
        new PendingInvite[] {invite(1, null, null), invite(2, BOB, id(7)), invite(4, null, null)}) {
      Row row = invite.row();
      byte[] value = Objects.requireNonNull(row.value());
      PendingInvite read = PendingInvite.read(HexFormat.of().formatHex(row.key()), value);
      assertThat(read.id()).isEqualTo(invite.id());
      assertThat(read.author()).isEqualTo(ALICE);
      assertThat(read.from()).isNull();
      assertThat(read.createdAt()).isEqualTo(invite.createdAt());
      assertThat(read.rematchOf()).isEqualTo(invite.rematchOf());
      assertThat(read.terms().opponent()).isEqualTo(invite.terms().opponent());
      assertThat(read.terms().inviter()).isEqualTo(invite.terms().inviter());
      assertThat(read.terms().time()).isEqualTo(invite.terms().time());
      assertThat(read.terms().initial().fen()).isEqualTo(invite.terms().initial().fen());
      assertThat(read.terms().expiresAt()).isEqualTo(invite.terms().expiresAt());
      assertThat(read.terms().isUnlisted()).isEqualTo(invite.terms().isUnlisted());
      assertThat(read.terms().secretHash()).isEqualTo(invite.terms().secretHash());
    }
  }

  private static PendingInvite invite(
      int number, @Nullable PubKey opponent, @Nullable EventId rematchOf) {
    InviteTerms terms =
        new InviteTerms(
            opponent,
            opponent == null ? null : Side.BLACK,
            TimeControl.TEN_MINUTES_A_MOVE,
            Position.initial(),
            1 + number % 5,
            number % 3 == 0,
            1_800_000_000L,
            number % 2 == 0,
            number % 4 == 0 ? SecretHash.of(Sha256.of("secret")) : null);
    return new PendingInvite(id(number), ALICE, HERE, 1_700_000_000L, terms, rematchOf, CONNECTS);
  }

  private static EventId id(int number) {
    return new EventId(ByteBuffer.allocate(32).putInt(number).array());
  }
}
