import { expect } from 'chai';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { LoggerPort } from '@countersign/core/plugin';
import type { Definition } from '@countersign/core/ports';
import { PolicyCedar } from './policy-cedar.js';
import { buildStepRequest } from './policies.spec.support.js';

const SILENT_LOGGER: LoggerPort = {
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

  it('should throw if a policy is requested before the plugin has started', () => {
    expect(() => new PolicyCedar({ Policies: {} }, SILENT_LOGGER).current()).to.throw('has not been started');
  });

  it('should store the active policies when it starts', async () => {
    // given
    const saved: Definition[] = [];
    const store = {
      saveDefinitions: async (definitions: readonly Definition[]) => void saved.push(...definitions),
      findDefinition: async () => undefined,
    };
    const cedar = new PolicyCedar({ Policies: {} }, SILENT_LOGGER, store);

    // when
    await cedar.start();

    // then
    const { policyId, policyDigest } = cedar.current()(buildStepRequest('userTask'));
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
    const cedar = new PolicyCedar({ Policies: {} }, SILENT_LOGGER, store);

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
    const runningInstance = new PolicyCedar({ Policies: { Directory: directory } }, SILENT_LOGGER);
    await runningInstance.start();
    const policyBefore = runningInstance.current();

    // when
    await writeFile(join(directory, 'a.cedar'), `${text} permit`);
    const failure = await new PolicyCedar({ Policies: { Directory: directory } }, SILENT_LOGGER).start().then(
      () => undefined,
      (error: unknown) => error,
    );

    // then
    expect(failure).to.include({ code: 'policy_invalid' });
    expect(failure).to.have.property('message').that.contains('a.cedar:1:48: the policy that starts here');
    expect(runningInstance.current()).to.equal(policyBefore);
  });
});
