import { readModel } from '@countersign/bpmn/lint';
import { expect } from 'chai';
import { MAX_ELEMENTS, runBpmnlint } from './run-bpmnlint.js';

const model = (
  content: string,
) => `<bpmn:definitions xmlns:bpmn="http://www.omg.org/spec/BPMN/20100524/MODEL" id="d" targetNamespace="urn:test">
  <bpmn:process id="p" isExecutable="true">${content}</bpmn:process></bpmn:definitions>`;

describe('runBpmnlint', () => {
  it('should see the flows of a model that does not list them at its nodes', async () => {
    const root = await readModel(
      model(
        '<bpmn:startEvent id="s"/><bpmn:exclusiveGateway id="x"/><bpmn:endEvent id="e"/><bpmn:sequenceFlow id="f" sourceRef="s" targetRef="x"/><bpmn:sequenceFlow id="g" sourceRef="x" targetRef="e"/>',
      ),
    );

    const findings = await runBpmnlint(root, []);

    expect(findings.map(({ severity, rule, elementId }) => `${severity} ${rule} ${elementId ?? ''}`)).to.deep.equal([
      'info bpmnlint/superfluous-gateway x',
    ]);
    expect(findings[0]?.message).to.match(/\. Remove it\.$/);
  });

  it('should pass on what our own rules say, as they say it', async () => {
    const root = await readModel(
      model('<bpmn:startEvent id="s"/><bpmn:endEvent id="e"/><bpmn:sequenceFlow id="f" sourceRef="s" targetRef="e"/>'),
    );

    const said = { rule: 'unreachable', elementId: 's', message: 'So it is.' } as const;
    const findings = await runBpmnlint(root, [
      { ...said, severity: 'warning' },
      { ...said, severity: 'error', elementId: null },
    ]);

    expect(findings).to.deep.equal([
      { ...said, severity: 'warning', rule: 'countersign/unreachable' },
      { ...said, severity: 'error', rule: 'countersign/unreachable', elementId: null },
    ]);
  });

  it('should leave out bpmnlint where a model is large, and say so', async () => {
    const tasks = Array.from({ length: MAX_ELEMENTS }, (_, index) => `<bpmn:task id="t${index}"/>`).join('');

    const findings = await runBpmnlint(await readModel(model(tasks)), []);

    expect(findings.map(({ rule }) => rule)).to.deep.equal(['bpmnlint/not-judged']);
  });
});
