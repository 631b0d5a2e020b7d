import type { JsonObject } from '@countersign/core/plugin';
import type { PolicyDecisionFilter, RunRecord } from '@countersign/core/ports';
import type { PolicyDecision, RunEvent } from '@countersign/model';
import { expect } from 'chai';
import type { StorageGetter } from '../storage-under-test.js';
import { deploy, nextId, createRunEvent, createRunRecord, createRunWrite } from '../storage-fixtures.js';
import { readAll } from './read-all.js';

const createDecision = (overrides: Partial<PolicyDecision> = {}): PolicyDecision => ({
  decision: 'allow',
  rationale: 'It only computes.',
  riskLevel: 'low',
  riskFactors: [],
  toolConstraints: { allowed: [], denied: [], requireApproval: [], limits: {} },
  policyId: 'p',
  policyDigest: 'sha256:00',
  ...overrides,
});

export function describePolicyDecisions(getStorage: StorageGetter): void {
  describe('policy decisions', () => {
    beforeEach(async () => {
      await deploy(getStorage().storage);
      await deploy(getStorage().storage, { workflowId: 'other', digest: 'sha256:other' });
    });

    const createDecisionEvent = (
      seq: number,
      at: number,
      overrides: Partial<PolicyDecision> = {},
      data: JsonObject = {},
      type: RunEvent['type'] = 'step.started',
    ): RunEvent =>
      createRunEvent(seq, {
        at,
        type,
        stepId: nextId(),
        elementId: 'build',
        data: { ...data, policyDecision: createDecision(overrides) as unknown as JsonObject },
      });

    it('should be listed across runs, newest first, with run, element, agent and tool call', async () => {
      // given
      const { storage } = getStorage();
      const [first, second] = [createRunRecord(), createRunRecord({ workflowId: 'other' })];
      const stepId = nextId();
      const callId = nextId();
      const createTurnEvent = (seq: number, agent: string) =>
        createRunEvent(seq, { type: 'agent.turn', stepId, elementId: 'ask', data: { agent } });
      const callEvent = {
        ...createDecisionEvent(4, 3000, { decision: 'deny' }, { callId, tool: 'note' }, 'agent.call.requested'),
        stepId,
        elementId: 'ask',
      };
      const migrationEvent = createDecisionEvent(6, 4000, {}, {}, 'step.migrated');
      const stepEvent = createDecisionEvent(1, 2000, { decision: 'require_approval' }, { agentName: 'writer' });
      await storage.commit([
        createRunWrite({
          run: first,
          events: [
            createDecisionEvent(1, 1000),
            createTurnEvent(2, 'before'),
            createTurnEvent(3, 'writer'),
            callEvent,
            createTurnEvent(5, 'later'),
            migrationEvent,
            createRunEvent(7, { type: 'step.started', stepId: nextId(), elementId: 'x' }),
          ],
        }),
        createRunWrite({ run: second, events: [stepEvent] }),
      ]);

      // when
      const found = await readAll((page) => storage.listPolicyDecisions({}, page), 3);

      // then
      expect(found.map(({ runId, seq }) => [runId, seq])).to.eql([
        [first.runId, 6],
        [first.runId, 4],
        [second.runId, 1],
        [first.runId, 1],
      ]);
      expect(found[1]).to.eql({
        runId: first.runId,
        workflowId: 'release',
        seq: 4,
        at: 3000,
        stepId,
        elementId: 'ask',
        callId,
        tool: 'note',
        agentName: 'writer',
        decision: createDecision({ decision: 'deny' }),
      });
      expect(found[2]).to.include({
        workflowId: 'other',
        callId: null,
        tool: null,
        agentName: 'writer',
        stepId: stepEvent.stepId,
      });
      expect(found[3]).to.include({ agentName: null });
    });

    it('should be filterable and paged without gaps or duplicates, even with equal timestamps', async () => {
      // given
      const { storage } = getStorage();
      const runs: RunRecord[] = Array.from({ length: 4 }, (_, index) =>
        createRunRecord(index === 3 ? { workflowId: 'other' } : {}),
      );
      const kinds: Partial<PolicyDecision>[] = [
        {},
        { decision: 'deny' },
        { decision: 'require_approval', riskLevel: 'high' },
        { riskLevel: 'critical', policyDigest: 'sha256:11' },
        { riskLevel: 'medium' },
      ];
      await storage.commit(
        runs.map((run) =>
          createRunWrite({ run, events: kinds.map((kind, index) => createDecisionEvent(index + 1, 5000, kind)) }),
        ),
      );
      const list = async (filter: PolicyDecisionFilter) => {
        const found = await readAll((page) => storage.listPolicyDecisions(filter, page), 2);
        expect(new Set(found.map(({ runId, seq }) => `${runId} ${seq}`)).size).to.equal(found.length);
        return found.map(({ seq }) => seq);
      };
      const [run] = runs;

      // then
      expect(await list({})).to.have.length(20);
      expect(await list({ decision: 'deny' })).to.eql([2, 2, 2, 2]);
      expect(await list({ decision: 'require_approval' })).to.eql([3, 3, 3, 3]);
      expect(await list({ decision: 'allow' })).to.have.length(12);
      expect(await list({ riskLevel: 'high' })).to.eql([3, 3, 3, 3]);
      expect(await list({ riskLevel: 'critical' })).to.eql([4, 4, 4, 4]);
      expect(await list({ riskLevel: 'medium' })).to.eql([5, 5, 5, 5]);
      expect(await list({ riskLevel: 'high', decision: 'deny' })).to.eql([]);
      expect(await list({ policyDigest: 'sha256:11' })).to.eql([4, 4, 4, 4]);
      expect(await list({ workflowId: 'other' })).to.eql([5, 4, 3, 2, 1]);
      expect(await list({ workflowId: 'other', decision: 'deny' })).to.eql([2]);
      expect(await list({ runId: run?.runId ?? '' })).to.eql([5, 4, 3, 2, 1]);
      expect(await list({ runId: run?.runId ?? '', decision: 'allow', riskLevel: 'low' })).to.eql([1]);
      expect(await list({ runId: 'x' })).to.eql([]);
      expect(await list({ policyDigest: '\0' })).to.eql([]);
    });
  });
}
