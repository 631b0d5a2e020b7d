import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, request as httpRequest, type Server } from 'node:http';
import {
  connect,
  createServer as createHttp2Server,
  type Http2ServerRequest,
  type Http2ServerResponse,
} from 'node:http2';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { bodyParser } from '@koa/bodyparser';
import type { Problem, Ready } from '@countersign/contract';
import { createMiddleware, type CountersignMiddleware } from '@countersign/server';
import { approvalModel, createTestHost, type TestHost } from '@countersign/testing';
import { expect } from 'chai';
import Koa from 'koa';
import { koaBody } from 'koa-body';
import olderBodyParser from 'koa-bodyparser';

type Http2Handler = (request: Http2ServerRequest, response: Http2ServerResponse) => void;

const SECRET = 'a secret of more than thirty-two characters';

/** Body parsers as applications mount them, for all types that they support. */
const PARSERS: Readonly<Record<string, () => Koa.Middleware>> = {
  'koa-bodyparser': () =>
    olderBodyParser({ enableTypes: ['json', 'form', 'text', 'xml'] }) as unknown as Koa.Middleware,
  '@koa/bodyparser': () => bodyParser({ enableTypes: ['json', 'form', 'text', 'xml'] }) as unknown as Koa.Middleware,
  'koa-body': () => koaBody({ multipart: true }) as unknown as Koa.Middleware,
};

