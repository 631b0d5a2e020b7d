import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Tracks the connections of a server and the responses in progress on each, so that the server can stop when no
 * response is in progress. Node.js waits longer: it counts a connection that a browser opened in advance as busy, and
 * keeps alive a connection whose last response ended after `close()`.
 */
export class Connections {
  private readonly answers = new Map<Socket, Set<ServerResponse>>();
  private draining = false;

  constructor(server: Server) {
    server.on('connection', (socket: Socket) => this.opened(socket));
    server.prependListener('request', (request: IncomingMessage, response: ServerResponse) =>
      this.asked(request.socket, response),
    );
  }

  /** Closes every idle connection now, and each other connection when its last response ends. */
  drain(): void {
    this.draining = true;
    for (const [socket, answers] of this.answers) {
      if (answers.size === 0) socket.destroySoon();
      for (const answer of answers) announceEnd(answer);
    }
  }

  private opened(socket: Socket): void {
    if (this.draining) {
      socket.destroy();
      return;
    }
    this.answers.set(socket, new Set());
    socket.once('close', () => this.answers.delete(socket));
  }

  private asked(socket: Socket, answer: ServerResponse): void {
    const answers = this.answers.get(socket);
    if (answers === undefined) return;
    answers.add(answer);
    if (this.draining) announceEnd(answer);
    answer.once('close', () => {
      answers.delete(answer);
      if (this.draining && answers.size === 0) socket.destroySoon();
    });
  }
}

/** Prevents the client from sending its next request on a connection that is about to close. */
function announceEnd(answer: ServerResponse): void {
  if (!answer.headersSent) answer.setHeader('Connection', 'close');
}
