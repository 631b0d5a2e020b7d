import { createHmac } from 'node:crypto';
import { createTestHost, type TestHost, waitUntil } from '@countersign/testing';
import { expect } from 'chai';

const SECRET_KEY = 'Integrations:EventIngress:Sources:ci:Secret';
const OLD_SECRET = 'the secret as it was before, long enough';
const NEW_SECRET = 'the secret as it is from now on, long enough';

describe('rotation of an event ingress secret', () => {
  let firstHost: TestHost;
  let secondHost: TestHost;

  before(async () => {
    const configuration = {
      Integrations: {
        EventIngress: {
          Enabled: true,
          Sources: [
            { Id: 'other', Secret: 'of another source, long enough' },
            { Id: 'ci', Secret: OLD_SECRET },
          ],
        },
      },
    };
    firstHost = await createTestHost({ configuration });
    secondHost = await createTestHost({ shareDataWith: firstHost, configuration });
  });

  after(async () => {
    await secondHost.close();
    await firstHost.close();
  });

  let count = 0;
  const deliverEvent = async (server: TestHost, secret: string, source = 'ci'): Promise<number> => {
    const body = JSON.stringify({ messageName: 'ci.passed', correlationKey: String((count += 1)), payload: {} });
    const headers = {
      'x-service-source': source,
      'x-service-signature-256': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
    };
    return (await fetch(`${server.url}/webhooks/events`, { method: 'POST', headers, body })).status;
  };
  const deliverWithBothSecrets = async (server: TestHost) => ({
    old: await deliverEvent(server, OLD_SECRET),
    new: await deliverEvent(server, NEW_SECRET),
  });

  it('should accept the old and the new secret on every server during the grace period, without a restart', async () => {
    const admin = await firstHost.client('admin');
    expect([await deliverWithBothSecrets(firstHost), await deliverWithBothSecrets(secondHost)]).to.deep.equal([
      { old: 200, new: 401 },
      { old: 200, new: 401 },
    ]);

    // when the secret is rotated during constant deliveries
    const senderLoop = (async () => {
      const statuses = new Set<number>();
      for (let index = 0; index < 50; index += 1)
        statuses.add(await deliverEvent(index % 2 === 0 ? firstHost : secondHost, OLD_SECRET));
      return [...statuses];
    })();
    await admin.updateSettings({ body: { secrets: { [SECRET_KEY]: NEW_SECRET } } });

    // then
    expect(await deliverWithBothSecrets(firstHost)).to.deep.equal({ old: 200, new: 200 });
    await waitUntil(
      'the other server accepts the new secret',
      async () => (await deliverEvent(secondHost, NEW_SECRET)) === 200,
    );
    expect(await deliverWithBothSecrets(secondHost)).to.deep.equal({ old: 200, new: 200 });
    expect(await senderLoop, 'statuses of the deliveries during the rotation').to.deep.equal([200]);
    expect(await deliverEvent(firstHost, NEW_SECRET, 'other'), 'another source').to.equal(401);

    // and when the grace period is set to zero, because the old secret has leaked
    await admin.updateSettings({ body: { values: { 'Settings:RotationGrace': 'PT0S' } } });
    expect(await deliverWithBothSecrets(firstHost)).to.deep.equal({ old: 401, new: 200 });
    await waitUntil(
      'the other server refuses the old secret',
      async () => (await deliverEvent(secondHost, OLD_SECRET)) === 401,
    );
  });

  it('should disable and enable the event ingress immediately', async () => {
    const admin = await firstHost.client('admin');

    await admin.updateSettings({ body: { values: { 'Integrations:EventIngress:Enabled': false } } });
    expect(await deliverEvent(firstHost, NEW_SECRET)).to.equal(404);

    await admin.updateSettings({ body: { values: { 'Integrations:EventIngress:Enabled': null } } });
    expect(await deliverEvent(firstHost, NEW_SECRET)).to.equal(200);
  });
});
