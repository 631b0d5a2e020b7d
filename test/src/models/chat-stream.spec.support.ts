import type { FakeServerHandler } from '@countersign/testing';
import type { ServerResponse } from 'node:http';

/** Writes parts in the format of the API, without an end. */
export function writeChunks(response: ServerResponse, ...chunks: readonly (object | string)[]): void {
  if (!response.headersSent) response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const streamChunk of chunks)
    response.write(typeof streamChunk === 'string' ? streamChunk : `data: ${JSON.stringify(streamChunk)}\n\n`);
}

/** Creates a response with these parts. */
export function streamChunks(...chunks: readonly (object | string)[]): FakeServerHandler {
  return (_, response) => {
    writeChunks(response, ...chunks);
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
