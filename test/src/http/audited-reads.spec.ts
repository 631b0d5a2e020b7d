import type { AuditEvent, Client } from '@countersign/contract';
import { approvalModel, createTestHost, type TestHost, waitUntil } from '@countersign/testing';
import { expect } from 'chai';
import { createTokenWithClaims } from './custom-claims.spec.support.js';

describe('API: audited reads', () => {
  let countersign: TestHost;
  let admin: Client;
  let viewer: Client;
  let runId: string;

  before(async () => {
    countersign = await createTestHost({ jobTypes: ['work'] });
    [admin, viewer] = await Promise.all([countersign.client('admin', 'root'), countersign.client('viewer', 'vera')]);
    await countersign.deploy(approvalModel('plain'));
    ({ runId } = await viewer.startRun({ body: { workflowId: 'plain' } }));
  });

  after(() => countersign.close());

  const listAuditEvents = async (action: string): Promise<AuditEvent[]> =>
    (await admin.listAuditEvents({ limit: 200 })).items.filter((each) => each.action === action);
  const fetchStatus = async (path: string, token: string, headers: Record<string, string> = {}): Promise<number> => {
    const response = await fetch(`${countersign.url}${path}`, {
      headers: { authorization: `Bearer ${token}`, ...headers },
    });
    await response.arrayBuffer();
    return response.status;
  };

  it('should audit who exported an evidence pack, once per person, without changing the pack', async () => {
    const firstPack = await viewer.getEvidencePack({ runId });
    const secondPack = await viewer.getEvidencePack({ runId });
    expect(
      await fetchStatus(
        `/api/runs/${runId}/evidence-pack/download`,
        await countersign.token('viewer', { subject: 'wim' }),
      ),
    ).to.equal(200);
    expect((await listAuditEvents('evidence.export')).map(({ actor, target }) => [actor, target])).to.deep.equal([
      ['wim', { type: 'evidence_pack', id: runId }],
      ['vera', { type: 'evidence_pack', id: runId }],
    ]);
    expect(secondPack.auditEvents).to.deep.equal(firstPack.auditEvents);
  });

  it('should audit who downloaded an artifact, only once when parts of the artifact are requested again', async () => {
    // given
    const [operatorToken, token] = await Promise.all([
      countersign.token('operator'),
      countersign.token('viewer', { subject: 'vera' }),
    ]);
    const path = `/api/runs/${runId}/artifacts/report.txt`;
    await fetch(`${countersign.url}${path}`, {
      method: 'POST',
      body: 'all is well',
      headers: { 'authorization': `Bearer ${operatorToken}`, 'content-type': 'text/plain' },
    });

    // when
    for (const range of ['', 'bytes=0-2', 'bytes=3-5'])
      expect(await fetchStatus(path, token, range === '' ? {} : { range })).to.be.oneOf([200, 206]);

    // then
    const downloadEvents = await listAuditEvents('artifact.download');
    expect(downloadEvents.map(({ actor, target }) => [actor, target?.id])).to.deep.equal([
      ['vera', `${runId}/report.txt`],
    ]);
    expect(downloadEvents[0]?.data).to.include({ version: 1 });
  });

  it('should audit repeated reads of the audit trail across runs only once', async () => {
    for (let page = 0; page < 3; page += 1) await admin.listAuditEvents({ limit: 5 });
    expect((await listAuditEvents('audit.export')).map(({ actor }) => actor)).to.deep.equal(['root']);
  });

  it('should record one audit event for many refused tokens', async () => {
    const expiredToken = await createTokenWithClaims(countersign, {
      sub: 'ada',
      roles: ['approver'],
      exp: 1_000_000_000,
    });
    for (let count = 0; count < 20; count += 1)
      expect(await fetchStatus('/api/runs', count === 0 ? expiredToken : `forged-${count}`)).to.equal(401);
    // the server records refusals concurrently with the response
    await waitUntil('the refusal is recorded', async () => (await listAuditEvents('session.authenticate')).length > 0);
    expect(
      (await listAuditEvents('session.authenticate')).map(({ actor, result, from, data }) => [
        actor,
        result,
        typeof from,
        data['count'],
        data['reason'],
      ]),
    ).to.deep.equal([[null, 'refused', 'string', 1, 'The token has expired.']]);
    expect(await fetchStatus('/api/runs', '')).to.equal(401);
  });

  it('should audit a refused token at /api/health/ready', async () => {
    const separateServer = await createTestHost();
    try {
      // given
      const probeReadiness = (headers: Record<string, string>): Promise<Response> =>
        fetch(`${separateServer.url}/api/health/ready`, { headers });
      const separateAdmin = await separateServer.client('admin', 'root');
      const listSessionEvents = async (): Promise<AuditEvent[]> =>
        (await separateAdmin.listAuditEvents({ limit: 200 })).items.filter(
          ({ action }) => action === 'session.authenticate',
        );

      // when: one request without a token, and one with a refused token
      expect((await probeReadiness({})).status).to.equal(200);
      expect((await probeReadiness({ authorization: 'Bearer forged' })).status).to.equal(200);

      // then
      await waitUntil('the refusal is recorded', async () => (await listSessionEvents()).length > 0);
      expect(
        (await listSessionEvents()).map(({ actor, result, from, data }) => [
          actor,
          result,
          typeof from,
          data['count'],
          data['reason'],
        ]),
      ).to.deep.equal([
        [null, 'refused', 'string', 1, 'The token is malformed, not valid yet, or not from a trusted issuer.'],
      ]);
    } finally {
      await separateServer.close();
    }
  });
});
