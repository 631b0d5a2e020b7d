import type { Approval, Client, DecisionBody, ShownEvidence } from '@countersign/contract';
import { createTestHost, type TestHost } from '@countersign/testing';
import { expect } from 'chai';
import { APPROVAL_JOBS, ApprovalMaker, WRITER } from '../web/approvals.spec.support.js';
import { ScriptedAgents } from './agents.spec.support.js';
import { faultsOfPack } from './check-pack.spec.support.js';
import { problemOf } from './http.spec.support.js';

describe('API: evidence displayed to voters', () => {
  let countersign: TestHost;
  let maker: ApprovalMaker;
  let ada: Client;

  before(async () => {
    countersign = await createTestHost({ jobTypes: APPROVAL_JOBS, plugins: [new ScriptedAgents(WRITER).plugin()] });
    maker = await ApprovalMaker.on(countersign, 'evidence', 'notes', 'agent');
    ada = await countersign.client('approver', 'ada');
  });

  after(() => countersign.close());

  const piece = ({ subject }: Approval): ShownEvidence => {
    const [{ name, sha256 } = { name: '', sha256: null }] = subject.evidence;
    return { name, sha256: sha256 ?? '', percent: 40, downloaded: true };
  };
  const decide = ({ approvalId, digest }: Approval, body: Partial<DecisionBody>): Promise<Approval> =>
    ada.decideApproval({ approvalId, body: { decision: 'approve', expectedDigest: digest, ...body } });

  it('should be recorded with the vote, in the run event, the evidence pack and the replay', async () => {
    // given
    const approval = await maker.risky();
    const shown = [piece(approval)];

    // when
    const decided = await decide(approval, { shown });

    // then
    expect(decided.votes.map((vote) => vote.shown)).to.deep.equal([shown]);
    expect((await ada.getApproval({ approvalId: approval.approvalId })).votes[0]?.shown).to.deep.equal(shown);
    const { runId } = approval;
    const pack = await maker.vera.getEvidencePack({ runId });
    expect(faultsOfPack(pack)).to.deep.equal([]);
    expect(pack.approvals[0]?.votes[0]?.shown).to.deep.equal(shown);
    const voted = pack.events.find(({ type }) => type === 'approval.voted');
    expect(voted?.data['shown']).to.deep.equal([{ sha256: shown[0]?.sha256, percent: 40, downloaded: true }]);
    expect((await maker.vera.getRunState({ runId, at: pack.events.length })).gap).to.equal(null);
    const forged = structuredClone(pack);
    for (const vote of forged.approvals[0]?.votes ?? []) for (const each of vote.shown ?? []) each.percent = 100;
    expect(faultsOfPack(forged)).to.not.be.empty;
  });

  it('should distinguish "no evidence displayed" from "nothing reported"', async () => {
    expect((await decide(await maker.risky(), { shown: [] })).votes[0]?.shown).to.deep.equal([]);
    expect((await decide(await maker.risky(), {})).votes[0]).to.not.have.property('shown');
  });

  it('should refuse malformed reports and reports of evidence outside the subject, and record no vote', async () => {
    const approval = await maker.risky();
    const real = piece(approval);
    for (const wrong of [
      { ...real, name: 'other.md' },
      { ...real, sha256: '0'.repeat(64) },
    ]) {
      const problem = await problemOf(decide(approval, { shown: [wrong] }));
      expect(problem).to.include({ status: 422, code: 'validation_failed' });
      expect(problem.errors.map(({ pointer, code }) => `${pointer} ${code}`)).to.deep.equal(['/shown/0 not_evidence']);
    }
    for (const shown of [
      [real, real],
      [{ ...real, percent: 101 }],
      [{ ...real, percent: 1.5 }],
      [{ ...real, more: 1 }],
    ]) {
      expect(await problemOf(decide(approval, { shown }))).to.include({ status: 422, code: 'validation_failed' });
    }
    expect(await ada.getApproval({ approvalId: approval.approvalId })).to.deep.include({
      status: 'pending',
      votes: [],
    });
  });

  it('should return the first response to a repeated request only if the reported evidence is the same', async () => {
    const approval = await maker.risky();
    const { approvalId, digest } = approval;
    const send = (shown: ShownEvidence[]): Promise<Approval> =>
      ada.decideApproval(
        { approvalId, body: { decision: 'approve', expectedDigest: digest, shown } },
        { idempotencyKey: `shown-${approvalId}` },
      );
    const first = await send([piece(approval)]);
    expect((await send([piece(approval)])).votes).to.deep.equal(first.votes);
    expect(await problemOf(send([]))).to.include({ code: 'idempotency_key_reused' });
  });

  describe('in bulk decisions', () => {
    const voteFor = ({ approvalId, digest, round }: Approval) => ({
      approvalId,
      decision: 'approve' as const,
      expectedDigest: digest,
      round,
    });
    const expectUndecided = async ({ approvalId }: Approval): Promise<void> =>
      void expect(await ada.getApproval({ approvalId })).to.deep.include({ status: 'pending', votes: [] });

    it('should record the displayed evidence of each decision', async () => {
      // given
      const [first, unseen, silent] = [
        await maker.withNotes('notes', 'First.'),
        await maker.withNotes('notes', 'Second.'),
        await maker.withNotes('notes', 'Third.'),
      ];
      const body = {
        decisions: [{ ...voteFor(first), shown: [piece(first)] }, { ...voteFor(unseen), shown: [] }, voteFor(silent)],
      };

      // when
      const { results } = await ada.decideApprovals({ body }, { idempotencyKey: 'shown-together' });

      // then
      expect(results.map(({ approval }) => approval?.status)).to.deep.equal(['approved', 'approved', 'approved']);
      const recorded = async ({ runId }: Approval) => {
        const pack = await maker.vera.getEvidencePack({ runId });
        expect(faultsOfPack(pack)).to.deep.equal([]);
        const voted = pack.events.find(({ type }) => type === 'approval.voted');
        return [voted?.data['shown'], pack.approvals[0]?.votes[0]?.shown];
      };
      const { sha256, percent, downloaded } = piece(first);
      expect(await recorded(first)).to.deep.equal([[{ sha256, percent, downloaded }], [piece(first)]]);
      expect(await recorded(unseen)).to.deep.equal([[], []]);
      expect(await recorded(silent)).to.deep.equal([undefined, undefined]);

      // when: the same request is repeated, and another report is sent under its key
      const [repeated] = (await ada.decideApprovals({ body }, { idempotencyKey: 'shown-together' })).results;
      const other = { decisions: [{ ...voteFor(first), shown: [] }] };
      const [reused] = (await ada.decideApprovals({ body: other }, { idempotencyKey: 'shown-together' })).results;

      // then
      expect(repeated?.approval?.votes).to.deep.equal(results[0]?.approval?.votes);
      expect(reused?.problem).to.include({ code: 'idempotency_key_reused' });
    });

    it('should refuse only the decision whose report names evidence of another subject', async () => {
      // given
      const [own, foreign] = [await maker.withNotes('notes', 'Own.'), await maker.withNotes('notes', 'Foreign.')];
      const decisions = [foreign, own].map((each) => ({ ...voteFor(each), shown: [piece(own)] }));

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
      await expectUndecided(foreign);
    });

    it('should record no vote when one report is malformed', async () => {
      // given
      const [valid, malformed] = [
        await maker.withNotes('notes', 'Valid.'),
        await maker.withNotes('notes', 'Malformed.'),
      ];
      const real = piece(malformed);

      for (const [pointer, shown] of [
        ['/decisions/1/shown', [real, real]],
        ['/decisions/1/shown/0/percent', [{ ...real, percent: 101 }]],
        ['/decisions/1/shown/0/more', [{ ...real, more: 1 }]],
      ] as const) {
        // when
        const decisions = [
          { ...voteFor(valid), shown: [piece(valid)] },
          { ...voteFor(malformed), shown: [...shown] },
        ];
        const problem = await problemOf(ada.decideApprovals({ body: { decisions } }));

        // then
        expect(problem).to.include({ status: 422, code: 'validation_failed' });
        expect(problem.errors.map((each) => each.pointer)).to.deep.equal([pointer]);
        await expectUndecided(valid);
        await expectUndecided(malformed);
      }
    });
  });

  it('should be refused together with edited arguments of a tool call', async () => {
    const call = await maker.asked('agent');
    expect(await problemOf(decide(call, { editedArguments: { text: 'hi' }, shown: [] }))).to.include({
      code: 'edit_not_possible',
    });
    expect(await decide(call, { shown: [] })).to.include({ status: 'approved' });
  });
});
