package gambit.core.replication;

import gambit.core.model.EventId;
import gambit.core.model.Hex;
import gambit.core.wire.Reason;
import gambit.core.wire.RelayMessage.Ok;
import java.util.Optional;

/** The binary form of OKs. Stateless. */
@SuppressWarnings("EnumOrdinal") // constants are only added at the end, with a new version
final class OkForm {
  private static final Reason.Prefix[] PREFIXES = Reason.Prefix.values();

  private OkForm() {}

  static void write(Ok ok, BinaryOutput out) {
    boolean isId = Hex.isLowerCase(ok.id(), EventId.DIGITS);
    out.putFlag(isId);
    if (isId) {
      out.putId(EventId.ofHex(ok.id()));
    } else {
      out.putText(ok.id());
    }
    out.putFlag(ok.accepted());
    Reason reason = ok.reason().orElse(null);
    out.putNumber(reason == null ? 0 : reason.prefix().ordinal() + 1);
    if (reason != null) {
      out.putText(reason.text());
    }
    out.putText(ok.note());
  }

  static Ok read(BinaryInput in) {
    String id = in.takeFlag() ? in.takeEventId().hex() : in.takeText();
    boolean isAccepted = in.takeFlag();
    int prefix = in.takeNumber(PREFIXES.length);
    Optional<Reason> reason =
        prefix == 0
            ? Optional.empty()
            : Optional.of(new Reason(PREFIXES[prefix - 1], in.takeText()));
    return new Ok(id, isAccepted, reason, in.takeText());
  }
}
