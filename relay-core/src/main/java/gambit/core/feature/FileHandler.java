package gambit.core.feature;

import java.util.function.Consumer;

/**
 * Makes the files under one path of the relay's URL when they are asked for, on a relay that has
 * its web page.
 */
@FunctionalInterface
public interface FileHandler {
  /**
   * Makes a file. Called on event loops: it must be quick and never wait.
   *
   * @param answer receives the file, once; may be called on any thread
   */
  void handle(FileRequest request, Consumer<MadeFile> answer);

  /** The path and the query of a request's target as they were sent; the query may be empty. */
  record FileRequest(String path, String query) {}

  /**
   * A file, or why there is none.
   *
   * @param status of HTTP
   * @param type the media type, as in {@code Content-Type}
   * @param content is not modified any more
   */
  @SuppressWarnings("ArrayRecordComponent") // nobody compares files
  record MadeFile(int status, String type, byte[] content) {}
}
