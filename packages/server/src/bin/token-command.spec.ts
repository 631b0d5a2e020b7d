import { expect } from 'chai';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { writeServerFile } from './server-file.js';
import { requestToken } from './token-command.js';

describe('countersign token', () => {
  let dataDirectory: string;
  let server: Server;
  let url: string;
  let serverResponse: { status: number; body: object };
  let requests: unknown[];
  const createOptions = (overrides: object = {}) => ({
    set: [],
    data: dataDirectory,
    role: 'approver',
    group: [],
    ...overrides,
  });
  const requestError = (overrides: object = {}) =>
    requestToken(createOptions(overrides)).catch((reason: unknown) => reason);

  beforeEach(async () => {
    dataDirectory = await mkdtemp(join(tmpdir(), 'countersign-token-'));
    requests = [];
    serverResponse = { status: 200, body: { access_token: 'abc', token_type: 'Bearer', expires_in: 60 } };
    server = createServer((request, response) => {
      void text(request).then((body) => {
        requests.push([request.method, request.url, JSON.parse(body)]);
        response
          .writeHead(serverResponse.status, { 'content-type': 'application/json' })
          .end(JSON.stringify(serverResponse.body));
      });
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });

  afterEach(async () => {
    server.closeAllConnections();
    server.close();
    await rm(dataDirectory, { recursive: true, force: true });
  });

  it('should request a token from the server of the data directory, with the role as default subject', async () => {
    await writeServerFile(dataDirectory, { url, pid: process.pid });

    expect(await requestToken(createOptions())).to.equal('abc');
    expect(await requestToken(createOptions({ subject: 'ada', name: 'Ada', group: ['board'] }))).to.equal('abc');

    expect(requests).to.deep.equal([
      ['POST', '/api/auth/token', { subject: 'approver', role: 'approver' }],
      ['POST', '/api/auth/token', { subject: 'ada', role: 'approver', name: 'Ada', groups: ['board'] }],
    ]);
  });

  it('should report that no server runs when server.json is missing or the server does not respond', async () => {
    expect(await requestError()).to.include({ code: 'server_not_running' });

    await writeServerFile(dataDirectory, { url: 'http://127.0.0.1:9', pid: 1 });
    expect(await requestError()).to.include({ code: 'server_not_running' });
  });

  it('should report that development tokens are disabled, and pass other refusals on', async () => {
    serverResponse = { status: 404, body: { code: 'dev_token_disabled', detail: 'off' } };
    expect(await requestError({ url }))
      .to.include({ code: 'dev_token_disabled' })
      .and.to.have.property('remedy')
      .that.contains('npm start');

    serverResponse = { status: 422, body: { code: 'validation_failed', detail: 'The subject is too long.' } };
    expect(await requestError({ url })).to.include({
      code: 'validation_failed',
      message: 'The server responded with status 422: The subject is too long.',
    });
  });
});
