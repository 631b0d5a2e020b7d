import { expect } from 'chai';
import { boundaryTimer, buildModel, findMessages, lintWithRule } from '../lint.spec.support.js';

const RULE = 'may-wait-forever';
const lintArrows = (...arrows: string[]) => lintWithRule(RULE, buildModel(arrows));

describe('Lint: may-wait-forever', () => {
  it('should report a gateway if one of its tokens may take another flow, and name the flow', async () => {
    const xml = buildModel(['start > p1', 'p1 > a', 'p1 > x1', 'x1 > b: =v', 'x1 > e1', 'a > p2', 'b > p2', 'p2 > e2']);

    expect(await lintWithRule(RULE, xml)).to.deep.equal(['warning p2']);
    expect((await findMessages(RULE, xml))[0])
      .to.contain('if "x1" takes flow "x1-e1"')
      .and.contain('a token arrives by flow "a-p2"');
  });

  it('should report a gateway if an interrupting event can divert one of its tokens', async () => {
    const arrows = ['start > p1', 'p1 > a', 'p1 > b', 'a > p2', 'b > p2', 'p2 > e1', 'late > e2'];

    expect(await lintWithRule(RULE, buildModel(arrows, boundaryTimer('late', 'a', true), ['late']))).to.deep.equal([
      'warning p2',
    ]);
    expect(await lintWithRule(RULE, buildModel(arrows, boundaryTimer('late', 'a', false), ['late']))).to.deep.equal([]);
  });

  it('should report nothing if the branch conditions read the same variable', async () => {
    const lintWithSecondCondition = (second: string) =>
      lintArrows(
        'start > p1',
        'p1 > x1',
        'p1 > x2',
        'x1 > a: =v',
        'x1 > e1',
        'x2 > b: =' + second,
        'x2 > e2',
        'a > p2',
        'b > p2',
        'p2 > e3',
      );

    expect(await lintWithSecondCondition('v')).to.deep.equal([]);
    expect(await lintWithSecondCondition('w')).to.deep.equal(['warning p2']);
  });

  it('should report nothing if a terminate event or an event sub-process can end the wait', async () => {
    const terminateEvent = '<bpmn:endEvent id="stop"><bpmn:terminateEventDefinition/></bpmn:endEvent>';
    const eventSubProcess = `<bpmn:subProcess id="handler" triggeredByEvent="true"><bpmn:startEvent id="late"><bpmn:timerEventDefinition><bpmn:timeDuration xsi:type="bpmn:tFormalExpression">PT1H</bpmn:timeDuration></bpmn:timerEventDefinition></bpmn:startEvent>
      <bpmn:endEvent id="done"/><bpmn:sequenceFlow id="on" sourceRef="late" targetRef="done"/></bpmn:subProcess>`;
    const arrows = (end: string) => [
      'start > p1',
      'p1 > a',
      'p1 > x1',
      'x1 > b: =v',
      `x1 > ${end}`,
      'a > p2',
      'b > p2',
      'p2 > e2',
    ];

    expect(await lintWithRule(RULE, buildModel(arrows('stop'), terminateEvent, ['stop']))).to.deep.equal([]);
    expect(await lintWithRule(RULE, buildModel(arrows('e1'), eventSubProcess))).to.deep.equal([]);
  });

  it('should report nothing for an inclusive gateway', async () => {
    expect(
      await lintArrows('start > p1', 'p1 > a', 'p1 > x1', 'x1 > b: =v', 'x1 > e1', 'a > i2', 'b > i2', 'i2 > e2'),
    ).to.deep.equal([]);
  });
});
