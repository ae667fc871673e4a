package gambit.core.store.disk;

import static org.assertj.core.api.Assertions.assertThat;

import gambit.core.store.disk.FaultyDisk.SyncFault;
import gambit.core.store.disk.log.LogFiles;
import gambit.core.testkit.TestTime;
import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.attribute.FileAttributeView;
import java.nio.file.attribute.FileStoreAttributeView;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class FreeSpaceTest {
  private static final long MINIMUM = 1 << 20;
  private static final long PLENTY = MINIMUM + DiskEventStore.FreeSpace.PLENTY_BYTES;

  private final FaultyDisk disk = new FaultyDisk(SyncFault.NONE);
  private final IndexDisk indexDisk = new IndexDisk();
  private final TestTime time = new TestTime();
  private final DiskEventStore.FreeSpace space =
      new DiskEventStore.FreeSpace(
          new LogFiles(disk, StoreDirectory.SEGMENT_BYTES), indexDisk, MINIMUM, time);

  FreeSpaceTest() throws IOException {}

  @Test
  void plentyIsMeasuredOnceASecond() {
    disk.setUsableBytes(PLENTY);
    for (int i = 0; i < 3; i++) {
      for (int call = 0; call < 100; call++) {
        assertThat(space.isEnough()).isTrue();
      }
      time.advance(Duration.ofSeconds(1));
    }
    assertThat(indexDisk.measurements).isEqualTo(3);
    disk.setUsableBytes(0);
    assertThat(space.isEnough()).isFalse();
    disk.setUsableBytes(PLENTY);
    assertThat(space.isEnough()).isTrue();
  }

  @Test
  void lessIsMeasuredAtEachCall() {
    disk.setUsableBytes(PLENTY - 1);
    assertThat(space.isEnough()).isTrue();
    disk.setUsableBytes(MINIMUM);
    assertThat(space.isEnough()).isTrue();
    disk.setUsableBytes(MINIMUM - 1);
    assertThat(space.isEnough()).isFalse();
  }

  @Test
  void changedMinimumCountsAtOnce() {
    disk.setUsableBytes(PLENTY);
    assertThat(space.isEnough()).isTrue();
    space.setMinimum(PLENTY + 1);
    assertThat(space.isEnough()).isFalse();
  }

  @Test
  void clockThatIsSetBackIsNoReasonToTrustAMeasurement() {
    disk.setUsableBytes(PLENTY);
    assertThat(space.isEnough()).isTrue();
    time.advance(Duration.ofSeconds(-10));
    disk.setUsableBytes(0);
    assertThat(space.isEnough()).isFalse();
  }

  /** A file system without a bound that counts how often it is asked for its space. */
  private static final class IndexDisk extends FileStore {
    private int measurements;

    @Override
    public long getUsableSpace() {
      measurements++;
      return Long.MAX_VALUE;
    }

    @Override
    public long getUnallocatedSpace() {
      return Long.MAX_VALUE;
    }

    @Override
    public long getTotalSpace() {
      return Long.MAX_VALUE;
    }

    @Override
    public String name() {
      return "index";
    }

    @Override
    public String type() {
      return "test";
    }

    @Override
    public boolean isReadOnly() {
      return false;
    }

    @Override
    public boolean supportsFileAttributeView(Class<? extends FileAttributeView> type) {
      return false;
    }

    @Override
    public boolean supportsFileAttributeView(String name) {
      return false;
    }

    @Override
    public <V extends FileStoreAttributeView> @Nullable V getFileStoreAttributeView(Class<V> type) {
      return null;
    }

    @Override
    public Object getAttribute(String attribute) {
      throw new UnsupportedOperationException();
    }
  }
}
