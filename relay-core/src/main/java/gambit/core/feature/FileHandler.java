package gambit.core.feature;

import java.util.function.Consumer;

/** Makes the files under one path of the relay's URL on demand, if it has its web page. */
@FunctionalInterface
public interface FileHandler {
  /** Makes a file, and passes it on once, on any thread. On event loops: quick, and never waits. */
  void handle(FileRequest request, Consumer<MadeFile> answer);

  /** The path and the query of a request's target as they were sent; the query may be empty. */
  record FileRequest(String path, String query) {}

  /** A file of a media type, not modified any more, or a status of HTTP why there is none. */
  @SuppressWarnings("ArrayRecordComponent") // nobody compares files
  record MadeFile(int status, String type, byte[] content) {}
}
