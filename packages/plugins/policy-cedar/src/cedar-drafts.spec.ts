import { expect } from 'chai';
import { isApiError } from '@countersign/core/plugin';
import { CedarDrafts } from './cedar-drafts.js';
import { makePolicy } from './load-policy.js';
import { call, step } from './policies.spec.support.js';

const ALL = '@id("all") permit (principal, action, resource);';
const refusal = async (work: Promise<unknown>): Promise<{ code: string; message: string } | undefined> =>
  work.then(
    () => undefined,
    (error: unknown) =>
      isApiError(error) ? { code: error.code, message: error.message } : { code: 'other', message: String(error) },
  );

describe('CedarDrafts', () => {
  it('should make the same decisions as active policies with the same text, under the same digest', async () => {
    // given
    const texts = {
      'a.cedar': `${ALL} @id("sum") forbid (principal, action == Action::"perform", resource) when { context.workflowVersion * 9223372036854775807 > 5 };`,
    };
    const { policy, compiled } = await makePolicy('test', texts);

    // when
    const draft = await new CedarDrafts().open(texts);
    const draftAnswers = await draft.evaluate([
      step('userTask'),
      call({ effect: 'write' }),
      step('userTask', { workflowVersion: 2 }),
    ]);
    await draft.close();

    // then
    expect(draft.digest).to.equal(compiled.digest);
    expect(draftAnswers.slice(0, 2)).to.deep.equal(
      [step('userTask'), call({ effect: 'write' })].map((request) => ({
        decision: { ...policy(request), policyId: 'draft' },
      })),
    );
    expect(draftAnswers[2]).to.have.property('problem').that.contains('"sum" could not be evaluated');
  });

  it('should report the errors in a draft', async () => {
    const refused = await refusal(new CedarDrafts().open({ 'a.cedar': `${ALL}\npermit` }));

    expect(refused).to.deep.equal({
      code: 'policy_invalid',
      message: 'The draft cannot be used:\na.cedar:2:1: the policy that starts here does not end with ";"',
    });
  });

  for (const [what, texts] of [
    ['a name that leads outside the directory', { '../a.cedar': ALL }],
    ['a name with another extension', { 'a.json': ALL }],
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
    it(`should refuse ${what} and still accept the next draft`, async () => {
      const drafts = new CedarDrafts();

      expect((await refusal(drafts.open(texts)))?.code).to.equal('policy_invalid');

      const draft = await drafts.open({ 'a.cedar': ALL });
      expect(await draft.evaluate([step('userTask')])).to.have.nested.property('[0].decision.decision', 'allow');
      await draft.close();
    });
  }

  it('should abort a draft that takes too long, without blocking the event loop', async () => {
    // given
    const drafts = new CedarDrafts();
    drafts.limits = { timeoutMs: 300, maxOpen: 1 };
    const slow = {
      'a.cedar': Array.from(
        { length: 5_000 },
        (_each, index) =>
          `@id("a${index}")permit(principal,action,resource) when { ${'context has x && '.repeat(20)} true };`,
      ).join(''),
    };
    let turns = 0;
    const timer = setInterval(() => (turns += 1), 1);

    // when
    const refused = await refusal(drafts.open(slow));
    clearInterval(timer);

    // then
    expect(refused).to.have.property('message').that.contains('took longer than 0.3 s');
    expect(turns).to.be.at.least(1);
  });

  it('should limit the number of open drafts', async () => {
    const drafts = new CedarDrafts();
    drafts.limits = { timeoutMs: 30_000, maxOpen: 1 };
    const draft = await drafts.open({ 'a.cedar': ALL });

    expect((await refusal(drafts.open({ 'a.cedar': ALL })))?.code).to.equal('service_unavailable');

    await draft.close();
    await draft.close();
    await (await drafts.open({ 'a.cedar': ALL })).close();
  });
});
