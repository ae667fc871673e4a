package gambit.app.tool.verify;

import gambit.app.tool.client.ChessKinds;
import gambit.app.tool.verify.GameFetcher.FetchedGame;
import gambit.chess.lot.Lot;
import gambit.chess.lot.LotChain;
import gambit.core.crypto.EventVerifier;
import gambit.core.model.Event;
import gambit.core.model.Hex;
import java.util.List;
import java.util.Optional;

/** Checks that the colours of a game follow from its lot, and that from a published chain. */
final class LotCheck {
  private LotCheck() {}

  /** Whether colours were drawn, or at least an announcement says so. */
  static boolean hasLot(Event announcement) {
    return announcement.tags().has(Lot.TAG);
  }

  /** Adds what is wrong with the lot of a game that has one, or what its chain proves. */
  static void check(FetchedGame fetched, EventVerifier verifier, Findings findings) {
    Event announcement = fetched.announcement().orElseThrow();
    List<List<String>> tags = announcement.tags().named(Lot.TAG).toList();
    Optional<Lot> read = tags.size() == 1 ? Lot.parse(tags.get(0)) : Optional.empty();
    if (read.isEmpty() || read.get().position() > LotChain.LENGTH) {
      findings.addFault("The lot of the announcement is malformed");
      return;
    }
    Lot lot = read.get();
    if (!lot.isFollowed()) {
      findings.addFault("The colours are not those of the lot");
    }
    if (fetched.lots().isEmpty()) {
      findings.addMissing(
          "Chain " + lot.chain() + " of lots is missing: nothing proves the colours");
      return;
    }
    Event chain = fetched.lots().get();
    Optional<String> flaw = flaw(lot, chain, announcement, verifier);
    if (flaw.isPresent()) {
      findings.addFault("Chain " + lot.chain() + " of lots: the event " + chain.id() + flaw.get());
    } else {
      findings.addAttested(
          "That it has published chain %d of lots before it knew the players; the colours are those of its lot %d."
              .formatted(lot.chain(), lot.position()));
    }
  }

  private static Optional<String> flaw(
      Lot lot, Event chain, Event announcement, EventVerifier verifier) {
    Optional<String> forgery = AuthenticityCheck.forgery(chain, verifier);
    String end = chain.tags().first(Lot.TAG).filter(it -> Hex.isLowerCase(it, 64)).orElse("");
    if (forgery.isPresent()) {
      return Optional.of(" " + forgery.get());
    } else if (chain.kind() != ChessKinds.LOTS
        || !chain.pubkey().equals(announcement.pubkey())
        || !chain.tags().first("d").equals(Optional.of("" + lot.chain()))) {
      return Optional.of(" is another one");
    } else if (chain.createdAt() > announcement.createdAt()) {
      return Optional.of(" is younger than the game");
    } else if (!lot.isOfChain(end)) {
      return Optional.of(" does not have the lot at position " + lot.position());
    }
    return Optional.empty();
  }
}
