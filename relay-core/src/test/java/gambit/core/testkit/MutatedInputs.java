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
 * Inputs near those that a fuzz test keeps, other ones in every build: the little fuzzing that does
 * without Jazzer's feedback. Its long form makes as many as the fuzzer does.
 */
public final class MutatedInputs {
  private static final int LONG_RUN_INPUTS = 10_000_000;

  private final List<byte[]> corpus;
  private final Random random;

  private MutatedInputs(List<byte[]> kept, Random random) {
    this.corpus = kept;
    this.random = random;
  }

  /** Gives so many inputs to the target; the first that it does not stand is in the failure. */
  public static void feed(Class<?> fuzzTest, int count, Consumer<byte[]> target) {
    MutatedInputs mutants = new MutatedInputs(corpusOf(fuzzTest), new Random());
    for (int i = TestEffort.of(count, count, LONG_RUN_INPUTS); i > 0; i--) {
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
      throw new AssertionError("no inputs are kept for " + fuzzTest);
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

  /** One stretch gives way to another one: of random bytes, of the same input, or of any. */
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
