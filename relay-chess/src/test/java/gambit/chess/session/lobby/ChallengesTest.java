package gambit.chess.session.lobby;

import static org.assertj.core.api.Assertions.assertThat;

import gambit.chess.dialect.Terms;
import gambit.chess.game.TimeControl;
import gambit.chess.rules.Rules;
import gambit.chess.rules.Side;
import gambit.chess.session.journal.InviteRows;
import gambit.chess.session.runtime.ColourAnswers;
import gambit.core.feature.Row;
import gambit.core.model.EventId;
import gambit.core.model.PubKey;
import gambit.core.rate.ClientAddress;
import gambit.core.testkit.Keys;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ChallengesTest {
  private static final ClientAddress HERE = new ClientAddress(false, 1);
  private static final PubKey ALICE = Keys.of("alice").pubkey();
  private static final PubKey BOB = Keys.of("bob").pubkey();
  private static final ColourAnswers CONNECTS = new ColourAnswers();

  private final Challenges challenges = new Challenges();

  @Test
  void anInviteCountsOnceHoweverOftenItIsPutBack() {
    Challenge invite = challenge(1, null, null);
    for (int i = 0; i < 3; i++) {
      challenges.add(invite);
      challenges.add(invite);
      assertThat(challenges.from(HERE)).isEqualTo(1);
      assertThat(challenges.of(ALICE)).isEqualTo(1);
      assertThat(challenges.size()).isEqualTo(1);
      assertThat(challenges.remove(invite)).isTrue();
      assertThat(challenges.remove(invite)).isFalse();
      assertThat(challenges.from(HERE)).isZero();
      assertThat(challenges.of(ALICE)).isZero();
      assertThat(challenges.has(ALICE)).isFalse();
    }
  }

  @Test
  void theInvitesOfAnAddressAreCountedOneByOne() {
    challenges.add(challenge(1, null, null));
    challenges.add(challenge(2, BOB, null));
    challenges.remove(challenge(1, null, null));
    assertThat(challenges.from(HERE)).isEqualTo(1);
    assertThat(challenges.of(ALICE)).isEqualTo(1);
    assertThat(challenges.has(ALICE)).isTrue();
    assertThat(challenges.from(new ClientAddress(false, 2))).isZero();
  }

  @Test
  void aRematchIsFoundByItsGameAndWhoIsAskedForIt() {
    Challenge rematch = challenge(1, BOB, id(7));
    challenges.add(challenge(2, BOB, null));
    challenges.add(rematch);
    assertThat(challenges.rematch(id(7), BOB, 0)).contains(rematch);
    assertThat(challenges.rematch(id(8), BOB, 0)).isEmpty();
    assertThat(challenges.rematch(id(7), ALICE, 0)).isEmpty();
    assertThat(challenges.rematch(id(7), BOB, 1_800_000_000_000L)).as("expired").isEmpty();
    challenges.remove(rematch);
    assertThat(challenges.rematch(id(7), BOB, 0)).isEmpty();
  }

  @Test
  void aRowIsReadAsTheInviteThatItWasWrittenFor() {
    for (Challenge invite : new Challenge[] {challenge(1, null, null), challenge(2, BOB, id(7))}) {
      Row row = InviteRows.row(invite.stored());
      byte[] value = Objects.requireNonNull(row.value());
      Challenge read =
          Challenge.restored(InviteRows.read(HexFormat.of().formatHex(row.key()), value));
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
    }
  }

  private static Challenge challenge(
      int number, @Nullable PubKey opponent, @Nullable EventId rematchOf) {
    Terms terms =
        new Terms(
            opponent,
            opponent == null ? null : Side.BLACK,
            TimeControl.TEN_MINUTES_A_MOVE,
            Rules.initial(),
            1_800_000_000L);
    return new Challenge(id(number), ALICE, HERE, 1_700_000_000L, terms, rematchOf, CONNECTS);
  }

  private static EventId id(int number) {
    return new EventId(ByteBuffer.allocate(32).putInt(number).array());
  }
}
