package gambit.core.replication;

import gambit.core.replication.BusMessage.LinkMessage;
import gambit.core.replication.LinkPayload.Hello;
import gambit.core.replication.LinkPayload.Submit;

/** Forwards each event twice, as two events. */
final class DoublingBus implements Bus {
  private final Bus real;
  private final long node;
  private long more; // messages of the session
  private long moreRequests;

  DoublingBus(Bus real, long node) {
    this.real = real;
    this.node = node;
  }

  @Override
  public void listen(long number, Receiver receiver) {
    real.listen(number, receiver);
  }

  @Override
  public void send(long to, byte[] message) {
    if (!(BusMessage.decode(message).message() instanceof LinkMessage link)) {
      real.send(to, message);
      return;
    }
    if (link.payload() instanceof Hello) {
      more = 0;
    }
    if (link.payload() instanceof Submit submit) {
      send(to, link, numbered(submit, submit.number() + moreRequests));
      more++;
      moreRequests++;
      send(to, link, numbered(submit, submit.number() + moreRequests));
    } else {
      send(to, link, link.payload());
    }
  }

  private void send(long to, LinkMessage link, LinkPayload payload) {
    LinkMessage sent = new LinkMessage(link.session(), link.number() + more, payload);
    real.send(to, BusMessage.encode(node, sent));
  }

  private static Submit numbered(Submit submit, long number) {
    return new Submit(
        number,
        submit.connection(),
        submit.ageMillis(),
        submit.awaited(),
        submit.imported(),
        submit.event());
  }

  @Override
  public void sendToAll(byte[] message) {
    real.sendToAll(message);
  }

  @Override
  public void seek(long to) {
    real.seek(to);
  }

  @Override
  public int maxMessageBytes() {
    return real.maxMessageBytes();
  }

  @Override
  public void close() {
    real.close();
  }
}
