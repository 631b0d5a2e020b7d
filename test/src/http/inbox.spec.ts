import type { Approval, Client } from '@countersign/contract';
import { approvalModel, createTestHost, type TestHost } from '@countersign/testing';
import { expect } from 'chai';
import { randomUUID } from 'node:crypto';
import { expectProblem, waitForApproval } from './http.spec.support.js';

const assignment = (groups: string): string =>
  `<bpmn:extensionElements><zeebe:assignmentDefinition candidateGroups="${groups}" /></bpmn:extensionElements>`;

describe('API: rows of the inbox', () => {
  let countersign: TestHost;
  let vera: Client;
  let olga: Client;
  let ada: Client;
  let viewer: Client;

  beforeEach(async () => {
    countersign = await createTestHost({ jobTypes: ['work'] });
    [vera, olga, ada, viewer] = await Promise.all([
      countersign.client('operator', 'vera'),
      countersign.client('operator', 'olga'),
      countersign.client('approver', 'ada'),
      countersign.client('viewer', 'vito'),
    ]);
    await countersign.deploy(approvalModel('travel', '', ''));
    await countersign.deploy(approvalModel('expense', '', assignment('treasury, audit')));
  });

  afterEach(() => countersign.close());

  async function createApproval(
    workflowId: 'travel' | 'expense',
    { client = vera, businessKey = 'k', inputs = {} as Record<string, string> } = {},
  ): Promise<Approval> {
    const { runId } = await client.startRun({ body: { workflowId, inputs, businessKey } });
    await countersign.jobs.complete('work');
    return waitForApproval(client, runId);
  }

  it('should be the listed approvals, without the inputs of their subjects', async () => {
    // given
    await createApproval('travel', { inputs: { city: 'Reykjavík', report: 'x'.repeat(100_000) } });
    const decided = await createApproval('travel');
    await ada.decideApproval({ approvalId: decided.approvalId, body: { decision: 'approve' } });

    for (const filter of [
      { inbox: 'mine', sort: 'urgency' },
      { inbox: 'decided', status: 'all' },
      { status: 'all' },
    ] as const) {
      // when
      const rows = await ada.listInbox(filter);

      // then
      const approvals = await ada.listApprovals(filter);
      expect(rows.items.length).to.be.above(0);
      expect(rows.items).to.deep.equal(
        approvals.items.map((approval) => {
          const { kind, evidence } = approval.subject;
          const names = Object.keys(rows.items[0] ?? {}) as (keyof Approval)[];
          return {
            ...Object.fromEntries(names.map((name) => [name, approval[name]])),
            subject: { kind, evidence },
            comments: { count: 0, lastAt: null, lastByOthersAt: null },
          };
        }),
      );
      expect(JSON.stringify(rows).length).to.be.below(2_000 * rows.items.length);
    }
    expect(
      (await ada.listInbox({ inbox: 'decided', status: 'all' })).items.map((row) => row.votedByCaller),
    ).to.deep.equal([true]);
  });

  it('should be found by the text of their subjects, requester, group and ids', async () => {
    // given
    const city = await createApproval('travel', { inputs: { city: 'Reykjavík' } });
    const order = await createApproval('travel', { client: olga, businessKey: 'PO-4711' });
    const expense = await createApproval('expense');
    const find = async (filter: NonNullable<Parameters<Client['listInbox']>[0]>) =>
      (await viewer.listInbox(filter)).items.map(({ approvalId }) => approvalId);

    // then
    expect(await find({ q: 'reykjavík' })).to.deep.equal([city.approvalId]);
    expect(await find({ q: '4711' })).to.deep.equal([order.approvalId]);
    expect(await find({ requestedBy: 'olga' })).to.deep.equal([order.approvalId]);
    expect(await find({ candidateGroup: 'audit' })).to.deep.equal([expense.approvalId]);
    expect(await find({ approvalIds: [expense.approvalId, randomUUID(), city.approvalId].join(',') })).to.deep.equal([
      expense.approvalId,
      city.approvalId,
    ]);
    expect(await find({ approvalIds: city.approvalId, q: 'nothing' })).to.deep.equal([]);
    for (const approvalIds of ['', 'x', `${city.approvalId},`, Array.from({ length: 101 }, randomUUID).join(',')])
      expect(await expectProblem(viewer.listInbox({ approvalIds }))).to.include({ status: 400 });
  });

  it('should be counted by workflow, requester and group, from the perspective of the caller', async () => {
    // given
    await createApproval('travel');
    await createApproval('travel', { client: olga });
    await createApproval('expense');

    // then
    expect(await viewer.countInbox({})).to.deep.equal({
      total: { count: 3, exact: true },
      workflows: [
        { value: 'travel', count: 2 },
        { value: 'expense', count: 1 },
      ],
      requesters: [
        { value: 'vera', count: 2 },
        { value: 'olga', count: 1 },
      ],
      groups: [
        { value: 'audit', count: 1 },
        { value: 'treasury', count: 1 },
      ],
    });
    // Ada belongs to no group, so the expense does not wait for her.
    expect((await ada.countInbox({ inbox: 'mine' })).total).to.deep.equal({ count: 2, exact: true });
    expect((await ada.countInbox({ inbox: 'others' })).workflows).to.deep.equal([{ value: 'expense', count: 1 }]);
    expect((await ada.countInbox({ inbox: 'mine', requestedBy: 'olga' })).total.count).to.equal(1);
    expect((await viewer.countInbox({ inbox: 'mine' })).total).to.deep.equal({ count: 0, exact: true });
    expect((await ada.countInbox({ inbox: 'others', mine: true })).total.count).to.equal(0);
  });
});
