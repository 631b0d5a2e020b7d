import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export interface RecordedWrite {
  readonly method: string;
  readonly path: string;
  readonly body: string;
}

/** Everything that agents can reach over HTTP: a web site, an API and a code host. It records writes. */
export interface RecordingServer {
  readonly url: string;
  readonly writes: RecordedWrite[];
  /** Payloads by case number. */
  payloads: readonly string[];
  /** Text that it reveals to every client. */
  leaks: string;
  close(): Promise<void>;
}

export async function startRecordingServer(): Promise<RecordingServer> {
  const writes: RecordedWrite[] = [];
  const serverState = { payloads: [] as readonly string[], leaks: '' };
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      const { method = '', url = '' } = request;
      const [, kind = '', number = ''] = /^\/(page|json|missing|repos\/acme\/shop\/issues)\/(\d+)$/.exec(url) ?? [];
      const payload = serverState.payloads[Number(number)] ?? '';
      const send = (status: number, content: object | string): void => {
        response.writeHead(status, { 'Content-Type': typeof content === 'string' ? 'text/plain' : 'application/json' });
        response.end(typeof content === 'string' ? content : JSON.stringify(content));
      };
      if (method !== 'GET') {
        writes.push({ method, path: url, body });
        return send(201, url.endsWith('/labels') ? [] : { id: 1, html_url: 'https://git.example/1', body });
      }
      if (kind === 'page') return send(200, `${payload}\n${serverState.leaks}`);
      if (kind === 'json')
        return send(200, { items: [{ title: 'one', note: { text: payload, leaks: serverState.leaks } }] });
      if (kind === 'missing') return send(404, payload);
      if (kind !== '')
        return send(200, {
          number: Number(number),
          title: 'An issue',
          body: `${payload} ${serverState.leaks}`,
          state: 'open',
          comments: 0,
          labels: [],
          user: { login: 'eve' },
          html_url: 'https://git.example/1',
          created_at: '2026-11-20T09:00:00Z',
        });
      return send(200, []);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return Object.assign(serverState, {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    writes,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  });
}
