import { expect } from 'chai';
import { buildModel, findMessages, lintWithRule } from '../lint.spec.support.js';

const lintArrows = (...arrows: string[]) => lintWithRule('never-joins', buildModel(arrows));

describe('Lint: never-joins', () => {
  it('should report a parallel gateway after an exclusive gateway, and give the reason', async () => {
    const xml = buildModel(['start > x1', 'x1 > a: =v', 'x1 > b', 'a > p1', 'b > p1', 'p1 > e']);

    expect(await lintWithRule('never-joins', xml)).to.deep.equal(['error p1']);
    expect((await findMessages('never-joins', xml))[0]).to.contain(
      'flows "a-p1" and "b-p1" never both deliver a token, because "x1" takes only one path',
    );
  });

  it('should report a parallel gateway that waits for its own loop', async () => {
    expect(await lintArrows('start > p1', 'p1 > a', 'a > x1', 'x1 > p1: =again', 'x1 > e')).to.deep.equal(['error p1']);
  });

  it('should report only the first of two blocked gateways in sequence', async () => {
    const arrows = [
      'start > x1',
      'x1 > a: =v',
      'x1 > b',
      'a > p1',
      'b > p1',
      'start > c',
      'p1 > p2',
      'c > p2',
      'p2 > e',
    ];

    expect(await lintArrows(...arrows)).to.deep.equal(['error p1']);
  });

  it('should report a gateway that joins exclusive branches with a parallel branch', async () => {
    expect(
      await lintArrows(
        'start > p1',
        'p1 > x1',
        'p1 > c',
        'x1 > a: =v',
        'x1 > b',
        'a > p2',
        'b > p2',
        'c > p2',
        'p2 > e',
      ),
    ).to.deep.equal(['error p2']);
  });

  it('should report nothing if all incoming flows can deliver a token', async () => {
    // in blocks
    expect(await lintArrows('start > p1', 'p1 > a', 'p1 > b', 'a > p2', 'b > p2', 'p2 > e')).to.deep.equal([]);
    // without a splitting gateway: two flows out of a task
    expect(await lintArrows('start > a', 'a > b', 'a > c', 'b > p1', 'c > p1', 'p1 > e')).to.deep.equal([]);
    // across blocks
    expect(
      await lintArrows(
        'start > p1',
        'p1 > a',
        'p1 > b',
        'p1 > c',
        'a > p2',
        'b > p2',
        'p2 > d',
        'd > p3',
        'c > p3',
        'p3 > e',
      ),
    ).to.deep.equal([]);
    // after an inclusive gateway, which may take both flows
    expect(await lintArrows('start > i1', 'i1 > a: =v', 'i1 > b: =w', 'a > p1', 'b > p1', 'p1 > e')).to.deep.equal([]);
    // if a loop brings the second token
    expect(
      await lintArrows(
        'start > x1',
        'x1 > p1',
        'p1 > a',
        'p1 > b',
        'a > x1',
        'b > x2',
        'x2 > c: =v',
        'x2 > d',
        'c > p2',
        'd > p2',
        'p2 > e',
      ),
    ).to.deep.equal([]);
  });

  it('should report a gateway inside a sub-process', async () => {
    const manualTask = (id: string) => `<bpmn:manualTask id="${id}"/>`;
    const sequenceFlow = (from: string, to: string, conditionElement = '') =>
      `<bpmn:sequenceFlow id="${from}-${to}" sourceRef="${from}" targetRef="${to}">${conditionElement}</bpmn:sequenceFlow>`;
    const condition = '<bpmn:conditionExpression xsi:type="bpmn:tFormalExpression">=v</bpmn:conditionExpression>';
    const sub = `<bpmn:subProcess id="sub"><bpmn:startEvent id="s"/><bpmn:exclusiveGateway id="g" default="g-f"/>${manualTask('h')}${manualTask('f')}<bpmn:parallelGateway id="join"/><bpmn:endEvent id="t"/>
      ${sequenceFlow('s', 'g')}${sequenceFlow('g', 'h', condition)}${sequenceFlow('g', 'f')}${sequenceFlow('h', 'join')}${sequenceFlow('f', 'join')}${sequenceFlow('join', 't')}</bpmn:subProcess>`;

    expect(await lintWithRule('never-joins', buildModel(['start > sub', 'sub > e'], sub, ['sub']))).to.deep.equal([
      'error join',
    ]);
  });
});
