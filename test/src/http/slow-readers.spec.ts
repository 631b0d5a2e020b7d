import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createMiddleware, type CountersignMiddleware } from '@countersign/server';
import { approvalModel, createTestHost, type TestHost } from '@countersign/testing';
import { expect } from 'chai';
import Koa from 'koa';
import pg from 'pg';
import { StreamReader } from './stream-reader.spec.support.js';

/** Far more than the kernel buffers of a connection can hold. */
const BACKLOG_BYTES = 32 * 1024 * 1024;
/** Maximum that the server may buffer for one reader: a slice, an event, and the buffers of Node.js. */
const MAX_BUFFERED_BYTES = 512 * 1024;
const FIRST_SEQ = 1_001;

describe('API: event streams with slow readers', function () {
  this.timeout(120_000);

  let countersign: TestHost;
  let database: pg.Client;
  let middleware: CountersignMiddleware;
  let server: Server;
  let url: string;
  let token: string;
  let runId: string;
  let responses: ServerResponse[];
  let readers: StreamReader[];

  before(async () => {
    countersign = await createTestHost({ jobTypes: ['work'] });
    await countersign.deploy(approvalModel('simple'));
    token = await countersign.token('viewer');
    database = new pg.Client({ connectionString: countersign.database.connectionString });
    await database.connect();
    // A second server of the same host, whose sockets the test can inspect.
    middleware = createMiddleware(countersign.host);
    server = createServer(new Koa().use(middleware).callback()).listen(0, '127.0.0.1');
    server.on('request', (_request, response: ServerResponse) => responses.push(response));
    await once(server, 'listening');
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });

  after(async () => {
    middleware.close();
    server.closeAllConnections();
    server.close();
    await database.end();
    await countersign.close();
  });

  beforeEach(async () => {
    ({ runId } = await (await countersign.client('viewer')).startRun({ body: { workflowId: 'simple' } }));
    responses = [];
    readers = [];
  });

  afterEach(() => {
    for (const reader of readers) reader.close();
  });

  /**
   * Opens a stream. Returns its reader, and a function that returns the number of bytes that the server buffers for it.
   */
  async function open(path: string): Promise<{ reader: StreamReader; bufferedBytes(): number }> {
    const reader = await StreamReader.open(
      `${url}${path}`,
      token,
      (line) => line.includes(path.includes(runId) ? '"seq"' : runId) && !/"seq":\d{1,3},/.test(line),
    );
    readers.push(reader);
    const response = responses.at(-1);
    return { reader, bufferedBytes: () => response?.writableLength ?? 0 };
  }

  /** Adds events to a run, in transactions of at most 500 events. */
  async function addEvents(count: number): Promise<void> {
    const data = JSON.stringify({ note: 'x'.repeat(Math.ceil(BACKLOG_BYTES / count)) });
    for (let added = 0; added < count; added += 500) {
      await database.query(
        `INSERT INTO run_events (run_id, seq, at, type, data, hash) SELECT $1, $2::int + n, now(), 'note', $3, repeat('0', 64) FROM generate_series(0, $4::int - 1) n`,
        [runId, FIRST_SEQ + added, data, Math.min(500, count - added)],
      );
    }
  }

  async function expectBoundedBufferAndCompleteStream(path: string, count: number): Promise<void> {
    // given: two readers, one of which does not read
    const slowReader = await open(path);
    const fastReader = await open(path);
    const lastSeq = FIRST_SEQ + count - 1;

    // when
    let maxBufferedBytes = 0;
    await Promise.all([
      addEvents(count),
      fastReader.reader.readUntilSeq(
        lastSeq,
        () => (maxBufferedBytes = Math.max(maxBufferedBytes, slowReader.bufferedBytes())),
      ),
    ]);

    // then: the other reader has every event, and the buffer of the slow one is small, but full
    expect(fastReader.reader.seqs).to.have.length(count);
    expect(maxBufferedBytes).to.be.lessThan(MAX_BUFFERED_BYTES);
    expect(slowReader.bufferedBytes()).to.be.greaterThan(0);

    // when: the slow reader continues
    await slowReader.reader.readUntilSeq(lastSeq);

    // then: no event is missing or duplicated
    expect(slowReader.reader.seqs).to.have.length(count);
    expect(slowReader.reader.seqs.every((seq, index) => seq === FIRST_SEQ + index)).to.equal(true);
  }

  it('should buffer little for a slow reader of a run and deliver all events later', () =>
    expectBoundedBufferAndCompleteStream(`/api/runs/${runId}/events`, 4_000));

  it('should buffer little for a slow reader of all changes and later deliver events that the feed has dropped', async () => {
    // More events than the change feed buffers for lagging readers: 256 batches of 500.
    await expectBoundedBufferAndCompleteStream('/api/events', 150_000);
  });
});
