import { waitUntil } from '@countersign/testing';
import { expect } from 'chai';
import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CertificateAuthority } from '../certificates.spec.support.js';
import { TWO_JOBS } from '../engines/engine-models.spec.support.js';
import { waitForEnd } from '../http/http.spec.support.js';
import { RefusingFrontend } from './refusing-frontend.spec.support.js';
import { createTemporalHost, useTemporalServer } from './temporal-host.spec.support.js';
import { describeOnTemporal } from './temporal-server.spec.support.js';

describeOnTemporal('TLS', function () {
  this.timeout(60_000);
  const context = useTemporalServer();
  let frontend: RefusingFrontend;
  /** Has a certificate for another address. */
  let elsewhere: RefusingFrontend;
  let directory: string;

  before(async () => {
    directory = await mkdtemp(join(await realpath(tmpdir()), 'countersign-certificates-'));
    const authority = await CertificateAuthority.create();
    const [frontendFiles, elsewhereFiles, clientFiles] = await Promise.all([
      authority.issue('frontend'),
      authority.issue('elsewhere', '127.0.0.2'),
      authority.issue('client'),
    ]);
    frontend = await RefusingFrontend.start(context.server.address, {
      cert: frontendFiles.certificate,
      key: frontendFiles.key,
      ca: authority.certificate,
      requestCert: true,
      rejectUnauthorized: true,
    });
    elsewhere = await RefusingFrontend.start(context.server.address, {
      cert: elsewhereFiles.certificate,
      key: elsewhereFiles.key,
    });
    await Promise.all(
      Object.entries({
        'ca.pem': authority.certificate,
        'client.pem': clientFiles.certificate,
        'client.key': clientFiles.key,
      }).map(([name, content]) => writeFile(join(directory, name), content)),
    );
  });

  after(async () => {
    frontend.close();
    elsewhere.close();
    await rm(directory, { recursive: true, force: true });
  });

  afterEach(() => {
    frontend.apiKey = null;
  });

  it('should protect all connections, with the certificate of a client and an API key', async () => {
    frontend.apiKey = 'a-key';
    const [CaFile, CertificateFile, KeyFile] = ['ca.pem', 'client.pem', 'client.key'].map((name) =>
      join(directory, name),
    ) as [string, string, string];
    const { server } = context;
    const host = await createTemporalHost(server, {
      configuration: server.configure({
        Address: frontend.address,
        Tls: { CaFile, CertificateFile, KeyFile },
        ApiKey: frontend.apiKey,
      }),
    });
    try {
      await host.deploy(TWO_JOBS);
      const viewer = await host.client('viewer', 'vera');
      const { runId } = await viewer.startRun({ body: { workflowId: 'two-jobs', inputs: {} } });
      for (let count = 0; count < 2; count += 1) await host.jobs.complete('work', {});
      expect(await waitForEnd(viewer, runId)).to.include({ outcome: 'completed' });
    } finally {
      await host.close();
    }
  });

  for (const [title, tls, isElsewhere] of [
    ['without TLS', () => ({}), false],
    ['without a certificate of the client', () => ({ CaFile: join(directory, 'ca.pem') }), false],
    ['that does not trust the authority', () => ({ Enabled: true }), false],
    ['with a certificate for another address', () => ({ CaFile: join(directory, 'ca.pem') }), true],
  ] as const)
    it(`should be named as a possible cause of failed connections: a server ${title}`, async () => {
      const { server } = context;
      const host = await createTemporalHost(server, {
        configuration: server.configure({ Address: (isElsewhere ? elsewhere : frontend).address, Tls: tls() }),
      });
      try {
        const operator = await host.client('operator');
        await waitUntil('the readiness check names the keys', async () => {
          const { checks } = await operator.getReady();
          return checks.some(({ detail }) =>
            detail?.includes('Check Engine:Temporal:Address and Engine:Temporal:Tls.'),
          );
        });
        expect(elsewhere.requestCount, 'requests to a server with the wrong certificate').to.equal(0);
      } finally {
        await host.close();
      }
    });
});
