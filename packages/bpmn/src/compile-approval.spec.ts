import { expect } from 'chai';
import type { ApprovalDefinition } from '@countersign/model';
import {
  compiled,
  MESSAGE,
  element,
  flow,
  job,
  line,
  model,
  nested,
  nodeOf,
  problemsOf,
  properties,
  refusalsOf,
  userTask,
} from './models.spec.support.js';

async function approvalOf(xml: string, id = 'review'): Promise<ApprovalDefinition> {
  return (await nodeOf(xml, id, 'userTask')).approval;
}

/** start → agent → review → gateway → end or back to the agent, by a condition. */
function reviewed(condition: string, values: Record<string, string> = {}): string {
  return model(
    `<bpmn:startEvent id="start"/>${job('draft', 'agent')}${userTask('review', values)}` +
      `${element('exclusiveGateway', 'join')}${element('exclusiveGateway', 'g', '', '', 'default="g-end"')}<bpmn:endEvent id="end"/>` +
      flow('start', 'draft') +
      flow('draft', 'review') +
      flow('review', 'join') +
      flow('join', 'g') +
      flow('g', 'draft', condition) +
      flow('g', 'end'),
  );
}

describe('approvals in a BPMN model', () => {
  it('should apply defaults when a user task has no approval settings', async () => {
    const graph = await compiled(model(line(userTask('review'), 'review')));
    expect(graph.nodes.get('review')).to.have.deep.property('approval', {
      assignee: null,
      candidateUsers: null,
      candidateGroups: null,
      dueDate: null,
      priority: null,
      quorum: { literal: '1' },
      separationOfDuties: 'default',
      requireSignature: false,
      requireDigest: false,
      evidence: null,
      resultVariable: 'approval',
      onTimeout: 'none',
      decidedByModel: false,
      reworkStep: null,
    });
    expect([...graph.resultVariables]).to.deep.equal(['approval']);
  });

  it('should read all approval settings of a user task', async () => {
    const values = {
      'approval.quorum': '2',
      'approval.separationOfDuties': 'distinct',
      'approval.requireSignature': 'true',
      'approval.requireDigest': 'true',
      'approval.evidence': 'notes.md, diff',
      'approval.resultVariable': 'verdict',
      'approval.onTimeout': 'incident',
      'area': 'release',
    };
    const extensions = `<zeebe:userTask/><zeebe:formDefinition formId="f"/>
      <zeebe:assignmentDefinition assignee="=owner" candidateUsers="ann, bob" candidateGroups="=groups"/>
      <zeebe:taskSchedule dueDate="2030-01-01T00:00:00Z"/><zeebe:priorityDefinition priority="80"/>`;
    const task = await nodeOf(model(line(userTask('review', values, extensions), 'review')), 'review', 'userTask');
    expect(task.approval).to.deep.include({
      candidateUsers: { literal: 'ann, bob' },
      dueDate: { literal: '2030-01-01T00:00:00Z' },
      priority: { literal: '80' },
      quorum: { literal: '2' },
      separationOfDuties: 'distinct',
      requireSignature: true,
      requireDigest: true,
      evidence: { literal: 'notes.md, diff' },
      resultVariable: 'verdict',
      onTimeout: 'incident',
    });
    expect(task.approval.assignee).to.have.nested.property('expression.source');
    expect(Object.keys(task.dynamicProperties)).to.deep.equal(['area']);
  });

  const invalid: readonly (readonly [Record<string, string>, string, string])[] = [
    [{ 'approval.quorom': '2' }, 'unknown_property', 'Did you mean "approval.quorum"?'],
    [{ 'Approval.quorum': '2' }, 'unknown_property', 'Did you mean "approval.quorum"?'],
    [{ 'approval.quorum': '0' }, 'invalid_property', 'whole number'],
    [{ 'approval.quorum': 'two' }, 'invalid_property', 'whole number'],
    [{ 'approval.quorum': '=2 +' }, 'invalid_expression', 'approval.quorum'],
    [{ 'approval.requireSignature': 'yes' }, 'invalid_property', 'false, true'],
    [{ 'approval.separationOfDuties': 'off' }, 'invalid_property', 'default, required, distinct'],
    [{ 'approval.onTimeout': 'rejct' }, 'invalid_property', 'Did you mean "reject"?'],
    [{ 'approval.onTimeout': 'reject' }, 'invalid_property', 'dueDate'],
    [{ 'approval.evidence': 'a,../b' }, 'invalid_property', '"../b"'],
    [{ 'approval.resultVariable': 'constructor' }, 'invalid_property', 'reserved'],
    [{ 'approval.reworkStep': 'reviev' }, 'invalid_rework_step', 'Did you mean "review"?'],
    [{ 'approval.reworkStep': 'review' }, 'invalid_rework_step', 'its own'],
    [{ 'approval.reworkStep': 'start' }, 'invalid_rework_step', 'must be an activity'],
    [{ 'approval.reworkStep': 'later' }, 'invalid_rework_step', 'no flow leads'],
  ];
  for (const [values, code, text] of invalid) {
    it(`should refuse the approval settings ${JSON.stringify(values)}`, async () => {
      const problems = await problemsOf(model(line(userTask('review', values) + job('later'), 'review', 'later')));
      expect(problems.map((problem) => `${problem.elementId ?? ''} ${problem.code}`)).to.deep.equal([`review ${code}`]);
      expect(problems[0]!.message).to.contain(text);
    });
  }

  it('should refuse approval settings on a service task that is not an agent task', async () => {
    const service = job('a', 'work', properties({ 'approval.quorum': '2' }));
    expect(await refusalsOf(model(line(service, 'a')))).to.deep.equal(['a unknown_property']);
  });

  it('should read the approval settings for tool calls from an agent task', async () => {
    // given
    const values = {
      'approval.candidateUsers': 'ann, bob',
      'approval.candidateGroups': '=groups',
      'approval.quorum': '2',
      'approval.separationOfDuties': 'required',
      'area': 'x',
    };

    // when
    const task = await nodeOf(model(line(job('a', 'agent', properties(values)), 'a')), 'a', 'jobTask');

    // then
    expect(task.approvalOfCalls).to.deep.include({
      candidateUsers: { literal: 'ann, bob' },
      quorum: { literal: '2' },
      separationOfDuties: 'required',
    });
    expect(task.approvalOfCalls?.candidateGroups).to.have.nested.property('expression.source');
    expect(Object.keys(task.dynamicProperties)).to.deep.equal(['area']);
  });

  for (const [name, value] of [
    ['approval.evidence', 'notes.md'],
    ['approval.candidatUsers', 'ann'],
    ['approval.quorum', '0'],
  ] as const) {
    it(`should refuse "${name}" = "${value}" on an agent task`, async () => {
      const agent = job('a', 'agent', properties({ [name]: value }));
      expect(await refusalsOf(model(line(agent, 'a')))).to.deep.equal([
        name === 'approval.quorum' ? 'a invalid_property' : 'a unknown_property',
      ]);
    });
  }

  it('should refuse invalid candidates, due dates and priorities', async () => {
    const bad = (extensions: string): Promise<string[]> =>
      refusalsOf(model(line(userTask('review', {}, extensions), 'review')));
    expect(await bad('<zeebe:assignmentDefinition candidateUsers="a,,b"/>')).to.deep.equal(['review invalid_list']);
    expect(await bad('<zeebe:taskSchedule dueDate="tomorrow"/>')).to.deep.equal(['review invalid_date']);
    expect(await bad('<zeebe:priorityDefinition priority="101"/>')).to.deep.equal(['review invalid_priority']);
  });

  it('should refuse a quorum that exceeds the number of distinct candidates', async () => {
    const review = userTask(
      'review',
      { 'approval.quorum': '2' },
      '<zeebe:assignmentDefinition candidateUsers="ann, ann"/>',
    );
    expect(await refusalsOf(model(line(review, 'review')))).to.deep.equal(['review quorum_unreachable']);
  });

  describe('the result variable of an approval', () => {
    const writers: readonly (readonly [string, string])[] = [
      [
        'an output mapping',
        job('a', 'x', '<zeebe:ioMapping><zeebe:output source="=1" target="verdict.decision"/></zeebe:ioMapping>'),
      ],
      [
        'an input mapping',
        job('a', 'x', '<zeebe:ioMapping><zeebe:input source="=1" target="verdict"/></zeebe:ioMapping>'),
      ],
      ['a script task', element('scriptTask', 'a', '<zeebe:script expression="=1" resultVariable="verdict"/>')],
      [
        'a DMN decision',
        element('businessRuleTask', 'a', '<zeebe:calledDecision decisionId="d" resultVariable="verdict"/>'),
      ],
      [
        'the input element of a loop',
        element(
          'task',
          'a',
          '',
          '<bpmn:multiInstanceLoopCharacteristics><bpmn:extensionElements><zeebe:loopCharacteristics inputCollection="=[1]" inputElement="verdict"/></bpmn:extensionElements></bpmn:multiInstanceLoopCharacteristics>',
        ),
      ],
      [
        'a task header',
        job('a', 'x', '<zeebe:taskHeaders><zeebe:header key="resultVariable" value="verdict"/></zeebe:taskHeaders>'),
      ],
    ];
    for (const [what, task] of writers) {
      it(`should refuse another write to the result variable by ${what}`, async () => {
        const review = userTask('review', { 'approval.resultVariable': 'verdict' });
        expect(await refusalsOf(model(line(task + review, 'a', 'review')))).to.deep.equal([
          'a result_variable_reserved',
        ]);
      });
    }

    it('should refuse a result variable that the input schema declares', async () => {
      const schema = `<bpmn:extensionElements>${properties({ inputSchema: '{"properties":{"approval":{}}}' })}</bpmn:extensionElements>`;
      expect(await refusalsOf(model(schema + line(userTask('review'), 'review')))).to.deep.equal([
        'process result_variable_reserved',
      ]);
    });

    it('should refuse a script that writes the result variable of an approval in a sub-process', async () => {
      const sub = nested(
        'subProcess',
        'sub',
        userTask('review', { 'approval.resultVariable': 'verdict' }),
        '',
        'review',
      );
      const script = element('scriptTask', 'a', '<zeebe:script expression="=1" resultVariable="verdict"/>');
      expect(await refusalsOf(model(line(script + sub, 'a', 'sub')))).to.deep.equal(['a result_variable_reserved']);
    });

    it('should allow several approvals to share a result variable', async () => {
      const graph = await compiled(model(line(userTask('a') + userTask('b'), 'a', 'b')));
      expect([...graph.resultVariables]).to.deep.equal(['approval']);
    });
  });

  describe('decidedByModel', () => {
    it('should be true when a condition after the approval reads the approval decision', async () => {
      expect((await approvalOf(reviewed('=approval.decision = "request_changes"'))).decidedByModel).to.equal(true);
    });

    it('should depend on conditions that read the configured result variable', async () => {
      const values = { 'approval.resultVariable': 'verdict' };
      expect((await approvalOf(reviewed('=verdict.decision = "x"', values))).decidedByModel).to.equal(true);
      expect((await approvalOf(reviewed('=approval.decision = "x"', values))).decidedByModel).to.equal(false);
    });

    it('should be false when no condition reads the approval decision', async () => {
      expect((await approvalOf(reviewed('=approval.round &lt; 3'))).decidedByModel).to.equal(false);
      expect((await approvalOf(reviewed('=approval != null'))).decidedByModel).to.equal(false);
      expect((await approvalOf(reviewed('=other.approval.decision'))).decidedByModel).to.equal(false);
    });

    it('should be false when another task precedes the condition on the approval decision', async () => {
      const xml = model(
        `<bpmn:startEvent id="start"/>${userTask('review')}${job('note')}${element('exclusiveGateway', 'g', '', '', 'default="g-end"')}<bpmn:endEvent id="end"/>` +
          flow('start', 'review') +
          flow('review', 'note') +
          flow('note', 'g') +
          flow('g', 'note', '=approval.decision = "x"') +
          flow('g', 'end'),
      );
      expect((await approvalOf(xml)).decidedByModel).to.equal(false);
    });
  });

  describe('the rework step of an approval', () => {
    const rework = async (content: string, ...ids: string[]): Promise<string | null> =>
      (await approvalOf(model(line(content, ...ids)))).reworkStep;

    it('should be the nearest agent step before the approval', async () => {
      const content = job('first', 'agent') + job('second', 'agent') + job('check') + userTask('review');
      expect(await rework(content, 'first', 'second', 'check', 'review')).to.equal('second');
    });

    it('should be null without a preceding agent step or when its job type is dynamic', async () => {
      expect(await rework(job('a') + userTask('review'), 'a', 'review')).to.equal(null);
      expect(await rework(job('a', '=&quot;agent&quot;') + userTask('review'), 'a', 'review')).to.equal(null);
    });

    it('should be found when the approval is part of a loop', async () => {
      expect((await approvalOf(reviewed('=approval.decision = "request_changes"'))).reworkStep).to.equal('draft');
    });

    it('should be an agent step that lies on every path to the approval', async () => {
      const xml = model(
        `<bpmn:startEvent id="start"/>${job('outer', 'agent')}${element('exclusiveGateway', 'g', '', '', 'default="g-b"')}${job('a', 'agent')}${job('b', 'agent')}${userTask('review')}` +
          flow('start', 'outer') +
          flow('outer', 'g') +
          flow('g', 'a', '=x') +
          flow('g', 'b') +
          flow('a', 'review') +
          flow('b', 'review'),
      );
      expect((await approvalOf(xml)).reworkStep).to.equal('outer');
    });

    const parallel = (values: Record<string, string> = {}): string =>
      model(
        `<bpmn:startEvent id="start"/>${job('outer', 'agent')}${element('parallelGateway', 'fork')}${job('a', 'agent')}${userTask('inner')}${job('b')}` +
          `${element('parallelGateway', 'join')}${userTask('review', values)}` +
          flow('start', 'outer') +
          flow('outer', 'fork') +
          flow('fork', 'a') +
          flow('a', 'inner') +
          flow('inner', 'join') +
          flow('fork', 'b') +
          flow('b', 'join') +
          flow('join', 'review'),
      );

    it('should be found within a parallel branch but not across a parallel gateway', async () => {
      expect((await approvalOf(parallel())).reworkStep).to.equal(null);
      expect((await approvalOf(parallel(), 'inner')).reworkStep).to.equal('a');
    });

    it('should not be an agent step whose outgoing flows split without a gateway', async () => {
      const xml = model(
        `<bpmn:startEvent id="start"/>${job('draft', 'agent')}${job('b')}${userTask('review')}` +
          flow('start', 'draft') +
          flow('draft', 'review') +
          flow('draft', 'b'),
      );
      expect((await approvalOf(xml)).reworkStep).to.equal(null);
    });

    it('should be any task before the approval that `approval.reworkStep` names', async () => {
      const review = userTask('review', { 'approval.reworkStep': 'a' });
      expect(await rework(job('a') + job('b', 'agent') + review, 'a', 'b', 'review')).to.equal('a');
    });

    it('should be found only within the sub-process of the approval', async () => {
      const inside = job('draft', 'agent') + userTask('review');
      const xml = model(
        line(job('outer', 'agent') + nested('subProcess', 'sub', inside, '', 'draft', 'review'), 'outer', 'sub'),
      );
      expect((await approvalOf(xml)).reworkStep).to.equal('draft');
      const alone = nested('subProcess', 'sub', userTask('review'), '', 'review');
      expect(await rework(job('outer', 'agent') + alone, 'outer', 'sub')).to.equal(null);
    });

    it('should be found within an event sub-process or an ad-hoc sub-process', async () => {
      const inside = job('draft', 'agent') + userTask('review');
      const trigger = '<bpmn:startEvent id="evStart"><bpmn:messageEventDefinition messageRef="m"/></bpmn:startEvent>';
      const event = nested('subProcess', 'ev', inside, 'triggeredByEvent="true"', 'draft', 'review').replace(
        '<bpmn:startEvent id="evStart"/>',
        trigger,
      );
      expect((await approvalOf(model(line(job('a') + event, 'a'), MESSAGE))).reworkStep).to.equal('draft');
      const adHoc = element('adHocSubProcess', 'sub', '', inside + flow('draft', 'review'));
      expect((await approvalOf(model(line(adHoc, 'sub')))).reworkStep).to.equal('draft');
    });

    it('should be found through a timer boundary event of an agent step only if the event is interrupting', async () => {
      const late = (cancel: string): string =>
        `<bpmn:boundaryEvent id="late" attachedToRef="draft" cancelActivity="${cancel}"><bpmn:timerEventDefinition>` +
        '<bpmn:timeDuration xsi:type="bpmn:tFormalExpression">PT1H</bpmn:timeDuration></bpmn:timerEventDefinition></bpmn:boundaryEvent>';
      const asked = async (cancel: string): Promise<string | null> =>
        rework(
          `${job('draft', 'agent')}${late(cancel)}${userTask('review')}${flow('late', 'review')}${flow('review', 'end')}`,
          'draft',
        );
      expect(await asked('true')).to.equal('draft');
      expect(await asked('false')).to.equal(null);
    });

    it('should be null, and refused if configured, for a multi-instance user task', async () => {
      const marker =
        '<bpmn:multiInstanceLoopCharacteristics><bpmn:loopCardinality>2</bpmn:loopCardinality></bpmn:multiInstanceLoopCharacteristics>';
      const many = (values: Record<string, string>): string =>
        model(line(job('a', 'agent') + element('userTask', 'review', properties(values), marker), 'a', 'review'));
      expect((await approvalOf(many({}))).reworkStep).to.equal(null);
      expect(await refusalsOf(many({ 'approval.reworkStep': 'a' }))).to.deep.equal(['review invalid_rework_step']);
    });

    it('should be refused when returning to it would duplicate tokens', async () => {
      expect(await refusalsOf(parallel({ 'approval.reworkStep': 'outer' }))).to.deep.equal([
        'review invalid_rework_step',
      ]);
    });
  });
});
