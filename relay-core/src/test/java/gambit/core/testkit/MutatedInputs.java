package gambit.core.testkit;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * Random mutations of the stored inputs of a fuzz test, different in every build: fuzzing without
 * Jazzer's coverage feedback. A long run has as many inputs as the fuzzer.
 */
public final class MutatedInputs {
  private static final int LONG_RUN_INPUTS = 10_000_000;

  private final List<byte[]> corpus;
  private final Random random;

  private MutatedInputs(List<byte[]> kept, Random random) {
    this.corpus = kept;
    this.random = random;
  }

  /** Runs the target with that number of inputs; a failure contains the input in Base64. */
  public static void feed(Class<?> fuzzTest, int count, Consumer<byte[]> target) {
    MutatedInputs mutants = new MutatedInputs(corpusOf(fuzzTest), new Random());
    for (int i = TestEffort.of(count, LONG_RUN_INPUTS); i > 0; i--) {
      byte[] input = mutants.next();
      try {
        target.accept(input);
      } catch (Throwable e) {
        throw new AssertionError("in Base64: " + Base64.getEncoder().encodeToString(input), e);
      }
    }
  }

  private static List<byte[]> corpusOf(Class<?> fuzzTest) {
    URL folder = fuzzTest.getResource(fuzzTest.getSimpleName() + "Inputs");
    if (folder == null) {
      throw new AssertionError("there are no stored inputs of " + fuzzTest);
    }
    try (Stream<Path> files = Files.walk(Path.of(folder.toURI()))) {
      return files.filter(Files::isRegularFile).sorted().map(MutatedInputs::read).toList();
    } catch (IOException | URISyntaxException e) {
      throw new AssertionError(e);
    }
  }

  private static byte[] read(Path file) {
    try {
      return Files.readAllBytes(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private byte[] next() {
    byte[] input = anyInput();
    for (int changes = random.nextInt(4); changes >= 0; changes--) {
      input = mutate(input);
    }
    return input;
  }

  private byte[] anyInput() {
    return corpus.get(random.nextInt(corpus.size()));
  }

  /** Replaces a part of an input with random bytes, or a part of the same or another input. */
  private byte[] mutate(byte[] input) {
    byte[] source = random.nextBoolean() ? input : anyInput();
    byte[] piece = pieceOf(source);
    if (random.nextBoolean()) {
      piece = new byte[random.nextInt(4)];
      random.nextBytes(piece);
    }
    int from = random.nextInt(input.length + 1);
    int to = Math.min(input.length, from + random.nextInt(random.nextBoolean() ? 2 : 20));
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.write(input, 0, from);
    out.writeBytes(piece);
    out.write(input, to, input.length - to);
    return out.toByteArray();
  }

  private byte[] pieceOf(byte[] source) {
    int from = random.nextInt(source.length + 1);
    return Arrays.copyOfRange(source, from, Math.min(source.length, from + random.nextInt(30)));
  }
}
