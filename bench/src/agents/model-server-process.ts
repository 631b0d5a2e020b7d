import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

/** Parts of a Chat Completions request that determine the response. */
interface ChatRequest {
  readonly model: string;
  readonly messages: readonly { readonly role: string }[];
}

let callCount = 0;

/**
 * Server of simulated language models. The model `TURNSxCALLS` works for `TURNS` turns and proposes `CALLS` calls in
 * each turn except the last. Completions are event streams like OpenAI's.
 */
const server = createServer((request, response) => {
  json(request).then(
    (body) => streamCompletion(body as ChatRequest, response),
    () => response.writeHead(400).end(),
  );
});

function streamCompletion({ model, messages }: ChatRequest, response: ServerResponse): void {
  const [turns = 1, callsPerTurn = 0] = model.split('x').map(Number);
  const turn = messages.filter(({ role }) => role === 'assistant').length + 1;
  response.writeHead(200, { 'Content-Type': 'text/event-stream' });
  const send = (choice: object): void =>
    void response.write(
      `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model, ...choice })}\n\n`,
    );
  const sendDelta = (delta: object, finishReason: string | null = null): void =>
    send({ choices: [{ index: 0, delta, finish_reason: finishReason }] });
  sendDelta({ role: 'assistant', content: '' });
  if (turn < turns) {
    for (let index = 0; index < callsPerTurn; index += 1) {
      callCount += 1;
      sendDelta({
        tool_calls: [
          { index, id: `call_${callCount}`, type: 'function', function: { name: 'run_inputs', arguments: '{}' } },
        ],
      });
    }
    sendDelta({}, 'tool_calls');
  } else {
    sendDelta({ content: 'Done.' });
    sendDelta({}, 'stop');
  }
  send({ choices: [], usage: { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 } });
  response.end('data: [DONE]\n\n');
}

server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
process.once('disconnect', () => process.exit());
