import type { Approval, Client, DecisionBody, ShownEvidence } from '@countersign/contract';
import { createTestHost, type TestHost } from '@countersign/testing';
import { expect } from 'chai';
import { APPROVAL_JOBS, ApprovalMaker, WRITER_AGENT } from '../web/approvals.spec.support.js';
import { ScriptedAgents } from './scripted-agents.spec.support.js';
import { findPackErrors } from './check-pack.spec.support.js';
import { expectProblem } from './http.spec.support.js';

describe('API: evidence displayed to voters', () => {
  let countersign: TestHost;
  let maker: ApprovalMaker;
  let ada: Client;

  before(async () => {
    countersign = await createTestHost({
      jobTypes: APPROVAL_JOBS,
      plugins: [new ScriptedAgents(WRITER_AGENT).plugin()],
    });
    maker = await ApprovalMaker.deployTo(countersign, 'evidence', 'notes', 'agent');
    ada = await countersign.client('approver', 'ada');
  });

  after(() => countersign.close());

  const toShownEvidence = ({ subject }: Approval): ShownEvidence => {
    const [{ name, sha256 } = { name: '', sha256: null }] = subject.evidence;
    return { name, sha256: sha256 ?? '', percent: 40, downloaded: true };
  };
  const decideAsAda = ({ approvalId, digest }: Approval, body: Partial<DecisionBody>): Promise<Approval> =>
    ada.decideApproval({ approvalId, body: { decision: 'approve', expectedDigest: digest, ...body } });

  it('should be recorded with the vote, in the run event, the evidence pack and the replay', async () => {
    // given
    const approval = await maker.createRiskyApproval();
    const shown = [toShownEvidence(approval)];

    // when
    const decidedApproval = await decideAsAda(approval, { shown });

    // then
    expect(decidedApproval.votes.map((vote) => vote.shown)).to.deep.equal([shown]);
    expect((await ada.getApproval({ approvalId: approval.approvalId })).votes[0]?.shown).to.deep.equal(shown);
    const { runId } = approval;
    const pack = await maker.vera.getEvidencePack({ runId });
    expect(findPackErrors(pack)).to.deep.equal([]);
    expect(pack.approvals[0]?.votes[0]?.shown).to.deep.equal(shown);
    const voteEvent = pack.events.find(({ type }) => type === 'approval.voted');
    expect(voteEvent?.data['shown']).to.deep.equal([{ sha256: shown[0]?.sha256, percent: 40, downloaded: true }]);
    expect((await maker.vera.getRunState({ runId, at: pack.events.length })).gap).to.equal(null);
    const forgedPack = structuredClone(pack);
    for (const vote of forgedPack.approvals[0]?.votes ?? []) for (const each of vote.shown ?? []) each.percent = 100;
    expect(findPackErrors(forgedPack)).to.not.be.empty;
  });

  it('should distinguish "no evidence displayed" from "nothing reported"', async () => {
    expect((await decideAsAda(await maker.createRiskyApproval(), { shown: [] })).votes[0]?.shown).to.deep.equal([]);
    expect((await decideAsAda(await maker.createRiskyApproval(), {})).votes[0]).to.not.have.property('shown');
  });

  it('should refuse malformed reports and reports of evidence outside the subject, and record no vote', async () => {
    const approval = await maker.createRiskyApproval();
    const validReport = toShownEvidence(approval);
    for (const invalidReport of [
      { ...validReport, name: 'other.md' },
      { ...validReport, sha256: '0'.repeat(64) },
    ]) {
      const problem = await expectProblem(decideAsAda(approval, { shown: [invalidReport] }));
      expect(problem).to.include({ status: 422, code: 'validation_failed' });
      expect(problem.errors.map(({ pointer, code }) => `${pointer} ${code}`)).to.deep.equal(['/shown/0 not_evidence']);
    }
    for (const shown of [
      [validReport, validReport],
      [{ ...validReport, percent: 101 }],
      [{ ...validReport, percent: 1.5 }],
      [{ ...validReport, more: 1 }],
    ]) {
      expect(await expectProblem(decideAsAda(approval, { shown }))).to.include({
        status: 422,
        code: 'validation_failed',
      });
    }
    expect(await ada.getApproval({ approvalId: approval.approvalId })).to.deep.include({
      status: 'pending',
      votes: [],
    });
  });

  it('should return the first response to a repeated request only if the reported evidence is the same', async () => {
    const approval = await maker.createRiskyApproval();
    const { approvalId, digest } = approval;
    const send = (shown: ShownEvidence[]): Promise<Approval> =>
      ada.decideApproval(
        { approvalId, body: { decision: 'approve', expectedDigest: digest, shown } },
        { idempotencyKey: `shown-${approvalId}` },
      );
    const first = await send([toShownEvidence(approval)]);
    expect((await send([toShownEvidence(approval)])).votes).to.deep.equal(first.votes);
    expect(await expectProblem(send([]))).to.include({ code: 'idempotency_key_reused' });
  });

  describe('in bulk decisions', () => {
    const buildVote = ({ approvalId, digest, round }: Approval) => ({
      approvalId,
      decision: 'approve' as const,
      expectedDigest: digest,
      round,
    });
    const expectUndecided = async ({ approvalId }: Approval): Promise<void> =>
      void expect(await ada.getApproval({ approvalId })).to.deep.include({ status: 'pending', votes: [] });

    it('should record the displayed evidence of each decision', async () => {
      // given
      const [first, unseenApproval, approvalWithoutReport] = [
        await maker.createApprovalWithNotes('notes', 'First.'),
        await maker.createApprovalWithNotes('notes', 'Second.'),
        await maker.createApprovalWithNotes('notes', 'Third.'),
      ];
      const body = {
        decisions: [
          { ...buildVote(first), shown: [toShownEvidence(first)] },
          { ...buildVote(unseenApproval), shown: [] },
          buildVote(approvalWithoutReport),
        ],
      };

      // when
      const { results } = await ada.decideApprovals({ body }, { idempotencyKey: 'shown-together' });

      // then
      expect(results.map(({ approval }) => approval?.status)).to.deep.equal(['approved', 'approved', 'approved']);
      const getRecordedVote = async ({ runId }: Approval) => {
        const pack = await maker.vera.getEvidencePack({ runId });
        expect(findPackErrors(pack)).to.deep.equal([]);
        const voteEvent = pack.events.find(({ type }) => type === 'approval.voted');
        return [voteEvent?.data['shown'], pack.approvals[0]?.votes[0]?.shown];
      };
      const { sha256, percent, downloaded } = toShownEvidence(first);
      expect(await getRecordedVote(first)).to.deep.equal([[{ sha256, percent, downloaded }], [toShownEvidence(first)]]);
      expect(await getRecordedVote(unseenApproval)).to.deep.equal([[], []]);
      expect(await getRecordedVote(approvalWithoutReport)).to.deep.equal([undefined, undefined]);

      // when: the same request is repeated, and another report is sent under its key
      const [repeated] = (await ada.decideApprovals({ body }, { idempotencyKey: 'shown-together' })).results;
      const changedBody = { decisions: [{ ...buildVote(first), shown: [] }] };
      const [reused] = (await ada.decideApprovals({ body: changedBody }, { idempotencyKey: 'shown-together' })).results;

      // then
      expect(repeated?.approval?.votes).to.deep.equal(results[0]?.approval?.votes);
      expect(reused?.problem).to.include({ code: 'idempotency_key_reused' });
    });

    it('should refuse only the decision whose report names evidence of another subject', async () => {
      // given
      const [ownApproval, foreignApproval] = [
        await maker.createApprovalWithNotes('notes', 'Own.'),
        await maker.createApprovalWithNotes('notes', 'Foreign.'),
      ];
      const decisions = [foreignApproval, ownApproval].map((each) => ({
        ...buildVote(each),
        shown: [toShownEvidence(ownApproval)],
      }));

      // when
      const { results } = await ada.decideApprovals({ body: { decisions } });

      // then
      expect(results.map(({ ok, approval, problem }) => [ok, approval?.status ?? problem?.code])).to.deep.equal([
        [false, 'validation_failed'],
        [true, 'approved'],
      ]);
      expect(results[0]?.problem).to.include({ status: 422 });
      expect(results[0]?.problem?.errors.map(({ pointer, code }) => `${pointer} ${code}`)).to.deep.equal([
        '/shown/0 not_evidence',
      ]);
      await expectUndecided(foreignApproval);
    });

    it('should record no vote when one report is malformed', async () => {
      // given
      const [valid, malformed] = [
        await maker.createApprovalWithNotes('notes', 'Valid.'),
        await maker.createApprovalWithNotes('notes', 'Malformed.'),
      ];
      const validReport = toShownEvidence(malformed);

      for (const [pointer, shown] of [
        ['/decisions/1/shown', [validReport, validReport]],
        ['/decisions/1/shown/0/percent', [{ ...validReport, percent: 101 }]],
        ['/decisions/1/shown/0/more', [{ ...validReport, more: 1 }]],
      ] as const) {
        // when
        const decisions = [
          { ...buildVote(valid), shown: [toShownEvidence(valid)] },
          { ...buildVote(malformed), shown: [...shown] },
        ];
        const problem = await expectProblem(ada.decideApprovals({ body: { decisions } }));

        // then
        expect(problem).to.include({ status: 422, code: 'validation_failed' });
        expect(problem.errors.map((each) => each.pointer)).to.deep.equal([pointer]);
        await expectUndecided(valid);
        await expectUndecided(malformed);
      }
    });
  });

  it('should be refused together with edited arguments of a tool call', async () => {
    const callApproval = await maker.createApproval('agent');
    expect(await expectProblem(decideAsAda(callApproval, { editedArguments: { text: 'hi' }, shown: [] }))).to.include({
      code: 'edit_not_possible',
    });
    expect(await decideAsAda(callApproval, { shown: [] })).to.include({ status: 'approved' });
  });
});
