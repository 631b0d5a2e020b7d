import { readModel } from '@countersign/bpmn/lint';
import { expect } from 'chai';
import { MAX_ELEMENTS, runBpmnlint } from './run-bpmnlint.js';

const createModelXml = (
  content: string,
) => `<bpmn:definitions xmlns:bpmn="http://www.omg.org/spec/BPMN/20100524/MODEL" id="d" targetNamespace="urn:test">
  <bpmn:process id="p" isExecutable="true">${content}</bpmn:process></bpmn:definitions>`;

describe('runBpmnlint', () => {
  it('should lint sequence flows that the nodes of the BPMN model do not list', async () => {
    const root = await readModel(
      createModelXml(
        '<bpmn:startEvent id="s"/><bpmn:exclusiveGateway id="x"/><bpmn:endEvent id="e"/><bpmn:sequenceFlow id="f" sourceRef="s" targetRef="x"/><bpmn:sequenceFlow id="g" sourceRef="x" targetRef="e"/>',
      ),
    );

    const findings = await runBpmnlint(root, []);

    expect(findings.map(({ severity, rule, elementId }) => `${severity} ${rule} ${elementId ?? ''}`)).to.deep.equal([
      'info bpmnlint/superfluous-gateway x',
    ]);
    expect(findings[0]?.message).to.match(/\. Remove it\.$/);
  });

  it("should return the findings of Countersign's own rules unchanged, with a prefixed rule id", async () => {
    const root = await readModel(
      createModelXml(
        '<bpmn:startEvent id="s"/><bpmn:endEvent id="e"/><bpmn:sequenceFlow id="f" sourceRef="s" targetRef="e"/>',
      ),
    );

    const finding = { rule: 'unreachable', elementId: 's', message: 'No path leads to it.' } as const;
    const findings = await runBpmnlint(root, [
      { ...finding, severity: 'warning' },
      { ...finding, severity: 'error', elementId: null },
    ]);

    expect(findings).to.deep.equal([
      { ...finding, severity: 'warning', rule: 'countersign/unreachable' },
      { ...finding, severity: 'error', rule: 'countersign/unreachable', elementId: null },
    ]);
  });

  it('should skip bpmnlint for a large BPMN model and report that as a finding', async () => {
    const tasks = Array.from({ length: MAX_ELEMENTS }, (_, index) => `<bpmn:task id="t${index}"/>`).join('');

    const findings = await runBpmnlint(await readModel(createModelXml(tasks)), []);

    expect(findings.map(({ rule }) => rule)).to.deep.equal(['bpmnlint/not-judged']);
  });
});
