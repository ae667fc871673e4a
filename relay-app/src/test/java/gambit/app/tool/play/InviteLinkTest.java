package gambit.app.tool.play;

import static org.assertj.core.api.Assertions.assertThat;

import gambit.app.tool.play.PlaySession.PlayOptions.InviteLink;
import gambit.core.model.EventId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class InviteLinkTest {
  private static final String ID = "0123456789abcdef".repeat(4);

  @Test
  void anInviteIsAnIdOrTheLinkOfThePage() {
    assertThat(InviteLink.parse(ID)).contains(new InviteLink(EventId.ofHex(ID), ""));
    assertThat(InviteLink.parse("https://relay.example.com/?relay=wss://x#/challenge/" + ID))
        .contains(new InviteLink(EventId.ofHex(ID), ""));
  }

  @Test
  void theSecretOfALinkIsItsLastPart() {
    InviteLink invite = new InviteLink(EventId.ofHex(ID), "a-b_C9");
    assertThat(InviteLink.parse("http://localhost:7447/#/challenge/" + ID + "/a-b_C9"))
        .contains(invite);
    assertThat(InviteLink.parse(ID + "/a-b_C9")).contains(invite);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "abc", "http://localhost:7447/", "#/game/" + "ab", "ID/"})
  void anythingElseIsNone(String text) {
    assertThat(InviteLink.parse(text.replace("ID", ID))).isEmpty();
  }
}
