package gambit.core.store.disk;

import gambit.core.model.Hex;
import gambit.core.store.disk.log.Disk;
import gambit.core.store.disk.log.Segment;
import gambit.core.store.disk.log.StoreFormat;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The list of the files of a backup or of a snapshot for other nodes. In the directory of a backup,
 * the file {@code manifest} has it, and is written last, so that the files of the former backup
 * count until then. Lines of text:
 *
 * <pre>
 * gambit backup 1
 * number N                                       how many backups were made into the directory
 * time T                                         when this one began
 * format F                                       the line in the store's file "format"
 * end O S                                        offset and sequence number of the next group
 * segment N BYTES SHA-256 NAME                   a file of the log, in offset order
 * file N BYTES SHA-256 NAME                      a file of the data directory
 * checksum SHA-256                               of the lines before
 * </pre>
 *
 * The copy of a file is called NAME.N: N is the number of the backup that began it. Only its first
 * BYTES bytes count; an unfinished later backup may have appended more. Immutable.
 */
public record BackupManifest(
    int number, Instant time, String format, long logEnd, long nextSequence, List<Copy> files) {
  public static final String NAME = "manifest";
  public static final String UNFINISHED_NAME = "manifest.tmp";

  /** A manifest lists some hundred bytes for each 64 MB of events: this is a store of 10 TB. */
  private static final int MAX_BYTES = 32 << 20;

  private static final String FIRST_LINE = "gambit backup 1";
  private static final String CHECKSUM = "checksum ";
  private static final Pattern PLAIN_NAME = Pattern.compile("[^/\\\\\\p{Cntrl}]{1,200}");

  public BackupManifest {
    files = List.copyOf(files);
  }

  /** A copy of a file of the log or of the data directory, by the number of its backup. */
  public record Copy(boolean isSegment, int number, long length, String sha256, String name) {
    public String fileName() {
      return name + "." + number;
    }

    private String line() {
      return String.join(
          " ", isSegment ? "segment" : "file", "" + number, "" + length, sha256, name);
    }
  }

  /** The number of the newest group that is in the files. */
  public long sequence() {
    return nextSequence - 1;
  }

  public void requireKnownFormat() throws IOException {
    StoreFormat.requireKnown("the list of the snapshot", format);
  }

  /** Whether a file of the data directory can be listed under its name. */
  public static boolean isListable(String name) {
    return PLAIN_NAME.matcher(name).matches() && !name.equals(".") && !name.equals("..");
  }

  public List<Copy> segments() {
    return files.stream().filter(Copy::isSegment).toList();
  }

  public Set<String> fileNames() {
    return files.stream().map(Copy::fileName).collect(Collectors.toSet());
  }

  public long totalBytes() {
    return files.stream().mapToLong(Copy::length).sum();
  }

  public byte[] encode() {
    List<String> lines = new ArrayList<>();
    lines.add(FIRST_LINE);
    lines.add("number " + number);
    lines.add("time " + time);
    lines.add("format " + format);
    lines.add("end " + logEnd + " " + nextSequence);
    files.forEach(file -> lines.add(file.line()));
    String text = String.join("\n", lines) + "\n";
    return (text + CHECKSUM + checksum(text) + "\n").getBytes(StandardCharsets.UTF_8);
  }

  private static String checksum(String text) {
    return ContentReader.hash(text.getBytes(StandardCharsets.UTF_8));
  }

  /** Reads the manifest of a directory, as {@link #parse} does; null if there is none. */
  public static @Nullable BackupManifest read(Disk disk) throws IOException {
    if (!disk.names().contains(NAME)) {
      return null;
    }
    try (Disk.File file = disk.open(NAME)) {
      if (file.size() > MAX_BYTES) {
        throw damaged();
      }
      ByteBuffer bytes = ByteBuffer.allocate((int) file.size());
      if (!Disk.read(file, bytes, 0, bytes.capacity())) {
        throw damaged();
      }
      return parse(bytes.array());
    }
  }

  /** Reads a manifest; refuses one that is damaged or of a newer version. */
  public static BackupManifest parse(byte[] encoded) throws IOException {
    String text = new String(encoded, StandardCharsets.UTF_8);
    String firstLine = text.lines().findFirst().orElse("");
    if (!firstLine.equals(FIRST_LINE) && firstLine.matches("gambit backup [1-9][0-9]{0,5}")) {
      throw new IOException("the backup was made by a newer version of Gambit (" + firstLine + ")");
    }
    int end = text.lastIndexOf("\n" + CHECKSUM) + 1;
    String content = text.substring(0, end);
    if (!text.equals(content + CHECKSUM + checksum(content) + "\n")) {
      throw damaged();
    }
    try {
      return parseLines(content.lines().toList());
    } catch (IllegalArgumentException | IndexOutOfBoundsException | DateTimeException e) {
      throw damaged();
    }
  }

  /** Reads the manifest of a snapshot; refuses one with other files than those of a log. */
  public static BackupManifest parseSnapshot(byte[] encoded) throws IOException {
    BackupManifest manifest = parse(encoded);
    if (manifest.segments().size() < manifest.files().size() || manifest.segments().isEmpty()) {
      throw new IOException("the snapshot has other files than those of a log");
    }
    return manifest;
  }

  private static BackupManifest parseLines(List<String> lines) throws IOException {
    String[] end = value(lines.get(4), "end").split(" ", -1);
    List<Copy> files = new ArrayList<>();
    for (String line : lines.subList(5, lines.size())) {
      String[] parts = line.split(" ", 5);
      Copy file =
          new Copy(
              parts[0].equals("segment"),
              Integer.parseInt(parts[1]),
              Long.parseLong(parts[2]),
              parts[3],
              parts[4]);
      boolean isNameRight =
          file.isSegment() ? Segment.isFileName(file.name()) : isListable(file.name());
      if (!isNameRight
          || !file.line().equals(line)
          || file.length() < 0
          || !Hex.isLowerCase(file.sha256(), 64)) {
        throw damaged();
      }
      files.add(file);
    }
    return new BackupManifest(
        Integer.parseInt(value(lines.get(1), "number")),
        Instant.parse(value(lines.get(2), "time")),
        value(lines.get(3), "format"),
        Long.parseLong(end[0]),
        Long.parseLong(end[1]),
        files);
  }

  private static String value(String line, String key) throws IOException {
    if (!line.startsWith(key + " ")) {
      throw damaged();
    }
    return line.substring(key.length() + 1);
  }

  private static IOException damaged() {
    return new IOException("the backup is damaged: its manifest is not what was written");
  }
}
