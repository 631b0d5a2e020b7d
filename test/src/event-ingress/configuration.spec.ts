import { HostStartError, ReadinessCheckContribution, type JsonObject } from '@countersign/core';
import { createTestHost, type TestHost, type TestHostOptions } from '@countersign/testing';
import { expect } from 'chai';
import { randomUUID } from 'node:crypto';
import { buildEvent, Ingress, SECRET, buildSignedRequest } from './ingress.spec.support.js';

/** Returns a configuration without the code host webhook, which would warn as well. */
const buildConfiguration = (EventIngress: JsonObject): JsonObject => ({
  Integrations: { EventIngress, CodeHost: { Enabled: false } },
});

describe('configuration of the event ingress', () => {
  let sharedHost: TestHost;

  before(async () => {
    sharedHost = await createTestHost();
  });

  after(() => sharedHost.close());

  const getReadinessCheck = async (configuration: JsonObject, testOptions: TestHostOptions = {}) => {
    const host = await createTestHost({ shareDataWith: sharedHost, configuration, ...testOptions });
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
      const ingress = await Ingress.create([], {
        shareDataWith: sharedHost,
        configuration: buildConfiguration(EventIngress),
      });
      const { status, body } = await ingress.post(buildSignedRequest(buildEvent(randomUUID())));
      expect([status, body['code']]).to.deep.equal([404, 'route_not_found']);
      for (const method of ['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE']) {
        expect((await fetch(`${ingress.server.url}/webhooks/events`, { method })).status, method).to.equal(404);
      }
      await ingress.close();
    }
    expect(await getReadinessCheck({})).to.deep.equal({ status: 'ok', detail: 'Off.' });
  });

  it('should warn about missing and short secrets in the readiness check, without revealing the secrets', async () => {
    const logMessages: string[] = [];
    const logger = {
      debug: () => undefined,
      info: () => undefined,
      warn: (fields: object, message: string) => void logMessages.push(message, JSON.stringify(fields)),
      error: () => undefined,
    };
    const [long, short, none] = [
      { Id: 'long', Secret: 'x'.repeat(24) },
      { Id: 'short', Secret: 'canary-of-23-bytes-long' },
      { Id: 'none', Secret: '' },
    ];

    expect(
      await getReadinessCheck(buildConfiguration({ Enabled: true, Sources: [long, none] }), { logger }),
    ).to.deep.equal({
      status: 'ok',
      detail: '1 source, and 1 disabled.',
    });
    expect(logMessages).to.deep.equal([]);
    expect(await getReadinessCheck(buildConfiguration({ Enabled: true, Sources: [none] }))).to.have.property(
      'status',
      'warn',
    );
    expect(
      await getReadinessCheck(buildConfiguration({ Enabled: true, Sources: [{ ...long, PreviousSecret: 'short' }] })),
    ).to.have.property('status', 'warn');
    const readiness = await getReadinessCheck(buildConfiguration({ Enabled: true, Sources: [long, short] }), {
      logger,
    });

    // The public detail does not name the sources.
    expect(readiness).to.deep.equal({
      status: 'warn',
      detail: 'Some event sources have secrets that are too short (number of sources: 1). The log names them.',
    });
    expect(logMessages).to.include('Secrets of event sources are shorter than 24 bytes: short.');
    expect(logMessages.join()).to.not.include('canary');
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
      const failure = await createTestHost({
        shareDataWith: sharedHost,
        configuration: buildConfiguration({ Enabled: true, Sources }),
      }).then(
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
