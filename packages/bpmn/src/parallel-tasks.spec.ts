import { areParallel } from '@countersign/model';
import { expect } from 'chai';
import { compileModel, element, flow, nestedScope, userTask } from './models.spec.support.js';
import { buildModel } from './lint/lint.spec.support.js';

/** Returns the ids of the user tasks that are parallel to a user task of a BPMN model. */
async function findParallelTasks(xml: string, id: string): Promise<string[]> {
  const graph = await compileModel(xml);
  const task = graph.nodes.get(id);
  if (task?.kind !== 'userTask') throw new Error(`"${id}" is not a user task.`);
  return [...graph.nodes.values()].flatMap((other) =>
    other.kind === 'userTask' && areParallel(graph, task, other) ? [other.id] : [],
  );
}

describe('areParallel()', () => {
  const parallelArrows = ['p1 > ask1', 'p1 > ask2', 'ask1 > p2', 'ask2 > p2'];

  it('should find tasks on other branches, but none before or after the block', async () => {
    const xml = buildModel(['start > ask0', 'ask0 > p1', ...parallelArrows, 'p2 > ask3', 'ask3 > e']);
    expect(await findParallelTasks(xml, 'ask1')).to.deep.equal(['ask2']);
    expect(await findParallelTasks(xml, 'ask0')).to.deep.equal([]);
    expect(await findParallelTasks(xml, 'ask3')).to.deep.equal([]);
  });

  it('should distinguish repetition in a loop from parallel execution', async () => {
    const loop = buildModel(['start > x1', 'x1 > ask1', 'ask1 > ask2', 'ask2 > x2', 'x2 > x1: =again', 'x2 > e']);
    expect(await findParallelTasks(loop, 'ask1')).to.deep.equal([]);
    const blockInLoop = buildModel([
      'start > x1',
      'x1 > p1',
      ...parallelArrows,
      'p2 > x2',
      'x2 > x1: =again',
      'x2 > e',
    ]);
    expect(await findParallelTasks(blockInLoop, 'ask1')).to.deep.equal(['ask2']);
    const loopInBlock = buildModel([
      'start > p1',
      'p1 > x1',
      'x1 > ask1',
      'ask1 > ask3',
      'ask3 > x2',
      'x2 > x1: =again',
      'x2 > p2',
      'p1 > ask2',
      'ask2 > p2',
      'p2 > e',
    ]);
    expect(await findParallelTasks(loopInBlock, 'ask1')).to.deep.equal(['ask2']);
  });

  it('should find tasks after implicit and inclusive splits but not after an exclusive gateway', async () => {
    expect(
      await findParallelTasks(buildModel(['start > a', 'a > ask1', 'a > ask2', 'ask1 > e1', 'ask2 > e2']), 'ask2'),
    ).to.deep.equal(['ask1']);
    expect(
      await findParallelTasks(
        buildModel(['start > i1', 'i1 > ask1: =v', 'i1 > ask2', 'ask1 > i2', 'ask2 > i2', 'i2 > e']),
        'ask2',
      ),
    ).to.deep.equal(['ask1']);
    expect(
      await findParallelTasks(
        buildModel(['start > x1', 'x1 > ask1: =v', 'x1 > ask2', 'ask1 > e1', 'ask2 > e2']),
        'ask1',
      ),
    ).to.deep.equal([]);
  });

  it('should find tasks after non-interrupting events and in ad-hoc sub-processes', async () => {
    const timer =
      '<bpmn:timerEventDefinition><bpmn:timeDuration xsi:type="bpmn:tFormalExpression">PT1H</bpmn:timeDuration></bpmn:timerEventDefinition>';
    const modelWithBoundary = (interrupting: boolean): string =>
      buildModel(
        ['start > ask1', 'ask1 > e1', 'late > ask2', 'ask2 > e2'],
        `<bpmn:boundaryEvent id="late" attachedToRef="ask1" cancelActivity="${interrupting}">${timer}</bpmn:boundaryEvent>`,
        ['late'],
      );
    expect(await findParallelTasks(modelWithBoundary(false), 'ask1')).to.deep.equal(['ask2']);
    expect(await findParallelTasks(modelWithBoundary(true), 'ask1')).to.deep.equal([]);
    const adHoc = element('adHocSubProcess', 'sub', '', userTask('ask1') + userTask('ask2'));
    expect(
      await findParallelTasks(buildModel(['start > sub', 'sub > ask3', 'ask3 > e'], adHoc, ['sub']), 'ask1'),
    ).to.deep.equal(['ask2']);
    const eventSubProcess = (interrupting: boolean): string =>
      element(
        'subProcess',
        'sub',
        '',
        `<bpmn:startEvent id="s" isInterrupting="${interrupting}">${timer}</bpmn:startEvent>${userTask('ask2')}<bpmn:endEvent id="f"/>${flow('s', 'ask2')}${flow('ask2', 'f')}`,
        'triggeredByEvent="true"',
      );
    expect(
      await findParallelTasks(buildModel(['start > ask1', 'ask1 > e'], eventSubProcess(false), ['sub']), 'ask1'),
    ).to.deep.equal(['ask2']);
    expect(
      await findParallelTasks(buildModel(['start > ask1', 'ask1 > e'], eventSubProcess(true), ['sub']), 'ask1'),
    ).to.deep.equal([]);
  });

  it('should find tasks in sub-processes on other branches', async () => {
    const inner = nestedScope('subProcess', 'sub', userTask('ask2'), '', 'ask2');
    expect(
      await findParallelTasks(
        buildModel(['start > p1', 'p1 > ask1', 'p1 > sub', 'ask1 > p2', 'sub > p2', 'p2 > e'], inner, ['sub']),
        'ask1',
      ),
    ).to.deep.equal(['ask2']);
    expect(
      await findParallelTasks(buildModel(['start > ask1', 'ask1 > sub', 'sub > e'], inner, ['sub']), 'ask2'),
    ).to.deep.equal([]);
  });

  it('should find the tasks on all 300 branches of a split', async () => {
    const manyParallelArrows = Array.from({ length: 300 }, (_, index) => [
      `p1 > ask${index}`,
      `ask${index} > p2`,
    ]).flat();
    expect(await findParallelTasks(buildModel(['start > p1', ...manyParallelArrows, 'p2 > e']), 'ask7')).to.have.length(
      299,
    );
  });

  it('should treat all tasks of a scope as parallel if the scope is too large to analyse', async () => {
    const blocks = (count: number): string[] =>
      Array.from({ length: count }, (_, index) => [
        `x${index} > p${2 * index}`,
        `p${2 * index} > ask${2 * index}`,
        `p${2 * index} > ask${2 * index + 1}`,
        `ask${2 * index} > p${2 * index + 1}`,
        `ask${2 * index + 1} > p${2 * index + 1}`,
        `p${2 * index + 1} > x${index + 1}`,
      ]).flat();
    expect(await findParallelTasks(buildModel(['start > x0', ...blocks(20), 'x20 > e']), 'ask0')).to.deep.equal([
      'ask1',
    ]);
    expect(await findParallelTasks(buildModel(['start > x0', ...blocks(200), 'x200 > e']), 'ask0')).to.have.length(399);
  });
});
