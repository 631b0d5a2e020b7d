import { expect } from 'chai';
import type { StorageGetter } from '../storage-under-test.js';
import {
  createApprovalRecord,
  createAuditRecords,
  deploy,
  createJobOffer,
  createMessage,
  nextId,
  requireValue,
  createRunEvent,
  createRunRecord,
  createRunWrite,
} from '../storage-fixtures.js';
import { EDGE_CASE_STRINGS } from './edge-case-strings.js';

export function describeFreeText(getStorage: StorageGetter): void {
  describe('free text', () => {
    beforeEach(() => deploy(getStorage().storage));

    it('should be returned unchanged in every field when many runs share a commit', () =>
      expectUnchanged(EDGE_CASE_STRINGS));

    it('should be returned unchanged when each text has its own commit', async () => {
      for (const text of EDGE_CASE_STRINGS) await expectUnchanged([text]);
    });

    async function expectUnchanged(texts: readonly string[]): Promise<void> {
      // given
      const { storage } = getStorage();
      const records = texts.map((text) => {
        const document = { [text]: text, list: [text, null] };
        const actor = { type: 'user', id: text, name: text } as const;
        const run = createRunRecord({
          startedBy: text,
          businessKey: text,
          currentStep: text,
          error: { code: text, message: text, elementId: text },
        });
        const events = [
          createRunEvent(1, { elementId: text, data: document, private: document }),
          createRunEvent(2, { elementId: null }),
          createRunEvent(3, { elementId: text, data: {} }),
        ];
        const audit = createAuditRecords(run, [
          {
            at: run.startedAt,
            actor,
            action: 'run.start',
            target: { id: text },
            result: 'ok',
            from: text,
            data: document,
          },
        ]);
        const delegations = [{ from: text, to: text, until: null }];
        const approval = createApprovalRecord(run, {
          elementId: text,
          title: text,
          description: text,
          requestedBy: text,
          candidateUsers: [text, text],
          candidateGroups: [text],
          delegations,
          excluded: { [text]: text },
          riskFactors: [{ code: text, description: text, weight: 1 }],
          rationale: text,
          subject: { ...createApprovalRecord(run).subject, inputs: document },
        });
        const votes = [
          {
            voteId: nextId(),
            decision: 'approve',
            comment: text,
            by: text,
            byName: text,
            at: run.startedAt,
            digest: approval.digest,
          },
        ] as const;
        const change = {
          approvalId: approval.approvalId,
          candidateUsers: [text],
          candidateGroups: [text, text],
          delegations,
          status: 'approved',
          resolvedAt: run.startedAt,
          resolvedBy: actor,
          votes,
        } as const;
        const artifact = {
          artifactId: nextId(),
          name: text,
          version: 1,
          size: 1,
          sha256: 'ab',
          contentType: text,
          createdAt: run.startedAt,
          createdBy: text,
        };
        const subscription = {
          subscriptionId: nextId(),
          stepId: nextId(),
          elementId: text,
          messageName: text,
          correlationKey: text,
          since: run.startedAt,
        };
        const job = createJobOffer({
          elementId: text,
          jobType: `type ${text}`,
          toolConstraints: { allowed: [text], denied: [], requireApproval: [text], limits: document },
        });
        const storedResponse = { scope: text, key: text, requestDigest: text, response: document };
        return { text, run, events, audit, approval, change, artifact, subscription, job, storedResponse };
      });

      // when
      const openResults = await storage.commit(
        records.map(({ run, events, audit, approval, artifact, subscription, job, storedResponse }) =>
          createRunWrite({
            run,
            events,
            audit,
            approvalsOpened: [approval],
            artifacts: [artifact],
            subscriptionsOpened: [subscription],
            jobsOffered: [job],
            storedResponse,
          }),
        ),
      );
      const changeResults = await storage.commit(
        records.map(({ run, change }) => createRunWrite({ run, revision: 1, approvalsChanged: [change] })),
      );

      // then
      expect(new Set([...openResults, ...changeResults])).to.eql(new Set(['committed']));
      for (const {
        text,
        run,
        events,
        audit,
        approval,
        change,
        artifact,
        subscription,
        job,
        storedResponse,
      } of records) {
        const name = JSON.stringify(text);
        expect((await storage.findRun(run.runId))?.run, name).to.eql(run);
        expect((await storage.listRuns({ businessKey: text }, { limit: 5 })).items, name).to.eql([run]);
        expect(await storage.listRunEvents(run.runId, 0, 5), name).to.eql(
          events.map((event, index) => ({
            ...event,
            previousHash: index === 0 ? event.previousHash : requireValue(events[index - 1]).hash,
          })),
        );
        expect(await storage.listAudit({ runId: run.runId }, 5), name).to.eql(audit);
        expect(await storage.findApproval(approval.approvalId), name).to.eql({ ...approval, ...change });
        expect(await storage.findArtifact(run.runId, text), name).to.eql({ ...artifact, runId: run.runId });
        const message = createMessage(
          { messageName: text, correlationKey: text },
          {
            payload: { text },
            origin: { runId: null, actor: { type: 'user', id: text, name: text }, from: text, traceId: text },
          },
        );
        await storage.publishMessage(message, 1_000);
        const found = (await storage.matchMessages(message, message.publishedAt))?.matches.map(
          ({ position: _, ...match }) => match,
        );
        const to = { kind: 'run', runId: run.runId, subscriptionId: subscription.subscriptionId };
        expect(found, name).to.eql([
          {
            messageId: message.messageId,
            payload: message.payload,
            origin: message.origin,
            workflowId: run.workflowId,
            to,
          },
        ]);
        expect(
          await storage.claimJobs({ owner: nextId(), jobTypes: [job.jobType], limit: 5, leaseMs: 1_000 }),
          name,
        ).to.eql([toClaimedJob(job, run.runId)]);
        expect(await storage.findStoredResponses([storedResponse]), name).to.eql([
          { requestDigest: text, response: storedResponse.response },
        ]);
      }
    }
  });
}

function toClaimedJob({ owner: _, ...job }: ReturnType<typeof createJobOffer>, runId: string): object {
  return { ...job, runId, epoch: 1 };
}
