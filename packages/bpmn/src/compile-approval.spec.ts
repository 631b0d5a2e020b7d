import { expect } from 'chai';
import type { ApprovalDefinition } from '@countersign/model';
import {
  compileModel,
  MESSAGE,
  element,
  flow,
  serviceTask,
  sequentialFlow,
  model,
  nestedScope,
  requireNode,
  findProblems,
  properties,
  findProblemCodes,
  userTask,
} from './models.spec.support.js';

async function compileApproval(xml: string, id = 'review'): Promise<ApprovalDefinition> {
  return (await requireNode(xml, id, 'userTask')).approval;
}

/**
 * Returns a model in which the gateway after the review leads back to the agent if the condition is true, otherwise to
 * the end.
 */
function reviewModel(condition: string, values: Record<string, string> = {}): string {
  return model(
    `<bpmn:startEvent id="start"/>${serviceTask('draft', 'agent')}${userTask('review', values)}` +
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
    const graph = await compileModel(model(sequentialFlow(userTask('review'), 'review')));
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
      title: null,
      summary: null,
      fields: null,
      resultVariable: 'approval',
      onTimeout: 'none',
      outcomeHandledByBpmn: false,
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
    const task = await requireNode(
      model(sequentialFlow(userTask('review', values, extensions), 'review')),
      'review',
      'userTask',
    );
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

  const invalidCases: readonly (readonly [Record<string, string>, string, string])[] = [
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
    [{ 'approval.titel': 'Pay' }, 'unknown_property', 'Did you mean "approval.title"?'],
    [{ 'approval.title': '=1 +' }, 'invalid_expression', 'approval.title'],
    [{ 'approval.fields': 'supplier' }, 'expression_expected', 'approval.fields'],
    [{ 'approval.reworkStep': 'reviev' }, 'invalid_rework_step', 'Did you mean "review"?'],
    [{ 'approval.reworkStep': 'review' }, 'invalid_rework_step', 'its own'],
    [{ 'approval.reworkStep': 'start' }, 'invalid_rework_step', 'must be an activity'],
    [{ 'approval.reworkStep': 'later' }, 'invalid_rework_step', 'no flow leads'],
  ];
  for (const [values, code, messagePart] of invalidCases) {
    it(`should refuse the approval settings ${JSON.stringify(values)}`, async () => {
      const problems = await findProblems(
        model(sequentialFlow(userTask('review', values) + serviceTask('later'), 'review', 'later')),
      );
      expect(problems.map((problem) => `${problem.elementId ?? ''} ${problem.code}`)).to.deep.equal([`review ${code}`]);
      expect(problems[0]!.message).to.contain(messagePart);
    });
  }

  it('should read how a user task presents its subject', async () => {
    const values = { 'approval.title': '=supplier', 'approval.summary': 'A payment', 'approval.fields': '=[]' };
    const { title, summary, fields } = await compileApproval(
      model(sequentialFlow(userTask('review', values), 'review')),
    );
    expect(title).to.have.nested.property('expression.source', 'supplier');
    expect(summary).to.deep.equal({ literal: 'A payment' });
    expect(fields).to.have.property('source', '[]');
  });

  it('should refuse texts that read anything but the inputs of the task', async () => {
    const inputs = '<zeebe:ioMapping><zeebe:input source="=order.supplier" target="supplier.name"/></zeebe:ioMapping>';
    const findMessages = async (values: Record<string, string>) =>
      (await findProblems(model(sequentialFlow(userTask('review', values, inputs), 'review')))).map(
        ({ code, message }) => `${code}: ${message}`,
      );
    await compileModel(
      model(
        sequentialFlow(
          userTask(
            'review',
            {
              'approval.title': '=supplier.name + string(now())',
              'approval.summary': '=if supplier.name = null then "none" else supplier.name',
              'approval.fields': '=for line in supplier.lines return {label: line.name, value: line}',
            },
            inputs,
          ),
          'review',
        ),
      ),
    );
    expect(
      await findMessages({
        'approval.title': '=suplier',
        'approval.fields': '=[{label: "Amount", value: order.amount}]',
      }),
    ).to.deep.equal([
      'not_an_input: Property "approval.title" reads "suplier", which is not an input of this task. It can read only what is approved; add an input mapping for it. Did you mean "supplier"?',
      'not_an_input: Property "approval.fields" reads "order", which is not an input of this task. It can read only what is approved; add an input mapping for it.',
    ]);
  });

  it('should refuse approval settings on a service task that is not an agent task', async () => {
    const service = serviceTask('a', 'work', properties({ 'approval.quorum': '2' }));
    expect(await findProblemCodes(model(sequentialFlow(service, 'a')))).to.deep.equal(['a unknown_property']);
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
    const task = await requireNode(
      model(sequentialFlow(serviceTask('a', 'agent', properties(values)), 'a')),
      'a',
      'jobTask',
    );

    // then
    expect(task.callApproval).to.deep.include({
      candidateUsers: { literal: 'ann, bob' },
      quorum: { literal: '2' },
      separationOfDuties: 'required',
    });
    expect(task.callApproval?.candidateGroups).to.have.nested.property('expression.source');
    expect(Object.keys(task.dynamicProperties)).to.deep.equal(['area']);
  });

  for (const [name, value] of [
    ['approval.evidence', 'notes.md'],
    ['approval.candidatUsers', 'ann'],
    ['approval.quorum', '0'],
  ] as const) {
    it(`should refuse "${name}" = "${value}" on an agent task`, async () => {
      const agent = serviceTask('a', 'agent', properties({ [name]: value }));
      expect(await findProblemCodes(model(sequentialFlow(agent, 'a')))).to.deep.equal([
        name === 'approval.quorum' ? 'a invalid_property' : 'a unknown_property',
      ]);
    });
  }

  it('should refuse invalid candidates, due dates and priorities', async () => {
    const findExtensionProblems = (extensions: string): Promise<string[]> =>
      findProblemCodes(model(sequentialFlow(userTask('review', {}, extensions), 'review')));
    expect(await findExtensionProblems('<zeebe:assignmentDefinition candidateUsers="a,,b"/>')).to.deep.equal([
      'review invalid_list',
    ]);
    expect(await findExtensionProblems('<zeebe:taskSchedule dueDate="tomorrow"/>')).to.deep.equal([
      'review invalid_date',
    ]);
    expect(await findExtensionProblems('<zeebe:priorityDefinition priority="101"/>')).to.deep.equal([
      'review invalid_priority',
    ]);
  });

  it('should refuse a quorum that exceeds the number of distinct candidates', async () => {
    const review = userTask(
      'review',
      { 'approval.quorum': '2' },
      '<zeebe:assignmentDefinition candidateUsers="ann, ann"/>',
    );
    expect(await findProblemCodes(model(sequentialFlow(review, 'review')))).to.deep.equal([
      'review quorum_unreachable',
    ]);
  });

  describe('the result variable of an approval', () => {
    const writers: readonly (readonly [string, string])[] = [
      [
        'an output mapping',
        serviceTask(
          'a',
          'x',
          '<zeebe:ioMapping><zeebe:output source="=1" target="verdict.decision"/></zeebe:ioMapping>',
        ),
      ],
      [
        'an input mapping',
        serviceTask('a', 'x', '<zeebe:ioMapping><zeebe:input source="=1" target="verdict"/></zeebe:ioMapping>'),
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
        serviceTask(
          'a',
          'x',
          '<zeebe:taskHeaders><zeebe:header key="resultVariable" value="verdict"/></zeebe:taskHeaders>',
        ),
      ],
    ];
    for (const [title, task] of writers) {
      it(`should refuse another write to the result variable by ${title}`, async () => {
        const review = userTask('review', { 'approval.resultVariable': 'verdict' });
        expect(await findProblemCodes(model(sequentialFlow(task + review, 'a', 'review')))).to.deep.equal([
          'a result_variable_reserved',
        ]);
      });
    }

    it('should refuse a result variable that the input schema declares', async () => {
      const schema = `<bpmn:extensionElements>${properties({ inputSchema: '{"properties":{"approval":{}}}' })}</bpmn:extensionElements>`;
      expect(await findProblemCodes(model(schema + sequentialFlow(userTask('review'), 'review')))).to.deep.equal([
        'process result_variable_reserved',
      ]);
    });

    it('should refuse a script that writes the result variable of an approval in a sub-process', async () => {
      const sub = nestedScope(
        'subProcess',
        'sub',
        userTask('review', { 'approval.resultVariable': 'verdict' }),
        '',
        'review',
      );
      const script = element('scriptTask', 'a', '<zeebe:script expression="=1" resultVariable="verdict"/>');
      expect(await findProblemCodes(model(sequentialFlow(script + sub, 'a', 'sub')))).to.deep.equal([
        'a result_variable_reserved',
      ]);
    });

    it('should allow several approvals to share a result variable', async () => {
      const graph = await compileModel(model(sequentialFlow(userTask('a') + userTask('b'), 'a', 'b')));
      expect([...graph.resultVariables]).to.deep.equal(['approval']);
    });
  });

  describe('outcomeHandledByBpmn', () => {
    it('should be true when a condition after the approval reads the approval decision', async () => {
      expect(
        (await compileApproval(reviewModel('=approval.decision = "request_changes"'))).outcomeHandledByBpmn,
      ).to.equal(true);
    });

    it('should depend on conditions that read the configured result variable', async () => {
      const values = { 'approval.resultVariable': 'verdict' };
      expect((await compileApproval(reviewModel('=verdict.decision = "x"', values))).outcomeHandledByBpmn).to.equal(
        true,
      );
      expect((await compileApproval(reviewModel('=approval.decision = "x"', values))).outcomeHandledByBpmn).to.equal(
        false,
      );
    });

    it('should be false when no condition reads the approval decision', async () => {
      expect((await compileApproval(reviewModel('=approval.round &lt; 3'))).outcomeHandledByBpmn).to.equal(false);
      expect((await compileApproval(reviewModel('=approval != null'))).outcomeHandledByBpmn).to.equal(false);
      expect((await compileApproval(reviewModel('=other.approval.decision'))).outcomeHandledByBpmn).to.equal(false);
    });

    it('should be false when another task precedes the condition on the approval decision', async () => {
      const xml = model(
        `<bpmn:startEvent id="start"/>${userTask('review')}${serviceTask('note')}${element('exclusiveGateway', 'g', '', '', 'default="g-end"')}<bpmn:endEvent id="end"/>` +
          flow('start', 'review') +
          flow('review', 'note') +
          flow('note', 'g') +
          flow('g', 'note', '=approval.decision = "x"') +
          flow('g', 'end'),
      );
      expect((await compileApproval(xml)).outcomeHandledByBpmn).to.equal(false);
    });
  });

  describe('the rework step of an approval', () => {
    const compileReworkStep = async (content: string, ...ids: string[]): Promise<string | null> =>
      (await compileApproval(model(sequentialFlow(content, ...ids)))).reworkStep;

    it('should be the nearest agent step before the approval', async () => {
      const content =
        serviceTask('first', 'agent') + serviceTask('second', 'agent') + serviceTask('check') + userTask('review');
      expect(await compileReworkStep(content, 'first', 'second', 'check', 'review')).to.equal('second');
    });

    it('should be null without a preceding agent step or when its job type is dynamic', async () => {
      expect(await compileReworkStep(serviceTask('a') + userTask('review'), 'a', 'review')).to.equal(null);
      expect(
        await compileReworkStep(serviceTask('a', '=&quot;agent&quot;') + userTask('review'), 'a', 'review'),
      ).to.equal(null);
    });

    it('should be found when the approval is part of a loop', async () => {
      expect((await compileApproval(reviewModel('=approval.decision = "request_changes"'))).reworkStep).to.equal(
        'draft',
      );
    });

    it('should be an agent step that lies on every path to the approval', async () => {
      const xml = model(
        `<bpmn:startEvent id="start"/>${serviceTask('outer', 'agent')}${element('exclusiveGateway', 'g', '', '', 'default="g-b"')}${serviceTask('a', 'agent')}${serviceTask('b', 'agent')}${userTask('review')}` +
          flow('start', 'outer') +
          flow('outer', 'g') +
          flow('g', 'a', '=x') +
          flow('g', 'b') +
          flow('a', 'review') +
          flow('b', 'review'),
      );
      expect((await compileApproval(xml)).reworkStep).to.equal('outer');
    });

    const parallelModel = (values: Record<string, string> = {}): string =>
      model(
        `<bpmn:startEvent id="start"/>${serviceTask('outer', 'agent')}${element('parallelGateway', 'fork')}${serviceTask('a', 'agent')}${userTask('inner')}${serviceTask('b')}` +
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
      expect((await compileApproval(parallelModel())).reworkStep).to.equal(null);
      expect((await compileApproval(parallelModel(), 'inner')).reworkStep).to.equal('a');
    });

    it('should not be an agent step whose outgoing flows split without a gateway', async () => {
      const xml = model(
        `<bpmn:startEvent id="start"/>${serviceTask('draft', 'agent')}${serviceTask('b')}${userTask('review')}` +
          flow('start', 'draft') +
          flow('draft', 'review') +
          flow('draft', 'b'),
      );
      expect((await compileApproval(xml)).reworkStep).to.equal(null);
    });

    it('should be any task before the approval that `approval.reworkStep` names', async () => {
      const review = userTask('review', { 'approval.reworkStep': 'a' });
      expect(
        await compileReworkStep(serviceTask('a') + serviceTask('b', 'agent') + review, 'a', 'b', 'review'),
      ).to.equal('a');
    });

    it('should be found only within the sub-process of the approval', async () => {
      const subProcessContent = serviceTask('draft', 'agent') + userTask('review');
      const xml = model(
        sequentialFlow(
          serviceTask('outer', 'agent') + nestedScope('subProcess', 'sub', subProcessContent, '', 'draft', 'review'),
          'outer',
          'sub',
        ),
      );
      expect((await compileApproval(xml)).reworkStep).to.equal('draft');
      const subProcessWithoutAgent = nestedScope('subProcess', 'sub', userTask('review'), '', 'review');
      expect(await compileReworkStep(serviceTask('outer', 'agent') + subProcessWithoutAgent, 'outer', 'sub')).to.equal(
        null,
      );
    });

    it('should be found within an event sub-process or an ad-hoc sub-process', async () => {
      const subProcessContent = serviceTask('draft', 'agent') + userTask('review');
      const trigger = '<bpmn:startEvent id="evStart"><bpmn:messageEventDefinition messageRef="m"/></bpmn:startEvent>';
      const event = nestedScope(
        'subProcess',
        'ev',
        subProcessContent,
        'triggeredByEvent="true"',
        'draft',
        'review',
      ).replace('<bpmn:startEvent id="evStart"/>', trigger);
      expect(
        (await compileApproval(model(sequentialFlow(serviceTask('a') + event, 'a'), MESSAGE))).reworkStep,
      ).to.equal('draft');
      const adHoc = element('adHocSubProcess', 'sub', '', subProcessContent + flow('draft', 'review'));
      expect((await compileApproval(model(sequentialFlow(adHoc, 'sub')))).reworkStep).to.equal('draft');
    });

    it('should be found through a timer boundary event of an agent step only if the event is interrupting', async () => {
      const timerBoundaryEvent = (cancel: string): string =>
        `<bpmn:boundaryEvent id="late" attachedToRef="draft" cancelActivity="${cancel}"><bpmn:timerEventDefinition>` +
        '<bpmn:timeDuration xsi:type="bpmn:tFormalExpression">PT1H</bpmn:timeDuration></bpmn:timerEventDefinition></bpmn:boundaryEvent>';
      const findReworkStep = async (cancel: string): Promise<string | null> =>
        compileReworkStep(
          `${serviceTask('draft', 'agent')}${timerBoundaryEvent(cancel)}${userTask('review')}${flow('late', 'review')}${flow('review', 'end')}`,
          'draft',
        );
      expect(await findReworkStep('true')).to.equal('draft');
      expect(await findReworkStep('false')).to.equal(null);
    });

    it('should be null, and refused if configured, for a multi-instance user task', async () => {
      const marker =
        '<bpmn:multiInstanceLoopCharacteristics><bpmn:loopCardinality>2</bpmn:loopCardinality></bpmn:multiInstanceLoopCharacteristics>';
      const multiInstanceModel = (values: Record<string, string>): string =>
        model(
          sequentialFlow(
            serviceTask('a', 'agent') + element('userTask', 'review', properties(values), marker),
            'a',
            'review',
          ),
        );
      expect((await compileApproval(multiInstanceModel({}))).reworkStep).to.equal(null);
      expect(await findProblemCodes(multiInstanceModel({ 'approval.reworkStep': 'a' }))).to.deep.equal([
        'review invalid_rework_step',
      ]);
    });

    it('should be refused when returning to it would duplicate tokens', async () => {
      expect(await findProblemCodes(parallelModel({ 'approval.reworkStep': 'outer' }))).to.deep.equal([
        'review invalid_rework_step',
      ]);
    });
  });
});
