import { areParallel } from '@countersign/model';
import { expect } from 'chai';
import { compiled, element, flow, nested, userTask } from './models.spec.support.js';
import { drawn } from './lint/lint.spec.support.js';

/** Ids of the tasks that are parallel to a task of a model. */
async function parallelTo(xml: string, id: string): Promise<string[]> {
  const graph = await compiled(xml);
  const task = graph.nodes.get(id);
  if (task?.kind !== 'userTask') throw new Error(`"${id}" is no user task.`);
  return [...graph.nodes.values()].flatMap((other) =>
    other.kind === 'userTask' && areParallel(graph, task, other) ? [other.id] : [],
  );
}

describe('areParallel()', () => {
  const block = ['p1 > ask1', 'p1 > ask2', 'ask1 > p2', 'ask2 > p2'];

  it('should find tasks on other branches, but none before or after the block', async () => {
    const xml = drawn(['start > ask0', 'ask0 > p1', ...block, 'p2 > ask3', 'ask3 > e']);
    expect(await parallelTo(xml, 'ask1')).to.deep.equal(['ask2']);
    expect(await parallelTo(xml, 'ask0')).to.deep.equal([]);
    expect(await parallelTo(xml, 'ask3')).to.deep.equal([]);
  });

  it('should distinguish repetition in a loop from parallel execution', async () => {
    const loop = drawn(['start > x1', 'x1 > ask1', 'ask1 > ask2', 'ask2 > x2', 'x2 > x1: =again', 'x2 > e']);
    expect(await parallelTo(loop, 'ask1')).to.deep.equal([]);
    const around = drawn(['start > x1', 'x1 > p1', ...block, 'p2 > x2', 'x2 > x1: =again', 'x2 > e']);
    expect(await parallelTo(around, 'ask1')).to.deep.equal(['ask2']);
    const inside = drawn([
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
    expect(await parallelTo(inside, 'ask1')).to.deep.equal(['ask2']);
  });

  it('should find tasks after implicit and inclusive splits but not after an exclusive gateway', async () => {
    expect(
      await parallelTo(drawn(['start > a', 'a > ask1', 'a > ask2', 'ask1 > e1', 'ask2 > e2']), 'ask2'),
    ).to.deep.equal(['ask1']);
    expect(
      await parallelTo(drawn(['start > i1', 'i1 > ask1: =v', 'i1 > ask2', 'ask1 > i2', 'ask2 > i2', 'i2 > e']), 'ask2'),
    ).to.deep.equal(['ask1']);
    expect(
      await parallelTo(drawn(['start > x1', 'x1 > ask1: =v', 'x1 > ask2', 'ask1 > e1', 'ask2 > e2']), 'ask1'),
    ).to.deep.equal([]);
  });

  it('should find tasks after non-interrupting events and in ad-hoc sub-processes', async () => {
    const timer =
      '<bpmn:timerEventDefinition><bpmn:timeDuration xsi:type="bpmn:tFormalExpression">PT1H</bpmn:timeDuration></bpmn:timerEventDefinition>';
    const border = (interrupting: boolean): string =>
      drawn(
        ['start > ask1', 'ask1 > e1', 'late > ask2', 'ask2 > e2'],
        `<bpmn:boundaryEvent id="late" attachedToRef="ask1" cancelActivity="${interrupting}">${timer}</bpmn:boundaryEvent>`,
        ['late'],
      );
    expect(await parallelTo(border(false), 'ask1')).to.deep.equal(['ask2']);
    expect(await parallelTo(border(true), 'ask1')).to.deep.equal([]);
    const adHoc = element('adHocSubProcess', 'sub', '', userTask('ask1') + userTask('ask2'));
    expect(await parallelTo(drawn(['start > sub', 'sub > ask3', 'ask3 > e'], adHoc, ['sub']), 'ask1')).to.deep.equal([
      'ask2',
    ]);
    const aside = (interrupting: boolean): string =>
      element(
        'subProcess',
        'sub',
        '',
        `<bpmn:startEvent id="s" isInterrupting="${interrupting}">${timer}</bpmn:startEvent>${userTask('ask2')}<bpmn:endEvent id="f"/>${flow('s', 'ask2')}${flow('ask2', 'f')}`,
        'triggeredByEvent="true"',
      );
    expect(await parallelTo(drawn(['start > ask1', 'ask1 > e'], aside(false), ['sub']), 'ask1')).to.deep.equal([
      'ask2',
    ]);
    expect(await parallelTo(drawn(['start > ask1', 'ask1 > e'], aside(true), ['sub']), 'ask1')).to.deep.equal([]);
  });

  it('should find tasks in sub-processes on other branches', async () => {
    const inner = nested('subProcess', 'sub', userTask('ask2'), '', 'ask2');
    expect(
      await parallelTo(
        drawn(['start > p1', 'p1 > ask1', 'p1 > sub', 'ask1 > p2', 'sub > p2', 'p2 > e'], inner, ['sub']),
        'ask1',
      ),
    ).to.deep.equal(['ask2']);
    expect(await parallelTo(drawn(['start > ask1', 'ask1 > sub', 'sub > e'], inner, ['sub']), 'ask2')).to.deep.equal(
      [],
    );
  });

  it('should find the tasks on all 300 branches of a split', async () => {
    const ways = Array.from({ length: 300 }, (_, index) => [`p1 > ask${index}`, `ask${index} > p2`]).flat();
    expect(await parallelTo(drawn(['start > p1', ...ways, 'p2 > e']), 'ask7')).to.have.length(299);
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
    expect(await parallelTo(drawn(['start > x0', ...blocks(20), 'x20 > e']), 'ask0')).to.deep.equal(['ask1']);
    expect(await parallelTo(drawn(['start > x0', ...blocks(200), 'x200 > e']), 'ask0')).to.have.length(399);
  });
});
