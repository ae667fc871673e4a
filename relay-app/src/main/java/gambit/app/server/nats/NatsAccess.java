package gambit.app.server.nats;

import gambit.app.common.CommandFailure;
import gambit.app.common.PrivateFile;
import gambit.app.server.config.SettingsReader;
import java.nio.file.Path;
import java.util.Optional;

/**
 * How a node gets access to the NATS servers: trust, and credentials, as settings of the section
 * {@code cluster}. Immutable; printed without its secrets.
 */
public record NatsAccess(
    Optional<Path> tlsCa,
    Optional<Path> tlsCertificate,
    Optional<Path> tlsKey,
    String user,
    String password,
    Optional<Path> passwordFile,
    Optional<Path> nkeyFile) {

  static NatsAccess read(SettingsReader cluster) {
    NatsAccess access =
        new NatsAccess(
            cluster.file("tls_ca"),
            cluster.file("tls_certificate"),
            cluster.file("tls_key"),
            cluster.text("user"),
            cluster.text("password"),
            cluster.file("password_file"),
            cluster.file("nkey_file"));
    if (access.tlsCertificate.isPresent() != access.tlsKey.isPresent()) {
      throw cluster.conflict(
          "tls_certificate and tls_key must be set together", "tls_certificate", "tls_key");
    }
    boolean hasPassword = !access.password.isEmpty() || access.passwordFile.isPresent();
    if (access.user.isEmpty() == hasPassword) {
      throw cluster.conflict(
          "user must be set together with password or password_file",
          "user",
          "password",
          "password_file");
    }
    if (!access.password.isEmpty() && access.passwordFile.isPresent()) {
      throw cluster.conflict(
          "only one of password and password_file can be set", "password", "password_file");
    }
    if (access.nkeyFile.isPresent() && !access.user.isEmpty()) {
      throw cluster.conflict("only one of user and nkey_file can be set", "user", "nkey_file");
    }
    return access;
  }

  /** Whether TLS is required also of a server whose URL does not say so. */
  boolean hasTls() {
    return tlsCa.isPresent() || tlsCertificate.isPresent();
  }

  String readPassword() throws CommandFailure {
    return passwordFile.isPresent()
        ? readSecret("cluster.password_file", passwordFile.get())
        : password;
  }

  Optional<Nkey> readNkey() throws CommandFailure {
    if (nkeyFile.isEmpty()) {
      return Optional.empty();
    }
    Path file = nkeyFile.get();
    try {
      return Optional.of(Nkey.ofSeed(readSecret("cluster.nkey_file", file)));
    } catch (IllegalArgumentException e) {
      throw new CommandFailure(
          "cluster.nkey_file: " + file + " does not hold the seed of a user's NKey (SU…).");
    }
  }

  private static String readSecret(String setting, Path file) throws CommandFailure {
    return PrivateFile.read(file, setting + ": ")
        .filter(text -> !text.isEmpty())
        .orElseThrow(
            () -> new CommandFailure(setting + ": " + file + " does not exist or is empty."));
  }

  @Override
  public String toString() {
    return nkeyFile.isPresent() ? "with an NKey" : user.isEmpty() ? "without credentials" : user;
  }
}
