package gambit.core.store;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * The records of one commit, as each node of a cluster appends them to its own log. Treated as
 * immutable.
 *
 * @param sequence the number of the group in the log, from 1 on
 * @param offset the end of the log before the group
 * @param count the number of records; a group may have none
 * @param records the encoded records, which contain their offsets
 */
@SuppressWarnings("ArrayRecordComponent") // groups are compared by their checksums
public record LogGroup(long sequence, long offset, int count, byte[] records) {

  /** A checksum of the number, the offset and the records; never 0. */
  public int checksum() {
    CRC32C crc = new CRC32C();
    crc.update(ByteBuffer.allocate(16).putLong(sequence).putLong(offset).flip());
    crc.update(records);
    return (int) crc.getValue() == 0 ? 1 : (int) crc.getValue();
  }
}
