import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { ERROR_CODES, problemType, type ErrorCode } from '@countersign/model';
import type { Run, RunPlan } from '../schemas/index.js';
import { ConnectionError } from './connection-error.js';
import { createClient, type Client } from './create-client.js';
import type { FetchLike } from './fetch-like.js';
import { ProblemError } from './problem-error.js';

const runId = '01938f5a-7c1e-7b62-9d53-0c9a4f1b2e77';

interface ReceivedRequest {
  method: string;
  url: string;
  headers: IncomingMessage['headers'];
  body: string;
}

/** Function that writes the response of the server to one request. */
type Responder = (response: ServerResponse, request: ReceivedRequest) => void;

const respondJson =
  (status: number, body: unknown): Responder =>
  (response) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));

const respondProblem =
  (code: ErrorCode, headers: Record<string, string> = {}): Responder =>
  (response) => {
    const { status, title, retryable } = ERROR_CODES[code];
    const body = {
      type: problemType(code),
      title,
      status,
      detail: `Because ${code}.`,
      code,
      instance: null,
      traceId: 't',
      retryable,
      errors: [],
    };
    response.writeHead(status, { 'content-type': 'application/problem+json', ...headers }).end(JSON.stringify(body));
  };

const closeConnection: Responder = (response) => response.destroy();

const respondStream =
  (text: string, end: 'end' | 'break' | 'open' = 'end'): Responder =>
  (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(text, () => {
      if (end === 'end') {
        response.end();
      } else if (end === 'break') {
        response.destroy();
      }
    });
  };

const formatEvent = (seq: number, type = 'step.completed'): string =>
  `id: ${seq}\ndata: ${JSON.stringify({ seq, type })}\n\n`;

