import { expect } from 'chai';
import { MAX_NAME_LENGTH } from '@countersign/model';
import { compileWorkflows } from './compile-workflow.js';
import { element, flow, job, line, model, problemsOf, properties, userTask } from './models.spec.support.js';

const FITS = 'x'.repeat(MAX_NAME_LENGTH);
const LONG = `${FITS}x`;

function signalled(name: string): string {
  const content = line(element('intermediateThrowEvent', 'a', '', '<bpmn:signalEventDefinition signalRef="s"/>'), 'a');
  return model(content, `<bpmn:signal id="s" name="${name}"/>`);
}

function errorEnd(code: string): string {
  const end = `<bpmn:startEvent id="start"/><bpmn:endEvent id="a"><bpmn:errorEventDefinition errorRef="e"/></bpmn:endEvent>`;
  return model(end + flow('start', 'a'), `<bpmn:error id="e" errorCode="${code}"/>`);
}

function received(name: string): string {
  const message = `<bpmn:message id="m" name="${name}"><bpmn:extensionElements><zeebe:subscription correlationKey="=k"/></bpmn:extensionElements></bpmn:message>`;
  return model(line(element('receiveTask', 'a', '', '', 'messageRef="m"'), 'a'), message);
}

function assigned(attribute: string): string {
  return model(line(userTask('a', {}, `<zeebe:assignmentDefinition ${attribute}/>`), 'a'));
}

function inLane(name: string): string {
  const lanes = `<bpmn:laneSet id="set"><bpmn:lane id="lane" name="${name}"><bpmn:flowNodeRef>a</bpmn:flowNodeRef></bpmn:lane></bpmn:laneSet>`;
  return model(lanes + line(userTask('a'), 'a'));
}

/** The kinds of names in a BPMN model that become keys, and files in which the element "a" has the name. */
const KINDS: readonly (readonly [string, (name: string) => string])[] = [
  ['the job type', (name) => model(line(job('a', name), 'a'))],
  ['a signal', signalled],
  ['an error', errorEnd],
  ['a message', received],
  [
    'a called process',
    (name) => model(line(element('callActivity', 'a', `<zeebe:calledElement processId="${name}"/>`), 'a')),
  ],
  [
    'a process called by the BPMN attribute',
    (name) => model(line(element('callActivity', 'a', '', '', `calledElement="${name}"`), 'a')),
  ],
  [
    'a DMN decision',
    (name) =>
      model(
        line(element('businessRuleTask', 'a', `<zeebe:calledDecision decisionId="${name}" resultVariable="r"/>`), 'a'),
      ),
  ],
  ['an assignee', (name) => assigned(`assignee="${name}"`)],
  ['one of several candidates', (name) => assigned(`candidateUsers="ada,${name}"`)],
  ['a group', (name) => assigned(`candidateGroups="${name}, leads"`)],
  ['the group of a lane', inLane],
  ['the group of a lane with a comma', (name) => inLane(`,${name.slice(1)}`)],
  [
    'a candidate group for tool calls',
    (name) => model(line(job('a', 'agent', properties({ 'approval.candidateGroups': `leads,${name}` })), 'a')),
  ],
];

describe('name lengths in a BPMN model', () => {
  for (const [what, of] of KINDS) {
    it(`should limit the name length of ${what}`, async () => {
      await compileWorkflows(of(FITS));
      const problems = await problemsOf(of(LONG));
      expect(problems.map(({ elementId, code }) => [elementId, code])).to.deep.equal([['a', 'name_too_long']]);
      expect(problems[0]?.message).to.match(/ has 256 characters; the limit is 255\.$/);
      // A version that is older than the limit continues to work.
      await compileWorkflows(of(LONG), { isDeployed: true });
    });
  }

  it('should count the characters of user and group names after NFC normalization', async () => {
    // U+0958 has no composed form: NFC turns it into two characters.
    const problems = await problemsOf(assigned(`candidateUsers="${'\u0958'.repeat(200)}"`));
    expect(problems[0]?.message).to.equal('A name in candidateUsers has 400 characters; the limit is 255.');
  });

  it('should limit the id lengths of processes, elements and flows', async () => {
    for (const [what, of] of [
      ['process', (id: string) => model(line(job('a'), 'a')).replace('id="process"', `id="${id}"`)],
      ['serviceTask', (id: string) => model(line(job(id), id).replaceAll(`${id}-`, 'a-').replaceAll(`-${id}`, '-a'))],
      ['sequenceFlow', (id: string) => model(line(job('a'), 'a')).replace('id="start-a"', `id="${id}"`)],
    ] as const) {
      await compileWorkflows(of(FITS));
      const [problem] = await problemsOf(of(LONG));
      expect(problem, what).to.include({
        elementId: LONG,
        code: 'id_too_long',
        message: `The id of this ${what} has 256 characters; the limit is 255.`,
      });
      await compileWorkflows(of(LONG), { isDeployed: true });
    }
  });

  it('should not limit a display name or documentation', async () => {
    const task = element('userTask', 'a', '', `<bpmn:documentation>${LONG}</bpmn:documentation>`, `name="${LONG}"`);
    await compileWorkflows(model(line(task, 'a')));
  });
});
