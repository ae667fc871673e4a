package gambit.core.replication;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import gambit.core.feature.Row;
import gambit.core.model.Event;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.assertj.core.api.recursive.comparison.RecursiveComparisonConfiguration;
import org.junit.jupiter.api.Test;

class BusMessageTest {
  private static final int TYPES = 6 + 10;

  @Property(tries = 30)
  void messageOfEachTypeIsReadAsItWasWritten(@ForAll long seed, @ForAll long node) {
    Set<Object> types = new HashSet<>();
    for (BusMessage message : new RandomMessages(new Random(seed)).oneOfEach()) {
      BusMessage.Received received = BusMessage.decode(BusMessage.encode(node, message));
      assertThat(received.node()).isEqualTo(node);
      assertThat(received.message()).usingRecursiveComparison(comparison()).isEqualTo(message);
      types.add(
          message instanceof BusMessage.LinkMessage link
              ? link.payload().getClass()
              : message.getClass());
    }
    assertThat(types).hasSize(TYPES);
  }

  /** Events are equal only if all their bytes are. */
  private static RecursiveComparisonConfiguration comparison() {
    return RecursiveComparisonConfiguration.builder()
        .withEqualsForType((a, b) -> a.toString().equals(b.toString()), Event.class)
        .build();
  }

  @Property(tries = 300)
  void damagedMessageIsReadOrRefused(@ForAll long seed) {
    Random random = new Random(seed);
    byte[] encoded = BusMessage.encode(seed, new RandomMessages(random).any());
    readOrRefuse(new RandomValues(random).damaged(encoded));
  }

  @Property(tries = 300)
  void anyBytesAreReadOrRefused(@ForAll long seed) {
    Random random = new Random(seed);
    byte[] bytes = new RandomValues(random).bytes(random.nextInt(200));
    if (bytes.length > 3) {
      bytes[0] = 1; // the version
      bytes[1] &= 0x7f; // the node
      bytes[2] = (byte) random.nextInt(8); // the type, and that of what is sent over a link
      bytes[3] = (byte) random.nextInt(11);
    }
    readOrRefuse(bytes);
  }

  /** What is read can be used: its events' tags and contents can be decoded. */
  private static void readOrRefuse(byte[] bytes) {
    try {
      BusMessage message = BusMessage.decode(bytes).message();
      if (message instanceof BusMessage.Ephemeral ephemeral) {
        use(ephemeral.event());
      } else if (message instanceof BusMessage.LinkMessage link) {
        use(link.payload());
      }
    } catch (IllegalArgumentException | RecordCodec.UnknownVersion e) {
      assertThat(e).hasMessageMatching("(?s).+");
    }
  }

  private static void use(LinkPayload payload) {
    if (payload instanceof LinkPayload.Submit submit) {
      use(submit.event());
    } else if (payload instanceof LinkPayload.CommitRequest request) {
      request.commit().events().forEach(BusMessageTest::use);
      assertThat(request.commit().rows()).allMatch(BusMessageTest::isWhole);
    }
  }

  private static boolean isWhole(Row row) {
    return row.bytes() >= 0;
  }

  private static void use(Event event) {
    assertThat(event.content()).isNotNull();
    assertThat(event.tags().list()).allMatch(tag -> !tag.isEmpty());
  }

  @Test
  void truncatedMessageIsRefused() {
    for (BusMessage message : new RandomMessages(new Random(7)).oneOfEach()) {
      byte[] encoded = BusMessage.encode(1, message);
      for (int length = 0; length < encoded.length; length++) {
        byte[] truncated = Arrays.copyOf(encoded, length);
        assertThatExceptionOfType(IllegalArgumentException.class)
            .as("%s bytes of %s", length, message)
            .isThrownBy(() -> BusMessage.decode(truncated));
      }
    }
  }

  @Test
  void messageWithBytesAfterItIsRefused() {
    byte[] encoded = BusMessage.encode(1, new BusMessage.Goodbye());
    assertThatExceptionOfType(IllegalArgumentException.class)
        .isThrownBy(() -> BusMessage.decode(Arrays.copyOf(encoded, encoded.length + 1)));
  }

  @Test
  void messageOfANewerVersionIsReportedInASentence() {
    byte[] encoded = BusMessage.encode(1, new BusMessage.Goodbye());
    encoded[0] = 2;
    assertThatExceptionOfType(RecordCodec.UnknownVersion.class)
        .isThrownBy(() -> BusMessage.decode(encoded))
        .withMessage(
            "A message of another node has version 2, and this node knows versions up to 1:"
                + " it is older than another node and must be upgraded");
  }
}
