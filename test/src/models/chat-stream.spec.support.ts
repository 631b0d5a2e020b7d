import type { FakeServerHandler } from '@countersign/testing';
import type { ServerResponse } from 'node:http';

/** Writes chunks as server-sent events without ending the response. Strings are written unchanged. */
export function writeChunks(response: ServerResponse, ...chunks: readonly (object | string)[]): void {
  if (!response.headersSent) response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const streamChunk of chunks)
    response.write(typeof streamChunk === 'string' ? streamChunk : `data: ${JSON.stringify(streamChunk)}\n\n`);
}

/** Creates a handler that responds with these chunks. */
export function streamChunks(...chunks: readonly (object | string)[]): FakeServerHandler {
  return (_, response) => {
    writeChunks(response, ...chunks);
    response.end();
  };
}

/** Creates a stream chunk of the Chat Completions API. */
export function createChunk(delta: object, finish: string | null = null) {
  return {
    id: 'c',
    object: 'chat.completion.chunk',
    created: 1,
    model: 'm',
    choices: [{ index: 0, delta, finish_reason: finish }],
  };
}
