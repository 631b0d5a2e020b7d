import { expect } from 'chai';
import { element, evaluate, line, model, nodeOf, properties, refusalsOf } from './models.spec.support.js';

function called(attributes: string): string {
  return `<zeebe:calledElement ${attributes}/>`;
}

function call(extensions: string, attributes = '', root = ''): string {
  return model(line(element('callActivity', 'a', extensions, '', attributes), 'a'), root);
}

const OTHER = `<bpmn:process id="other" isExecutable="true"><bpmn:startEvent id="s"/><bpmn:endEvent id="e"/>
  <bpmn:sequenceFlow id="s-e" sourceRef="s" targetRef="e"/></bpmn:process>`;

describe('call activities of a BPMN model', () => {
  it('should call the latest version and propagate all variables in both directions by default', async () => {
    expect(await nodeOf(call(called('processId="other"')), 'a', 'callActivity')).to.deep.include({
      workflowId: { literal: 'other' },
      binding: 'latest',
      propagateAllParentVariables: true,
      propagateAllChildVariables: true,
    });
  });

  it('should compile a workflow id in FEEL and disabled variable propagation', async () => {
    const attributes = 'processId="=which" propagateAllChildVariables="false" propagateAllParentVariables="false"';
    const activity = await nodeOf(call(called(attributes)), 'a', 'callActivity');
    expect(evaluate(activity.workflowId, { which: 'x' })).to.equal('x');
    expect(activity).to.deep.include({ propagateAllParentVariables: false, propagateAllChildVariables: false });
  });

  it('should compile the binding to a deployment, the latest version or a fixed version', async () => {
    const binding = async (xml: string): Promise<unknown> => (await nodeOf(xml, 'a', 'callActivity')).binding;
    expect(await binding(call(called('processId="other" bindingType="deployment"')))).to.equal('deployment');
    expect(await binding(call(called('processId="other" bindingType="latest"')))).to.equal('latest');
    const pinned = properties({ 'calledElement.version': '7' });
    expect(await binding(call(called('processId="other"') + pinned))).to.equal(7);
  });

  it('should bind calledElement to a process of the same file, or to the latest version of another workflow', async () => {
    const definitions = '</bpmn:definitions>';
    const both = call('', 'calledElement="other"').replace(definitions, OTHER + definitions);
    expect(await nodeOf(both, 'a', 'callActivity')).to.deep.include({
      workflowId: { literal: 'other' },
      binding: 'deployment',
    });
    expect(await nodeOf(call('', 'calledElement="tns:other"'), 'a', 'callActivity')).to.deep.include({
      workflowId: { literal: 'other' },
      binding: 'latest',
      propagateAllChildVariables: true,
    });
    expect(
      (await nodeOf(call(called('processId="other"'), 'calledElement="other"'), 'a', 'callActivity')).workflowId,
    ).to.deep.equal({
      literal: 'other',
    });
  });

  const refused: readonly (readonly [string, string, string])[] = [
    ['a call activity without a called element', call(''), 'a missing_called_element'],
    ['a called element without a process id', call(called('propagateAllChildVariables="true"')), 'a missing_value'],
    [
      'binding to a version tag',
      call(called('processId="other" bindingType="versionTag" versionTag="v1"')),
      'a unsupported_binding',
    ],
    ['two called elements', call(called('processId="other"'), 'calledElement="another"'), 'a ambiguous_called_element'],
    [
      'a version that is not a number',
      call(called('processId="other"') + properties({ 'calledElement.version': 'newest' })),
      'a invalid_property',
    ],
    [
      'a version together with deployment binding',
      call(called('processId="other" bindingType="deployment"') + properties({ 'calledElement.version': '2' })),
      'a unsupported_binding',
    ],
    ['a business id', call(called('processId="other" businessId="=x"')), 'a unsupported_property'],
    [
      'a job type on a call activity',
      call(`${called('processId="other"')}<zeebe:taskDefinition type="x"/>`),
      'a unsupported_extension',
    ],
  ];
  for (const [what, xml, expected] of refused) {
    it(`should refuse ${what}`, async () => {
      expect(await refusalsOf(xml)).to.include(expected);
    });
  }
});