describe('API: mounted after a body parser', () => {
  let countersign: TestHost;
  let runId: string;
  let token: string;
  const startedServers: { server: Server; middleware: CountersignMiddleware }[] = [];

  before(async () => {
    const Sources = [{ Id: 'shop', Secret: SECRET }];
    countersign = await createTestHost({
      jobTypes: ['work'],
      configuration: { Integrations: { EventIngress: { Enabled: true, Sources } } },
    });
    await countersign.deploy(approvalModel('simple'));
    ({ runId } = await (await countersign.client('operator')).startRun({ body: { workflowId: 'simple' } }));
    token = await countersign.token('admin');
  });

  after(async () => {
    for (const { server, middleware } of startedServers) {
      middleware.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }
    await countersign.close();
  });

  /** Starts a Koa application in which Countersign is one of several middlewares. Returns its URL. */
  const startServer = async (mount: (app: Koa, middleware: CountersignMiddleware) => void): Promise<string> => {
    const app = new Koa();
    const middleware = createMiddleware(countersign.host);
    mount(app, middleware);
    const server = createServer(app.callback()).listen(0, '127.0.0.1');
    startedServers.push({ server, middleware });
    await once(server, 'listening');
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  };
  const post = (url: string, type: string, body: string, headers: Record<string, string> = {}): Promise<Response> =>
    fetch(url, {
      method: 'POST',
      body,
      headers: { 'authorization': `Bearer ${token}`, 'content-type': type, ...headers },
    });
  const artifactPath = (name: string): string => `/api/runs/${runId}/artifacts/${name}`;
  const fetchReadiness = async (url: string): Promise<Ready> => {
    const response = await fetch(`${url}/api/health/ready`, { headers: { authorization: `Bearer ${token}` } });
    return (await response.json()) as Ready;
  };

  it('should refuse a body that earlier middleware has decoded', async () => {
    const url = await startServer((app, middleware) =>
      app
        .use((ctx, next) => {
          ctx.req.setEncoding('utf8');
          return next();
        })
        .use(middleware),
    );
    const response = await post(`${url}/api/runs`, 'application/json', '{"workflowId":"simple"}');
    expect(((await response.json()) as Problem).code).to.equal('body_already_read');
  });

  it('should detect over HTTP/2 that a parser has read the body', async () => {
    // given
    const app = new Koa();
    const middleware = createMiddleware(countersign.host);
    app.use(PARSERS['@koa/bodyparser']!()).use(middleware);
    const server = createHttp2Server(app.callback() as unknown as Http2Handler).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const session = connect(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    const send = async (path: string, type: string, body: string): Promise<unknown> => {
      const stream = session.request({
        ':method': 'POST',
        ':path': path,
        'authorization': `Bearer ${token}`,
        'content-type': type,
      });
      stream.end(body);
      return JSON.parse(await text(stream)) as unknown;
    };

    // then
    expect(await send(artifactPath('h2.json'), 'application/json', '{"a":1}')).to.include({
      code: 'body_already_read',
    });
    expect(await send(artifactPath('h2.bin'), 'application/octet-stream', 'bytes')).to.include({
      name: 'h2.bin',
      size: 5,
    });
    session.close();
    middleware.close();
    await new Promise((resolve) => server.close(resolve));
  });

  for (const [name, parser] of Object.entries(PARSERS)) {
    describe(name, () => {
      let url: string;

      before(async () => {
        url = await startServer((app, middleware) => app.use(parser()).use(middleware));
      });

      it('should refuse a body that the parser has read, name the remedy, and store nothing', async () => {
        // given
        const event = JSON.stringify({ messageName: 'paid', correlationKey: '1', payload: {} });
        const signature = `sha256=${createHmac('sha256', SECRET).update(event).digest('hex')}`;
        const signatureHeaders = { 'x-service-source': 'shop', 'x-service-signature-256': signature };

        // when
        const responses = [
          await post(`${url}${artifactPath(`${name.replace('/', '-')}.json`)}`, 'application/json', '{"a":1}'),
          await post(
            `${url}${artifactPath(`${name.replace('/', '-')}.form`)}`,
            'application/x-www-form-urlencoded',
            'a=1',
          ),
          await post(`${url}/api/runs`, 'application/json', '{"workflowId":"simple"}'),
          await post(`${url}/webhooks/events`, 'application/json', event, signatureHeaders),
        ];

        // then
        for (const response of responses) {
          const problem = (await response.json()) as Problem;
          expect(problem, problem.instance ?? '').to.include({
            status: 400,
            code: 'body_already_read',
            retryable: false,
          });
          expect(problem.detail).to.contain('Mount Countersign before body parsers');
        }
        const client = await countersign.client('viewer');
        expect((await client.listArtifacts({ runId })).items.map((each) => each.name)).to.not.include.members([
          `${name.replace('/', '-')}.json`,
        ]);
        expect((await client.listRuns({})).items).to.have.length(1);
      });

      it('should show a warning in the readiness check', async () => {
        const { status, checks } = await fetchReadiness(url);
        expect(status).to.equal('warn');
        const check = checks.find((each) => each.name === 'body-parsers');
        expect(check).to.include({ status: 'warn' });
        expect(check?.detail).to.contain('Mount Countersign before');
      });

      it('should accept an empty body and content types that the parser ignores', async () => {
        const uploadResponse = await post(`${url}${artifactPath('kept.bin')}`, 'application/octet-stream', 'bytes');
        expect(uploadResponse.status).to.equal(201);
        const downloadResponse = await fetch(`${url}${artifactPath('kept.bin')}`, {
          headers: { authorization: `Bearer ${token}` },
        });
        expect(await downloadResponse.text()).to.equal('bytes');
        const emptyResponse = await post(`${url}${artifactPath('empty.json')}`, 'application/json', '');
        expect([emptyResponse.status, ((await emptyResponse.json()) as { size: number }).size]).to.deep.equal([201, 0]);
      });

      it('should report a missing body when a chunked body is empty', async () => {
        const request = httpRequest(`${url}/api/runs`, {
          method: 'POST',
          headers: {
            'authorization': `Bearer ${token}`,
            'content-type': 'application/json',
            'transfer-encoding': 'chunked',
          },
        });
        request.end();
        const [response] = (await once(request, 'response')) as [IncomingMessage];
        expect((JSON.parse(await text(response)) as Problem).code).to.equal('malformed_json');
      });

      it('should serve all requests when Countersign is mounted before the parser', async () => {
        const urlBeforeParser = await startServer((app, middleware) => app.use(middleware).use(parser()));
        const storedResponse = await post(`${urlBeforeParser}${artifactPath('a.json')}`, 'application/json', '{"a":1}');
        expect([storedResponse.status, ((await storedResponse.json()) as { size: number }).size]).to.deep.equal([
          201, 7,
        ]);
        expect((await fetchReadiness(urlBeforeParser)).checks.map((check) => check.name)).to.not.include(
          'body-parsers',
        );
      });
    });
  }
});
