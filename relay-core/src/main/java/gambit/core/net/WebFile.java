package gambit.core.net;

import java.nio.ByteBuffer;

/**
 * A file of a {@link WebPage}, held in memory. Immutable: the buffers are read-only.
 *
 * @param type the media type, as in {@code Content-Type}
 * @param gzipped the content, compressed with gzip
 * @param tag the entity tag in quotation marks, which differs whenever the content does
 * @param isUnchanging whether another content would have another name, so that a browser may keep
 *     the file for ever
 */
public record WebFile(
    String type, ByteBuffer content, ByteBuffer gzipped, String tag, boolean isUnchanging) {}
