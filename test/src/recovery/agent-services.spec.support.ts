import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** Calls proposed in each turn except the last. */
const CALLS_BY_TURN = [['read', 'write'], ['write']] as const;

/** Events outside the server, in order, at which the server may be killed. */
export const KILL_POINTS = [
  'turn 1 asked',
  'turn 1 answered',
  'read asked',
  'read answered',
  'write 1 asked',
  'write 1 done',
  'turn 2 asked',
  'turn 2 answered',
  'write 2 asked',
  'write 2 done',
  'turn 3 asked',
  'turn 3 answered',
] as const;
export type KillPoint = (typeof KILL_POINTS)[number];

interface ModelRequest {
  readonly messages: readonly { readonly role: string }[];
}

/** Language model and HTTP service that agents call. A test can kill the calling server at each event. */
export class AgentServices {
  /** Number of requests for each turn, in order. */
  readonly requestsByTurn: number[] = [];
  /** Number of effects by idempotency key. */
  readonly effects = new Map<string, number>();
  /** Called at each event. Returns whether it killed the server, which then must not receive a response. */
  onKillPoint: (killPoint: KillPoint) => boolean = () => false;
  /** Called at each request for a turn. */
  onTurn: (turn: number) => Promise<void> = () => Promise.resolve();
  private readonly server: Server;
  private currentWriteNumber = 0;

  constructor() {
    this.server = createServer((request, response) => {
      this.handle(request, response).catch((error: unknown) => response.destroy(error as Error));
    });
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async open(): Promise<void> {
    this.server.listen(0, '127.0.0.1');
    await once(this.server, 'listening');
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  private async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request);
    if (request.url === '/v1/chat/completions') return this.takeTurn(JSON.parse(body) as ModelRequest, response);
    return request.method === 'GET'
      ? this.exchange('read', response, () => undefined)
      : this.write(String(request.headers['idempotency-key']), response);
  }

  private async takeTurn({ messages }: ModelRequest, response: ServerResponse): Promise<void> {
    const turn = messages.filter(({ role }) => role === 'assistant').length + 1;
    this.requestsByTurn[turn - 1] = (this.requestsByTurn[turn - 1] ?? 0) + 1;
    await this.onTurn(turn);
    if (this.onKillPoint(`turn ${turn} asked` as KillPoint)) return void response.destroy();
    response.writeHead(200, { 'Content-Type': 'text/event-stream' });
    const send = (delta: object, finishReason: string | null = null): void =>
      void response.write(
        `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [{ index: 0, delta, finish_reason: finishReason }] })}\n\n`,
      );
    const calls = CALLS_BY_TURN[turn - 1] ?? [];
    calls.forEach((kind, index) => {
      const toolArguments =
        kind === 'read'
          ? { url: `${this.url}/status` }
          : { method: 'POST', url: `${this.url}/effects`, body: { turn } };
      send({
        tool_calls: [
          {
            index,
            id: `call_${turn}_${index}`,
            type: 'function',
            function: { name: kind === 'read' ? 'http_get' : 'http_request', arguments: JSON.stringify(toolArguments) },
          },
        ],
      });
    });
    if (calls.length === 0) send({ content: 'Done.' });
    send({}, calls.length === 0 ? 'stop' : 'tool_calls');
    response.end('data: [DONE]\n\n', () => void this.onKillPoint(`turn ${turn} answered` as KillPoint));
  }

  private async write(key: string, response: ServerResponse): Promise<void> {
    if (!this.effects.has(key)) this.currentWriteNumber = this.effects.size + 1;
    await this.exchange(`write ${this.currentWriteNumber}`, response, () =>
      this.effects.set(key, (this.effects.get(key) ?? 0) + 1),
    );
  }

  private async exchange(name: string, response: ServerResponse, effect: () => void): Promise<void> {
    if (this.onKillPoint(`${name} asked` as KillPoint)) return void response.destroy();
    effect();
    if (name !== 'read' && this.onKillPoint(`${name} done` as KillPoint)) return void response.destroy();
    response.writeHead(200, { 'Content-Type': 'application/json' });
    response.end('{"ok": true}', () => {
      if (name === 'read') this.onKillPoint('read answered');
    });
  }
}
