package gambit.core.feature;

import gambit.core.rate.ClientAddress;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** Answers POST requests of one media type at the relay's URL, from pages of any origin (CORS). */
public interface PostHandler {
  /** The longest body, in bytes; a longer one is answered 413. */
  int MAX_BODY_BYTES = 8192;

  /** Whether there are such requests at the moment; if not, they are answered 405. Any thread. */
  boolean isOpen();

  /**
   * Answers a request. Called on event loops: it must be quick and never wait.
   *
   * @param answer receives the answer, once; may be called on any thread
   */
  void handle(PostRequest request, Consumer<PostAnswer> answer);

  /**
   * A complete request, with the client's address as trusted proxies report it, the query of its
   * target, which may be empty, and the values of the header {@code Authorization}. Its array must
   * not be modified.
   */
  @SuppressWarnings("ArrayRecordComponent") // nobody compares requests
  record PostRequest(ClientAddress client, String query, List<String> authorization, byte[] body) {
    public PostRequest {
      authorization = List.copyOf(authorization);
    }
  }

  record PostAnswer(int status, Map<String, String> headers, String json) {
    public PostAnswer {
      headers = Map.copyOf(headers);
    }
  }
}
