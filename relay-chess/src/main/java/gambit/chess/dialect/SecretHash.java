package gambit.chess.dialect;

import gambit.chess.dialect.Request.MalformedTagException;
import gambit.core.model.Hex;
import gambit.core.model.Sha256;
import gambit.core.model.Tags;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The SHA-256 of the secret that an unlisted invite's link carries: only who has the link can
 * accept. The invite itself, which everybody can read, does not reveal the secret. Immutable.
 *
 * @param hex 64 lower-case digits
 */
public record SecretHash(String hex) {
  public static final int BYTES = 32;

  private static final int MAX_SECRET_LENGTH = 64;

  public static SecretHash of(byte[] hash) {
    return new SecretHash(HexFormat.of().formatHex(hash));
  }

  /** The value of an invite's {@code unlisted} tag, or null if the tag has none. */
  public static @Nullable SecretHash of(Tags invite) throws MalformedTagException {
    Optional<String> value = invite.first("unlisted");
    if (value.isEmpty()) {
      return null;
    } else if (!Hex.isLowerCase(value.get(), 2 * BYTES)) {
      throw new MalformedTagException("the unlisted tag is not a SHA-256 of 64 hexadecimal digits");
    }
    return new SecretHash(value.get());
  }

  public byte[] bytes() {
    return HexFormat.of().parseHex(hex);
  }

  /** Whether this is the hash of a secret: 1 to 64 printable characters of ASCII. */
  public boolean isOf(String secret) {
    return !secret.isEmpty()
        && secret.length() <= MAX_SECRET_LENGTH
        && secret.chars().allMatch(c -> c >= ' ' && c <= '~')
        && Arrays.equals(bytes(), Sha256.of(secret));
  }
}
