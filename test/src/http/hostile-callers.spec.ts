import { get as httpGet } from 'node:http';
import type { Problem } from '@countersign/contract';
import { approvalModel, createTestHost, type TestHost } from '@countersign/testing';
import { expect } from 'chai';
import { sendRaw } from './raw-request.spec.support.js';

describe('API: hostile callers', () => {
  let countersign: TestHost;

  before(async () => {
    countersign = await createTestHost({ jobTypes: ['work'] });
    await countersign.deploy(approvalModel('simple'));
  });

  after(() => countersign.close());

  const sendRawText = (text: string): Promise<string> => sendRaw(countersign.url, text);

  it('should issue no development token to a page of another site or under a foreign host name', async () => {
    const body = '{"subject":"eve","role":"admin"}';
    const requestWithHeaders = (headers: string): Promise<string> =>
      sendRawText(
        `POST /api/auth/token HTTP/1.1\r\n${headers}Content-Type: application/json\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`,
      );
    const { host } = new URL(countersign.url);
    expect(await requestWithHeaders(`Host: ${host}\r\n`)).to.match(/^HTTP\/1.1 200 /);
    for (const headers of [`Host: ${host}\r\nOrigin: http://evil.example\r\n`, `Host: ${host}\r\nOrigin: null\r\n`]) {
      const response = await requestWithHeaders(headers);
      expect(response, headers)
        .to.match(/^HTTP\/1.1 403 /)
        .and.to.contain('"foreign_origin"')
        .and.not.to.contain('eyJ');
    }
    expect(await requestWithHeaders('Host: evil.example\r\n'))
      .to.match(/^HTTP\/1.1 421 /)
      .and.to.contain('"host_not_allowed"')
      .and.not.to.contain('eyJ');
  });

  it('should refuse all requests with a foreign host name (DNS rebinding)', async () => {
    const authorization = `Authorization: Bearer ${await countersign.token('admin')}\r\n`;
    for (const path of [
      '/',
      '/runs',
      '/api/runs',
      '/api/me',
      '/api/auth/config',
      '/api/health/live',
      '/openapi/v1.json',
      '/metrics',
      '/webhooks/codehost',
      '/nowhere',
    ]) {
      const response = await sendRawText(
        `GET ${path} HTTP/1.1\r\nHost: evil.example\r\n${authorization}Connection: close\r\n\r\n`,
      );
      expect(response, path)
        .to.match(/^HTTP\/1.1 421 /)
        .and.to.contain('"host_not_allowed"');
    }
  });

  it('should respond only under configured host names, including the forwarded host of a trusted proxy', async () => {
    const configuredHost = await createTestHost({
      configuration: { Server: { AllowedHosts: ['countersign.example'], TrustProxy: true } },
    });
    const requestWithHeaders = (headers: Readonly<Record<string, string>>): Promise<number> =>
      new Promise((resolve, reject) => {
        httpGet(`${configuredHost.url}/api/health/live`, { headers }, (response) =>
          resolve(response.resume().statusCode ?? 0),
        ).on('error', reject);
      });
    try {
      expect(await requestWithHeaders({ Host: 'countersign.example' })).to.equal(200);
      expect(await requestWithHeaders({ 'X-Forwarded-Host': 'countersign.example' })).to.equal(200);
      expect(await requestWithHeaders({ 'Host': 'countersign.example', 'X-Forwarded-Host': 'evil.example' })).to.equal(
        421,
      );
      expect(await requestWithHeaders({ 'Host': 'evil.example', 'X-Forwarded-Host': 'countersign.example' })).to.equal(
        421,
      );
    } finally {
      await configuredHost.close();
    }
  });

  it('should ignore the host in an absolute request target', async () => {
    for (const path of ['/api/docs', '/openapi/v1.json']) {
      const response = await sendRawText(
        `GET http://evil.example${path} HTTP/1.1\r\nHost: ${new URL(countersign.url).host}\r\nConnection: close\r\n\r\n`,
      );
      expect(response)
        .to.match(/^HTTP\/1.1 200 /)
        .and.not.to.contain('evil.example');
    }
  });

  it('should refuse numbers that cannot be represented', async () => {
    const authorization = `Bearer ${await countersign.token('viewer')}`;
    const headers = { authorization, 'content-type': 'application/json' };
    const response = await fetch(`${countersign.url}/api/runs`, {
      method: 'POST',
      headers,
      body: '{"workflowId":"simple","inputs":{"a":[1e400]}}',
    });
    expect((await response.json()) as Problem)
      .to.deep.include({ status: 422, code: 'validation_failed' })
      .and.have.nested.property('errors[0].pointer', '/inputs/a/0');
  });

  it('should audit each refusal, even if the path of a concurrently refused request cannot be stored', async () => {
    const admin = await countersign.client('admin');
    const authorization = `Bearer ${await countersign.token('viewer', { subject: 'mallory' })}`;
    const ids = Array.from({ length: 8 }, (_, n) => (n === 3 ? '%00' : `01938f5a-7c1e-7b62-9d53-00000000000${n}`));
    const post = (id: string): Promise<Response> =>
      fetch(`${countersign.url}/api/runs/${id}/cancel`, { method: 'POST', headers: { authorization } });
    for (const response of await Promise.all(ids.map(post))) expect(response.status).to.equal(403);
    const { items } = await admin.listAuditEvents({ actor: 'mallory' });
    expect(items.map((item) => item.target?.id)).to.have.members(ids.map((id) => (id === '%00' ? '\ufffd' : id)));
  });

  it('should audit an unauthorized request for the audit trail', async () => {
    const operator = await countersign.client('operator', 'curious');
    await operator.listAuditEvents({}).catch(() => undefined);
    const admin = await countersign.client('admin');
    const { items } = await admin.listAuditEvents({ actor: 'curious' });
    expect(items[0]).to.deep.include({ result: 'refused', action: 'auditEvents.list' });
  });
});
