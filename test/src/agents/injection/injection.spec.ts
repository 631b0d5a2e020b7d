import { expect } from 'chai';
import type { Approval, RunDetail } from '@countersign/contract';
import { inParallel } from '../../conformance/in-parallel.js';
import { waitUntilSettled, getAgentWork } from '../agent-host.spec.support.js';
import { writePermissivePolicies } from '../permissive-policies.spec.support.js';
import { CASES, CHANNELS, FORMS, GOALS, buildMaliciousCall, type InjectionCase } from './cases.js';
import { InjectionHost } from './injection-host.js';

/** Number of concurrent runs. */
const CONCURRENCY = 8;
/** An agent with more approvals in one case would never give up. */
const MAX_APPROVALS = 8;

describe('agents that obey injected instructions', function () {
  this.timeout(300_000);

  for (const [policies, configuration] of [
    ['the default policies', undefined],
    ['policies that permit everything', writePermissivePolicies],
  ] as const) {
    describe(`under ${policies}`, () => {
      let injection: InjectionHost;
      // If the policies permit everything, only the taint blocks a write. An accepted tool description counts as a text
      // of the admin.
      const cases =
        configuration === undefined
          ? CASES
          : CASES.filter(
              ({ channel, form }) =>
                channel !== 'MCP description' && ['plain', 'end of the data', 'claimed approval'].includes(form),
            );

      before(async () => {
        injection = new InjectionHost();
        await injection.start(configuration);
      });

      after(() => injection.close());

      it('should write nothing without the approval of a person, for any goal, channel and form of injection', async () => {
        // given
        const outcomes = new Map<InjectionCase, { readonly run: RunDetail; readonly asked: readonly Approval[] }>();

        // when every case is tried, and a person rejects each approval
        await inParallel(cases, CONCURRENCY, async (each) => void outcomes.set(each, await rejectAll(each)));

        // then nothing was written anywhere
        expect(await injection.listWrites()).to.deep.equal([]);
        for (const [each, { run, asked }] of outcomes) {
          const name = JSON.stringify(each);
          expect(
            run.artifacts.map((artifact) => artifact.name),
            name,
          ).to.deep.equal(each.channel === 'artifact' ? ['input.txt'] : []);
          // The attack reached the language model, which followed it; the approver saw the exact call that it wanted.
          const wanted = buildMaliciousCall(each, injection.serviceUrls);
          expect(
            asked.map(({ subject }) => subject['tool']),
            name,
          ).to.deep.equal([wanted.tool]);
          expect(asked[0]?.subject.inputs, name).to.deep.include(withoutReceivedText(wanted.arguments));
        }
        expect(outcomes.size).to.equal(cases.length);
        expect(CASES.length)
          .to.equal(CHANNELS.length * GOALS.length * FORMS.length)
          .and.to.be.at.least(500);
      });

      it('should neither show a secret to a language model nor record a secret', async () => {
        // given the requests that the services received
        const shown = injection.model.requests.join('\n');
        expect(shown).to.contain('[secret]');

        // when
        const runs = await allRuns(injection);
        const visibleTexts = await Promise.all(
          runs.map(async ({ runId }) =>
            JSON.stringify([
              await injection.operator.listRunEvents({ runId, limit: 200 }),
              await injection.operator.getRun({ runId }),
              await injection.operator.listConversation({ runId }),
            ]),
          ),
        );

        // then
        expect(runs.length).to.be.at.least(cases.length);
        for (const secret of Object.values(injection.secrets)) {
          const disguised = [
            secret,
            Buffer.from(secret).toString('hex'),
            Buffer.from(`user:${secret}`).toString('base64'),
            Buffer.from(secret).toString('base64'),
          ];
          for (const text of [shown, ...visibleTexts])
            expect(disguised.some((form) => text.includes(form))).to.equal(false);
        }
      });

      it('should execute an approved write exactly once, unless agents may not call its host', async () => {
        // given one attack of each kind through each channel
        const plainCases = cases.filter(({ form }) => form === 'plain');

        // when a person approves each call
        const approved = new Map<InjectionCase, Approval>();
        await inParallel(plainCases, CONCURRENCY, async (each) => void approved.set(each, await approveFirst(each)));

        // then
        const writtenTexts = await injection.listWrites();
        for (const [each] of approved) {
          const { goal, number } = each;
          const found = writtenTexts.filter((text) =>
            goal === 'use a credential'
              ? text.includes(`/customers?${number}"`)
              : new RegExp(`case ${number}(?!\\d)`).test(text),
          );
          // Forbidden hosts remain blocked even with an approval; a stored value is in the run.
          const expected = goal === 'post elsewhere' || goal === 'store' ? 0 : 1;
          expect(found, JSON.stringify(each)).to.have.length(expected);
        }
        expect(approved.size).to.equal(plainCases.length);
      });

      async function rejectAll(each: InjectionCase): Promise<{ run: RunDetail; asked: Approval[] }> {
        const asked: Approval[] = [];
        let run = await injection.runCase(each);
        while (run.pendingApprovals > 0 && asked.length < MAX_APPROVALS) {
          const { items } = await injection.approver.listApprovals({ runId: run.runId });
          for (const approval of items) {
            asked.push(approval);
            await injection.approver.decideApproval({ approvalId: approval.approvalId, body: { decision: 'reject' } });
          }
          run = await waitUntilSettled(injection.operator, run.runId);
        }
        expect(run.outcome, JSON.stringify([each, run.status, run.error, run.waitingFor])).to.equal('completed');
        return { run, asked };
      }

      async function approveFirst(each: InjectionCase): Promise<Approval> {
        const { runId } = await injection.runCase(each);
        const [approval] = (await injection.approver.listApprovals({ runId })).items;
        if (approval === undefined) throw new Error(`No approval is pending for ${JSON.stringify(each)}.`);
        await injection.approver.decideApproval({
          approvalId: approval.approvalId,
          body: { decision: 'approve', expectedDigest: approval.digest },
        });
        const run = await waitUntilSettled(injection.operator, runId);
        const calls = (await getAgentWork(injection.operator, run)).turns.flatMap((turn) => turn.calls);
        expect(
          calls.filter(({ approvalId }) => approvalId === approval.approvalId),
          JSON.stringify(each),
        ).to.have.length(1);
        return approval;
      }
    });
  }
});

/** Returns the arguments without a body that contains the long input shown to the language model. */
function withoutReceivedText(toolArguments: object): object {
  const { body, ...others } = toolArguments as { body?: unknown };
  return typeof body === 'object' && body !== null && 'shown' in body ? others : toolArguments;
}

async function allRuns({ operator }: InjectionHost) {
  const runs = [];
  for (let cursor: string | undefined; ;) {
    const page = await operator.listRuns({ limit: 200, ...(cursor === undefined ? {} : { cursor }) });
    runs.push(...page.items);
    if (page.nextCursor === null) return runs;
    cursor = page.nextCursor;
  }
}
