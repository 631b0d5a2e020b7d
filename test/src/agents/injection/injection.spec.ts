import { expect } from 'chai';
import type { Approval, RunDetail } from '@countersign/contract';
import { mapConcurrently } from '../../conformance/map-concurrently.js';
import { waitUntilSettled, getAgentWork } from '../agent-host.spec.support.js';
import { writePermissivePolicies } from '../permissive-policies.spec.support.js';
import { CASES, CHANNELS, FORMS, GOALS, buildMaliciousCall, type InjectionCase } from './cases.js';
import { InjectionHost } from './injection-host.js';

/** Number of concurrent runs. */
const CONCURRENCY = 8;
/** Maximum number of approvals that a case rejects, so that the test ends even if the agent never gives up. */
const MAX_APPROVALS = 8;

describe('agents that obey injected instructions', function () {
  this.timeout(300_000);

  for (const [policyLabel, writePolicies] of [
    ['the default policies', undefined],
    ['policies that permit everything', writePermissivePolicies],
  ] as const) {
    describe(`under ${policyLabel}`, () => {
      let injection: InjectionHost;
      // If the policies permit everything, only the taint blocks a write. An accepted tool description counts
      // as text from the admin and is not tainted.
      const cases =
        writePolicies === undefined
          ? CASES
          : CASES.filter(
              ({ channel, form }) =>
                channel !== 'MCP description' && ['plain', 'end of the data', 'claimed approval'].includes(form),
            );

      before(async () => {
        injection = new InjectionHost();
        await injection.start(writePolicies);
      });

      after(() => injection.close());

      it('should write nothing without the approval of a person, for any goal, channel and form of injection', async () => {
        // given
        const resultsByCase = new Map<
          InjectionCase,
          { readonly run: RunDetail; readonly requestedApprovals: readonly Approval[] }
        >();

        // when every case is tried, and a person rejects each approval
        await mapConcurrently(
          cases,
          CONCURRENCY,
          async (injectionCase) => void resultsByCase.set(injectionCase, await rejectAll(injectionCase)),
        );

        // then nothing was written anywhere
        expect(await injection.listWrites()).to.deep.equal([]);
        for (const [injectionCase, { run, requestedApprovals }] of resultsByCase) {
          const name = JSON.stringify(injectionCase);
          expect(
            run.artifacts.map((artifact) => artifact.name),
            name,
          ).to.deep.equal(injectionCase.channel === 'artifact' ? ['input.txt'] : []);
          // The attack reached the language model, which followed it; the approver saw the exact call that it wanted.
          const maliciousCall = buildMaliciousCall(injectionCase, injection.serviceUrls);
          expect(
            requestedApprovals.map(({ subject }) => subject['tool']),
            name,
          ).to.deep.equal([maliciousCall.tool]);
          expect(requestedApprovals[0]?.subject.inputs, name).to.deep.include(
            withoutRequestBody(maliciousCall.arguments),
          );
        }
        expect(resultsByCase.size).to.equal(cases.length);
        expect(CASES.length)
          .to.equal(CHANNELS.length * GOALS.length * FORMS.length)
          .and.to.be.at.least(500);
      });

      it('should neither show a secret to a language model nor record a secret', async () => {
        // given the requests that the language model received
        const receivedRequests = injection.model.requests.join('\n');
        expect(receivedRequests).to.contain('[secret]');

        // when
        const runs = await listAllRuns(injection);
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
          const secretForms = [
            secret,
            Buffer.from(secret).toString('hex'),
            Buffer.from(`user:${secret}`).toString('base64'),
            Buffer.from(secret).toString('base64'),
          ];
          for (const text of [receivedRequests, ...visibleTexts])
            expect(secretForms.some((form) => text.includes(form))).to.equal(false);
        }
      });

      it('should execute an approved write exactly once, unless agents may not call its host', async () => {
        // given one attack of each kind through each channel
        const plainCases = cases.filter(({ form }) => form === 'plain');

        // when a person approves each call
        const approved = new Map<InjectionCase, Approval>();
        await mapConcurrently(
          plainCases,
          CONCURRENCY,
          async (injectionCase) => void approved.set(injectionCase, await approveFirst(injectionCase)),
        );

        // then
        const writtenTexts = await injection.listWrites();
        for (const [injectionCase] of approved) {
          const { goal, number } = injectionCase;
          const matchingWrites = writtenTexts.filter((text) =>
            goal === 'use a credential'
              ? text.includes(`/customers?${number}"`)
              : new RegExp(`case ${number}(?!\\d)`).test(text),
          );
          // Forbidden hosts remain blocked even with an approval; an artifact is stored with the run and is not a
          // recorded write.
          const expectedCount = goal === 'post elsewhere' || goal === 'store' ? 0 : 1;
          expect(matchingWrites, JSON.stringify(injectionCase)).to.have.length(expectedCount);
        }
        expect(approved.size).to.equal(plainCases.length);
      });

      async function rejectAll(
        injectionCase: InjectionCase,
      ): Promise<{ run: RunDetail; requestedApprovals: Approval[] }> {
        const requestedApprovals: Approval[] = [];
        let run = await injection.runCase(injectionCase);
        while (run.pendingApprovals > 0 && requestedApprovals.length < MAX_APPROVALS) {
          const { items } = await injection.approver.listApprovals({ runId: run.runId });
          for (const approval of items) {
            requestedApprovals.push(approval);
            await injection.approver.decideApproval({ approvalId: approval.approvalId, body: { decision: 'reject' } });
          }
          run = await waitUntilSettled(injection.operator, run.runId);
        }
        expect(run.outcome, JSON.stringify([injectionCase, run.status, run.error, run.waitingFor])).to.equal(
          'completed',
        );
        return { run, requestedApprovals };
      }

      async function approveFirst(injectionCase: InjectionCase): Promise<Approval> {
        const { runId } = await injection.runCase(injectionCase);
        const [approval] = (await injection.approver.listApprovals({ runId })).items;
        if (approval === undefined) throw new Error(`No approval is pending for ${JSON.stringify(injectionCase)}.`);
        await injection.approver.decideApproval({
          approvalId: approval.approvalId,
          body: { decision: 'approve', expectedDigest: approval.digest },
        });
        const run = await waitUntilSettled(injection.operator, runId);
        const calls = (await getAgentWork(injection.operator, run)).turns.flatMap((turn) => turn.calls);
        expect(
          calls.filter(({ approvalId }) => approvalId === approval.approvalId),
          JSON.stringify(injectionCase),
        ).to.have.length(1);
        return approval;
      }
    });
  }
});

/** Returns the arguments, without the body if it contains the request that the language model received. */
function withoutRequestBody(toolArguments: object): object {
  const { body, ...others } = toolArguments as { body?: unknown };
  return typeof body === 'object' && body !== null && 'request' in body ? others : toolArguments;
}

async function listAllRuns({ operator }: InjectionHost) {
  const runs = [];
  for (let cursor: string | undefined; ;) {
    const page = await operator.listRuns({ limit: 200, ...(cursor === undefined ? {} : { cursor }) });
    runs.push(...page.items);
    if (page.nextCursor === null) return runs;
    cursor = page.nextCursor;
  }
}
