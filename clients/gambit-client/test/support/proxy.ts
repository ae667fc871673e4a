import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** A TCP proxy that loses the bytes of one direction, and cuts connections. */
export class Proxy {
  /** The port of the server behind the proxy. */
  target = 0;
  /** Bytes of this direction are lost. */
  loses: 'requests' | 'answers' | undefined;
  readonly #sockets = new Set<Socket>();
  readonly #server: Server = createServer(client => this.#accept(client));
  #onLoss?: (() => void) | undefined;

  /** Listens on a free port. */
  async start(): Promise<this> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return this;
  }

  get url(): string {
    return `ws://localhost:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Resolves when the next bytes are lost. */
  nextLoss(): Promise<void> {
    return new Promise(resolve => {
      this.#onLoss = resolve;
    });
  }

  /** Cuts all connections, and loses nothing more. */
  cut(): void {
    for (const socket of this.#sockets) {
      socket.destroy();
    }
    this.loses = undefined;
  }

  close(): void {
    this.cut();
    this.#server.close();
  }

  #accept(client: Socket): void {
    const server = connect(this.target, '127.0.0.1');
    this.#pass(client, server, 'requests');
    this.#pass(server, client, 'answers');
  }

  #pass(from: Socket, to: Socket, direction: 'requests' | 'answers'): void {
    this.#sockets.add(from);
    from.on('data', bytes => {
      if (this.loses === direction) {
        this.#onLoss?.();
        this.#onLoss = undefined;
      } else {
        to.write(bytes);
      }
    });
    from.on('error', () => undefined);
    from.on('close', () => {
      this.#sockets.delete(from);
      to.destroy();
    });
  }
}