describe('createClient', () => {
  let server: Server;
  let responders: Responder[];
  let seen: ReceivedRequest[];
  let baseUrl: string;
  let client: Client;

  beforeEach(async () => {
    responders = [];
    seen = [];
    server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const received = {
          method: request.method ?? '',
          url: request.url ?? '',
          headers: request.headers,
          body: Buffer.concat(chunks).toString(),
        };
        seen.push(received);
        (responders.shift() ?? closeConnection)(response, received);
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    client = createClient({ baseUrl, token: 'secret', retryDelayMs: 1 });
  });

  afterEach(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  describe('requests to JSON routes', () => {
    it('should send the path, the query, the token and the body of a request', async () => {
      // given
      responders = [respondJson(200, { items: [], nextCursor: null }), respondJson(201, { runId })];

      // when
      const page = await client.listRuns({ status: 'blocked', stuck: true, limit: 10, q: 'a&b' });
      const run = await client.startRun({ body: { workflowId: 'release' } });

      // then
      expect(page).to.deep.equal({ items: [], nextCursor: null });
      expect(run.runId).to.equal(runId);
      expect(seen[0]).to.include({
        method: 'GET',
        url: '/api/runs?status=blocked&stuck=true&limit=10&q=a%26b',
        body: '',
      });
      expect(seen[1]).to.include({ method: 'POST', url: '/api/runs', body: '{"workflowId":"release"}' });
      expect(seen[1]?.headers).to.include({ 'authorization': 'Bearer secret', 'content-type': 'application/json' });
    });

    it('should percent-encode path parameters', async () => {
      responders = [respondJson(200, {})];
      await client.getWorkflow({ workflowId: 'a/../b?c' });
      expect(seen[0]?.url).to.equal('/api/workflows/a%2F..%2Fb%3Fc');
    });

    it('should throw a TypeError and send nothing when a path parameter is `.` or `..`', async () => {
      for (const runId of ['.', '..']) {
        const error = await client.getRun({ runId }).catch((error: unknown) => error);
        expect(error).to.be.instanceOf(TypeError);
      }
      expect(seen).to.deep.equal([]);
    });

    it('should send a BPMN model as XML', async () => {
      responders = [respondJson(201, {})];
      await client.deployWorkflow({ body: '<definitions/>' });
      expect(seen[0]).to.include({ body: '<definitions/>' });
      expect(seen[0]?.headers['content-type']).to.equal('application/xml');
    });

    it('should return a typed plan for a dry run', async () => {
      // given
      responders = [respondJson(200, { dryRun: true }), respondJson(200, { runId })];

      // when (the types are checked by the compiler)
      const plan: RunPlan = await client.cancelRun({ runId, dryRun: true, body: { reason: 'wrong' } });
      const run: Run = await client.cancelRun({ runId, body: { reason: 'wrong' } });

      // then
      expect(plan.dryRun).to.be.true;
      expect(run.runId).to.equal(runId);
      expect(seen.map(({ url }) => url)).to.deep.equal([
        `/api/runs/${runId}/cancel?dryRun=true`,
        `/api/runs/${runId}/cancel`,
      ]);
    });

    it('should accept and return only the types that the route declares', () => {
      // never executed, only checked by the compiler
      const checkTypes = async (): Promise<void> => {
        // @ts-expect-error the run id is missing
        await client.getRun({});
        // @ts-expect-error the status does not exist
        await client.listRuns({ status: 'done' });
        // @ts-expect-error the workflow is missing
        await client.startRun({ body: {} });
        // @ts-expect-error an artifact is uploaded as bytes, not as a JSON object
        await client.uploadArtifact({ runId, artifactName: 'a', body: { no: 'bytes' } });
        // @ts-expect-error the route does not return JSON
        await client.getMetrics();
        await client.recoverRun({ runId });
        const { items } = await client.listApprovals();
        const quorum: number | undefined = items[0]?.quorum.required;
        expect(quorum).to.be.undefined;
      };
      expect(checkTypes).to.be.a('function');
    });

    it('should return the body of a declared error status that is not a problem document', async () => {
      responders = [respondJson(503, { status: 'fail' })];
      expect(await client.getReady()).to.deep.equal({ status: 'fail' });
    });

    it('should get the token from the provider again for each request', async () => {
      let count = 0;
      client = createClient({ baseUrl, token: () => Promise.resolve(`t${(count += 1)}`) });
      responders = [respondJson(200, {}), respondJson(200, {})];
      await client.getMe();
      await client.getMe();
      expect(seen.map(({ headers }) => headers.authorization)).to.deep.equal(['Bearer t1', 'Bearer t2']);
    });
  });

  describe('401 responses', () => {
    const sentCredentials = (): unknown[] => seen.map(({ headers, body }) => [headers.authorization, body]);
    let refusedTokens: (string | undefined)[];
    const createRenewingClient = (renewed: string | undefined): Client =>
      createClient({
        baseUrl,
        token: (refused) => {
          refusedTokens.push(refused);
          return refused === undefined ? 'old' : renewed;
        },
      });

    beforeEach(() => {
      refusedTokens = [];
    });

    it('should repeat the request once with the token that replaces the refused token', async () => {
      responders = [respondProblem('invalid_token'), respondJson(200, { runId })];
      expect(await createRenewingClient('new').cancelRun({ runId, body: { reason: 'wrong' } })).to.deep.equal({
        runId,
      });
      expect(sentCredentials()).to.deep.equal([
        ['Bearer old', '{"reason":"wrong"}'],
        ['Bearer new', '{"reason":"wrong"}'],
      ]);
      expect(refusedTokens).to.deep.equal([undefined, 'old']);
    });

    it('should report a second refusal and not repeat the request again', async () => {
      responders = [respondProblem('invalid_token'), respondProblem('invalid_token'), respondJson(200, {})];
      expect(await catchError(createRenewingClient('new').getMe())).to.include({ status: 401 });
      expect(seen).to.have.lengthOf(2);
      expect(refusedTokens).to.deep.equal([undefined, 'old', 'new']);
    });

    it('should not repeat the request when there is no new token', async () => {
      for (const renewed of [undefined, 'old']) {
        responders = [respondProblem('invalid_token'), respondJson(200, {})];
        expect(await catchError(createRenewingClient(renewed).getMe())).to.include({ status: 401 });
        expect(seen).to.have.lengthOf(1);
        seen = [];
      }
    });

    it('should not repeat a request whose body is a stream', async () => {
      responders = [respondProblem('invalid_token'), respondJson(201, {})];
      const body = new Blob(['bytes']).stream();
      const upload = createRenewingClient('new').uploadArtifact({ runId, artifactName: 'a.txt', body });
      expect(await catchError(upload)).to.include({ status: 401 });
      expect(seen).to.have.lengthOf(1);
    });

    it('should repeat a request that opens an event stream', async () => {
      responders = [
        respondProblem('invalid_token'),
        respondStream(formatEvent(1)),
        (response) => response.writeHead(204).end(),
      ];
      const seqs: number[] = [];
      for await (const { seq } of createRenewingClient('new').streamRunEvents({ runId }, { reconnectDelayMs: 1 }))
        seqs.push(seq);
      expect(seqs).to.deep.equal([1]);
    });
  });

  it('should refuse to send a number that is inexact or that JSON would convert to null', async () => {
    for (const account of [JSON.parse('9007199254740993') as number, Number.NaN, Number.POSITIVE_INFINITY, 7n]) {
      // given
      const inputs = { order: { account } } as { order: { account: number } };

      // when
      const error = await catchError(client.startRun({ body: { workflowId: 'release', inputs } }));

      // then
      expect(error).to.be.instanceOf(ProblemError).and.include({ status: 422, code: 'validation_failed' });
      expect((error as ProblemError).errors.map(({ pointer, code }) => [pointer, code])).to.deep.equal([
        ['/inputs/order/account', 'number_not_exact'],
      ]);
    }
    expect(seen).to.have.lengthOf(0);
  });

  describe('error responses', () => {
    it('should throw the problem document as a ProblemError', async () => {
      responders = [respondProblem('self_approval')];
      const error = await catchError(client.decideApproval({ approvalId: runId, body: { decision: 'approve' } }));
      expect(error)
        .to.be.instanceOf(ProblemError)
        .and.include({ status: 403, code: 'self_approval', retryable: false, message: 'Because self_approval.' });
      expect(seen).to.have.lengthOf(1);
    });

    it('should throw a ProblemError when the response comes from a proxy', async () => {
      responders = [
        (response) => response.writeHead(404, { 'content-type': 'text/html' }).end('<h1>Not found</h1>'),
        (response) => response.writeHead(200).end('<h1>Log in</h1>'),
      ];
      expect(await catchError(client.getRun({ runId })))
        .to.be.instanceOf(ProblemError)
        .and.include({ status: 404, code: 'unexpected_response' });
      expect(await catchError(client.getRun({ runId })))
        .to.be.instanceOf(ProblemError)
        .and.include({ status: 200, code: 'unexpected_response' });
    });

    it('should retry reads after transient errors, up to a limit of attempts', async () => {
      responders = [closeConnection, respondProblem('service_unavailable'), respondJson(200, { runId })];
      expect(await client.getRun({ runId })).to.deep.equal({ runId });
      expect(await catchError(client.getRun({ runId }))).to.be.instanceOf(ConnectionError);
      expect(seen).to.have.lengthOf(6);
    });

    it('should retry an idempotent write under the same key and use a new key for the next call', async () => {
      responders = [
        closeConnection,
        respondProblem('rate_limited', { 'retry-after': '0' }),
        respondJson(201, {}),
        respondJson(201, {}),
      ];
      await client.startRun({ body: { workflowId: 'a' } });
      await client.startRun({ body: { workflowId: 'a' } });
      const keys = seen.map(({ headers }) => headers['idempotency-key']);
      expect(keys[0]).to.be.a('string').with.length.greaterThan(20);
      expect(keys[1]).to.equal(keys[0]);
      expect(keys[2]).to.equal(keys[0]);
      expect(keys[3]).not.to.equal(keys[0]);
    });

    it('should retry an idempotent write when its response is incomplete', async () => {
      responders = [
        (response) => {
          response
            .writeHead(201, { 'content-type': 'application/json', 'content-length': '100' })
            .write('{"run', () => response.destroy());
        },
        respondJson(201, { runId }),
      ];
      expect(await client.startRun({ body: { workflowId: 'a' } }, { idempotencyKey: 'mine' })).to.deep.equal({ runId });
      expect(seen.map(({ headers }) => headers['idempotency-key'])).to.deep.equal(['mine', 'mine']);
    });

    it('should never retry a write that is not idempotent', async () => {
      responders = [closeConnection, respondJson(200, {})];
      expect(await catchError(client.cancelRun({ runId, body: { reason: 'x' } }))).to.be.instanceOf(ConnectionError);
      expect(seen).to.have.lengthOf(1);
      expect(seen[0]?.headers).not.to.have.property('idempotency-key');
    });

    it('should throw instead of waiting when the server requests an excessive delay', async () => {
      responders = [respondProblem('rate_limited', { 'retry-after': '3600' })];
      const error = await catchError(client.getRun({ runId }));
      expect(error).to.be.instanceOf(ProblemError).and.include({ retryAfterMs: 3_600_000 });
    });

    it('should stop between two attempts when the signal is aborted', async () => {
      const controller = new AbortController();
      responders = [
        (response, request) => {
          response.once('finish', () => setTimeout(() => controller.abort(), 50));
          respondProblem('rate_limited', { 'retry-after': '20' })(response, request);
        },
      ];
      expect(await catchError(client.getRun({ runId }, { signal: controller.signal }))).to.have.property(
        'name',
        'AbortError',
      );
      expect(seen).to.have.lengthOf(1);
    });
  });

  describe('artifact transfers', () => {
    it('should upload a stream and download a range', async () => {
      // given
      responders = [
        respondJson(201, { version: 1 }),
        (response) => response.writeHead(206, { 'content-type': 'text/markdown', 'etag': '"x"' }).end('ell'),
      ];

      // when
      const artifact = await client.uploadArtifact({
        runId,
        artifactName: 'ä b.md',
        body: new Blob(['hello']).stream(),
        contentType: 'text/markdown',
      });
      const download = await client.downloadArtifact({
        runId,
        artifactName: 'ä b.md',
        version: 1,
        range: { start: 1, end: 3 },
      });

      // then
      expect(artifact.version).to.equal(1);
      expect(seen[0]).to.include({ url: `/api/runs/${runId}/artifacts/%C3%A4%20b.md`, body: 'hello' });
      expect(seen[1]?.headers.range).to.equal('bytes=1-3');
      expect(download).to.include({ partial: true, contentType: 'text/markdown', etag: '"x"' });
      expect(new TextDecoder().decode(await download.bytes())).to.equal('ell');
    });
  });

  describe('event stream of a run', () => {
    const collect = async (source: AsyncIterable<{ seq: number }>): Promise<number[]> => {
      const seqs: number[] = [];
      for await (const { seq } of source) {
        seqs.push(seq);
      }
      return seqs;
    };

    it('should resume after the last received event when the connection breaks, and end when the run ends', async () => {
      // given
      responders = [
        respondStream(`retry: 1\n\n${formatEvent(1)}${formatEvent(2)}id: 3\ndata: {"se`, 'break'),
        closeConnection,
        respondProblem('service_unavailable', { 'retry-after': '0' }),
        respondStream(formatEvent(3)),
        respondStream(formatEvent(4, 'run.completed'), 'open'),
      ];

      // when
      const seqs = await collect(client.streamRunEvents({ runId }));

      // then
      expect(seqs).to.deep.equal([1, 2, 3, 4]);
      expect(seen.map(({ headers }) => headers['last-event-id'])).to.deep.equal([undefined, '2', '2', '2', '3']);
      expect(seen[0]?.headers.accept).to.include('text/event-stream');
    });

    it('should start after a given event and end when the server has no more events', async () => {
      responders = [(response) => response.writeHead(204).end()];
      expect(await collect(client.streamRunEvents({ runId, after: 41 }))).to.be.empty;
      expect(seen[0]?.headers['last-event-id']).to.equal('41');
    });

    it('should throw an error that retries cannot fix', async () => {
      responders = [respondProblem('run_not_found')];
      expect(await catchError(collect(client.streamRunEvents({ runId }))))
        .to.be.instanceOf(ProblemError)
        .and.include({ code: 'run_not_found' });
    });

    it('should reconnect when the connection is silent for longer than the idle timeout', async () => {
      // On a busy machine even a stream with events may be silent for 50 ms.
      const respondFailedRun = respondStream(formatEvent(1, 'run.failed'));
      responders = [respondStream('retry: 1\n\n', 'open'), ...Array.from({ length: 100 }, () => respondFailedRun)];
      expect(await collect(client.streamRunEvents({ runId }, { idleTimeoutMs: 50 }))).to.deep.equal([1]);
    });

    it('should close the connection when the caller stops reading', async () => {
      // given
      let resolveClosed: () => void;
      const connectionClosed = new Promise<void>((resolve) => (resolveClosed = resolve));
      responders = [
        (response, request) => {
          response.on('close', () => resolveClosed());
          respondStream(formatEvent(1) + formatEvent(2), 'open')(response, request);
        },
      ];

      // when
      for await (const { seq } of client.streamRunEvents({ runId })) {
        expect(seq).to.equal(1);
        break;
      }

      // then
      await connectionClosed;
    });

    it('should throw an AbortError when the signal is aborted while it waits for an event', async () => {
      responders = [respondStream(formatEvent(1), 'open')];
      const controller = new AbortController();
      const readUntilAborted = async (): Promise<void> => {
        // After the first event the client waits for the next event.
        for await (const { seq } of client.streamRunEvents({ runId }, { signal: controller.signal }))
          if (seq === 1) setImmediate(() => controller.abort());
      };
      expect(await catchError(readUntilAborted())).to.have.property('name', 'AbortError');
    });

    it('should read the response body of a `fetch` implementation without web streams', async () => {
      // given
      const legacyFetch: FetchLike = () =>
        Promise.resolve({
          status: 200,
          headers: { get: () => null },
          body: (async function* () {
            yield await Promise.resolve(new TextEncoder().encode(formatEvent(1, 'run.completed')));
          })(),
          text: () => Promise.resolve(''),
          arrayBuffer: () => Promise.resolve(new ArrayBuffer(0)),
        });

      // then
      expect(await collect(createClient({ baseUrl, fetch: legacyFetch }).streamRunEvents({ runId }))).to.deep.equal([
        1,
      ]);
    });
  });

  describe('change feed', () => {
    it('should distinguish changes from a reset', async () => {
      responders = [respondStream('id: a\ndata: {"type":"run.started"}\n\nid: b\nevent: reset\ndata: {}\n\n', 'open')];
      const messages: unknown[] = [];
      for await (const message of client.streamChanges({ lastEventId: 'z' })) {
        messages.push(message);
        if (messages.length === 2) {
          break;
        }
      }
      expect(messages).to.deep.equal([
        { type: 'change', id: 'a', change: { type: 'run.started' } },
        { type: 'reset', id: 'b' },
      ]);
      expect(seen[0]?.headers['last-event-id']).to.equal('z');
    });

    it('should resume at the last position when the connection breaks before the first change', async () => {
      // given
      responders = [
        respondStream('retry: 1\nid: p7\n\n: nothing yet\n\n', 'break'),
        respondStream('id: p8\ndata: {"type":"run.started"}\n\n', 'open'),
      ];
      const positions: string[] = [];

      // when
      for await (const message of client.streamChanges({ onPosition: (id) => positions.push(id) })) {
        expect(message.id).to.equal('p8');
        break;
      }

      // then
      expect(seen.map(({ headers }) => headers['last-event-id'])).to.deep.equal([undefined, 'p7']);
      expect(new Set(positions)).to.deep.equal(new Set(['p7']));
    });
  });
});

async function catchError(promise: Promise<unknown>): Promise<unknown> {
  try {
    await promise;
  } catch (error) {
    return error;
  }
  throw new Error('The promise did not reject.');
}
