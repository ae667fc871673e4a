package gambit.core.management;

import com.fasterxml.jackson.databind.JsonNode;
import gambit.core.management.Call.CallRefused;

/** A method of the relay's management. On its lane, so what takes long is done elsewhere. */
@FunctionalInterface
public interface MethodHandler {
  /** Returns the result, or refuses the call with a sentence for the caller. */
  JsonNode call(Call call) throws CallRefused;
}
