import { connectorNotifyPlugin } from '@countersign/connector-notify';
import type { Client } from '@countersign/contract';
import { outboundHttpPlugin } from '@countersign/outbound-http';
import { createTestHost, currentTime, type TestHost, type TestHostOptions, until } from '@countersign/testing';
import { expect } from 'chai';
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { Webhook } from 'standardwebhooks';
import { Device } from '../http/signing.spec.support.js';
import { clientWith } from '../http/token-of.spec.support.js';
import { startService, type Service } from './connectors.spec.support.js';

const SECRET = `whsec_${randomBytes(32).toString('base64')}`;

describe('notices of signing keys', () => {
  let service: Service;
  let one: TestHost;
  let two: TestHost;
  let ada: Client;
  let operator: Client;

  before(async () => {
    service = await startService();
    service.answer = (_, response) => response.writeHead(204).end();
    const options: TestHostOptions = {
      plugins: [outboundHttpPlugin, connectorNotifyPlugin],
      configuration: {
        Connectors: {
          AllowedNetworks: ['127.0.0.1'],
          Notify: {
            Endpoints: [
              { Id: 'security', Url: `${service.url}/security`, Secret: SECRET },
              { Id: 'chat', Kind: 'slack', Url: `${service.url}/chat` },
              { Id: 'releases', Url: `${service.url}/releases`, Secret: SECRET },
            ],
            SigningKeyEndpoints: ['security', 'chat', 'gone'],
          },
        },
      },
    };
    one = await createTestHost(options);
    two = await createTestHost({ ...options, beside: one });
    // whoever has the token of somebody who signed in long ago
    ada = await clientWith(one, {
      sub: 'ada',
      roles: ['approver'],
      auth_time: Math.floor(currentTime() / 1000) - 3_600,
    });
    operator = await one.client('operator');
  });

  after(async () => {
    await two.close();
    await one.close();
    await service.close();
  });

  const eventsAt = (path: string) => service.calls.filter((call) => call.path === path);

  it('should reach the person outside of the product, once each, however many servers look', async () => {
    // when
    const device = await Device.for(ada);
    await device.register(ada, 'ada');
    await until('the notice of its registration', async () => eventsAt('/security').length === 1);
    await ada.revokeMySigningKey({ keyId: device.keyId });
    await until('the notice of its revocation', async () => eventsAt('/security').length === 2);
    await until('both messages', async () => eventsAt('/chat').length === 2);

    // then
    const events = eventsAt('/security').map(({ headers, body }) =>
      new Webhook(SECRET).verify(body, headers as Record<string, string>),
    );
    const about = { subject: 'ada', source: '/countersign' };
    expect(events[0]).to.deep.include({
      ...about,
      type: 'countersign.signing_key.registered',
      data: { person: 'ada', keyId: device.keyId, name: 'Laptop', enrolment: null },
    });
    expect(events[1]).to.deep.include({ ...about, type: 'countersign.signing_key.revoked' });
    expect(eventsAt('/chat')[0]?.body).to.contain('do not count until it is enrolled');
    expect(eventsAt('/releases')).to.deep.equal([]);
    const { items } = await operator.listOutboundDeliveries({ limit: 200 });
    expect(items.map(({ endpointId, runId, elementId }) => [endpointId, runId, elementId])).to.have.deep.members([
      ['security', null, null],
      ['security', null, null],
      ['chat', null, null],
      ['chat', null, null],
    ]);
  });

  it('should say nothing any more once the person is erased', async () => {
    // given
    const sql = new pg.Client(one.database.connectionString);
    await sql.connect();
    const naming = async (person: string): Promise<number> => {
      const { rowCount } = await sql.query('SELECT FROM outbound_deliveries WHERE strpos(body, $1) > 0', [person]);
      return rowCount ?? 0;
    };
    const [mia, noa] = await Promise.all(
      ['mia', 'noa'].map((sub) =>
        clientWith(one, { sub, roles: ['approver'], auth_time: Math.floor(currentTime() / 1000) - 3_600 }),
      ),
    );
    await (await Device.for(mia as Client)).register(mia as Client, 'mia');
    await (await Device.for(noa as Client)).register(noa as Client, 'noa');
    await until('notices of both', async () => (await naming('mia')) > 0 && (await naming('noa')) > 0);

    // when
    const admin = await one.client('admin', 'root');
    await admin.erasePerson({ body: { person: 'mia', reason: 'Request 118' } });

    // then
    expect([await naming('mia'), (await naming('noa')) > 0]).to.deep.equal([0, true]);
    await sql.end();
  });

  it('should be missed in readiness where their endpoint is unknown', async () => {
    const headers = { authorization: `Bearer ${await two.token('operator')}` };
    const { checks } = (await (await fetch(`${two.url}/api/health/ready`, { headers })).json()) as {
      checks: { name: string; status: string; detail: string }[];
    };
    const check = checks.find(({ name }) => name === 'notifications');
    expect(check).to.include({ status: 'warn' });
    expect(check?.detail).to.contain('"gone" in Connectors:Notify:SigningKeyEndpoints');
  });
});
