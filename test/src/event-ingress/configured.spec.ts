import { HostStartError, ReadinessCheckContribution, type JsonObject } from '@countersign/core';
import { createTestHost, type TestHost, type TestHostOptions } from '@countersign/testing';
import { expect } from 'chai';
import { randomUUID } from 'node:crypto';
import { eventOf, Ingress, SECRET, signed } from './ingress.spec.support.js';

/** Returns a configuration without the code host webhook, which would warn as well. */
const configured = (EventIngress: JsonObject): JsonObject => ({
  Integrations: { EventIngress, CodeHost: { Enabled: false } },
});

describe('configuration of the event ingress', () => {
  let beside: TestHost;

  before(async () => {
    beside = await createTestHost();
  });

  after(() => beside.close());

  const checkOf = async (configuration: JsonObject, more: TestHostOptions = {}) => {
    const host = await createTestHost({ beside, configuration, ...more });
    try {
      const check = host.host.getAll(ReadinessCheckContribution).find(({ name }) => name === 'event-ingress');
      return await check?.check();
    } finally {
      await host.close();
    }
  };

  it('should respond with 404 unless the event ingress is enabled', async () => {
    const Sources = [{ Id: 'shop', Secret: SECRET }];
    for (const EventIngress of [{ Sources }, { Enabled: false, Sources }] as JsonObject[]) {
      const ingress = await Ingress.create([], { beside, configuration: configured(EventIngress) });
      const { status, body } = await ingress.post(signed(eventOf(randomUUID())));
      expect([status, body['code']]).to.deep.equal([404, 'route_not_found']);
      for (const method of ['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE']) {
        expect((await fetch(`${ingress.server.url}/webhooks/events`, { method })).status, method).to.equal(404);
      }
      await ingress.close();
    }
    expect(await checkOf({})).to.deep.equal({ status: 'ok', detail: 'Off.' });
  });

  it('should warn of missing and short secrets in the readiness check, without revealing the secrets', async () => {
    const said: string[] = [];
    const logger = {
      debug: () => undefined,
      info: () => undefined,
      warn: (fields: object, message: string) => void said.push(message, JSON.stringify(fields)),
      error: () => undefined,
    };
    const [long, short, none] = [
      { Id: 'long', Secret: 'x'.repeat(24) },
      { Id: 'short', Secret: 'canary-of-23-bytes-long' },
      { Id: 'none', Secret: '' },
    ];

    expect(await checkOf(configured({ Enabled: true, Sources: [long, none] }), { logger })).to.deep.equal({
      status: 'ok',
      detail: '1 source, and 1 disabled.',
    });
    expect(said).to.deep.equal([]);
    expect(await checkOf(configured({ Enabled: true, Sources: [none] }))).to.have.property('status', 'warn');
    expect(
      await checkOf(configured({ Enabled: true, Sources: [{ ...long, PreviousSecret: 'short' }] })),
    ).to.have.property('status', 'warn');
    const warned = await checkOf(configured({ Enabled: true, Sources: [long, short] }), { logger });

    // the public detail does not name the sources
    expect(warned).to.deep.equal({
      status: 'warn',
      detail: 'Secrets of event sources are too short (1); the log names the sources.',
    });
    expect(said).to.include('Secrets of event sources are shorter than 24 bytes: short.');
    expect(said.join()).to.not.include('canary');
  });

  it('should refuse to start with duplicate source ids or invalid sources', async () => {
    for (const Sources of [
      [
        { Id: 'shop', Secret: SECRET },
        { Id: 'shop', Secret: 'b' },
      ],
      [{ Id: '' }],
      [{ Id: 'a b' }],
      [{ Id: 'shop', Secrets: 'x' }],
      [{ Id: 'shop', BufferFor: { a: 'soon' } }],
    ]) {
      const failure = await createTestHost({ beside, configuration: configured({ Enabled: true, Sources }) }).then(
        async (host) => {
          await host.close();
          return undefined;
        },
        (error: unknown) => error,
      );
      expect(failure, JSON.stringify(Sources)).to.be.instanceOf(HostStartError);
      expect(String(failure)).to.not.include(SECRET);
    }
  });
});
