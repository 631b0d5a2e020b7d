import { connectorNotifyPlugin } from '@countersign/connector-notify';
import type { Client } from '@countersign/contract';
import { outboundHttpPlugin } from '@countersign/outbound-http';
import { createTestHost, currentTime, type TestHost, type TestHostOptions, waitUntil } from '@countersign/testing';
import { expect } from 'chai';
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { Webhook } from 'standardwebhooks';
import { Device } from '../http/signing.spec.support.js';
import { createClientWithClaims } from '../http/custom-claims.spec.support.js';
import { startService, type Service } from './connectors.spec.support.js';

const SECRET = `whsec_${randomBytes(32).toString('base64')}`;

describe('signing key notifications', () => {
  let service: Service;
  let firstHost: TestHost;
  let secondHost: TestHost;
  let ada: Client;
  let operator: Client;

  before(async () => {
    service = await startService();
    service.respond = (_, response) => response.writeHead(204).end();
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
            SigningKeyEndpoints: ['security', 'chat', 'missing'],
          },
        },
      },
    };
    firstHost = await createTestHost(options);
    secondHost = await createTestHost({ ...options, shareDataWith: firstHost });
    // A token from a sign-in an hour ago, as a thief might have.
    ada = await createClientWithClaims(firstHost, {
      sub: 'ada',
      roles: ['approver'],
      auth_time: Math.floor(currentTime() / 1000) - 3_600,
    });
    operator = await firstHost.client('operator');
  });

  after(async () => {
    await secondHost.close();
    await firstHost.close();
    await service.close();
  });

  const listRequestsTo = (path: string) =>
    service.calls.filter(({ path: requestPath, body }) => requestPath === path && /\bada\b/.test(body));

  it('should reach each configured endpoint once per registration and revocation, with two servers running', async () => {
    // when
    const device = await Device.forServer(ada);
    await device.register(ada, 'ada');
    await waitUntil('the notice of its registration', async () => listRequestsTo('/security').length === 1);
    await ada.revokeMySigningKey({ keyId: device.keyId });
    await waitUntil('the notice of its revocation', async () => listRequestsTo('/security').length === 2);
    await waitUntil('both messages', async () => listRequestsTo('/chat').length === 2);

    // then
    const events = listRequestsTo('/security').map(({ headers, body }) =>
      new Webhook(SECRET).verify(body, headers as Record<string, string>),
    );
    const commonAttributes = { subject: 'ada', source: '/countersign' };
    expect(events[0]).to.deep.include({
      ...commonAttributes,
      type: 'countersign.signing_key.registered',
      data: { person: 'ada', keyId: device.keyId, name: 'Laptop', enrolment: null },
    });
    expect(events[1]).to.deep.include({ ...commonAttributes, type: 'countersign.signing_key.revoked' });
    expect(listRequestsTo('/chat')[0]?.body).to.contain('do not count until it is enrolled');
    expect(listRequestsTo('/releases')).to.deep.equal([]);
    const { items } = await operator.listOutboundDeliveries({ limit: 200 });
    expect(items.map(({ endpointId, runId, elementId }) => [endpointId, runId, elementId])).to.deep.include.members([
      ['security', null, null],
      ['chat', null, null],
    ]);
  });

  it('should be deleted when the person is erased, without affecting a person with a similar name', async () => {
    // given: two people, one of whose names contains the other
    const sql = new pg.Client(firstHost.database.connectionString);
    await sql.connect();
    try {
      const countDeliveriesAbout = async (device: Device): Promise<number> => {
        const found = await sql.query('SELECT FROM outbound_deliveries WHERE strpos(body, $1) > 0', [device.keyId]);
        return found.rowCount ?? 0;
      };
      const [deviceOfMia, deviceOfMiaLou] = await Promise.all(['mia', 'mia-lou'].map((sub) => registerDevice(sub)));
      if (deviceOfMia === undefined || deviceOfMiaLou === undefined)
        throw new Error('Expected two registered devices.');
      for (const device of [deviceOfMia, deviceOfMiaLou])
        await waitUntil('a notice at each endpoint', async () => (await countDeliveriesAbout(device)) === 2);

      // when
      const admin = await firstHost.client('admin', 'root');
      await admin.erasePerson({ body: { person: 'mia', reason: 'Request 118' } });

      // then
      expect([await countDeliveriesAbout(deviceOfMia), await countDeliveriesAbout(deviceOfMiaLou)]).to.deep.equal([
        0, 2,
      ]);
    } finally {
      await sql.end();
    }
  });

  /** Registers a device with a sign-in that is an hour old. */
  async function registerDevice(sub: string): Promise<Device> {
    const client = await createClientWithClaims(firstHost, {
      sub,
      roles: ['approver'],
      auth_time: Math.floor(currentTime() / 1000) - 3_600,
    });
    const device = await Device.forServer(client);
    await device.register(client, sub);
    return device;
  }

  it('should cause a readiness warning when a configured endpoint is unknown', async () => {
    const headers = { authorization: `Bearer ${await secondHost.token('operator')}` };
    const { checks } = (await (await fetch(`${secondHost.url}/api/health/ready`, { headers })).json()) as {
      checks: { name: string; status: string; detail: string }[];
    };
    const check = checks.find(({ name }) => name === 'notifications');
    expect(check).to.include({ status: 'warn' });
    expect(check?.detail).to.contain('"missing" in Connectors:Notify:SigningKeyEndpoints');
  });
});
