package gambit.app.command.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import gambit.app.CommandResult;
import gambit.app.LocalRelay;
import gambit.core.crypto.Signer;
import gambit.core.model.Event;
import gambit.core.model.EventEncoder;
import gambit.core.model.EventId;
import gambit.core.model.PubKey;
import gambit.core.model.Tags;
import gambit.core.testkit.Keys;
import gambit.core.testkit.SyncCheckingFiles;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code gambit import} and {@code gambit export}, with running and stopped relays. */
class TransferTest {
  private static final Signer ALICE = Keys.of("alice");
  private static final Signer BOB = Keys.of("bob");
  private static final Signer REFEREE = Keys.of("referee");
  private static final long TIME = 1_700_000_000;

  @TempDir Path directory;
  private Path data;
  private Path other;

  @BeforeEach
  void makeDirectories() throws IOException {
    data = Files.createDirectory(directory.resolve("data"));
    other = Files.createDirectory(directory.resolve("other"));
  }

  private static Event note(String content) {
    return ALICE.sign(TIME, 1, Tags.NONE, content);
  }

  private static Event event(Signer author, long time, int kind, String content, String... tag) {
    Tags tags = tag.length == 0 ? Tags.NONE : new Tags(List.of(List.of(tag)));
    return author.sign(time, kind, tags, content);
  }

  private Path file(String name, Object... lines) throws IOException {
    return Files.write(
        directory.resolve(name), Arrays.stream(lines).map(Object::toString).toList());
  }

  private static CommandResult importing(Path data, Path file, String... options) {
    return run("import", data, file, options);
  }

  private static CommandResult exporting(Path data, Path file, String... options) {
    return run("export", data, file, options);
  }

  private static CommandResult run(String command, Path data, Path file, String... options) {
    List<String> arguments = new ArrayList<>(List.of(command, "--data", "" + data, "" + file));
    arguments.addAll(List.of(options));
    return CommandResult.of(arguments.toArray(String[]::new));
  }

  private List<String> exported(Path from, String... options) throws IOException {
    Path file = directory.resolve("exported.jsonl");
    assertThat(exporting(from, file, options).status()).isZero();
    return Files.readAllLines(file);
  }

