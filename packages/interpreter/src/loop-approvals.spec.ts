import { expect } from 'chai';
import type { ApprovalWait } from '@countersign/model';
import { approval, end, flows, start, TestRun, user } from './interpreter.spec.support.js';

const loopedTask = (task: string, loopAttributes: string): string =>
  task.replace(
    '</bpmn:userTask>',
    `<bpmn:multiInstanceLoopCharacteristics><bpmn:extensionElements><zeebe:loopCharacteristics inputCollection="=owners" inputElement="owner"${loopAttributes}/>` +
      '</bpmn:extensionElements></bpmn:multiInstanceLoopCharacteristics></bpmn:userTask>',
  );

const ownerAssignment = '<zeebe:assignmentDefinition assignee="=owner"/>';
const outputCollectionAttributes = ' outputCollection="decisions" outputElement="=approval.decision"';

/** Starts a run of start > ok (one approval for each of `owners`) > end. */
async function startRun(extra = '', loopAttributes = outputCollectionAttributes): Promise<TestRun> {
  const run = await TestRun.of(
    start + loopedTask(approval('ok', ownerAssignment + extra), loopAttributes) + end + flows('start > ok', 'ok > end'),
  );
  run.start({ owners: ['ann', 'bob'], text: 'first' });
  return run;
}

/** Returns the pending approvals in the order of their loop instances. */
const listPendingApprovals = (run: TestRun): ApprovalWait['approval'][] =>
  Object.values(run.state?.instances ?? {})
    .flatMap((each) => each.waits ?? [])
    .flatMap((wait) => (wait.kind === 'approval' ? [wait.approval] : []));

function vote(run: TestRun, voterId: string, decision: 'approve' | 'reject'): string | undefined {
  const approvalId = listPendingApprovals(run).find((each) => each.candidateUsers.includes(voterId))?.approvalId ?? '';
  const command = {
    type: 'approval.vote',
    actor: user(voterId),
    approvalId,
    decision,
    comment: null,
    expectedDigest: null,
    expectedRound: null,
  } as const;
  return run.do(command).refusal?.code;
}

const listSubjects = (run: TestRun): unknown[] =>
  run.requests.flatMap((request) => (request.type === 'approval.open' ? [request.approval.subject.inputs] : []));

describe('advance(): approvals in a multi-instance loop', () => {
  it('should request one approval per item, and continue when all are approved', async () => {
    // given
    const run = await startRun();
    expect(listPendingApprovals(run).map((each) => each.candidateUsers)).to.deep.equal([['ann'], ['bob']]);
    expect(run.project()).to.include({ status: 'blocked', pendingApprovals: 2 });

    // when
    expect(vote(run, 'bob', 'approve')).to.equal(undefined);
    expect(run.project().pendingApprovals).to.equal(1);
    expect(vote(run, 'ann', 'approve')).to.equal(undefined);

    // then
    expect(run.state?.outcome).to.equal('completed');
    expect(run.variables()['decisions']).to.deep.equal(['approve', 'approve']);
  });

  it('should not treat the decision of one instance as a change of the other subjects', async () => {
    const run = await startRun('', '');
    expect(listSubjects(run)).to.deep.equal(
      ['ann', 'bob'].map((owner, index) => ({ owners: ['ann', 'bob'], text: 'first', owner, loopCounter: index + 1 })),
    );
    expect(vote(run, 'ann', 'approve')).to.equal(undefined);
    expect(run.variables()).to.have.nested.property('approval.decidedBy', 'ann');
    expect(vote(run, 'bob', 'approve')).to.equal(undefined);
    expect(run.state?.outcome).to.equal('completed');
  });

  it('should map the item of each instance into the subject of its approval', async () => {
    const mappings =
      '<zeebe:ioMapping><zeebe:input source="=owner + string(loopCounter)" target="who"/><zeebe:input source="=text" target="text"/></zeebe:ioMapping>';
    const run = await startRun(mappings);
    expect(listSubjects(run)).to.deep.equal([
      { who: 'ann1', text: 'first' },
      { who: 'bob2', text: 'first' },
    ]);
    expect(vote(run, 'bob', 'approve')).to.equal(undefined);
    expect(vote(run, 'ann', 'approve')).to.equal(undefined);
    expect(run.state?.outcome).to.equal('completed');
  });

  it('should open a new round only in the loop instance in which a vote is stale', async () => {
    // given: the text changes while both approvals are pending
    const run = await startRun();
    const state = run.state;
    if (state === null) throw new Error('the run has not started');
    const root = state.instances[state.root];
    if (root === undefined) throw new Error('the run has no root instance');
    run.state = {
      ...state,
      instances: { ...state.instances, [state.root]: { ...root, variables: { ...root.variables, text: 'second' } } },
    };

    // when
    expect(vote(run, 'bob', 'approve')).to.equal('stale_digest');

    // then
    expect(listPendingApprovals(run).map((each) => [each.candidateUsers[0], each.round])).to.deep.equal([
      ['ann', 1],
      ['bob', 2],
    ]);
    expect(vote(run, 'bob', 'approve')).to.equal(undefined);
    expect(vote(run, 'ann', 'approve')).to.equal('stale_digest');
    expect(vote(run, 'ann', 'approve')).to.equal(undefined);
    expect(run.state.outcome).to.equal('completed');
  });

  it('should end the run as rejected on the first rejection, and withdraw the other approval', async () => {
    const run = await startRun();
    vote(run, 'ann', 'reject');
    expect(run.state?.outcome).to.equal('rejected');
    expect(run.eventTypes().filter((type) => type === 'approval.withdrawn')).to.have.length(1);
  });
});
