import { parentPort } from 'node:worker_threads';
import type { ThreadResponse, ThreadRequest } from './requester.js';

/** Sends requests from a separate thread, so that reading a response does not count as the server's work. */
parentPort?.on('message', ({ id, url, method, headers, body }: ThreadRequest) => {
  void (async () => {
    let threadResponse: ThreadResponse;
    try {
      const response = await fetch(url, { method, headers: { ...headers }, body });
      threadResponse = { id, status: response.status, text: await response.text() };
    } catch (error) {
      threadResponse = { id, status: 0, text: String(error) };
    }
    parentPort?.postMessage(threadResponse);
  })();
});
