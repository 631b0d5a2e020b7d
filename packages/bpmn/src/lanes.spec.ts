import { expect } from 'chai';
import type { Value } from '@countersign/model';
import {
  evaluate,
  serviceTask,
  sequentialFlow,
  model,
  nestedScope,
  requireNode,
  findProblemCodes,
  userTask,
} from './models.spec.support.js';

function lane(id: string, name: string, refs: readonly string[], childLanes = ''): string {
  const nodes = refs.map((ref) => `<bpmn:flowNodeRef>${ref}</bpmn:flowNodeRef>`).join('');
  const childLaneSet =
    childLanes === ''
      ? ''
      : `<bpmn:childLaneSet xsi:type="bpmn:tLaneSet" id="${id}Set">${childLanes}</bpmn:childLaneSet>`;
  return `<bpmn:lane id="${id}" name="${name}">${nodes}${childLaneSet}</bpmn:lane>`;
}

function laneSet(id: string, ...lanes: string[]): string {
  return `<bpmn:laneSet id="${id}">${lanes.join('')}</bpmn:laneSet>`;
}

async function readCandidateGroups(xml: string): Promise<Value | null> {
  return (await requireNode(xml, 'review', 'userTask')).approval.candidateGroups;
}

const reviewFlow = (extensions = ''): string =>
  sequentialFlow(serviceTask('a') + userTask('review', {}, extensions), 'a', 'review');

describe('lanes of a BPMN model', () => {
  it('should make the lane name the candidate group of a user task in the lane', async () => {
    const set = laneSet('ls', lane('l1', 'Sales', ['a']), lane('l2', ' Legal team ', ['review']));
    expect(await readCandidateGroups(model(set + reviewFlow()))).to.deep.equal({ literal: 'Legal team' });
  });

  it('should use the innermost lane', async () => {
    const set = laneSet('ls', lane('l1', 'Firm', ['a', 'review'], lane('l2', 'Legal', ['review'])));
    expect(await readCandidateGroups(model(set + reviewFlow()))).to.deep.equal({ literal: 'Legal' });
  });

  it('should use the lane of the enclosing sub-process if the user task is in no lane', async () => {
    const set = laneSet('ls', lane('l1', 'Legal', ['sub']));
    const subProcess = nestedScope('subProcess', 'sub', userTask('review'), '', 'review');
    expect(await readCandidateGroups(model(set + sequentialFlow(subProcess, 'sub')))).to.deep.equal({
      literal: 'Legal',
    });
  });

  it('should not add a group if the user task names approvers or the lane has no name', async () => {
    const set = laneSet('ls', lane('l1', 'Legal', ['review']));
    expect(await readCandidateGroups(model(set + reviewFlow('<zeebe:assignmentDefinition assignee="ann"/>')))).to.equal(
      null,
    );
    expect(
      await readCandidateGroups(model(set + reviewFlow('<zeebe:assignmentDefinition candidateGroups="x"/>'))),
    ).to.deep.equal({
      literal: 'x',
    });
    expect(await readCandidateGroups(model(laneSet('ls', lane('l1', '', ['review'])) + reviewFlow()))).to.equal(null);
  });

  it('should use a lane name literally, even with "=", commas or quotes', async () => {
    const groups = await readCandidateGroups(
      model(laneSet('ls', lane('l1', '=Sales, &quot;EU&quot;', ['review'])) + reviewFlow()),
    );
    expect(groups !== null && evaluate(groups, {})).to.deep.equal(['=Sales, "EU"']);
  });

  it('should refuse a user task in two lanes if the task names no approvers', async () => {
    const sets = laneSet('ls', lane('l1', 'Legal', ['review'])) + laneSet('ls2', lane('l2', 'Berlin', ['review']));
    expect(await findProblemCodes(model(sets + reviewFlow()))).to.deep.equal(['review ambiguous_lane']);
    expect(
      await readCandidateGroups(model(sets + reviewFlow('<zeebe:assignmentDefinition assignee="ann"/>'))),
    ).to.equal(null);
  });

  it('should refuse lanes with a partition element', async () => {
    const set = laneSet('ls', lane('l1', 'Legal', ['review']).replace('name=', 'partitionElementRef="a" name='));
    expect(await findProblemCodes(model(set + reviewFlow()))).to.deep.equal(['l1 unsupported_property']);
  });
});
