import type { Approval, Client } from '@countersign/contract';
import { approvalModel, createTestHost, type TestHost } from '@countersign/testing';
import { expect } from 'chai';
import { randomUUID } from 'node:crypto';
import { expectProblem, waitForApproval } from './http.spec.support.js';

const approvalExtensions = (...properties: readonly string[]): string =>
  `<bpmn:extensionElements>${properties.join('')}</bpmn:extensionElements>`;
const properties = (values: Record<string, string>): string =>
  `<zeebe:properties>${Object.entries(values)
    .map(([name, value]) => `<zeebe:property name="${name}" value="${value}" />`)
    .join('')}</zeebe:properties>`;
const dueDateExtension = (dueDate: string): string => `<zeebe:taskSchedule dueDate="${dueDate}" />`;

describe('API: inboxes and bulk decisions', () => {
  let countersign: TestHost;
  let viewer: Client;
  let ada: Client;
  let bea: Client;

  before(async () => {
    countersign = await createTestHost({ jobTypes: ['work'] });
    [viewer, ada, bea] = await Promise.all([
      countersign.client('viewer', 'vera'),
      countersign.client('approver', 'ada'),
      countersign.client('approver', 'bea'),
    ]);
    // The risk level is computed from data of the run.
    await countersign.deploy(
      approvalModel(
        'expense',
        '',
        approvalExtensions(dueDateExtension('=when'), properties({ 'risk.level': '=level' })),
      ),
    );
    await countersign.deploy(approvalModel('travel', '', approvalExtensions(properties({ 'risk.level': 'low' }))));
    await countersign.deploy(approvalModel('by-two', '', approvalExtensions(properties({ 'approval.quorum': '2' }))));
  });

  after(() => countersign.close());

  async function createApproval(
    workflowId: string,
    { client = viewer, level = 'low', when = null as string | null, businessKey = 'k' } = {},
  ): Promise<Approval> {
    const { runId } = await client.startRun({ body: { workflowId, inputs: { level, when }, businessKey } });
    await countersign.jobs.complete('work');
    return waitForApproval(viewer, runId);
  }

  const approvalIds = (items: readonly Approval[]) => items.map(({ approvalId }) => approvalId);
  const createDecision = ({ approvalId, digest }: Approval, decision: 'approve' | 'reject' = 'approve') => ({
    approvalId,
    decision,
    expectedDigest: digest,
  });

  describe('inbox', () => {
    it('should list approvals that wait for the caller, that wait for others, and that the caller decided', async () => {
      // given
      const [open, partlyApproved, own] = [
        await createApproval('travel'),
        await createApproval('by-two'),
        await createApproval('travel', { client: ada }),
      ];
      const fullyApproved = await createApproval('travel');
      await ada.decideApproval({ approvalId: partlyApproved.approvalId, body: { decision: 'approve' } });
      await ada.decideApproval({ approvalId: fullyApproved.approvalId, body: { decision: 'approve' } });
      const listInbox = async (client: Client, inbox: 'mine' | 'others' | 'decided', filters = {}) =>
        approvalIds((await client.listApprovals({ inbox, limit: 200, ...filters })).items);

      // then
      expect(await listInbox(ada, 'mine')).to.deep.equal([open.approvalId]);
      expect(approvalIds((await ada.listApprovals({ mine: true })).items)).to.deep.equal([open.approvalId]);
      expect(await listInbox(ada, 'others')).to.deep.equal([own.approvalId, partlyApproved.approvalId]);
      expect(await listInbox(ada, 'decided', { status: 'all' })).to.deep.equal([
        fullyApproved.approvalId,
        partlyApproved.approvalId,
      ]);
      expect(await listInbox(ada, 'decided')).to.deep.equal([partlyApproved.approvalId]);
      expect(await listInbox(bea, 'mine')).to.deep.equal([own.approvalId, partlyApproved.approvalId, open.approvalId]);
      expect(await listInbox(bea, 'mine', { q: partlyApproved.runId })).to.deep.equal([partlyApproved.approvalId]);
      expect(await listInbox(bea, 'mine', { runId: own.runId })).to.deep.equal([own.approvalId]);
      expect(await listInbox(bea, 'mine', { status: 'approved' })).to.deep.equal([]);
      expect(await listInbox(bea, 'others', { status: 'approved' })).to.deep.equal([]);
      expect(await listInbox(bea, 'decided', { status: 'all' })).to.deep.equal([]);
      // For a caller without the approver role, all pending approvals wait for others.
      expect(await listInbox(viewer, 'mine')).to.deep.equal([]);
      expect(await listInbox(viewer, 'others')).to.deep.equal([
        own.approvalId,
        partlyApproved.approvalId,
        open.approvalId,
      ]);
      for (const { approvalId, canDecide } of (await ada.listApprovals({ limit: 200 })).items)
        expect((await listInbox(ada, 'mine')).includes(approvalId)).to.equal(canDecide.allowed);
    });

    it('should sort by risk and then by due date, across pages', async () => {
      // given
      const dateOfDay = (day: number) => `2030-01-0${day}T00:00:00Z`;
      const [lowRisk, dueLater, dueSoon, criticalRisk] = [
        await createApproval('expense', { level: 'low', when: dateOfDay(1), businessKey: 'sorted' }),
        await createApproval('expense', { level: 'high', when: dateOfDay(3) }),
        await createApproval('expense', { level: 'high', when: dateOfDay(2) }),
        await createApproval('expense', { level: 'critical' }),
      ];

      // when
      const firstPage = await bea.listApprovals({ inbox: 'mine', sort: 'urgency', workflowId: 'expense', limit: 2 });
      const secondPage = await bea.listApprovals({
        inbox: 'mine',
        sort: 'urgency',
        workflowId: 'expense',
        limit: 2,
        cursor: firstPage.nextCursor ?? '',
      });

      // then
      expect(approvalIds([...firstPage.items, ...secondPage.items])).to.deep.equal(
        approvalIds([criticalRisk, dueSoon, dueLater, lowRisk]),
      );
      expect(secondPage.nextCursor).to.equal(null);
      expect(approvalIds((await bea.listApprovals({ sort: 'urgency', riskLevel: 'high' })).items)).to.deep.equal(
        approvalIds([dueSoon, dueLater]),
      );
      expect(await expectProblem(bea.listApprovals({ inbox: 'decided', sort: 'urgency' }))).to.include({
        status: 400,
        code: 'invalid_parameter',
      });
    });
  });

  describe('bulk decisions', () => {
    it('should decide each approval separately, with its own audit event and its own result', async () => {
      // given
      const approvals = [
        await createApproval('travel'),
        await createApproval('travel'),
        await createApproval('travel'),
        await createApproval('travel', { client: ada }),
      ];
      const [first, second, third, own] = approvals as [Approval, Approval, Approval, Approval];
      await bea.decideApproval({ approvalId: second.approvalId, body: { decision: 'approve' } });
      const unknownId = randomUUID();

      // when
      const { results } = await ada.decideApprovals({
        body: {
          decisions: [
            createDecision(first),
            createDecision(second),
            { ...createDecision(third), expectedDigest: first.digest },
            createDecision(own),
            { approvalId: unknownId, decision: 'approve', expectedDigest: first.digest },
          ],
        },
      });

      // then
      expect(
        results.map(({ approvalId, ok, approval, problem }) => [approvalId, ok, approval?.status ?? problem?.code]),
      ).to.deep.equal([
        [first.approvalId, true, 'approved'],
        [second.approvalId, false, 'approval_already_resolved'],
        [third.approvalId, false, 'stale_digest'],
        [own.approvalId, false, 'self_approval'],
        [unknownId, false, 'approval_not_found'],
      ]);
      expect(results[1]?.problem).to.include({
        resolvedBy: 'bea',
        status: 409,
        instance: `/api/approvals/${second.approvalId}/decision`,
      });
      expect(await viewer.getRun({ runId: first.runId })).to.include({ outcome: 'completed' });
      expect(await viewer.getApproval({ approvalId: third.approvalId })).to.include({ status: 'pending' });
      const operator = await countersign.client('operator', 'otto');
      for (const [approval, result] of [
        [first, 'ok'],
        [third, 'refused'],
      ] as const) {
        const { items } = await operator.listAuditEvents({ runId: approval.runId });
        expect(
          items
            .filter((event) => event.action === 'approval.vote' && event.actor === 'ada')
            .map((event) => event.result),
        ).to.deep.equal([result]);
      }
    });

    it('should refuse all decisions when rules differ, the risk is not low, or an approval is repeated', async () => {
      // given
      const [lowRiskExpense, lowRiskTravel, mediumRiskExpense] = [
        await createApproval('expense'),
        await createApproval('travel'),
        await createApproval('expense', { level: 'medium' }),
      ];

      // when
      const refused = await expectProblem(
        ada.decideApprovals({
          body: {
            decisions: [
              createDecision(lowRiskExpense),
              createDecision(lowRiskTravel),
              createDecision(mediumRiskExpense),
              createDecision(lowRiskExpense, 'reject'),
            ],
          },
        }),
      );

      // then
      expect(refused).to.include({ status: 422, code: 'bulk_not_allowed' });
      expect(refused.errors.map(({ pointer, code }) => [pointer, code])).to.have.deep.members([
        ['/decisions/1', 'other_rule'],
        ['/decisions/2', 'not_low_risk'],
        ['/decisions/3', 'duplicate'],
      ]);
      for (const { approvalId } of [lowRiskExpense, lowRiskTravel, mediumRiskExpense])
        expect((await viewer.getApproval({ approvalId })).votes).to.deep.equal([]);
      expect(
        await expectProblem(ada.decideApprovals({ body: { decisions: [createDecision(mediumRiskExpense)] } })),
        'a single decision',
      ).to.include({ code: 'bulk_not_allowed' });
    });

    it('should not vote twice when the request is repeated with the same idempotency key', async () => {
      // given
      const approvals = [await createApproval('by-two'), await createApproval('by-two')];
      const body = { decisions: approvals.map((approval) => createDecision(approval)) };
      const decideTwice = async () =>
        (await ada.decideApprovals({ body }, { idempotencyKey: 'twice' })).results.map(({ ok, approval }) => [
          ok,
          approval?.quorum.approvals,
        ]);

      // then
      expect(await decideTwice()).to.deep.equal([
        [true, 1],
        [true, 1],
      ]);
      expect(await decideTwice()).to.deep.equal([
        [true, 1],
        [true, 1],
      ]);
      expect((await ada.decideApprovals({ body })).results.map(({ problem }) => problem?.code)).to.deep.equal([
        'already_voted',
        'already_voted',
      ]);
    });

    it('should refuse callers who are not approvers and decisions without a digest', async () => {
      // given
      const approval = await createApproval('travel');
      const decisions = [createDecision(approval)];
      const operator = await countersign.client('operator', 'otto');

      // then
      for (const client of [viewer, operator])
        expect(await expectProblem(client.decideApprovals({ body: { decisions } }))).to.include({
          status: 403,
          code: 'forbidden',
        });
      const decisionsWithoutDigest = [
        { approvalId: approval.approvalId, decision: 'approve' },
      ] as unknown as typeof decisions;
      expect(
        (await expectProblem(ada.decideApprovals({ body: { decisions: decisionsWithoutDigest } }))).errors.map(
          ({ pointer }) => pointer,
        ),
      ).to.deep.equal(['/decisions/0/expectedDigest']);
      expect(await viewer.getApproval({ approvalId: approval.approvalId })).to.include({ status: 'pending' });
    });
  });
});
