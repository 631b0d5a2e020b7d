import { expect } from 'chai';
import { MAX_NAME_LENGTH } from '@countersign/model';
import { compileWorkflows } from './compile-workflow.js';
import {
  element,
  flow,
  serviceTask,
  sequentialFlow,
  model,
  findProblems,
  properties,
  userTask,
} from './models.spec.support.js';

const LONGEST_NAME = 'x'.repeat(MAX_NAME_LENGTH);
const TOO_LONG_NAME = `${LONGEST_NAME}x`;

function signalModel(name: string): string {
  const content = sequentialFlow(
    element('intermediateThrowEvent', 'a', '', '<bpmn:signalEventDefinition signalRef="s"/>'),
    'a',
  );
  return model(content, `<bpmn:signal id="s" name="${name}"/>`);
}

function errorEndModel(code: string): string {
  const end = `<bpmn:startEvent id="start"/><bpmn:endEvent id="a"><bpmn:errorEventDefinition errorRef="e"/></bpmn:endEvent>`;
  return model(end + flow('start', 'a'), `<bpmn:error id="e" errorCode="${code}"/>`);
}

function receiveTaskModel(name: string): string {
  const message = `<bpmn:message id="m" name="${name}"><bpmn:extensionElements><zeebe:subscription correlationKey="=k"/></bpmn:extensionElements></bpmn:message>`;
  return model(sequentialFlow(element('receiveTask', 'a', '', '', 'messageRef="m"'), 'a'), message);
}

function assignmentModel(attribute: string): string {
  return model(sequentialFlow(userTask('a', {}, `<zeebe:assignmentDefinition ${attribute}/>`), 'a'));
}

function laneModel(name: string): string {
  const lanes = `<bpmn:laneSet id="set"><bpmn:lane id="lane" name="${name}"><bpmn:flowNodeRef>a</bpmn:flowNodeRef></bpmn:lane></bpmn:laneSet>`;
  return model(lanes + sequentialFlow(userTask('a'), 'a'));
}

/**
 * Kinds of names in a BPMN model that become keys, each with a function that builds a file in which the element "a" has
 * a given name.
 */
const MODEL_BUILDERS: readonly (readonly [string, (name: string) => string])[] = [
  ['the job type', (name) => model(sequentialFlow(serviceTask('a', name), 'a'))],
  ['a signal', signalModel],
  ['an error', errorEndModel],
  ['a message', receiveTaskModel],
  [
    'a called process',
    (name) => model(sequentialFlow(element('callActivity', 'a', `<zeebe:calledElement processId="${name}"/>`), 'a')),
  ],
  [
    'a process called by the BPMN attribute',
    (name) => model(sequentialFlow(element('callActivity', 'a', '', '', `calledElement="${name}"`), 'a')),
  ],
  [
    'a DMN decision',
    (name) =>
      model(
        sequentialFlow(
          element('businessRuleTask', 'a', `<zeebe:calledDecision decisionId="${name}" resultVariable="r"/>`),
          'a',
        ),
      ),
  ],
  ['an assignee', (name) => assignmentModel(`assignee="${name}"`)],
  ['one of several candidates', (name) => assignmentModel(`candidateUsers="ada,${name}"`)],
  ['a group', (name) => assignmentModel(`candidateGroups="${name}, leads"`)],
  ['the group of a lane', laneModel],
  ['the group of a lane with a comma', (name) => laneModel(`,${name.slice(1)}`)],
  [
    'a candidate group for tool calls',
    (name) =>
      model(
        sequentialFlow(serviceTask('a', 'agent', properties({ 'approval.candidateGroups': `leads,${name}` })), 'a'),
      ),
  ],
];

describe('name lengths in a BPMN model', () => {
  for (const [title, buildWithName] of MODEL_BUILDERS) {
    it(`should limit the name length of ${title}`, async () => {
      await compileWorkflows(buildWithName(LONGEST_NAME));
      const problems = await findProblems(buildWithName(TOO_LONG_NAME));
      expect(problems.map(({ elementId, code }) => [elementId, code])).to.deep.equal([['a', 'name_too_long']]);
      expect(problems[0]?.message).to.match(/ has 256 characters; the limit is 255\.$/);
      // A version that was deployed before the limit existed continues to compile.
      await compileWorkflows(buildWithName(TOO_LONG_NAME), { isDeployed: true });
    });
  }

  it('should count the characters of user and group names after NFC normalization', async () => {
    // U+0958 has no composed form: NFC turns it into two characters.
    const problems = await findProblems(assignmentModel(`candidateUsers="${'\u0958'.repeat(200)}"`));
    expect(problems[0]?.message).to.equal('A name in candidateUsers has 400 characters; the limit is 255.');
  });

  it('should limit the id lengths of processes, elements and flows', async () => {
    for (const [title, buildWithName] of [
      ['process', (id: string) => model(sequentialFlow(serviceTask('a'), 'a')).replace('id="process"', `id="${id}"`)],
      [
        'serviceTask',
        (id: string) =>
          model(sequentialFlow(serviceTask(id), id).replaceAll(`${id}-`, 'a-').replaceAll(`-${id}`, '-a')),
      ],
      [
        'sequenceFlow',
        (id: string) => model(sequentialFlow(serviceTask('a'), 'a')).replace('id="start-a"', `id="${id}"`),
      ],
    ] as const) {
      await compileWorkflows(buildWithName(LONGEST_NAME));
      const [problem] = await findProblems(buildWithName(TOO_LONG_NAME));
      expect(problem, title).to.include({
        elementId: TOO_LONG_NAME,
        code: 'id_too_long',
        message: `The id of this ${title} has 256 characters; the limit is 255.`,
      });
      await compileWorkflows(buildWithName(TOO_LONG_NAME), { isDeployed: true });
    }
  });

  it('should not limit the length of a display name or of documentation', async () => {
    const task = element(
      'userTask',
      'a',
      '',
      `<bpmn:documentation>${TOO_LONG_NAME}</bpmn:documentation>`,
      `name="${TOO_LONG_NAME}"`,
    );
    await compileWorkflows(model(sequentialFlow(task, 'a')));
  });
});
