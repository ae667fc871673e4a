package gambit.core.net;

import gambit.core.testkit.RawSocket;
import gambit.core.testkit.TestCertificate;
import java.io.IOException;

/** The same with TLS, which keeps bytes of its own between the socket and the frames. */
class EventLoopTurnsOverTlsTest extends EventLoopTurnsTest {
  private static final TestCertificate CERTIFICATE = TestCertificate.ofLocalhost();

  @Override
  Endpoint transport(Endpoint plain) {
    return Endpoints.withTls(new ServerTls(CERTIFICATE.tls()), plain);
  }

  @Override
  RawSocket open(int port) throws IOException {
    return new RawSocket(CERTIFICATE.connect(port));
  }
}
