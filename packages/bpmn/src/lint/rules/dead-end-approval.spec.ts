import { expect } from 'chai';
import { element } from '../../models.spec.support.js';
import { buildModel, findMessages, lintWithRule } from '../lint.spec.support.js';

const RULE = 'dead-end-approval';
const lintArrows = (...arrows: string[]) => lintWithRule(RULE, buildModel(arrows));

describe('Lint: dead-end-approval', () => {
  it('should report each approval decision that no condition handles', async () => {
    const xml = buildModel([
      'start > ask',
      'ask > x1',
      'x1 > a: =approval.decision = "approve"',
      'x1 > b: =approval.decision = "reject"',
      'a > e',
      'b > e',
    ]);

    expect(await findMessages(RULE, xml)).to.deep.equal([
      'The approval decision "request_changes" leads nowhere: no condition of "x1" is true for it. Add a flow for this decision, or a default flow.',
    ]);
    expect(await lintWithRule(RULE, xml)).to.deep.equal(['error ask']);
  });

  it('should report nothing if every approval decision has a flow or a condition reads other variables', async () => {
    expect(
      await lintArrows('start > ask', 'ask > x1', 'x1 > a: =approval.decision = "approve"', 'x1 > b', 'a > e', 'b > e'),
    ).to.deep.equal([]);
    expect(
      await lintArrows(
        'start > ask',
        'ask > x1',
        'x1 > a: =approval.decision = "approve"',
        'x1 > b: =approval.decision != "approve"',
        'a > e',
        'b > e',
      ),
    ).to.deep.equal([]);
    expect(
      await lintArrows(
        'start > ask',
        'ask > x1',
        'x1 > a: =approval.decision = "approve"',
        'x1 > b: =other',
        'a > e',
        'b > e',
      ),
    ).to.deep.equal([]);
  });

  it('should not report an approval decision that a boundary event catches', async () => {
    const boundaryEventAndError = (code: string) =>
      `<bpmn:boundaryEvent id="no" attachedToRef="ask"><bpmn:errorEventDefinition id="d" errorRef="error"/></bpmn:boundaryEvent>|<bpmn:error id="error" errorCode="${code}"/>`;
    const arrows = [
      'start > ask',
      'ask > x1',
      'x1 > a: =approval.decision = "approve"',
      'x1 > b: =approval.decision = "request_changes"',
      'a > e',
      'b > e',
      'no > e',
    ];
    const lintWithCode = (code: string) => {
      const [boundaryEvents = '', root = ''] = boundaryEventAndError(code).split('|');
      return lintWithRule(RULE, buildModel(arrows, boundaryEvents, ['no'], root));
    };

    expect(await lintWithCode('approval.rejected')).to.deep.equal([]);
    expect(await lintWithCode('approval.reject')).to.have.members(['warning no', 'error ask']);
  });

  it('should report an approval decision that only repeats the approval', async () => {
    expect(
      await lintArrows('start > x1', 'x1 > ask', 'ask > x2', 'x2 > x1: =approval.decision = "reject"', 'x2 > e'),
    ).to.deep.equal(['warning ask']);
    expect(
      await lintArrows(
        'start > x1',
        'x1 > ask',
        'ask > x2',
        'x2 > again: =approval.decision = "reject"',
        'again > x1',
        'x2 > e',
      ),
    ).to.deep.equal([]);
  });

  it('should report a condition on an impossible approval decision', async () => {
    expect(
      await lintArrows(
        'start > ask',
        'ask > x1',
        'x1 > a: =approval.decision = "approved"',
        'x1 > b',
        'a > e',
        'b > e',
      ),
    ).to.deep.equal(['warning x1-a']);
    expect(
      await lintArrows('start > ask', 'ask > x1', 'x1 > a: =approval.decision = null', 'x1 > b', 'a > e', 'b > e'),
    ).to.deep.equal([]);
  });

  it('should report a condition that reads the approval decision from the wrong variable', async () => {
    const arrows = (name: string) => [
      'start > ask',
      'ask > x1',
      `x1 > a: =${name}.decision = "approve"`,
      'x1 > b',
      'a > e',
      'b > e',
    ];

    expect(await lintArrows(...arrows('review'))).to.have.members(['warning x1-a', 'info ask']);
    expect(await lintArrows(...arrows('approval'))).to.deep.equal([]);
  });

  it('should note that changes cannot be requested if the approval has no rework step', async () => {
    const agent = element(
      'serviceTask',
      'write',
      '<zeebe:taskDefinition type="agent"/><zeebe:taskHeaders><zeebe:header key="agent" value="writer"/></zeebe:taskHeaders>',
    );

    expect(await lintArrows('start > ask', 'ask > e')).to.deep.equal(['info ask']);
    expect(
      await lintWithRule(RULE, buildModel(['start > write', 'write > ask', 'ask > e'], agent, ['write'])),
    ).to.deep.equal([]);
  });
});
