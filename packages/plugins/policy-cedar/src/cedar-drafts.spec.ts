import { expect } from 'chai';
import { isApiError } from '@countersign/core/plugin';
import { CedarDrafts } from './cedar-drafts.js';
import { makePolicy } from './load-policy.js';
import { buildCallRequest, buildStepRequest } from './policies.spec.support.js';

const PERMIT_ALL = '@id("all") permit (principal, action, resource);';
const captureRefusal = async (work: Promise<unknown>): Promise<{ code: string; message: string } | undefined> =>
  work.then(
    () => undefined,
    (error: unknown) =>
      isApiError(error) ? { code: error.code, message: error.message } : { code: 'other', message: String(error) },
  );

describe('CedarDrafts', () => {
  it('should make the same decisions as active policies with the same text, under the same digest', async () => {
    // given
    const texts = {
      'a.cedar': `${PERMIT_ALL} @id("sum") forbid (principal, action == Action::"perform", resource) when { context.workflowVersion * 9223372036854775807 > 5 };`,
    };
    const { policy, compiled } = await makePolicy('test', texts);

    // when
    const draft = await new CedarDrafts().open(texts);
    const draftResults = await draft.evaluate([
      buildStepRequest('userTask'),
      buildCallRequest({ effect: 'write' }),
      buildStepRequest('userTask', { workflowVersion: 2 }),
    ]);
    await draft.close();

    // then
    expect(draft.digest).to.equal(compiled.digest);
    expect(draftResults.slice(0, 2)).to.deep.equal(
      [buildStepRequest('userTask'), buildCallRequest({ effect: 'write' })].map((request) => ({
        decision: { ...policy(request), policyId: 'draft' },
      })),
    );
    expect(draftResults[2]).to.have.property('problem').that.contains('"sum" could not be evaluated');
  });

  it('should report the errors in a draft', async () => {
    const error = await captureRefusal(new CedarDrafts().open({ 'a.cedar': `${PERMIT_ALL}\npermit` }));

    expect(error).to.deep.equal({
      code: 'policy_invalid',
      message: 'The draft cannot be used:\na.cedar:2:1: the policy that starts here does not end with ";"',
    });
  });

  for (const [description, texts] of [
    ['a name that leads outside the directory', { '../a.cedar': PERMIT_ALL }],
    ['a name with another extension', { 'a.json': PERMIT_ALL }],
    ['too much text', { 'a.cedar': `//${'x'.repeat(2 * 1024 * 1024)}` }],
    ['too many files', Object.fromEntries(Array.from({ length: 501 }, (_each, index) => [`a${index}.cedar`, '//']))],
    [
      'thousands of policies',
      {
        'a.cedar': Array.from(
          { length: 5_001 },
          (_each, index) => `@id("a${index}")permit(principal,action,resource);`,
        ).join(''),
      },
    ],
    [
      'a nesting that exhausts the stack',
      {
        'a.cedar': `@id("a") permit (principal, action, resource) when { ${'['.repeat(200_000)}${']'.repeat(200_000)} == [] };`,
      },
    ],
    ['no policies', {}],
  ] as const) {
    it(`should refuse ${description} and still accept the next draft`, async () => {
      const drafts = new CedarDrafts();

      expect((await captureRefusal(drafts.open(texts)))?.code).to.equal('policy_invalid');

      const draft = await drafts.open({ 'a.cedar': PERMIT_ALL });
      expect(await draft.evaluate([buildStepRequest('userTask')])).to.have.nested.property(
        '[0].decision.decision',
        'allow',
      );
      await draft.close();
    });
  }

  it('should abort a draft that takes too long to compile, without blocking the event loop', async () => {
    // given
    const drafts = new CedarDrafts();
    drafts.limits = { timeoutMs: 300, maxOpen: 1 };
    const slowDraft = {
      'a.cedar': Array.from(
        { length: 5_000 },
        (_each, index) =>
          `@id("a${index}")permit(principal,action,resource) when { ${'context has x && '.repeat(20)} true };`,
      ).join(''),
    };
    let timerTicks = 0;
    const timer = setInterval(() => (timerTicks += 1), 1);

    // when
    const error = await captureRefusal(drafts.open(slowDraft));
    clearInterval(timer);

    // then
    expect(error).to.have.property('message').that.contains('took longer than 0.3 s');
    expect(timerTicks).to.be.at.least(1);
  });

  it('should limit the number of open drafts', async () => {
    const drafts = new CedarDrafts();
    drafts.limits = { timeoutMs: 30_000, maxOpen: 1 };
    const draft = await drafts.open({ 'a.cedar': PERMIT_ALL });

    expect((await captureRefusal(drafts.open({ 'a.cedar': PERMIT_ALL })))?.code).to.equal('service_unavailable');

    await draft.close();
    await draft.close();
    await (await drafts.open({ 'a.cedar': PERMIT_ALL })).close();
  });
});
