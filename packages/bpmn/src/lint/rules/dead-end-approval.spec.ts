import { expect } from 'chai';
import { element } from '../../models.spec.support.js';
import { drawn, messagesOf, saidBy } from '../lint.spec.support.js';

const RULE = 'dead-end-approval';
const said = (...arrows: string[]) => saidBy(RULE, drawn(arrows));

describe('Lint: dead-end-approval', () => {
  it('should name each decision for which the model knows no way', async () => {
    const xml = drawn([
      'start > ask',
      'ask > x1',
      'x1 > a: =approval.decision = "approve"',
      'x1 > b: =approval.decision = "reject"',
      'a > e',
      'b > e',
    ]);

    expect(await messagesOf(RULE, xml)).to.deep.equal([
      'The decision "request_changes" leads nowhere: no condition of "x1" holds for it. Add a flow for it, or a default flow.',
    ]);
    expect(await saidBy(RULE, xml)).to.deep.equal(['error ask']);
  });

  it('should say nothing where every decision has a way, or that depends on more than the decision', async () => {
    expect(
      await said('start > ask', 'ask > x1', 'x1 > a: =approval.decision = "approve"', 'x1 > b', 'a > e', 'b > e'),
    ).to.deep.equal([]);
    expect(
      await said(
        'start > ask',
        'ask > x1',
        'x1 > a: =approval.decision = "approve"',
        'x1 > b: =approval.decision != "approve"',
        'a > e',
        'b > e',
      ),
    ).to.deep.equal([]);
    expect(
      await said(
        'start > ask',
        'ask > x1',
        'x1 > a: =approval.decision = "approve"',
        'x1 > b: =other',
        'a > e',
        'b > e',
      ),
    ).to.deep.equal([]);
  });

  it('should leave out what an event at the border catches', async () => {
    const caught = (code: string) =>
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
    const with_ = (code: string) => {
      const [border = '', root = ''] = caught(code).split('|');
      return saidBy(RULE, drawn(arrows, border, ['no'], root));
    };

    expect(await with_('approval.rejected')).to.deep.equal([]);
    expect(await with_('approval.reject')).to.have.members(['warning no', 'error ask']);
  });

  it('should name a decision that only asks again', async () => {
    expect(
      await said('start > x1', 'x1 > ask', 'ask > x2', 'x2 > x1: =approval.decision = "reject"', 'x2 > e'),
    ).to.deep.equal(['warning ask']);
    expect(
      await said(
        'start > x1',
        'x1 > ask',
        'ask > x2',
        'x2 > again: =approval.decision = "reject"',
        'again > x1',
        'x2 > e',
      ),
    ).to.deep.equal([]);
  });

  it('should name a condition for a decision that nobody can make', async () => {
    expect(
      await said('start > ask', 'ask > x1', 'x1 > a: =approval.decision = "approved"', 'x1 > b', 'a > e', 'b > e'),
    ).to.deep.equal(['warning x1-a']);
    expect(
      await said('start > ask', 'ask > x1', 'x1 > a: =approval.decision = null', 'x1 > b', 'a > e', 'b > e'),
    ).to.deep.equal([]);
  });

  it('should name a condition that looks for the decision under another name', async () => {
    const arrows = (name: string) => [
      'start > ask',
      'ask > x1',
      `x1 > a: =${name}.decision = "approve"`,
      'x1 > b',
      'a > e',
      'b > e',
    ];

    expect(await said(...arrows('review'))).to.have.members(['warning x1-a', 'info ask']);
    expect(await said(...arrows('approval'))).to.deep.equal([]);
  });

  it('should mention that nobody can ask for changes, where no step would be repeated', async () => {
    const agent = element(
      'serviceTask',
      'write',
      '<zeebe:taskDefinition type="agent"/><zeebe:taskHeaders><zeebe:header key="agent" value="writer"/></zeebe:taskHeaders>',
    );

    expect(await said('start > ask', 'ask > e')).to.deep.equal(['info ask']);
    expect(await saidBy(RULE, drawn(['start > write', 'write > ask', 'ask > e'], agent, ['write']))).to.deep.equal([]);
  });
});
