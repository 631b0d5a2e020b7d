import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/**
 * The connections of a server and the answers under way on each, so that it can stop as soon as nothing is under way.
 * Node.js alone waits for more: it takes a connection that was opened ahead of need, as browsers do, for a busy one, and
 * keeps one alive whose last answer ended after `close()`.
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

  /** Closes the connections on which nothing is under way now, and each other one as soon as that is so. */
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

/** So that the client does not send its next request into a connection that is about to close. */
function announceEnd(answer: ServerResponse): void {
  if (!answer.headersSent) answer.setHeader('Connection', 'close');
}
