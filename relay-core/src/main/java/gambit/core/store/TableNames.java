package gambit.core.store;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** The names of features' tables in UTF-8. Nearly all are ASCII and need no encoder. */
public final class TableNames {
  private TableNames() {}

  public static int bytes(String name) {
    return isAscii(name) ? name.length() : utf8(name).length;
  }

  public static void put(String name, ByteBuffer out) {
    if (!isAscii(name)) {
      out.put(utf8(name));
      return;
    }
    for (int i = 0; i < name.length(); i++) {
      out.put((byte) name.charAt(i));
    }
  }

  private static boolean isAscii(String name) {
    for (int i = 0; i < name.length(); i++) {
      if (name.charAt(i) >= 0x80) {
        return false;
      }
    }
    return true;
  }

  private static byte[] utf8(String name) {
    return name.getBytes(StandardCharsets.UTF_8);
  }
}
