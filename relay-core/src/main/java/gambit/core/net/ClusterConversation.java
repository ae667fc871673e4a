package gambit.core.net;

import gambit.core.session.Peer;
import io.netty.channel.Channel;
import io.netty.handler.codec.http.websocketx.WebSocketCloseStatus;
import java.time.Instant;
import java.util.function.BooleanSupplier;

/**
 * A conversation at a node of a cluster. While the node is cut off from the others, a message ends
 * the connection: a query would be answered from old data.
 */
final class ClusterConversation implements Conversation {
  private final Conversation conversation;
  private final Channel channel;
  private final Peer client;
  private final BooleanSupplier isCutOff;
  private boolean isSentAway;

  ClusterConversation(
      Conversation conversation, Channel channel, Peer client, BooleanSupplier isCutOff) {
    this.conversation = conversation;
    this.channel = channel;
    this.client = client;
    this.isCutOff = isCutOff;
  }

  @Override
  public void begin() {
    conversation.begin();
  }

  @Override
  public void text(byte[] buffer, int length, Instant arrivedAt) {
    if (isSentAway || (isCutOff.getAsBoolean() && !client.isOperator())) {
      sendAway();
    } else {
      conversation.text(buffer, length, arrivedAt);
    }
  }

  private void sendAway() {
    if (!isSentAway) {
      isSentAway = true;
      WebSocketHandler.closeAfterOutput(channel, WebSocketCloseStatus.TRY_AGAIN_LATER);
    }
  }

  @Override
  public void binary(byte[] buffer, int length) {
    conversation.binary(buffer, length);
  }

  @Override
  public void end() {
    conversation.end();
  }
}
