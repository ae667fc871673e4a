package gambit.core.tls;

/** Why a certificate cannot be used; the message is one sentence that names the file. */
public final class CertificateFault extends Exception {
  public CertificateFault(String message) {
    super(message);
  }
}
