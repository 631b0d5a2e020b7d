import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { bodyParser } from '@koa/bodyparser';
import type { Problem, Ready } from '@countersign/contract';
import { createMiddleware, type CountersignMiddleware } from '@countersign/server';
import { approvalModel, createTestHost, type TestHost } from '@countersign/testing';
import { expect } from 'chai';
import Koa from 'koa';
import { koaBody } from 'koa-body';
import olderBodyParser from 'koa-bodyparser';

const SECRET = 'a secret of more than thirty-two characters';

/** Body parsers as applications mount them, for all types that they read. */
const PARSERS: Readonly<Record<string, () => Koa.Middleware>> = {
  'koa-bodyparser': () =>
    olderBodyParser({ enableTypes: ['json', 'form', 'text', 'xml'] }) as unknown as Koa.Middleware,
  '@koa/bodyparser': () => bodyParser({ enableTypes: ['json', 'form', 'text', 'xml'] }) as unknown as Koa.Middleware,
  'koa-body': () => koaBody({ multipart: true }) as unknown as Koa.Middleware,
};

describe('API: behind a body parser', () => {
  let countersign: TestHost;
  let runId: string;
  let token: string;
  const started: { server: Server; middleware: CountersignMiddleware }[] = [];

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
    for (const { server, middleware } of started) {
      middleware.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }
    await countersign.close();
  });

  /** A Koa application in which Countersign is one of several; its URL. */
  const listen = async (mount: (app: Koa, middleware: CountersignMiddleware) => void): Promise<string> => {
    const app = new Koa();
    const middleware = createMiddleware(countersign.host);
    mount(app, middleware);
    const server = createServer(app.callback()).listen(0, '127.0.0.1');
    started.push({ server, middleware });
    await once(server, 'listening');
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  };
  const post = (url: string, type: string, body: string, headers: Record<string, string> = {}): Promise<Response> =>
    fetch(url, {
      method: 'POST',
      body,
      headers: { 'authorization': `Bearer ${token}`, 'content-type': type, ...headers },
    });
  const artifact = (name: string): string => `/api/runs/${runId}/artifacts/${name}`;
  const readiness = async (url: string): Promise<Ready> => {
    const response = await fetch(`${url}/api/health/ready`, { headers: { authorization: `Bearer ${token}` } });
    return (await response.json()) as Ready;
  };

  for (const [name, parser] of Object.entries(PARSERS)) {
    describe(name, () => {
      let url: string;

      before(async () => {
        url = await listen((app, middleware) => app.use(parser()).use(middleware));
      });

      it('should refuse what was read, with the reason, and store nothing', async () => {
        // given
        const event = JSON.stringify({ messageName: 'paid', correlationKey: '1', payload: {} });
        const signature = `sha256=${createHmac('sha256', SECRET).update(event).digest('hex')}`;
        const signed = { 'x-service-source': 'shop', 'x-service-signature-256': signature };

        // when
        const responses = [
          await post(`${url}${artifact(`${name.replace('/', '-')}.json`)}`, 'application/json', '{"a":1}'),
          await post(`${url}${artifact(`${name.replace('/', '-')}.form`)}`, 'application/x-www-form-urlencoded', 'a=1'),
          await post(`${url}/api/runs`, 'application/json', '{"workflowId":"simple"}'),
          await post(`${url}/webhooks/events`, 'application/json', event, signed),
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

      it('should warn in readiness', async () => {
        const { status, checks } = await readiness(url);
        expect(status).to.equal('warn');
        const check = checks.find((each) => each.name === 'body-parsers');
        expect(check).to.include({ status: 'warn' });
        expect(check?.detail).to.contain('Mount Countersign before');
      });

      it('should serve what the parser leaves alone, and what has no body', async () => {
        const kept = await post(`${url}${artifact('kept.bin')}`, 'application/octet-stream', 'bytes');
        expect(kept.status).to.equal(201);
        const back = await fetch(`${url}${artifact('kept.bin')}`, { headers: { authorization: `Bearer ${token}` } });
        expect(await back.text()).to.equal('bytes');
        const empty = await post(`${url}${artifact('empty.json')}`, 'application/json', '');
        expect([empty.status, ((await empty.json()) as { size: number }).size]).to.deep.equal([201, 0]);
      });

      it('should serve everything where it stands in front of the parser', async () => {
        const inFront = await listen((app, middleware) => app.use(middleware).use(parser()));
        const stored = await post(`${inFront}${artifact('a.json')}`, 'application/json', '{"a":1}');
        expect([stored.status, ((await stored.json()) as { size: number }).size]).to.deep.equal([201, 7]);
        expect((await readiness(inFront)).checks.map((check) => check.name)).to.not.include('body-parsers');
      });
    });
  }
});
