import { expect } from 'chai';
import { adaptModel, readMarkers } from './adapt-model.js';
import { buildMarkedTask, TIMER_MODEL } from './models.spec.support.js';

describe('adaptModel', () => {
  it('should not change a complete model', () => {
    expect(adaptModel(TIMER_MODEL)).to.equal(TIMER_MODEL);
  });

  it('should add a job type to a service task after its documentation', () => {
    expect(
      adaptModel(
        '<bpmn:serviceTask id="a"><bpmn:documentation>x</bpmn:documentation><bpmn:incoming>f</bpmn:incoming></bpmn:serviceTask>',
      ),
    ).to.equal(
      '<bpmn:serviceTask id="a"><bpmn:documentation>x</bpmn:documentation><bpmn:extensionElements><zeebe:taskDefinition type="conformance"/></bpmn:extensionElements>' +
        '<bpmn:incoming>f</bpmn:incoming></bpmn:serviceTask>',
    );
    expect(adaptModel('<bpmn:serviceTask id="a"/>')).to.include('zeebe:taskDefinition');
  });

  it('should map throwError and assign extensions to a task header and an output mapping', () => {
    const extensions = (inner: string): string =>
      adaptModel(
        `<bpmn:serviceTask id="a"><bpmn:extensionElements>${inner}</bpmn:extensionElements></bpmn:serviceTask>`,
      );
    expect(extensions('<c:throwError code="E1"/>')).to.include('<zeebe:header key="throwError" value="E1"/>');
    expect(extensions('<c:assign variable="n" feel="n + 1"/>')).to.include(
      '<zeebe:output source="=n + 1" target="n"/>',
    );
  });

  it('should add the FEEL prefix to an expression only if it is missing', () => {
    const condition = (text: string): string =>
      `<bpmn:conditionExpression xsi:type="bpmn:tFormalExpression">${text}</bpmn:conditionExpression>`;
    expect(adaptModel(condition('n &lt; 3'))).to.equal(condition('=n &lt; 3'));
    expect(adaptModel(condition('=n &lt; 3'))).to.equal(condition('=n &lt; 3'));
    expect(adaptModel('<bpmn:timeDuration>PT2H</bpmn:timeDuration>')).to.equal(
      '<bpmn:timeDuration>PT2H</bpmn:timeDuration>',
    );
  });

  it('should add a correlation key to a message and declare the zeebe namespace', () => {
    const adapted = adaptModel('<bpmn:definitions id="d"><bpmn:message id="m" name="call"/></bpmn:definitions>');
    expect(adapted).to.include(
      '<bpmn:message id="m" name="call"><bpmn:extensionElements><zeebe:subscription correlationKey="=&quot;conformance&quot;"/>',
    );
    expect(adapted).to.include('xmlns:zeebe="http://camunda.org/schema/zeebe/1.0"');
  });

  it('should find the markers of script tasks', () => {
    const documented = buildMarkedTask('b', 'two').replace(
      '<bpmn:extensionElements>',
      '<bpmn:documentation>of b</bpmn:documentation><bpmn:extensionElements>',
    );
    expect([
      ...readMarkers(`${buildMarkedTask('a', 'one')}<bpmn:scriptTask id="none"></bpmn:scriptTask>${documented}`),
    ]).to.deep.equal([
      ['a', 'one'],
      ['b', 'two'],
    ]);
  });
});