  /** Events of every sort of kind; all but the last two are stored together. */
  private static List<Event> ofEverySort() {
    Event deleted = event(ALICE, TIME, 1, "deleted");
    return List.of(
        note("a note with \"quotes\", \\ and \u1F600 \u0001"),
        event(ALICE, TIME + 1, 0, "{}"),
        event(ALICE, TIME + 2, 30_023, "an article", "d", "first"),
        event(ALICE, TIME + 3, 1, "protected", "-"),
        event(BOB, TIME + 4, 1059, "sealed", "p", ALICE.pubkey().hex()),
        event(BOB, TIME + 5, 1, "until long after this test", "expiration", "9999999999"),
        event(ALICE, TIME + 6, 5, "", "e", deleted.id().hex()),
        deleted,
        event(ALICE, TIME, 0, "an older profile"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"all.jsonl", "all.jsonl.gz", "all.jsonl.zst"})
  void everySortOfEventComesBackFromAFile(String name) throws IOException {
    List<Event> events = ofEverySort();
    assertThat(importing(data, file("events.jsonl", events.toArray())).status()).isZero();
    Path all = directory.resolve(name);
    assertThat(exporting(data, all).errors()).endsWith("7 events.");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(all)))
        .isEqualTo("rw-------");
    assertThat(directory).isDirectoryNotContaining("glob:**.part");
    CommandResult result = importing(other, all);
    assertThat(result.output()).isEqualTo("7 new, 0 known, 0 refused, 0 invalid lines.");
    assertThat(exported(other))
        .containsExactlyElementsOf(exported(data))
        .containsExactlyInAnyOrderElementsOf(
            events.subList(0, 7).stream().map(Event::toString).toList());
  }

  @ParameterizedTest
  @ValueSource(strings = {"all.jsonl", "all.jsonl.gz", "all.jsonl.zst"})
  void exportedFileIsOnTheDiskBeforeItIsReported(String name) throws IOException {
    Path file = SyncCheckingFiles.tracked(directory.resolve(name));
    try (EventFile.Output out = new EventFile(name).create(file)) {
      out.writeLine(note("a note").json());
      out.complete();
    }
    assertThat(file).isNotEmptyFile();
    assertThat(SyncCheckingFiles.faultsOf(file)).isEmpty();
  }

  @Test
  void exportFollowsLinksAndReplacesNeitherPipesNorDevices() throws Exception {
    Event note = note("a note");
    importing(data, file("events.jsonl", note));
    Path target = directory.resolve("target.jsonl");
    Path link = Files.createSymbolicLink(directory.resolve("link.jsonl"), Path.of("target.jsonl"));
    for (String state : List.of("missing", "present")) {
      assertThat(exporting(data, link).status()).as(state).isZero();
      assertThat(Files.isSymbolicLink(link)).isTrue();
      assertThat(target).hasContent(note.toString());
    }
    Path pipe = directory.resolve("pipe");
    assertThat(new ProcessBuilder("mkfifo", "" + pipe).start().waitFor()).isZero();
    CompletableFuture<String> read =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                return Files.readString(pipe);
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            });
    assertThat(exporting(data, pipe).status()).isZero();
    assertThat(read.get(2, TimeUnit.MINUTES)).isEqualTo(note + "\n");
    assertThat(Files.isRegularFile(pipe)).isFalse();
    Path device = Files.createSymbolicLink(directory.resolve("device"), Path.of("/dev/null"));
    assertThat(exporting(data, device).status()).isZero();
    assertThat(exporting(data, directory))
        .isEqualTo(
            new CommandResult(
                1, "", "Cannot write " + directory + ": " + directory + ": it is a directory."));
  }

  @Test
  void runningRelayTakesAndGivesEventsOverItsPort() throws IOException {
    Path events = file("events.jsonl", ofEverySort().toArray());
    try (LocalRelay relay = LocalRelay.withControl(data)) {
      assertThat(importing(data, events).output())
          .contains(" known, 1 refused, 0 invalid lines.")
          .contains("1 blocked: the event was deleted by its author (first in line 8)");
      assertThat(importing(data, events).output()).startsWith("0 new, 8 known, 1 refused");
      assertThat(exported(data)).hasSize(7);
      assertThat(exported(data, "--filter", "{\"kinds\":[1059],\"limit\":5}")).hasSize(1);
      assertThat(relay.port()).isPositive();
    }
    assertThat(exported(data)).hasSize(7);
  }

  @Test
  void oneEventInManyLinesIsStoredOnce() throws IOException {
    Path events = file("copies.jsonl", Collections.nCopies(20_000, note("the same")).toArray());
    try (LocalRelay relay = LocalRelay.withControl(data)) {
      assertThat(importing(data, events).output())
          .isEqualTo("1 new, 19,999 known, 0 refused, 0 invalid lines.");
      assertThat(relay.port()).isPositive();
    }
  }

  @Test
  void moreEventsThanAClientGetsAreExportedFromARunningRelay() throws IOException {
    Path events =
        file(
            "many.jsonl",
            Stream.iterate(0, i -> i < 700, i -> i + 1).map(i -> note("" + i)).toArray());
    try (LocalRelay relay = LocalRelay.withControl(data, "limits.max_limit=500")) {
      assertThat(importing(data, events).output()).startsWith("700 new");
      assertThat(exported(data)).hasSize(700);
      assertThat(relay.port()).isPositive();
    }
  }

  @Test
  void linesInTheFormsOfOtherToolsAreRead() throws IOException {
    Path events =
        file(
            "forms.jsonl",
            "\ufeff" + note("after a byte order mark"),
            "",
            "[",
            "  " + note("in an array") + ",",
            "\t" + note("with blanks") + "\r",
            "]",
            "[\"EVENT\"," + note("of a client") + "]",
            "[\"EVENT\",\"sub\"," + note("of a relay") + "]");
    assertThat(importing(data, events))
        .isEqualTo(new CommandResult(0, "5 new, 0 known, 0 refused, 0 invalid lines.", ""));
  }

  @Test
  void invalidLinesAreNamedAndTheRestIsImported() throws IOException {
    Event note = note("valid");
    Path events =
        file(
            "hostile.jsonl",
            "not JSON",
            note.toString().substring(0, 100),
            "{\"id\":\"" + note.id() + "\"}",
            "[\"EOSE\",\"sub\"]",
            "\u0000\u0001\u0002",
            "x".repeat(3_000_000),
            note);
    CommandResult result = importing(data, events);
    assertThat(result.status()).isEqualTo(3);
    assertThat(result.output()).isEqualTo("1 new, 0 known, 0 refused, 6 invalid lines.");
    assertThat(result.errors().lines())
        .hasSize(6)
        .anyMatch(line -> line.startsWith("line 1: "))
        .contains("line 6: longer than the relay takes");
  }

  @Test
  void forgedEventsAreRefusedAndTrustedOnesAreNotVerified() throws IOException {
    Event note = note("signed");
    Event unsigned = with(note.id(), note, new byte[64]);
    Event misnamed = with(new EventId(new byte[32]), note, note.sig());
    Path forged = file("forged.jsonl", unsigned, misnamed);
    assertThat(importing(data, forged).output())
        .startsWith("0 new, 0 known, 2 refused, 0 invalid lines.")
        .contains("1 invalid: the signature does not verify (first in line 1)")
        .contains("1 invalid: the id is not the hash of the event (first in line 2)");
    assertThat(importing(data, forged, "--trusted").output())
        .startsWith("1 new, 0 known, 1 refused");
    try (LocalRelay relay = LocalRelay.withControl(other)) {
      assertThat(importing(other, forged).output()).startsWith("0 new, 0 known, 2 refused");
      assertThat(importing(other, forged, "--trusted").output())
          .startsWith("1 new, 0 known, 1 refused");
      assertThat(relay.port()).isPositive();
    }
  }

  private static Event with(EventId id, Event event, byte[] signature) {
    PubKey author = event.pubkey();
    return EventEncoder.encode(
        id, author, event.createdAt(), event.kind(), event.tags(), event.content(), signature);
  }

  @Test
  void whatPrecedesTheEndOfATruncatedFileIsImported() throws IOException {
    ByteArrayOutputStream compressed = new ByteArrayOutputStream();
    try (OutputStream out = new GZIPOutputStream(compressed)) {
      for (int i = 0; i < 2_000; i++) {
        out.write((note("" + i) + "\n").getBytes(StandardCharsets.UTF_8));
      }
    }
    Path file = directory.resolve("events.jsonl.gz");
    Files.write(file, Arrays.copyOf(compressed.toByteArray(), compressed.size() / 2));
    CommandResult result = importing(data, file);
    assertThat(result.status()).isEqualTo(1);
    assertThat(result.errors()).startsWith("Cannot read " + file);
    long stored = exported(data).size();
    assertThat(stored).isPositive();
    assertThat(result.output()).startsWith(String.format("%,d new", stored));
    Files.write(file, new byte[] {1, 2, 3});
    assertThat(importing(data, file).status()).isEqualTo(1);
    Path missing = directory.resolve("missing.jsonl");
    assertThat(importing(data, missing))
        .isEqualTo(
            new CommandResult(
                1, "", "Cannot read " + missing + ": no such file or directory: " + missing + "."));
  }

  @Test
  void damagedZstandardFileEndsTheImportInOrder() throws IOException {
    Object[] notes = Stream.iterate(0, i -> i < 2_000, i -> i + 1).map(i -> note("" + i)).toArray();
    importing(data, file("events.jsonl", notes));
    Path file = directory.resolve("events.jsonl.zst");
    exporting(data, file);
    byte[] compressed = Files.readAllBytes(file);
    Arrays.fill(compressed, compressed.length / 2, compressed.length, (byte) 0xff);
    Files.write(file, compressed);
    CommandResult result = importing(other, file);
    assertThat(result.status()).isEqualTo(1);
    assertThat(result.errors()).startsWith("Cannot read " + file + ": not Zstandard, or damaged");
    assertThat(result.output()).startsWith(String.format("%,d new", exported(other).size()));
  }

  @Test
  void movesBeforeTheDamageOfAFileAreImportedWithTheirGame() throws IOException {
    Event first = firstOfGame();
    Event resignation = event(BOB, TIME + 2, 5003, "resign", "e", first.id().hex(), "", "root");
    Event record = REFEREE.sign(TIME + 3, 64, new Tags(List.of(rootOf(first))), "1. e4 1-0");
    ByteArrayOutputStream compressed = new ByteArrayOutputStream();
    try (OutputStream out = new GZIPOutputStream(compressed)) {
      for (Event event : List.of(resignation, first, record)) {
        out.write((event + "\n").getBytes(StandardCharsets.UTF_8));
      }
    }
    Path file = directory.resolve("game.jsonl.gz");
    Files.write(file, Arrays.copyOf(compressed.toByteArray(), compressed.size() - 4));
    CommandResult result = importing(data, file);
    assertThat(result.status()).isEqualTo(1);
    assertThat(result.output()).isEqualTo("3 new, 0 known, 0 refused, 0 invalid lines.");
  }

  private static Event firstOfGame() {
    List<List<String>> players =
        List.of(
            List.of("p", ALICE.pubkey().hex(), "", "white"),
            List.of("p", BOB.pubkey().hex(), "", "black"));
    return REFEREE.sign(TIME, 5000, new Tags(players), "gameisfound");
  }

  private static List<String> rootOf(Event first) {
    return List.of("e", first.id().hex(), "", "root");
  }

  @Test
  void policyOfTheSettingsAppliesToAStoppedRelayToo() throws IOException {
    Files.writeString(
        data.resolve("gambit.conf"), "admission.refused_pubkeys=[" + BOB.pubkey().hex() + "]");
    Path events = file("events.jsonl", note("of Alice"), event(BOB, TIME, 1, "of Bob"));
    assertThat(importing(data, events).output())
        .isEqualTo(
            "1 new, 0 known, 1 refused, 0 invalid lines.\n"
                + "  1 blocked: events of this author are not taken here (first in line 2)");
  }

  @Test
  void copiesOfARefusedEventAreRefusedToo() throws IOException {
    Path events = file("events.jsonl", Collections.nCopies(50, note("refused")).toArray());
    Path taken =
        file("taken.jsonl", Collections.nCopies(50, event(BOB, TIME, 1, "taken")).toArray());
    String refused = "admission.refused_pubkeys=" + ALICE.pubkey().hex();
    try (LocalRelay relay = LocalRelay.withControl(data, refused)) {
      assertThat(importing(data, events).output()).startsWith("0 new, 0 known, 50 refused");
      assertThat(importing(data, taken).output()).startsWith("1 new, 49 known, 0 refused");
      assertThat(relay.port()).isPositive();
    }
  }

  @Test
  void importEndsWhenTheStoreIsFull() throws IOException {
    Path events = file("events.jsonl", note("first"), note("second"));
    try (LocalRelay relay = LocalRelay.withControl(other, "store.min_free=1000000G")) {
      CommandResult result = importing(other, events);
      assertThat(result.status()).isEqualTo(1);
      assertThat(result.output()).isEqualTo("0 new, 0 known, 0 refused, 0 invalid lines.");
      assertThat(result.errors())
          .startsWith("The event of line ")
          .endsWith(": error: store is full.");
      assertThat(relay.port()).isPositive();
    }
    Files.writeString(data.resolve("gambit.conf"), "store.min_free=1000000G");
    assertThat(importing(data, events).status()).isEqualTo(1);
  }

  @Test
  void movesThatPrecedeTheRecordOfTheirGameAreStoredAtTheEnd() throws IOException {
    Event first = firstOfGame();
    Event move = event(ALICE, TIME + 1, 5001, "e2e4");
    Event resignation = event(BOB, TIME + 2, 5003, "resign", "e", first.id().hex(), "", "root");
    Tags plies = new Tags(List.of(rootOf(first), List.of("plies", move.id().hex())));
    Event record = REFEREE.sign(TIME + 3, 64, plies, "1. e4 1-0");
    Event unknown = event(ALICE, TIME + 4, 5001, "d2d4");
    Event request = event(ALICE, TIME + 5, 5000, "connect");
    Path events = file("game.jsonl", move, unknown, first, resignation, request, record);
    String expected =
        "4 new, 0 known, 2 refused, 0 invalid lines.\n"
            + "  1 blocked: no finished game with this event is stored here, with its record"
            + " (first in line 2)\n"
            + "  1 blocked: requests to play are not stored (first in line 5)";
    assertThat(importing(data, events).output()).isEqualTo(expected);
    try (LocalRelay relay = LocalRelay.withControl(other)) {
      assertThat(importing(other, events).output()).isEqualTo(expected);
      assertThat(relay.port()).isPositive();
    }
    assertThat(exported(other)).containsExactlyElementsOf(exported(data)).hasSize(4);
  }

  @Test
  void ofTwoExportsToOneFileTheLastToEndReplacesTheOther() throws IOException {
    EventFile file = new EventFile(directory.resolve("events.jsonl").toString());
    try (EventFile.Output one = file.create();
        EventFile.Output other = file.create()) {
      one.writeLine("one".getBytes(StandardCharsets.US_ASCII));
      other.writeLine("other".getBytes(StandardCharsets.US_ASCII));
      one.complete();
      assertThat(directory.resolve("events.jsonl")).hasContent("one");
      other.complete();
    }
    assertThat(directory.resolve("events.jsonl")).hasContent("other");
    assertThat(directory).isDirectoryNotContaining("glob:**.part");
  }

  @Test
  void exportToAFullStandardOutputFails() throws Exception {
    importing(data, file("events.jsonl", note("a note")));
    Path errors = directory.resolve("errors");
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), "gambit.app.Main"));
    command.addAll(List.of("export", "--data", data.toString()));
    Process export =
        new ProcessBuilder(command)
            .redirectOutput(new File("/dev/full"))
            .redirectError(errors.toFile())
            .start();
    try {
      assertThat(export.waitFor(5, TimeUnit.MINUTES)).isTrue();
      assertThat(Files.readString(errors)).contains("Cannot write -: ").doesNotContain("1 events");
      assertThat(export.exitValue()).isEqualTo(1);
    } finally {
      export.destroyForcibly();
    }
  }

  @Test
  void exportThatFailsLeavesNoFile() throws IOException {
    Path file = directory.resolve("missing/events.jsonl");
    CommandResult failed = exporting(data, file);
    assertThat(failed.status()).isEqualTo(1);
    assertThat(failed.errors()).startsWith("Cannot write " + file);
    Path wrong = directory.resolve("wrong.jsonl");
    CommandResult usage = exporting(data, wrong, "--filter", "{\"kinds\":\"all\"}");
    assertThat(usage.status()).isEqualTo(2);
    assertThat(usage.errors()).startsWith("--filter: this is not one filter (NIP-01)");
    assertThat(wrong).doesNotExist();
  }
}
