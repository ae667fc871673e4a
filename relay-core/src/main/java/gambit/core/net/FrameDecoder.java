package gambit.core.net;

import io.netty.handler.codec.http.websocketx.WebSocket13FrameDecoder;
import io.netty.handler.codec.http.websocketx.WebSocketDecoderConfig;

/** Netty's decoder of frames, which tells what it holds. On the channel's event loop. */
final class FrameDecoder extends WebSocket13FrameDecoder {
  FrameDecoder(WebSocketDecoderConfig config) {
    super(config);
  }

  /** Bytes of a frame that is not whole yet. */
  int heldBytes() {
    return actualReadableBytes();
  }
}
