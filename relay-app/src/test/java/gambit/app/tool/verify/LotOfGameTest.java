package gambit.app.tool.verify;

import static org.assertj.core.api.Assertions.assertThat;

import gambit.chess.rating.Lot;
import gambit.chess.rating.LotChain;
import gambit.core.model.Event;
import gambit.core.model.EventId;
import gambit.core.model.Tags;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Games whose colours were drawn: the lot must be that of a chain that was published before. */
class LotOfGameTest {
  private static final LotChain CHAIN = new LotChain(new byte[32], LotChain.LENGTH);
  private static final EventId ONE = EventId.ofHex("11".repeat(32));
  private static final EventId OTHER = EventId.ofHex("22".repeat(32));
  private static final Lot LOT = Lot.draw(3, 5, CHAIN.value(5), ONE, OTHER);

  private static Event chain(String end, long at) {
    Tags tags =
        new Tags(List.of(List.of("d", "3"), List.of("lot", end), List.of("length", "4096")));
    return SignedGame.RELAY.sign(at, 30065, tags, "");
  }

  private static VerifyResult verify(List<String> lot, Event... chains) {
    SignedGame game = SignedGame.foolsMate(lot);
    List<Event> events = new ArrayList<>(game.events());
    events.addAll(List.of(chains));
    return VerifyResult.on(events, game.id());
  }

  private static void assertRejected(VerifyResult result, String fault) {
    assertThat(result.output()).contains("Wrong:\n").contains(fault);
    assertThat(result.status()).isEqualTo(1);
  }

  @Test
  void coloursOfAPublishedChainHold() {
    VerifyResult result = verify(LOT.tag(), chain(CHAIN.end(), SignedGame.START));
    assertThat(result.output())
        .contains("the colours are those of its lot 5.")
        .contains("Who was paired with whom and the time control")
        .endsWith("Everything holds.\n");
  }

  @Test
  void gameWithoutALotHasColoursByAgreement() {
    SignedGame game = SignedGame.foolsMate();
    assertThat(VerifyResult.on(game.events(), game.id()).output())
        .contains("Who was paired with whom, the colours, and the time control")
        .endsWith("Everything holds.\n");
  }

  @Test
  void forgedLotsAreRejected() {
    Event chain = chain(CHAIN.end(), SignedGame.START);
    Lot swapped = new Lot(3, 5, LOT.value(), LOT.black(), LOT.white());
    assertRejected(verify(swapped.tag(), chain), "The colours are not those of the lot");
    Lot other = Lot.draw(3, 6, CHAIN.value(5), ONE, OTHER);
    assertRejected(verify(other.tag(), chain), " does not have the lot at position 6");
    Lot own = Lot.draw(3, 5, new byte[32], ONE, OTHER);
    assertRejected(verify(own.tag(), chain), " does not have the lot at position 5");
    assertRejected(
        verify(LOT.tag(), chain(CHAIN.end(), SignedGame.START + 1)), " is younger than the game");
    assertRejected(verify(LOT.tag(), chain("end", SignedGame.START)), " does not have the lot");
    for (List<String> tag :
        List.of(
            List.of("lot"),
            LOT.tag().subList(0, 5),
            new Lot(3, 4097, LOT.value(), ONE, OTHER).tag(),
            List.of("lot", "3", "-5", LOT.value(), ONE.hex(), OTHER.hex()))) {
      assertRejected(verify(tag, chain), "The lot of the announcement is malformed");
    }
  }

  @Test
  void missingChainIsMissingEvidence() {
    VerifyResult result = verify(LOT.tag());
    assertThat(result.output()).contains("Chain 3 of lots is missing: nothing proves the colours");
    assertThat(result.status()).isEqualTo(3);
  }
}
