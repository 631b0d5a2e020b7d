import { expect } from 'chai';
import { element, job, properties } from '../../models.spec.support.js';
import { drawn, saidBy } from '../lint.spec.support.js';

const CLOSED = '{"type": "object", "properties": {"amount": {"type": "number"}}, "additionalProperties": false}';
const OPEN = '{"type": "object", "properties": {"amount": {"type": "number"}}}';

/** A step, then a gateway with a condition. */
function asking(condition: string, schema: string, step = element('manualTask', 'step')): Promise<string[]> {
  const xml = drawn(['start > step', 'step > x1', `x1 > a: =${condition}`, 'x1 > e', 'a > e'], step, [
    'step',
    'a',
  ]).replace(
    'isExecutable="true">',
    `isExecutable="true"><bpmn:extensionElements>${properties({ inputSchema: schema })}</bpmn:extensionElements><bpmn:manualTask id="a"/>`,
  );
  return saidBy('undefined-variable', xml);
}

describe('Lint: undefined-variable', () => {
  it('should report a condition that reads an undefined variable', async () => {
    expect(await asking('amuont', CLOSED)).to.deep.equal(['warning x1-a']);
    expect(await asking('amount = 1 and other.part', CLOSED)).to.deep.equal(['warning x1-a']);
  });

  it('should accept variables from the input schema, scripts, output mappings and approvals', async () => {
    const script = element('scriptTask', 'step', '<zeebe:script expression="=1" resultVariable="total"/>');
    const mapped = job(
      'step',
      'work',
      '<zeebe:ioMapping><zeebe:output source="=answer.total" target="total"/></zeebe:ioMapping>',
    );

    expect(await asking('amount &gt; 1', CLOSED)).to.deep.equal([]);
    expect(await asking('total &gt; 1', CLOSED, script)).to.deep.equal([]);
    expect(await asking('total &gt; 1', CLOSED, mapped)).to.deep.equal([]);
    expect(await asking('answer.total &gt; 1', CLOSED, mapped)).to.deep.equal(['warning x1-a']);
    expect(await asking('approval.decision = "approve"', CLOSED, element('userTask', 'step'))).to.deep.equal([]);
  });

  it('should report nothing if the input schema or a job may add other variables', async () => {
    expect(await asking('other', OPEN)).to.deep.equal([]);
    expect(await asking('other', CLOSED, job('step'))).to.deep.equal([]);
  });
});
