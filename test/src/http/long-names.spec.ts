import type { Client } from '@countersign/contract';
import { createTestHost, processModel, type TestHost, waitUntil } from '@countersign/testing';
import { expect } from 'chai';
import { expectProblem } from './http.spec.support.js';

/** The longest name that is valid as a key (`MAX_NAME_LENGTH`), with characters of three bytes each in an index. */
const LONGEST_NAME = '名'.repeat(255);
const TOO_LONG_NAME = `${LONGEST_NAME}名`;

const START = '<bpmn:startEvent id="start" />';
const END = '<bpmn:endEvent id="end" />';
const stepXml = (type: string, extensions: string, content = ''): string =>
  `<bpmn:${type} id="step"><bpmn:extensionElements>${extensions}</bpmn:extensionElements>${content}</bpmn:${type}>`;
const sequenceModel = (id: string, element: string): string =>
  processModel(id, START + element + END, 'start > step', 'step > end');
const sequenceModelWithRoot = (id: string, element: string, root: string): string =>
  sequenceModel(id, element).replace('<bpmn:process ', `${root}<bpmn:process `);

/** Workflows in which FEEL returns a name used as a key, with the incident code for a name that is too long. */
const COMPUTED_NAMES: readonly (readonly [string, string, string])[] = [
  [
    'job-type',
    sequenceModel('job-type', stepXml('serviceTask', '<zeebe:taskDefinition type="=value" />')),
    'job_type_invalid',
  ],
  [
    'caught-signal',
    sequenceModelWithRoot(
      'caught-signal',
      stepXml('intermediateCatchEvent', '', '<bpmn:signalEventDefinition signalRef="s" />'),
      '<bpmn:signal id="s" name="=value" />',
    ),
    'signal_name_invalid',
  ],
  [
    'thrown-signal',
    sequenceModelWithRoot(
      'thrown-signal',
      stepXml('intermediateThrowEvent', '', '<bpmn:signalEventDefinition signalRef="s" />'),
      '<bpmn:signal id="s" name="=value" />',
    ),
    'event_invalid',
  ],
  [
    'escalation',
    sequenceModelWithRoot(
      'escalation',
      stepXml('intermediateThrowEvent', '', '<bpmn:escalationEventDefinition escalationRef="e" />'),
      '<bpmn:escalation id="e" escalationCode="=value" />',
    ),
    'event_invalid',
  ],
  [
    'message-name',
    sequenceModelWithRoot(
      'message-name',
      stepXml('intermediateCatchEvent', '', '<bpmn:messageEventDefinition messageRef="m" />'),
      '<bpmn:message id="m" name="=value"><bpmn:extensionElements><zeebe:subscription correlationKey="=value" /></bpmn:extensionElements></bpmn:message>',
    ),
    'message_name_invalid',
  ],
  [
    'called-workflow',
    sequenceModel('called-workflow', stepXml('callActivity', '<zeebe:calledElement processId="=value" />')),
    'called_workflow_invalid',
  ],
  [
    'decision',
    sequenceModel(
      'decision',
      stepXml('businessRuleTask', '<zeebe:calledDecision decisionId="=value" resultVariable="r" />'),
    ),
    'decision_id_invalid',
  ],
  [
    'assignee',
    sequenceModel('assignee', stepXml('userTask', '<zeebe:assignmentDefinition assignee="=value" />')),
    'approval_invalid',
  ],
  [
    'candidate-users',
    sequenceModel(
      'candidate-users',
      stepXml('userTask', '<zeebe:assignmentDefinition candidateUsers="=[&quot;ada&quot;, value]" />'),
    ),
    'approval_invalid',
  ],
  [
    'candidate-groups',
    sequenceModel('candidate-groups', stepXml('userTask', '<zeebe:assignmentDefinition candidateGroups="=value" />')),
    'approval_invalid',
  ],
];

