import { expect } from 'chai';
import { element, serviceTask, properties } from '../../models.spec.support.js';
import { buildModel, lintWithRule } from '../lint.spec.support.js';

const CLOSED_SCHEMA = '{"type": "object", "properties": {"amount": {"type": "number"}}, "additionalProperties": false}';
const OPEN_SCHEMA = '{"type": "object", "properties": {"amount": {"type": "number"}}}';

/** Lints a step followed by a gateway with a condition. */
function lintCondition(condition: string, schema: string, step = element('manualTask', 'step')): Promise<string[]> {
  const xml = buildModel(['start > step', 'step > x1', `x1 > a: =${condition}`, 'x1 > e', 'a > e'], step, [
    'step',
    'a',
  ]).replace(
    'isExecutable="true">',
    `isExecutable="true"><bpmn:extensionElements>${properties({ inputSchema: schema })}</bpmn:extensionElements><bpmn:manualTask id="a"/>`,
  );
  return lintWithRule('undefined-variable', xml);
}

describe('Lint: undefined-variable', () => {
  it('should report a condition that reads an undefined variable', async () => {
    expect(await lintCondition('amuont', CLOSED_SCHEMA)).to.deep.equal(['warning x1-a']);
    expect(await lintCondition('amount = 1 and other.part', CLOSED_SCHEMA)).to.deep.equal(['warning x1-a']);
  });

  it('should accept variables from the input schema, scripts, output mappings and approvals', async () => {
    const script = element('scriptTask', 'step', '<zeebe:script expression="=1" resultVariable="total"/>');
    const jobWithOutputMapping = serviceTask(
      'step',
      'work',
      '<zeebe:ioMapping><zeebe:output source="=answer.total" target="total"/></zeebe:ioMapping>',
    );

    expect(await lintCondition('amount &gt; 1', CLOSED_SCHEMA)).to.deep.equal([]);
    expect(await lintCondition('total &gt; 1', CLOSED_SCHEMA, script)).to.deep.equal([]);
    expect(await lintCondition('total &gt; 1', CLOSED_SCHEMA, jobWithOutputMapping)).to.deep.equal([]);
    expect(await lintCondition('answer.total &gt; 1', CLOSED_SCHEMA, jobWithOutputMapping)).to.deep.equal([
      'warning x1-a',
    ]);
    expect(
      await lintCondition('approval.decision = "approve"', CLOSED_SCHEMA, element('userTask', 'step')),
    ).to.deep.equal([]);
  });

  it('should report nothing if the input schema or a job may add other variables', async () => {
    expect(await lintCondition('other', OPEN_SCHEMA)).to.deep.equal([]);
    expect(await lintCondition('other', CLOSED_SCHEMA, serviceTask('step'))).to.deep.equal([]);
  });
});
