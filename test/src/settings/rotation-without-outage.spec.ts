import { createHmac } from 'node:crypto';
import { createTestHost, type TestHost, until } from '@countersign/testing';
import { expect } from 'chai';

const SOURCE = 'Integrations:EventIngress:Sources:ci:Secret';
const OLD = 'the secret as it was before, long enough';
const NEW = 'the secret as it is from now on, long enough';

describe('rotation of an event ingress secret', () => {
  let one: TestHost;
  let two: TestHost;

  before(async () => {
    const configuration = {
      Integrations: {
        EventIngress: {
          Enabled: true,
          Sources: [
            { Id: 'other', Secret: 'of another source, long enough' },
            { Id: 'ci', Secret: OLD },
          ],
        },
      },
    };
    one = await createTestHost({ configuration });
    two = await createTestHost({ beside: one, configuration });
  });

  after(async () => {
    await two.close();
    await one.close();
  });

  let count = 0;
  const deliver = async (server: TestHost, secret: string, source = 'ci'): Promise<number> => {
    const body = JSON.stringify({ messageName: 'ci.passed', correlationKey: String((count += 1)), payload: {} });
    const headers = {
      'x-service-source': source,
      'x-service-signature-256': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
    };
    return (await fetch(`${server.url}/webhooks/events`, { method: 'POST', headers, body })).status;
  };
  const statuses = async (server: TestHost) => ({ old: await deliver(server, OLD), new: await deliver(server, NEW) });

  it('should accept the old and the new secret on every server during the grace period, without a restart', async () => {
    const admin = await one.client('admin');
    expect([await statuses(one), await statuses(two)]).to.deep.equal([
      { old: 200, new: 401 },
      { old: 200, new: 401 },
    ]);

    // when the secret is rotated during constant deliveries
    const sender = (async () => {
      const seen = new Set<number>();
      for (let index = 0; index < 50; index += 1) seen.add(await deliver(index % 2 === 0 ? one : two, OLD));
      return [...seen];
    })();
    await admin.updateSettings({ body: { secrets: { [SOURCE]: NEW } } });

    // then
    expect(await statuses(one)).to.deep.equal({ old: 200, new: 200 });
    await until('the other server takes the new one', async () => (await deliver(two, NEW)) === 200);
    expect(await statuses(two)).to.deep.equal({ old: 200, new: 200 });
    expect(await sender, 'nothing was refused meanwhile').to.deep.equal([200]);
    expect(await deliver(one, NEW, 'other'), 'another source').to.equal(401);

    // and when the old secret has leaked
    await admin.updateSettings({ body: { values: { 'Settings:RotationGrace': 'PT0S' } } });
    expect(await statuses(one)).to.deep.equal({ old: 401, new: 200 });
    await until('the other server refuses the old one', async () => (await deliver(two, OLD)) === 401);
  });

  it('should disable and enable the event ingress immediately', async () => {
    const admin = await one.client('admin');

    await admin.updateSettings({ body: { values: { 'Integrations:EventIngress:Enabled': false } } });
    expect(await deliver(one, NEW)).to.equal(404);

    await admin.updateSettings({ body: { values: { 'Integrations:EventIngress:Enabled': null } } });
    expect(await deliver(one, NEW)).to.equal(200);
  });
});
