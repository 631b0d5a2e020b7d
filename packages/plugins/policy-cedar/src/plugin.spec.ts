import { expect } from 'chai';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { LoggerPort } from '@countersign/core/plugin';
import type { Definition } from '@countersign/core/ports';
import { PolicyCedar } from './policy-cedar.js';
import { step } from './policies.spec.support.js';

const SILENT: LoggerPort = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};

describe('PolicyCedar', () => {
  let directory: string;
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'policies-'));
  });
  afterEach(async () => {
    await rm(directory, { recursive: true });
  });

  it('should refuse to decide before it has read the policies', () => {
    expect(() => new PolicyCedar({ Policies: {} }, SILENT).current()).to.throw('has not been started');
  });

  it('should store the active policies before it decides', async () => {
    // given
    const saved: Definition[] = [];
    const store = {
      saveDefinitions: async (each: readonly Definition[]) => void saved.push(...each),
      findDefinition: async () => undefined,
    };
    const cedar = new PolicyCedar({ Policies: {} }, SILENT, store);

    // when
    await cedar.start();

    // then
    const { policyId, policyDigest } = cedar.current()(step('userTask'));
    expect(saved).to.have.length(1);
    expect(saved[0]).to.include({ kind: 'policy', name: policyId, digest: policyDigest });
    expect(Object.keys((saved[0]?.content as { files: object }).files)).to.deep.equal([
      'countersign.cedarschema',
      'risk.cedar',
      'steps.cedar',
      'tools.cedar',
    ]);
  });

  it('should not start when the policies cannot be stored', async () => {
    const store = {
      saveDefinitions: async () => Promise.reject(new Error('no database')),
      findDefinition: async () => undefined,
    };
    const cedar = new PolicyCedar({ Policies: {} }, SILENT, store);

    const failure = await cedar.start().then(
      () => undefined,
      (error: unknown) => error,
    );

    expect(failure).to.be.an('error').with.property('message', 'no database');
    expect(() => cedar.current()).to.throw();
  });

  it('should not start with invalid policies, while a running instance continues with its own policies', async () => {
    // given
    const text = '@id("a") permit (principal, action, resource);';
    await writeFile(join(directory, 'a.cedar'), text);
    const running = new PolicyCedar({ Policies: { Directory: directory } }, SILENT);
    await running.start();
    const before = running.current();

    // when
    await writeFile(join(directory, 'a.cedar'), `${text} permit`);
    const failure = await new PolicyCedar({ Policies: { Directory: directory } }, SILENT).start().then(
      () => undefined,
      (error: unknown) => error,
    );

    // then
    expect(failure).to.include({ code: 'policy_invalid' });
    expect(failure).to.have.property('message').that.contains('a.cedar:1:48: the policy that starts here');
    expect(running.current()).to.equal(before);
  });
});
