import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { createClient, type Client } from '@countersign/contract';
import { createShop, type Shop } from '@countersign/example-embed-in-koa';
import { createTestDatabase, loadTestEngine, type TestDatabase } from '@countersign/testing';
import { expect } from 'chai';

const orderModel = readFileSync(
  new URL('../../../examples/embed-in-koa/workflows/order.bpmn', import.meta.url),
  'utf8',
);

describe('example: Countersign in a Koa application', () => {
  let directory: string;
  let database: TestDatabase;
  let shop: Shop;
  let server: Server;
  let url: string;

  before(async () => {
    directory = await mkdtemp(join(tmpdir(), 'countersign-shop-'));
    database = await createTestDatabase();
    const engine = await loadTestEngine();
    shop = await createShop({
      engine: engine.plugin,
      configuration: {
        ...engine.configure?.(basename(directory)),
        Data: { Directory: directory },
        Storage: { Postgres: { ConnectionString: database.connectionString } },
        Auth: { DevToken: { Enabled: true } },
      },
    });
    server = createServer(shop.app.callback()).listen(0, '127.0.0.1');
    await once(server, 'listening');
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });

  after(async () => {
    server?.close();
    server?.closeAllConnections();
    await shop?.close();
    await database?.drop();
    await rm(directory, { recursive: true, force: true });
  });

  async function fetchToken(role: string): Promise<string> {
    const response = await fetch(`${url}/countersign/api/auth/token`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ subject: role, role }),
    });
    return ((await response.json()) as { access_token: string }).access_token;
  }

  const createClientFor = async (role: string): Promise<Client> =>
    createClient({ baseUrl: `${url}/countersign`, token: await fetchToken(role) });

  it('should serve Countersign under its path and the application everywhere else', async () => {
    const shopResponse = await fetch(`${url}/`);
    const livenessResponse = await fetch(`${url}/countersign/api/health/live`);
    const outsideResponse = await fetch(`${url}/api/health/live`);
    const unknownPathResponse = await fetch(`${url}/countersign/unknown`);

    expect([shopResponse.status, await shopResponse.text()]).to.deep.equal([200, 'Welcome to the shop.\n']);
    expect([livenessResponse.status, livenessResponse.headers.get('x-shop')]).to.deep.equal([200, 'open']);
    expect([outsideResponse.status, unknownPathResponse.status]).to.deep.equal([404, 404]);
  });

  it("should complete an order with the shop's own job and an approval", async () => {
    // given
    const deployResponse = await fetch(`${url}/countersign/api/workflows`, {
      method: 'POST',
      headers: { 'authorization': `Bearer ${await fetchToken('admin')}`, 'content-type': 'application/xml' },
      body: orderModel,
    });
    expect(deployResponse.ok, await deployResponse.text()).to.equal(true);
    const approver = await createClientFor('approver');

    // when
    const { runId } = await (
      await createClientFor('operator')
    ).startRun({ body: { workflowId: 'order', inputs: { quantity: 3 } } });
    for await (const { type, data } of approver.streamRunEvents({ runId })) {
      if (type !== 'approval.requested') continue;
      const approval = await approver.getApproval({ approvalId: String(data['approvalId']) });
      expect(approval.subject).to.have.deep.property('inputs', { quantity: 3, total: 36 });
      await approver.decideApproval({ approvalId: approval.approvalId, body: { decision: 'approve' } });
    }

    // then
    expect(await approver.getRun({ runId })).to.include({ status: 'completed', outcome: 'completed' });
  });
});