describe('API: long names', () => {
  let countersign: TestHost;
  let operator: Client;
  let admin: Client;

  before(async () => {
    countersign = await createTestHost({ jobTypes: [LONGEST_NAME] });
    [operator, admin] = await Promise.all([
      countersign.client('operator', 'otto'),
      countersign.client('admin', 'adam'),
    ]);
    for (const [, model] of COMPUTED_NAMES) await countersign.deploy(model);
  });

  after(() => countersign.close());

  const getIncidentError = async (runId: string) =>
    (
      await waitUntil('an incident', async () => {
        const run = await operator.getRun({ runId });
        return run.incidents > 0 && run;
      })
    ).error;

  for (const [workflowId, , code] of COMPUTED_NAMES) {
    it(`should store a name of 255 characters that an expression in ${workflowId} returns`, async () => {
      // when
      const { runId } = await operator.startRun({ body: { workflowId, inputs: { value: LONGEST_NAME } } });

      // then
      const run = await operator.getRun({ runId });
      // The called workflow and the DMN decision do not exist.
      const missing: readonly string[] = ['called-workflow', 'decision'];
      if (missing.includes(workflowId)) expect((await getIncidentError(runId))?.code).to.match(/_not_found$/);
      else expect(run).to.include({ incidents: 0 });
    });

    it(`should raise an incident for a name of 256 characters in ${workflowId} and recover with a shorter name`, async () => {
      // when
      const { runId } = await operator.startRun({ body: { workflowId, inputs: { value: TOO_LONG_NAME } } });

      // then
      const error = await getIncidentError(runId);
      expect(error).to.include({ code, elementId: 'step' });
      expect(error?.message).to.match(/256 characters; the limit is 255\.$/);
      await operator.recoverRun({ runId, body: { variables: { value: LONGEST_NAME } } });
      const errorAfterRecovery = (await operator.getRun({ runId })).error;
      expect(errorAfterRecovery?.code ?? 'none').to.not.equal(code);
    });
  }

  it('should deploy, read and start a workflow with ids and a business key of maximum length', async () => {
    // given
    const [workflowId, elementId] = [`w${LONGEST_NAME.slice(1)}`, `e${LONGEST_NAME.slice(1)}`];
    const task = `${START}<bpmn:userTask id="${elementId}" />${END}`;
    const model = processModel(workflowId, task, `start > ${elementId}`, `${elementId} > end`);
    const businessKey = LONGEST_NAME;

    // when
    await admin.deployWorkflow({ body: model });
    const { runId } = await operator.startRun({ body: { workflowId, businessKey } });

    // then
    expect((await operator.getWorkflow({ workflowId })).elements.map((each) => each.elementId)).to.include(elementId);
    expect((await operator.listRuns({ workflowId, businessKey })).items.map((run) => run.runId)).to.deep.equal([runId]);
    expect((await operator.getRun({ runId })).currentStep).to.equal(elementId);
    expect((await operator.getWorkflowStatistics({ workflowId })).elements.map((each) => each.elementId)).to.include(
      elementId,
    );
  });

  it('should refuse an id that is too long at deployment and name the element', async () => {
    for (const [id, model] of [
      [`w${LONGEST_NAME}`, sequenceModel(`w${LONGEST_NAME}`, '<bpmn:userTask id="step" />')],
      [
        `e${LONGEST_NAME}`,
        sequenceModel('long', '<bpmn:userTask id="step" />').replaceAll('"step"', `"e${LONGEST_NAME}"`),
      ],
    ] as const) {
      const problem = await expectProblem(admin.deployWorkflow({ body: model }));
      expect(problem.status).to.equal(422);
      expect(problem.errors.map(({ pointer, code }) => [pointer, code])).to.deep.equal([[id, 'id_too_long']]);
      const plan = await admin.deployWorkflow({ dryRun: true, body: model });
      expect(plan.refusals.map(({ elementId, code }) => [elementId, code])).to.deep.equal([[id, 'id_too_long']]);
    }
  });

  it('should refuse a business key that is too long', async () => {
    const start = operator.startRun({
      body: { workflowId: 'job-type', inputs: { value: 'x' }, businessKey: TOO_LONG_NAME },
    });
    const problem = await expectProblem(start);
    expect(problem).to.include({ status: 422, code: 'validation_failed' });
    expect(problem.errors.map(({ pointer }) => pointer)).to.deep.equal(['/businessKey']);
  });
});
