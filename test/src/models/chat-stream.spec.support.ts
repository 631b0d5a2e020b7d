import type { WireAnswer } from '@countersign/testing';
import type { ServerResponse } from 'node:http';

/** Writes parts in the format of the API, without an end. */
export function begin(response: ServerResponse, ...parts: readonly (object | string)[]): void {
  if (!response.headersSent) response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const part of parts) response.write(typeof part === 'string' ? part : `data: ${JSON.stringify(part)}\n\n`);
}

/** Creates a response with these parts. */
export function stream(...parts: readonly (object | string)[]): WireAnswer {
  return (_, response) => {
    begin(response, ...parts);
    response.end();
  };
}

/** Creates a part of a stream of the Chat Completions API. */
export function part(delta: object, finish: string | null = null) {
  return {
    id: 'c',
    object: 'chat.completion.chunk',
    created: 1,
    model: 'm',
    choices: [{ index: 0, delta, finish_reason: finish }],
  };
}
