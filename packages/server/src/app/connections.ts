import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Tracks the connections of a server and the responses in progress on each, so that the server can stop when no
 * response is in progress. Node.js waits longer: it treats a connection that a browser opened in advance as busy, and
 * keeps a connection open if its last response ends after `close()`.
 */
export class Connections {
  private readonly responses = new Map<Socket, Set<ServerResponse>>();
  private draining = false;

  constructor(server: Server) {
    server.on('connection', (socket: Socket) => this.onConnection(socket));
    server.prependListener('request', (request: IncomingMessage, response: ServerResponse) =>
      this.onRequest(request.socket, response),
    );
  }

  /** Closes every idle connection now, and each other connection when its last response ends. */
  drain(): void {
    this.draining = true;
    for (const [socket, socketResponses] of this.responses) {
      if (socketResponses.size === 0) socket.destroySoon();
      for (const response of socketResponses) setConnectionClose(response);
    }
  }

  private onConnection(socket: Socket): void {
    if (this.draining) {
      socket.destroy();
      return;
    }
    this.responses.set(socket, new Set());
    socket.once('close', () => this.responses.delete(socket));
  }

  private onRequest(socket: Socket, response: ServerResponse): void {
    const socketResponses = this.responses.get(socket);
    if (socketResponses === undefined) return;
    socketResponses.add(response);
    if (this.draining) setConnectionClose(response);
    response.once('close', () => {
      socketResponses.delete(response);
      if (this.draining && socketResponses.size === 0) socket.destroySoon();
    });
  }
}

/** Prevents the client from sending its next request on a connection that is about to close. */
function setConnectionClose(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader('Connection', 'close');
}
