package gambit.app.server.nats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Seeds, public keys and signatures are those that the Go library nkeys makes. */
class NkeyTest {
  private static final String SEED = "SUAF4BOLKFNV42XOQQZFVDHOWKFJFQWY2AOGWD2LWDTUHPIE5TTVK7V2VE";

  @ParameterizedTest
  @CsvSource({
    SEED
        + ", UC5X4DWFIQOY4GOBSSZZX7D6C2Z7YJYDN4VVEN5CE4OWSEHDCGFRJRXF,"
        + " 3E8Qe2g+t2d3MS+ZVpMF6jluE3AUy4yzJvD5eUnQBasInbD6carg+v3p0PbaZ2NezaOnr++PQJhZI2QV28gVDg==",
    "SUAIZ3RKKBRXS5PXXMPQ2YMFIHPRPPBYXT24CC7ERUBFPDAP6VDZWK27PI,"
        + " UBTFT564D7XUUXGB3ZJD3IIG677HV2IGMA75BHBM7FADA6KUBBSDFVDI,"
        + " IXmwG9g2PjpL/CTY+Yio78oLSjJGDnGp7ZilgDvhjCKBJkhrGfHh9+Ks79rza+h0o3R8Id0mkJ2QQjHIZen7Dg==",
    "SUALVSGO24ZTO3F5EB4VZAB72SN2TQWXZJ7CCDLIDOQDRPHLJFNJPZGEZI,"
        + " UBIV5OI7BZUWQ2EONDJLP7KAH64ZBP5YZTTQYMKXE2OVNAJFIFVLIIEO,"
        + " Q7dwD7v1k+qZTxkbAHOFZ93mIl4bd9iyJlf2Ui9DAKXDIHETgXIhKIujj+aFWkD8slhKRJrLP/efyaE5E+U5Cw=="
  })
  void aSeedHasItsPublicKeyAndSigns(String seed, String publicKey, String signature) {
    Nkey key = Nkey.ofSeed(seed);
    assertThat(key.publicKey()).isEqualTo(publicKey);
    assertThat(new String(key.getID())).isEqualTo(publicKey);
    assertThat(key.sign("nonce".getBytes(StandardCharsets.US_ASCII)))
        .isEqualTo(Base64.getDecoder().decode(signature));
  }

  /** The third is the seed of an account, and the last has a wrong checksum. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "UC5X4DWFIQOY4GOBSSZZX7D6C2Z7YJYDN4VVEN5CE4OWSEHDCGFRJRXF",
        "SAAC24IWIK3SNMCEAFRHZKP3VQZPLSCTB6YZAPGE3MBCLBYXSINERAK3U4",
        "SUAF4BOLKFNV42XOQQZFVDHOWKFJFQWY2AOGWD2LWDTUHPIE5TTVK7V2V",
        "SUAF4BOLKFNV42XOQQZFVDHOWKFJFQWY2AOGWD2LWDTUHPIE5TTVK7V2V1",
        "SUAF4BOLKFNV42XOQQZFVDHOWKFJFQWY2AOGWD2LWDTUHPIE5TTVK7V2VQ"
      })
  void otherTextsAreNoSeeds(String text) {
    assertThatThrownBy(() -> Nkey.ofSeed(text)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void aKeyIsNotPrinted() {
    assertThat(Nkey.ofSeed(SEED).toString()).doesNotContain(SEED);
  }
}
