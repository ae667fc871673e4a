package gambit.app.verify;

import gambit.app.verify.Replay.Played;
import gambit.chess.game.PgnException;
import gambit.chess.game.PgnGame;
import gambit.chess.game.PgnReader;
import gambit.chess.game.Result;
import gambit.chess.game.Termination;
import gambit.chess.game.TimeControl;
import gambit.core.crypto.EventVerifier;
import gambit.core.model.Event;
import gambit.core.model.Npub;
import gambit.core.model.RelayUrls;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** A game checked from what a relay has served of it: a function of that and nothing else. */
final class Verification {
  /** Tags of a record that stand for one thing: a second one could only contradict the first. */
  private static final List<String> ONCE = List.of("result", "termination", "alt", Protocol.PLIES);

  private static final List<String> LOOPBACK = List.of("localhost", "127.0.0.1", "[::1]");

  private final Evidence evidence;
  private final URI url;
  private final Duration maxClockSkew;
  private final EventVerifier verifier;
  private final Findings findings = new Findings();

  private Verification(Evidence evidence, URI url, Duration maxClockSkew, EventVerifier verifier) {
    this.evidence = evidence;
    this.url = url;
    this.maxClockSkew = maxClockSkew;
    this.verifier = verifier;
  }

  /**
   * Checks all of it.
   *
   * @param url where the relay was found
   * @param maxClockSkew how far the referee lets {@code created_at} be from an event's arrival
   */
  static Findings of(Evidence evidence, URI url, Duration maxClockSkew, EventVerifier verifier) {
    Verification verification = new Verification(evidence, url, maxClockSkew, verifier);
    verification.findings.about("Game " + evidence.game());
    if (evidence.announcement().isEmpty()) {
      verification.findings.wrong("The relay has no event of that id");
    } else {
      verification.announcement(evidence.announcement().get());
    }
    return verification.findings;
  }

  private void announcement(Event event) {
    Optional<String> forgery = Authenticity.forgery(event, verifier);
    Optional<Announcement> announcement = Announcement.read(event);
    if (forgery.isPresent()) {
      findings.wrong("The beginning: the event " + event.id() + " " + forgery.get());
    } else if (announcement.isEmpty()) {
      findings.wrong("The event of that id begins no game");
    } else {
      findings.about("White " + Npub.of(announcement.get().white()));
      findings.about("Black " + Npub.of(announcement.get().black()));
      findings.about("Relay " + Npub.of(announcement.get().relay()));
      record(announcement.get());
    }
  }

  private void record(Announcement announcement) {
    List<Event> records = evidence.records();
    if (records.size() != 1) {
      findings.wrong(
          records.isEmpty()
              ? "The relay has no record of the game: it goes on, or was aborted, or is hidden"
              : "The relay has more than one record of the game");
      return;
    }
    Event record = records.get(0);
    Optional<PgnGame> pgn = pgn(record);
    Timeline timeline =
        new Timeline(announcement.startedAt() / 1000, record.createdAt(), maxClockSkew);
    Authenticity authenticity =
        new Authenticity(
            announcement,
            timeline,
            new RelayUrls(names(Optional.empty())),
            new RelayUrls(names(pgn)),
            verifier,
            findings);
    if (!authenticity.isRelays("The record", record)) {
      return;
    }
    for (String name : ONCE) {
      if (Protocol.repeats(record, name)) {
        findings.wrong("The record has more than one tag " + name);
      }
    }
    Optional<Result> result =
        Arrays.stream(Result.values())
            .filter(it -> record.tags().first("result").equals(Optional.of(it.text())))
            .findFirst();
    Optional<Termination> termination =
        Arrays.stream(Termination.values())
            .filter(it -> record.tags().first("termination").equals(Optional.of(it.word())))
            .findFirst();
    if (result.isEmpty() || termination.isEmpty()) {
      findings.wrong("The record does not say how the game ended");
      return;
    }
    summary(record, announcement, result.get(), termination.get());
    new Replay(evidence, announcement, authenticity, timeline, findings)
        .of(record)
        .ifPresent(
            played ->
                whole(
                    record,
                    announcement,
                    authenticity,
                    timeline,
                    played,
                    pgn,
                    result.get(),
                    termination.get()));
  }

  /** The record's sentence for people who see no chess (NIP-31) has to say the same. */
  private void summary(
      Event record, Announcement announcement, Result result, Termination termination) {
    String due =
        "Chess game: %s against %s, %s (%s)"
            .formatted(
                Npub.of(announcement.white()),
                Npub.of(announcement.black()),
                result.text(),
                termination.word());
    record
        .tags()
        .first("alt")
        .filter(alt -> !alt.equals(due))
        .ifPresent(alt -> findings.wrong("The record's alt says \"" + alt + "\""));
  }

  private Optional<PgnGame> pgn(Event record) {
    try {
      return Optional.of(PgnReader.read(record.content()));
    } catch (PgnException e) {
      findings.wrong("The record's text is no game in PGN: " + e.getMessage());
      return Optional.empty();
    }
  }

  private void whole(
      Event record,
      Announcement announcement,
      Authenticity authenticity,
      Timeline timeline,
      Played played,
      Optional<PgnGame> pgn,
      Result result,
      Termination termination) {
    int moves = played.moves().size();
    findings.about(result.text() + ", " + termination.word() + ", plies: " + moves);
    findings.proved("Each of the " + moves + " plies is signed by the side in turn, and legal.");
    TimeControl time = announcement.time();
    findings.attested(
        "Who was paired with whom, the colours, and the time control " + time.text() + ".");
    findings.attested(
        "When the players' events arrived, and which of them were refused or taken back.");
    if (!time.isUntimed()) {
      findings.attested("The clocks.");
    }
    new EndingCheck(evidence, announcement, authenticity, timeline, findings)
        .check(record, played, pgn, result, termination);
    if (authenticity.unnamed() > 0) {
      findings.attested(
          "That "
              + authenticity.unnamed()
              + " of the players' events were meant for this game: they do not name it.");
    }
    if (authenticity.elsewhere() > 0) {
      findings.attested(
          "That the relay is the one of the PGN's Site, for which "
              + authenticity.elsewhere()
              + " of the players' events were signed.");
    }
    if (played.unnumbered() > 0) {
      findings.attested(
          "The order of the moves, where another one would be legal: "
              + played.unnumbered()
              + " of them do not say which ply they are.");
    }
    pgn.map(text -> PgnCheck.differences(text, announcement, played.moves(), result, termination))
        .ifPresent(differences -> differences.forEach(findings::wrong));
  }

  /**
   * The URL where the relay was found, and the one by which it calls itself if that is one. The
   * names of this machine are one.
   */
  private List<String> names(Optional<PgnGame> pgn) {
    List<String> names = new ArrayList<>(List.of(url.toString()));
    if (LOOPBACK.contains(url.getHost())) {
      String port = url.getPort() < 0 ? "" : ":" + url.getPort();
      LOOPBACK.forEach(host -> names.add(url.getScheme() + "://" + host + port + url.getPath()));
    }
    try {
      pgn.map(text -> text.tags().get("Site")).ifPresent(names::add);
      new RelayUrls(names);
      return names;
    } catch (IllegalArgumentException e) {
      return names(Optional.empty());
    }
  }
}
