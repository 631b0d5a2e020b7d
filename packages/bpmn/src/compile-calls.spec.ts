import { expect } from 'chai';
import {
  element,
  evaluate,
  sequentialFlow,
  model,
  requireNode,
  properties,
  findProblemCodes,
} from './models.spec.support.js';

function calledElement(attributes: string): string {
  return `<zeebe:calledElement ${attributes}/>`;
}

function callModel(extensions: string, attributes = '', root = ''): string {
  return model(sequentialFlow(element('callActivity', 'a', extensions, '', attributes), 'a'), root);
}

const OTHER_PROCESS = `<bpmn:process id="other" isExecutable="true"><bpmn:startEvent id="s"/><bpmn:endEvent id="e"/>
  <bpmn:sequenceFlow id="s-e" sourceRef="s" targetRef="e"/></bpmn:process>`;

describe('call activities of a BPMN model', () => {
  it('should call the latest version and propagate all variables in both directions by default', async () => {
    expect(await requireNode(callModel(calledElement('processId="other"')), 'a', 'callActivity')).to.deep.include({
      workflowId: { literal: 'other' },
      binding: 'latest',
      propagateAllParentVariables: true,
      propagateAllChildVariables: true,
    });
  });

  it('should compile a workflow id in FEEL and disabled variable propagation', async () => {
    const attributes = 'processId="=which" propagateAllChildVariables="false" propagateAllParentVariables="false"';
    const activity = await requireNode(callModel(calledElement(attributes)), 'a', 'callActivity');
    expect(evaluate(activity.workflowId, { which: 'x' })).to.equal('x');
    expect(activity).to.deep.include({ propagateAllParentVariables: false, propagateAllChildVariables: false });
  });

  it('should compile the binding to a deployment, the latest version or a fixed version', async () => {
    const compileBinding = async (xml: string): Promise<unknown> =>
      (await requireNode(xml, 'a', 'callActivity')).binding;
    expect(await compileBinding(callModel(calledElement('processId="other" bindingType="deployment"')))).to.equal(
      'deployment',
    );
    expect(await compileBinding(callModel(calledElement('processId="other" bindingType="latest"')))).to.equal('latest');
    const pinnedVersion = properties({ 'calledElement.version': '7' });
    expect(await compileBinding(callModel(calledElement('processId="other"') + pinnedVersion))).to.equal(7);
  });

  it('should bind calledElement to a process of the same file, or to the latest version of another workflow', async () => {
    const definitions = '</bpmn:definitions>';
    const modelWithBothProcesses = callModel('', 'calledElement="other"').replace(
      definitions,
      OTHER_PROCESS + definitions,
    );
    expect(await requireNode(modelWithBothProcesses, 'a', 'callActivity')).to.deep.include({
      workflowId: { literal: 'other' },
      binding: 'deployment',
    });
    expect(await requireNode(callModel('', 'calledElement="tns:other"'), 'a', 'callActivity')).to.deep.include({
      workflowId: { literal: 'other' },
      binding: 'latest',
      propagateAllChildVariables: true,
    });
    expect(
      (await requireNode(callModel(calledElement('processId="other"'), 'calledElement="other"'), 'a', 'callActivity'))
        .workflowId,
    ).to.deep.equal({
      literal: 'other',
    });
  });

  const invalidCases: readonly (readonly [string, string, string])[] = [
    ['a call activity without a called element', callModel(''), 'a missing_called_element'],
    [
      'a called element without a process id',
      callModel(calledElement('propagateAllChildVariables="true"')),
      'a missing_value',
    ],
    [
      'binding to a version tag',
      callModel(calledElement('processId="other" bindingType="versionTag" versionTag="v1"')),
      'a unsupported_binding',
    ],
    [
      'two called elements',
      callModel(calledElement('processId="other"'), 'calledElement="another"'),
      'a ambiguous_called_element',
    ],
    [
      'a version that is not a number',
      callModel(calledElement('processId="other"') + properties({ 'calledElement.version': 'newest' })),
      'a invalid_property',
    ],
    [
      'a version together with deployment binding',
      callModel(
        calledElement('processId="other" bindingType="deployment"') + properties({ 'calledElement.version': '2' }),
      ),
      'a unsupported_binding',
    ],
    ['a business id', callModel(calledElement('processId="other" businessId="=x"')), 'a unsupported_property'],
    [
      'a job type on a call activity',
      callModel(`${calledElement('processId="other"')}<zeebe:taskDefinition type="x"/>`),
      'a unsupported_extension',
    ],
  ];
  for (const [title, xml, expected] of invalidCases) {
    it(`should refuse ${title}`, async () => {
      expect(await findProblemCodes(xml)).to.include(expected);
    });
  }
});
